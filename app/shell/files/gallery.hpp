/// The presets of all scenes: states shipped with the program or saved by the user, each with a small picture.
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

/// The centre of a picture in the shape of a card, averaged down to at most twice the card's size.
Image card_picture(const Image& picture);

struct PresetFile {
  std::string scene;
  Card card;
  Image picture;  ///< empty: none readable
};
/// The presets of that scene in that folder, by name. Files without a state are skipped with a warning.
std::vector<PresetFile> read_presets(const std::filesystem::path& folder, std::string_view scene, bool own);

class Gallery {
 public:
  explicit Gallery(SceneKinds kinds);

  /// Takes over finished reading and writing. Throws an Error if a preset could not be saved.
  void update();
  /// The scene's cards; null: none.
  std::shared_ptr<const Cards> cards(std::string_view scene) const;

  /// Requests saving a preset of that name with the next picture.
  void request(std::string name) { requested_ = std::move(name); }
  bool requested() const { return requested_.has_value(); }
  /// Saves the requested preset.
  void keep(std::string_view scene, Image picture, StateSource state);
  /// Removes a preset of the user; ignores shipped ones. Throws an Error if the file cannot be removed.
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
