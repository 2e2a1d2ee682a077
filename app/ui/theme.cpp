#include "ui/theme.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <system_error>

namespace orrery::ui {
namespace {

void set_lengths(ImGuiStyle& style) {
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 3};
  style.ItemSpacing = {8, 4};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {4, 2};
  style.IndentSpacing = 12;
  style.ScrollbarSize = 9;
  style.GrabMinSize = 9;
  style.WindowRounding = 6;
  style.ChildRounding = 4;
  style.FrameRounding = 4;
  style.PopupRounding = 4;
  style.ScrollbarRounding = 4;
  style.GrabRounding = 3;
  style.TabRounding = 4;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
}

void set_palette(Theme theme) {
  using namespace palette;
  const auto pick = [theme](unsigned dark, unsigned light) { return Color{theme == Theme::dark ? dark : light}; };
  window = pick(0x14171c, 0xf3f4f6);
  raised = pick(0x1b1f26, 0xe8eaee);
  field = pick(0x242a33, 0xe1e4e9);
  line = pick(0x2c323c, 0xcfd4db);
  text = pick(0xdfe3ea, 0x1d2229);
  dim = pick(0xa2aab6, 0x4d5663);
  accent = pick(0x6ba4f8, 0x1853ab);
  kinetic = pick(0xe9a15b, 0x8f4a06);
  potential = pick(0x6ba4f8, 0x1853ab);
  total = pick(0xe8ebf0, 0x1d2229);
  residual = pick(0xb796ec, 0x6a3db3);
  kernel = pick(0x55c2b0, 0x0a6356);
  frame = pick(0x8fb573, 0x3f661e);
  good = pick(0x7fc290, 0x1c6a33);
  warning = pick(0xe5b95f, 0x7a5000);
  error = pick(0xf28680, 0xac2821);
  alarm = pick(0x2a1d1f, 0xfbe9e7);
  code = pick(0x101317, 0xfbfcfd);
}

void set_colors(ImGuiStyle& style, Theme theme) {
  using namespace palette;
  const auto pick = [theme](unsigned dark, unsigned light) { return Color{theme == Theme::dark ? dark : light}; };
  const auto set = [&](ImGuiCol which, Color color, float alpha = 1) { style.Colors[which] = Color{color.rgb, alpha}; };
  set(ImGuiCol_Text, text);
  set(ImGuiCol_TextDisabled, dim);
  set(ImGuiCol_TextSelectedBg, accent, 0.35F);
  set(ImGuiCol_WindowBg, window);
  set(ImGuiCol_ChildBg, window, 0);
  set(ImGuiCol_PopupBg, pick(0x1f242c, 0xffffff));
  set(ImGuiCol_Border, pick(0x343b46, 0xbcc3cd));
  set(ImGuiCol_BorderShadow, {}, 0);
  set(ImGuiCol_FrameBg, field);
  set(ImGuiCol_FrameBgHovered, pick(0x2d3440, 0xd6dbe2));
  set(ImGuiCol_FrameBgActive, pick(0x333b48, 0xccd2db));
  set(ImGuiCol_ScrollbarBg, window, 0);
  set(ImGuiCol_ScrollbarGrab, pick(0x333a45, 0xc3c9d2));
  set(ImGuiCol_ScrollbarGrabHovered, pick(0x434c5a, 0xaeb6c1));
  set(ImGuiCol_ScrollbarGrabActive, pick(0x525d6d, 0x99a2af));
  set(ImGuiCol_CheckMark, accent);
  set(ImGuiCol_SliderGrab, pick(0x4f80cc, 0x4f80cc));
  set(ImGuiCol_SliderGrabActive, accent);
  set(ImGuiCol_Button, pick(0x2a313b, 0xdfe3e9));
  set(ImGuiCol_ButtonHovered, pick(0x323a45, 0xd1d7df));
  set(ImGuiCol_ButtonActive, pick(0x404a59, 0xc2cad4));
  set(ImGuiCol_Header, pick(0x2a313b, 0xdfe3e9));
  set(ImGuiCol_HeaderHovered, pick(0x323a46, 0xd6dbe2));
  set(ImGuiCol_HeaderActive, pick(0x3a4451, 0xc9d0d9));
  set(ImGuiCol_Separator, line);
  set(ImGuiCol_NavHighlight, accent);
  set(ImGuiCol_TableHeaderBg, raised, 0);
  set(ImGuiCol_TableBorderLight, line);
  set(ImGuiCol_TableBorderStrong, line);
  set(ImGuiCol_TableRowBg, window, 0);
  set(ImGuiCol_TableRowBgAlt, Color{0xffffff}, 0.02F);
  set(ImGuiCol_ModalWindowDimBg, Color{0x000000}, 0.5F);
}

// Pairs of first and last code points, ended by 0. ImGui before 1.92 keeps the pointer until the atlas is built.
constexpr std::array<ImWchar, 17> text_ranges{0x0020, 0x007E, 0x00A0, 0x017F, 0x0370, 0x03FF, 0x0400, 0x045F, 0x2010,
                                              0x2027, 0x2030, 0x203A, 0x2070, 0x209C, 0x2202, 0x2265, 0};
// Symbols that Roboto lacks and the monospaced font has: arrows, some of mathematics.
constexpr std::array<ImWchar, 7> symbol_ranges{0x2190, 0x2194, 0x2208, 0x220B, 0x221D, 0x2229, 0};

bool has_file(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored);
}

ImFont* built_in(float pixels) {
  ImFontConfig config;
  config.SizePixels = std::floor(pixels * 13.0F / body_pixels);
  return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

ImFont* load(const std::filesystem::path& file, const std::filesystem::path& symbols, float pixels,
             std::span<const SystemFont> more) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFont* const font = has_file(file)
                           ? atlas.AddFontFromFileTTF(file.string().c_str(), pixels, nullptr, text_ranges.data())
                           : built_in(pixels);
  if (font == nullptr) return nullptr;
  ImFontConfig merge;
  merge.MergeMode = true;
  if (symbols != file && has_file(symbols))
    atlas.AddFontFromFileTTF(symbols.string().c_str(), pixels, &merge, symbol_ranges.data());
  merge.FontDataOwnedByAtlas = false;
  for (const SystemFont& each : more) {
    merge.FontNo = each.face;
    atlas.AddFontFromMemoryTTF(each.file->data(), static_cast<int>(each.file->size()), pixels, &merge,
                               each.ranges.data());
  }
  return font;
}

bool has_character(ImWchar code_point) {
  if (ImGui::GetFont() == nullptr) return false;  // before the first frame
#if IMGUI_VERSION_NUM >= 19200
  return ImGui::GetFont()->IsGlyphInFont(code_point);
#else
  return ImGui::GetFont()->FindGlyphNoFallback(code_point) != nullptr;
#endif
}

}  // namespace

void apply_theme(float scale, Theme theme) {
  ImGuiStyle style;
  set_lengths(style);
  set_palette(theme);
  set_colors(style, theme);
  style.ScaleAllSizes(scale);
  style.WindowMinSize = {1, 1};  // ScaleAllSizes() rounds down, and ImGui ends the process below 1
#if IMGUI_VERSION_NUM >= 19200
  style.FontSizeBase = std::round(body_pixels * scale);
#endif
  ImGui::GetStyle() = style;
}

Fonts load_fonts(const std::filesystem::path& folder, float scale, std::span<const SystemFont> more) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  const std::filesystem::path regular = folder / "Roboto-Regular.ttf";
  const std::filesystem::path medium = folder / "Roboto-Medium.ttf";
  const std::filesystem::path mono = folder / "DejaVuSansMono.ttf";
  const auto pixels = [&](float size) { return std::round(size * scale); };
  Fonts fonts;
  fonts.scale = scale;
  fonts.body = load(regular, mono, pixels(body_pixels), more);
  fonts.heading = load(has_file(medium) ? medium : regular, mono, pixels(body_pixels), more);
  fonts.small = load(regular, mono, pixels(12.5F), more);
  fonts.mono = load(mono, mono, pixels(12.5F), more);
  fonts.title = load(has_file(medium) ? medium : regular, mono, pixels(22), more);
  return fonts;
}

std::set<ImWchar>& missing_characters() {
  static std::set<ImWchar> missing;
  return missing;
}

void note_missing_character(unsigned code_point) {
  if (code_point < 0x80 || code_point > IM_UNICODE_CODEPOINT_MAX || code_point == IM_UNICODE_CODEPOINT_INVALID) return;
  if (const auto character = static_cast<ImWchar>(code_point); !has_character(character))
    missing_characters().insert(character);
}

void note_missing_characters(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    unsigned code_point = 0;
    at += ImTextCharFromUtf8(&code_point, at, text.data() + text.size());
    if (code_point == 0) return;
    note_missing_character(code_point);
  }
}

#if IMGUI_VERSION_NUM >= 19200
WithFont::WithFont(ImFont* font) { ImGui::PushFont(font, font != nullptr ? font->LegacySize : 0.0F); }
#else
WithFont::WithFont(ImFont* font) { ImGui::PushFont(font); }
#endif

}  // namespace orrery::ui
