/// The shipped presets: each can be opened, is complete, and has its picture.
#include "shell/files/gallery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files/path.hpp"
#include "scratch.hpp"
#include "shell/files/document.hpp"
#include "shell/files/dropped_file.hpp"

namespace orrery::shell {
namespace {

/// Parameters of the device, which presets do not contain.
const std::set<std::string> of_the_device{"forces", "force-error", "opening-angle", "order", "work-group", "variant"};

std::filesystem::path shipped(std::string_view scene) { return asset_folder() / "presets" / scene; }

TEST(Gallery, EveryShippedPresetEqualsTheStateThatItsSceneSaves) {
  for (const SceneKind* kind : scene_kinds()) {
    for (const PresetFile& preset : read_presets(shipped(kind->name), kind->name, false)) {
      SCOPED_TRACE(preset.card.id);
      const DroppedFile file = examine_dropped(scene_kinds(), {preset.card.id});
      EXPECT_EQ(file.scene, kind->name);
      EXPECT_TRUE(file.unknown.empty()) << file.unknown.front();
      const StateSection& section = file.state.at(std::string(kind->name));
      const std::unique_ptr<Scene> scene = kind->make(*kind);
      ASSERT_TRUE(scene->load(section).empty());
      const StateSection saved = scene->save();
      for (const auto& [key, value] : section) {
        const Value* const again = value_of(saved, key);
        ASSERT_NE(again, nullptr) << key;
        EXPECT_EQ(*again, value) << key;
      }
      for (const auto& [key, value] : scene->choices())
        EXPECT_TRUE(of_the_device.contains(key) || value_of(section, key) != nullptr) << "it leaves open " << key;
    }
  }
}

TEST(Gallery, EveryShippedPresetHasATitleASentenceAndAPicture) {
  std::size_t found = 0;
  for (const auto& folder : std::filesystem::directory_iterator(asset_folder() / "presets")) {
    const std::string scene = folder.path().filename().string();
    EXPECT_NE(find_kind(scene_kinds(), scene), nullptr) << scene;
    std::set<std::string> titles;
    for (const PresetFile& preset : read_presets(folder, scene, false)) {
      SCOPED_TRACE(preset.card.id);
      ++found;
      EXPECT_TRUE(titles.insert(preset.card.title).second);
      EXPECT_TRUE(preset.card.text.ends_with('.')) << preset.card.text;
      EXPECT_EQ(preset.picture.width, card_width);
      EXPECT_EQ(preset.picture.height, card_height);
      EXPECT_LE(std::filesystem::file_size(std::filesystem::path(preset.card.id).replace_extension(".png")), 30'000U);
    }
  }
  EXPECT_GE(found, 15U);
}

TEST(Gallery, ThePictureOfACardIsTheMiddleOfTheView) {
  Image wide(1000, 300);
  for (std::uint32_t y = 0; y < wide.height; ++y)
    for (std::uint32_t x = 0; x < wide.width; ++x) wide.pixel(x, y)[0] = x < 500 ? 200 : 40;
  const Image small = card_picture(wide);
  EXPECT_EQ(small.width * card_height / card_width, small.height);
  EXPECT_LT(small.width, 2 * card_width);
  EXPECT_EQ(small.pixel(0, 0)[0], 200);
  EXPECT_EQ(small.pixel(small.width - 1, small.height - 1)[0], 40);
}

TEST(Gallery, AFileThatIsNoStateIsLeftOut) {
  const auto folder = std::filesystem::temp_directory_path() / "orrery-gallery-test";
  std::filesystem::create_directories(folder);
  write_file(folder / "bad.toml", "= nonsense");
  write_file(folder / "good.toml", "[preset]\ntitle = \"Good\"\n[nbody]\n");
  const std::vector<PresetFile> presets = read_presets(folder, "nbody", false);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(presets.size(), 1U);
  EXPECT_EQ(presets.front().card.title, "Good");
  EXPECT_EQ(presets.front().picture.width, 0U) << "it has no picture, and is a plain tile";
}

}  // namespace
}  // namespace orrery::shell
