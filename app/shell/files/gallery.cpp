#include "shell/files/gallery.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"

namespace orrery::shell {
namespace fs = std::filesystem;
namespace {

constexpr int cards_per_frame = 3;  // pictures uploaded to OpenGL per frame

fs::path own_presets(std::string_view scene) {
  const fs::path data = data_folder();
  return data.empty() ? fs::path() : data / "presets" / scene;
}

Image picture_beside(const fs::path& path) {
  try {
    return read_png(path).image;
  } catch (const std::exception& error) {  // the card stays without a picture
    log(Level::warning, error.what());
    return {};
  }
}

PresetFile read_preset(const fs::path& path, std::string_view scene, bool own) {
  const StateTables state = read_recipe(path);
  const auto preset = state.find(std::string(preset_table));
  const StateSection told = preset != state.end() ? preset->second : StateSection();
  const std::string title = text_of(told, "title");
  return {.scene = std::string(scene),
          .card = {.id = path.string(),
                   .title = title.empty() ? path.stem().string() : title,
                   .text = own ? "Saved by you" : text_of(told, "about"),
                   .own = own,
                   .object = text_of(told, "object")},
          .picture = picture_beside(fs::path(path).replace_extension(".png"))};
}

// Averages whole blocks of pixels.
Image averaged(const Image& picture, std::uint32_t left, std::uint32_t top, std::uint32_t width, std::uint32_t block) {
  Image small(width / block, width / block * card_height / card_width);
  for (std::uint32_t y = 0; y < small.height; ++y)
    for (std::uint32_t x = 0; x < small.width; ++x) {
      std::array<std::uint32_t, 3> sum{};
      for (std::uint32_t k = 0; k < block * block; ++k)
        for (std::size_t c = 0; c < 3; ++c)
          sum[c] += picture.pixel(left + x * block + k % block, top + y * block + k / block)[c];
      for (std::size_t c = 0; c < 3; ++c)
        small.pixel(x, y)[c] = static_cast<std::uint8_t>((sum[c] + block * block / 2) / (block * block));
    }
  return small;
}

}  // namespace

Image card_picture(const Image& picture) {
  const std::uint32_t width = std::min(picture.width, picture.height * card_width / card_height);
  const std::uint32_t height = width * card_height / card_width;
  if (height == 0) return picture;
  const std::uint32_t block = std::max(1U, width / card_width);
  return averaged(picture, (picture.width - width) / 2, (picture.height - height) / 2, width, block);
}

std::vector<PresetFile> read_presets(const fs::path& folder, std::string_view scene, bool own) {
  std::vector<PresetFile> presets;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored)) {
    if (file.path().extension() != (own ? ".png" : ".toml")) continue;
    try {
      presets.push_back(read_preset(file.path(), scene, own));
    } catch (const std::exception& error) {  // a file of another program
      log(Level::warning, error.what());
    }
  }
  std::ranges::sort(presets, {}, [](const PresetFile& preset) { return preset.card.id; });
  return presets;
}

Gallery::Gallery(SceneKinds kinds) {
  std::vector<std::string> scenes;
  for (const SceneKind* kind : kinds) scenes.emplace_back(kind->name);
  reading_.start([scenes] {
    std::vector<PresetFile> all;
    for (const std::string& scene : scenes)
      for (const bool own : {false, true})
        std::ranges::move(read_presets(own ? own_presets(scene) : asset_folder() / "presets" / scene, scene, own),
                          std::back_inserter(all));
    return all;
  });
}

void Gallery::update() {
  bool changed = false;
  if (auto read = reading_.poll()) {
    for (PresetFile& file : *read) entries_.push_back({std::move(file), {}});
    changed = true;
  }
  int uploaded = 0;
  for (Entry& entry : entries_) {
    if (entry.file.picture.width == 0 || ++uploaded > cards_per_frame) continue;
    entry.texture = gl::picture_texture(std::exchange(entry.file.picture, {}));
    entry.file.card.texture = entry.texture.name();
    changed = true;
  }
  if (changed) refresh_cards();
  if (auto kept = keeping_.poll()) {
    entries_.push_back({std::move(*kept), {}});
    refresh_cards();
  }
}

std::shared_ptr<const Cards> Gallery::cards(std::string_view scene) const {
  const auto found = cards_.find(scene);
  return found != cards_.end() ? found->second : nullptr;
}

void Gallery::refresh_cards() {
  std::map<std::string, Cards> all;
  for (const Entry& entry : entries_) all[entry.file.scene].push_back(entry.file.card);
  cards_.clear();
  for (auto& [scene, cards] : all) cards_[scene] = std::make_shared<const Cards>(std::move(cards));
}

void Gallery::keep(std::string_view scene, Image picture, StateSource state) {
  const std::string name = std::exchange(requested_, std::nullopt).value();
  const fs::path folder = own_presets(scene), path = folder / (name + ".png");
  if (folder.empty()) throw failure("there is no folder for presets", "set XDG_DATA_HOME to a writable folder");
  keeping_.start([=, scene = std::string(scene), picture = std::move(picture), state = std::move(state)] {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw failure("cannot create " + folder.string() + ": " + error.message());
    if (fs::exists(path)) throw usage_error("the name of a preset", name, "a name that no other preset has");
    Image small = card_picture(picture);
    PictureState carried = picture_state(state());
    if (!carried.left_out.empty())
      throw failure("the preset " + in_quotes(name) + " would lack " + carried.left_out, "save the state as a file");
    write_png(path, small, carried.texts, std::move(carried.attachment));
    return PresetFile{.scene = scene,
                      .card = {.id = path.string(), .title = name, .text = "Saved by you", .own = true},
                      .picture = std::move(small)};
  });
}

void Gallery::remove(const std::string& file) {
  const auto found =
      std::ranges::find_if(entries_, [&](const Entry& e) { return e.file.card.id == file && e.file.card.own; });
  if (found == entries_.end()) return;
  std::error_code error;
  fs::remove(file, error);
  if (error) throw failure("cannot remove " + file + ": " + error.message());
  entries_.erase(found);
  refresh_cards();
}

}  // namespace orrery::shell
