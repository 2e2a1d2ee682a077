/// How the panels look: one dark style, one set of colours that mean the same everywhere, and the fonts.
///
/// Needs a live ImGui context; calls nothing but ImGui. Works with ImGui 1.86 and newer.
#pragma once

#include <imgui.h>

#include <filesystem>

namespace orrery::ui {

/// A colour as sRGB 0xRRGGBB.
constexpr ImVec4 color(unsigned rgb, float alpha = 1) {
  return {static_cast<float>(rgb >> 16 & 255U) / 255.0F, static_cast<float>(rgb >> 8 & 255U) / 255.0F,
          static_cast<float>(rgb & 255U) / 255.0F, alpha};
}

/// Surfaces and text are greys; a hue always tells something.
namespace palette {
inline constexpr ImVec4 window = color(0x14171c);
inline constexpr ImVec4 raised = color(0x1b1f26);  ///< cards, section headings
inline constexpr ImVec4 field = color(0x242a33);   ///< what can be edited
inline constexpr ImVec4 line = color(0x2c323c);
inline constexpr ImVec4 text = color(0xdfe3ea);
inline constexpr ImVec4 dim = color(0x959daa);
inline constexpr ImVec4 accent = color(0x6ba4f8);  ///< can be moved, is chosen

inline constexpr ImVec4 kinetic = color(0xe9a15b);
inline constexpr ImVec4 potential = color(0x6ba4f8);
inline constexpr ImVec4 total = color(0xe8ebf0);
inline constexpr ImVec4 residual = color(0xb796ec);  ///< what ought to be zero
inline constexpr ImVec4 kernel = color(0x55c2b0);    ///< time on the device
inline constexpr ImVec4 frame = color(0x8fb573);     ///< time on the screen
inline constexpr ImVec4 good = color(0x7fc290);
inline constexpr ImVec4 warning = color(0xe5b95f);
inline constexpr ImVec4 error = color(0xf07a74);
}  // namespace palette

inline ImU32 packed(ImVec4 rgba, float alpha = 1) {
  rgba.w *= alpha;
  return ImGui::ColorConvertFloat4ToU32(rgba);
}

/// Size of body text at scale 1; every length in the panels is a multiple of it.
inline constexpr float body_pixels = 15;

struct Fonts {
  ImFont* body = nullptr;
  ImFont* heading = nullptr;
  ImFont* small = nullptr;  ///< labels in plots and tables
  ImFont* mono = nullptr;
};

/// Sets every colour and length of the style. Again after a change of scale.
void apply_theme(float scale);

/// Empties the font atlas and fills it from the .ttf files in `folder`; where one is missing, ImGui's own font stands
/// in. Again after a change of scale (with ImGui before 1.92 the backend's font texture must then be made anew).
Fonts load_fonts(const std::filesystem::path& folder, float scale);

/// Selects a font for a scope.
class WithFont {
 public:
  explicit WithFont(ImFont* font);
  ~WithFont() { ImGui::PopFont(); }
  WithFont(const WithFont&) = delete;
  WithFont& operator=(const WithFont&) = delete;
};

}  // namespace orrery::ui
