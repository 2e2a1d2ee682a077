/// Characters missing in the program's fonts are drawn with fonts of the system.
#include "shell/window/system_fonts.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>

namespace orrery {
namespace {

constexpr ImWchar alef = 0x05d0, armenian_ayb = 0x0531;

bool holds(const ui::SystemFont& font, ImWchar code_point) {
  for (std::size_t k = 0; k + 1 < font.ranges.size(); k += 2)
    if (font.ranges[k] <= code_point && code_point <= font.ranges[k + 1]) return true;
  return false;
}

/// An ImGui context without a window.
struct SystemFonts : testing::Test {
  SystemFonts() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ui::missing_characters().clear();
  }
  ~SystemFonts() override { ImGui::DestroyContext(); }

  /// Builds the font atlas like the window, and begins a frame to measure in.
  void load(const std::vector<ui::SystemFont>& fonts) {
    if (in_frame) ImGui::EndFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {640, 360};
    ui::load_fonts({}, 1, fonts);
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#else
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
#endif
    ImGui::NewFrame();
    in_frame = true;
  }

  bool in_frame = false;
};

// DejaVu Sans, installed with every Debian desktop, has both alphabets.
TEST_F(SystemFonts, AreFoundForMissingCharacters) {
  load({});
  ui::note_missing_characters("plain, naïve");
  ui::note_missing_characters("\u05d0.toml");
  EXPECT_EQ(ui::missing_characters(), std::set<ImWchar>{alef}) << "Latin letters are ImGui's own";
  const std::vector<ui::SystemFont> fonts = shell::system_fonts_for(ui::missing_characters());
  if (fonts.empty()) GTEST_SKIP() << "no font here has Hebrew letters, or there is no fontconfig";
  EXPECT_TRUE(holds(fonts.front(), alef));
  EXPECT_TRUE(holds(fonts.front(), alef + 1)) << "neighbours in the alphabet come along";
  ui::missing_characters().clear();
  load(fonts);
  ui::note_missing_characters("\u05d0\u05d1");
  EXPECT_TRUE(ui::missing_characters().empty());
}

TEST_F(SystemFonts, AreGivenOnceEachForSeveralAlphabets) {
  const std::vector<ui::SystemFont> fonts = shell::system_fonts_for({alef, armenian_ayb});
  if (fonts.empty()) GTEST_SKIP() << "no font here has these letters, or there is no fontconfig";
  for (const ImWchar each : {alef, armenian_ayb})
    EXPECT_EQ(std::ranges::count_if(fonts, [&](const auto& font) { return holds(font, each); }), 1);
}

TEST_F(SystemFonts, ALetterTypedBeforeTheFirstFrameIsLookedFor) {
  ui::note_missing_character(alef);
  EXPECT_EQ(ui::missing_characters(), std::set<ImWchar>{alef});
}

TEST_F(SystemFonts, BrokenTextIsNotLookedFor) {
  load({});
  ui::note_missing_characters("\xff\xfe broken \xc3");
  EXPECT_TRUE(ui::missing_characters().empty());
}

}  // namespace
}  // namespace orrery
