/// The window's remembered state is restored, except implausible values.
#include "shell/files/window_memory.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace orrery::shell {
namespace {

struct WindowMemoryFile : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("orrery-memory-" + std::to_string(::getpid()));
  std::filesystem::path file = folder / "window.toml";
  ~WindowMemoryFile() override { std::filesystem::remove_all(folder); }

  WindowMemory read(const std::string& text) {
    std::filesystem::create_directories(folder);
    std::ofstream(file) << text;
    return read_window_memory(file);
  }
};

TEST_F(WindowMemoryFile, BringsBackWhatWasWritten) {
  WindowMemory memory{.size = glm::ivec2(1500, 900), .place = glm::ivec2(-20, 40), .scene = "particles", .look = {}};
  memory.look = {.scale = 1.3F,
                 .column = 420.5F,
                 .face = ui::Face::measure,
                 .theme = ui::Theme::light,
                 .scale_answered = true,
                 .legend = true,
                 .unfolded = {{"nbody/Device", false}, {"nbody/Tuner", true}}};
  write_window_memory(file, memory);
  const WindowMemory read = read_window_memory(file);
  EXPECT_EQ(read.size, memory.size);
  EXPECT_EQ(read.place, memory.place);
  EXPECT_EQ(read.scene, "particles");
  EXPECT_FLOAT_EQ(read.look.scale, 1.3F);
  EXPECT_FLOAT_EQ(read.look.column.value(), 420.5F);
  EXPECT_EQ(read.look.face, ui::Face::measure);
  EXPECT_EQ(read.look.theme, ui::Theme::light);
  EXPECT_TRUE(read.look.scale_answered);
  EXPECT_TRUE(read.look.legend);
  EXPECT_EQ(read.look.unfolded, memory.look.unfolded);
}

TEST_F(WindowMemoryFile, UsesTheDefaultsForImplausibleValues) {
  for (const char* text :
       {"", "no TOML [", "size = [-3, 100]\nscale = 400\ncolumn = \"wide\"\ntheme = 7\nlegend = 3\nunfolded = 3",
        "size = 7\nplace = [1]\nscale = nan"}) {
    const WindowMemory memory = read(text);
    EXPECT_FALSE(memory.size) << text;
    EXPECT_FALSE(memory.place) << text;
    EXPECT_EQ(memory.look.scale, 1) << text;
    EXPECT_FALSE(memory.look.column) << text;
    EXPECT_EQ(memory.look.theme, ui::Theme::dark) << text;
    EXPECT_FALSE(memory.look.scale_answered) << text;
    EXPECT_FALSE(memory.look.legend) << text;
    EXPECT_TRUE(memory.look.unfolded.empty()) << text;
  }
  EXPECT_FALSE(read_window_memory(folder / "none.toml").size);
}

}  // namespace
}  // namespace orrery::shell
