// Text of the panels has a contrast of at least 4.5 : 1 (WCAG 2.2).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/theme.hpp"

namespace orrery::ui {
namespace {

double linear(double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); }
double luminance(const ImVec4& color) {
  return 0.2126 * linear(color.x) + 0.7152 * linear(color.y) + 0.0722 * linear(color.z);
}
double contrast(const ImVec4& a, const ImVec4& b) {
  const auto [least, most] = std::minmax({luminance(a), luminance(b)});
  return (most + 0.05) / (least + 0.05);
}
ImVec4 over(const ImVec4& color, float alpha, const ImVec4& behind) {
  const auto mixed = [&](float a, float b) { return a * alpha + b * (1 - alpha); };
  return {mixed(color.x, behind.x), mixed(color.y, behind.y), mixed(color.z, behind.z), 1};
}

class Contrast : public testing::TestWithParam<Theme> {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    apply_theme(1, GetParam());
  }
  void TearDown() override {
    apply_theme(1, Theme::dark);
    ImGui::DestroyContext();
  }
  static ImVec4 style(ImGuiCol which) { return ImGui::GetStyle().Colors[which]; }
  static void expect_legible(const char* ink, const ImVec4& color, const char* surface, const ImVec4& behind) {
    EXPECT_GE(contrast(color, behind), 4.5) << ink << " on " << surface;
  }
};
using namespace palette;

TEST_P(Contrast, KnownPairsHaveTheirKnownContrast) {
  EXPECT_NEAR(contrast(Color{0xffffff}, Color{0x000000}), 21, 1e-6);
  EXPECT_NEAR(contrast(Color{0x767676}, Color{0xffffff}), 4.54, 0.005);
}

TEST_P(Contrast, EveryInkCanBeReadOnEverySurface) {
  const std::vector<std::pair<const char*, ImVec4>> inks{
      {"text", text},           {"dim", dim},     {"accent", accent},     {"kinetic", kinetic},
      {"potential", potential}, {"total", total}, {"residual", residual}, {"kernel", kernel},
      {"frame", frame},         {"good", good},   {"warning", warning},   {"error", error}};
  const std::vector<std::pair<const char*, ImVec4>> surfaces{{"the column", window},
                                                             {"a card", raised},
                                                             {"a field", field},
                                                             {"a fault", alarm},
                                                             {"a list", style(ImGuiCol_PopupBg)},
                                                             {"a button", style(ImGuiCol_Button)}};
  for (const auto& [ink, color] : inks)
    for (const auto& [surface, behind] : surfaces) expect_legible(ink, color, surface, behind);
}

TEST_P(Contrast, HoveredTextCanBeRead) {
  for (const ImGuiCol which : {ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_ButtonHovered,
                               ImGuiCol_ButtonActive, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive, ImGuiCol_Header})
    expect_legible("text", text, ImGui::GetStyleColorName(which), style(which));
  expect_legible("dim", dim, "a hovered button", style(ImGuiCol_ButtonHovered));
  expect_legible("accent", accent, "a hovered button", style(ImGuiCol_ButtonHovered));
}

TEST_P(Contrast, NumbersOfSlidersAndChosenButtonsCanBeRead) {
  expect_legible("text", text, "a slider", over(accent, filled, field));
  expect_legible("dim", dim, "a slider", over(accent, filled, field));
  expect_legible("text", text, "a hovered slider", over(accent, filled, style(ImGuiCol_FrameBgHovered)));
  expect_legible("accent", accent, "a chosen button", over(accent, chosen, window));
  expect_legible("accent", accent, "a chosen button of a card", over(accent, chosen, raised));
}

INSTANTIATE_TEST_SUITE_P(Themes, Contrast, testing::Values(Theme::dark, Theme::light),
                         [](const auto& info) { return info.param == Theme::dark ? "Dark" : "Light"; });

}  // namespace
}  // namespace orrery::ui
