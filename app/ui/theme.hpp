/// How the panels look: one dark style, one set of colours that mean the same everywhere, and the fonts.
///
/// Needs a live ImGui context; calls nothing but ImGui. Works with ImGui 1.86 and newer.
#pragma once

#include <imgui.h>

#include <filesystem>

namespace orrery::ui {

/// sRGB, 0xRRGGBB, and opacity.
struct Color {
  unsigned rgb = 0;
  float alpha = 1;

  operator ImVec4() const {
    return {static_cast<float>(rgb >> 16 & 255U) / 255.0F, static_cast<float>(rgb >> 8 & 255U) / 255.0F,
            static_cast<float>(rgb & 255U) / 255.0F, alpha};
  }
};

/// Surfaces and text are greys; a hue always tells something.
namespace palette {
inline constexpr Color window{0x14171c};
inline constexpr Color raised{0x1b1f26};  ///< cards, section headings
inline constexpr Color field{0x242a33};   ///< what can be edited
inline constexpr Color line{0x2c323c};
inline constexpr Color text{0xdfe3ea};
inline constexpr Color dim{0x959daa};
inline constexpr Color accent{0x6ba4f8};  ///< can be moved, is chosen

inline constexpr Color kinetic{0xe9a15b};
inline constexpr Color potential{0x6ba4f8};
inline constexpr Color total{0xe8ebf0};
inline constexpr Color residual{0xb796ec};  ///< what ought to be zero
inline constexpr Color kernel{0x55c2b0};    ///< time on the device
inline constexpr Color frame{0x8fb573};     ///< time on the screen
inline constexpr Color good{0x7fc290};
inline constexpr Color warning{0xe5b95f};
inline constexpr Color error{0xf07a74};
}  // namespace palette

inline ImU32 packed(Color color) { return ImGui::ColorConvertFloat4ToU32(color); }
inline ImU32 packed(Color color, float alpha) { return packed({color.rgb, color.alpha * alpha}); }

/// Size of body text at scale 1; every length in the panels is a multiple of it.
inline constexpr float body_pixels = 15;

struct Fonts {
  ImFont* body = nullptr;
  ImFont* heading = nullptr;
  ImFont* small = nullptr;  ///< labels in plots and tables
  ImFont* mono = nullptr;
  ImFont* title = nullptr;  ///< full pages
  float scale = 1;
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
