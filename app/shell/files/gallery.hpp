/// The presets of all scenes: states that ship with the program, and such as the user has kept, each with a small
/// picture.
///
/// A preset is a state file, assets/presets/SCENE/NAME.toml with the table [preset] and NAME.png beside it, or a
/// picture with its state inside, presets/SCENE/NAME.png in the data folder. Window thread, with the GL context
/// current; files are read and written on a worker thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/image.hpp"
#include "base/files/state_text.hpp"
#include "base/work/background.hpp"
#include "protocol/snapshot.hpp"
#include "render/gl.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::shell {

/// Size of a small picture, in pixels.
inline constexpr std::uint32_t card_width = 192, card_height = 108;

/// The middle of a picture that has the shape of a card, averaged down to twice its size or less.
Image card_picture(const Image& picture);

struct PresetFile {
  std::string scene;
  Card card;
  Image picture;  ///< empty where there is none that can be read
};
/// Of that scene in that folder, by name. A file that is no state is left out, with a warning.
std::vector<PresetFile> read_presets(const std::filesystem::path& folder, std::string_view scene, bool own);

class Gallery {
 public:
  explicit Gallery(SceneKinds kinds);

  /// Takes over what has been read and written. Throws an Error where a preset could not be kept.
  void update();
  /// Null where the scene has none.
  std::shared_ptr<const Cards> cards(std::string_view scene) const;

  /// A preset of that name is to be kept: with the next picture.
  void request(std::string name) { requested_ = std::move(name); }
  bool requested() const { return requested_.has_value(); }
  /// Keeps what was requested.
  void keep(std::string_view scene, Image picture, StateSource state);
  /// No effect for a preset that ships with the program. Throws an Error where the file cannot be removed.
  void remove(const std::string& file);

 private:
  struct Entry {
    PresetFile file;
    gl::Texture texture;
  };
  void refresh_cards();

  Background<std::vector<PresetFile>> reading_;
  Background<PresetFile> keeping_;
  std::optional<std::string> requested_;
  std::vector<Entry> entries_;
  std::map<std::string, std::shared_ptr<const Cards>, std::less<>> cards_;
};

}  // namespace orrery::shell
