/// How the panels look: a dark and a light style, one set of colours that mean the same everywhere, and the fonts.
///
/// Needs a live ImGui context; calls nothing but ImGui. Works with ImGui 1.86 and newer.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

inline Color color_of(const std::array<std::uint8_t, 3>& rgb) {
  return {static_cast<unsigned>(rgb[0]) << 16 | static_cast<unsigned>(rgb[1]) << 8 | rgb[2]};
}

enum class Theme { dark, light };

/// Surfaces and text are greys; a hue always tells something. apply_theme() sets them; window thread.
namespace palette {
inline Color window{0x14171c};
inline Color raised{0x1b1f26};  ///< cards, section headings
inline Color field{0x242a33};   ///< fields that can be edited
inline Color line{0x2c323c};
inline Color text{0xdfe3ea};
inline Color dim{0xa2aab6};
inline Color accent{0x6ba4f8};  ///< can be moved, is chosen

inline Color kinetic{0xe9a15b};
inline Color potential{0x6ba4f8};
inline Color total{0xe8ebf0};
inline Color residual{0xb796ec};  ///< values that should be zero
inline Color kernel{0x55c2b0};    ///< time on the device
inline Color frame{0x8fb573};     ///< time on the screen
inline Color good{0x7fc290};
inline Color warning{0xe5b95f};
inline Color error{0xf28680};
inline Color alarm{0x2a1d1f};  ///< behind a fault
inline Color code{0x101317};   ///< behind a text that is edited

/// Opacity of the accent behind the number of a slider, and behind what is chosen: every text on it can be read.
inline constexpr float filled = 0.16F, chosen = 0.18F;
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

/// Sets every colour and length of the style. Again after a change of scale or theme.
void apply_theme(float scale, Theme theme = Theme::dark);

/// A font of the system, for characters that the program's own fonts lack.
struct SystemFont {
  std::shared_ptr<std::string> file;  ///< bytes of the file
  int face = 0;                       ///< in a file of several
  std::vector<ImWchar> ranges;        ///< pairs of first and last code points, ended by 0
};

/// Empties the font atlas and fills it from the .ttf files in `folder`, where one is missing from ImGui's own font, and
/// from `more`, which must live as long as the atlas. Again after a change of scale (with ImGui before 1.92 the
/// backend's font texture must then be made anew).
Fonts load_fonts(const std::filesystem::path& folder, float scale, std::span<const SystemFont> more = {});

/// Characters that were to be drawn and that no font of the atlas has. Window thread.
std::set<ImWchar>& missing_characters();
void note_missing_character(unsigned code_point);
/// Adds those of the text, which comes from outside the program: a name of a file, a title, something typed.
void note_missing_characters(std::string_view text);

/// Selects a font for a scope.
class WithFont {
 public:
  explicit WithFont(ImFont* font);
  ~WithFont() { ImGui::PopFont(); }
  WithFont(const WithFont&) = delete;
  WithFont& operator=(const WithFont&) = delete;
};

}  // namespace orrery::ui
