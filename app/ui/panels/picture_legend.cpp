#include <algorithm>
#include <cmath>

#include "base/written_number.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/ticks.hpp"

namespace orrery::ui {
namespace {

constexpr float ramp_width = 200, ramp_height = 8, most_bar = 120;

/// mantissa × 10^exponent: "0.05", "2 × 10⁻⁷".
std::string power_text(double mantissa, int exponent) {
  constexpr int plainest = 4;
  if (std::abs(exponent) < plainest) return number(mantissa * std::pow(10.0, exponent), 4);
  return (mantissa == 1 ? "10" : number(mantissa, 3) + " × 10") + superscript(exponent);
}

/// value × 2^exponent, to three digits.
std::string scaled_number(double value, int exponent) {
  constexpr double plain_from = 1000, plain_to = 1e7;
  if (exponent == 0 && value >= plain_from && value < plain_to) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
    return std::to_string(std::llround(value / unit) * std::llround(unit));
  }
  if (exponent == 0) return number(value, 3);
  const double log = std::log10(value) + exponent * std::log10(2.0), power = std::floor(log);
  return power_text(std::pow(10.0, log - power), static_cast<int>(power));
}

void quantity_rows(const Panel& panel, const PictureLegend& legend) {
  const ColorScale& colors = legend.colors;
  ImGui::TextUnformatted(colors.by.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = panel.px(ramp_width), height = panel.px(ramp_height), line = ImGui::GetFontSize();
  ImGui::Dummy({width, height + panel.px(3) + line});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::size_t count = colors.ramp.size() / 3;
  const auto color = [&](std::size_t k) {
    const std::uint8_t* rgb = &colors.ramp[3 * std::min(k, count - 1)];
    return IM_COL32(rgb[0], rgb[1], rgb[2], 255);
  };
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const auto edge = [&](std::size_t i) {
      return at.x + width * static_cast<float>(i) / static_cast<float>(count - 1);
    };
    list.AddRectFilledMultiColor({edge(k), at.y}, {edge(k + 1), at.y + height}, color(k), color(k + 1), color(k + 1),
                                 color(k));
  }
  list.AddRect(at, {at.x + width, at.y + height}, packed(palette::dim));
  const float below = at.y + height + panel.px(2);
  const auto text = [&](float x, const std::string& words) {
    list.AddText({std::round(x), below}, packed(palette::text), words.c_str());
  };
  const std::string low = scaled_number(colors.low, legend.exponent),
                    high = scaled_number(colors.high, legend.exponent);
  const float low_end = at.x + ImGui::CalcTextSize(low.c_str()).x;
  const float high_begin = at.x + width - ImGui::CalcTextSize(high.c_str()).x;
  text(at.x, low);
  text(high_begin, high);
  if (legend.exponent != 0 || !(colors.low < colors.high)) return;
  // Round numbers between the ends, where they do not touch those.
  const auto place = [&](double value) { return legend.logarithmic ? std::log10(value) : value; };
  const double from = place(colors.low), to = place(colors.high);
  const std::vector<double> ticks = legend.logarithmic ? decade_ticks(from, to, 4) : linear_ticks(from, to, 4);
  const std::vector<std::string> texts = legend.logarithmic ? decade_texts(ticks) : tick_texts(ticks);
  float free = low_end + panel.px(8);
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    const float x = at.x + width * static_cast<float>((place(ticks[k]) - from) / (to - from));
    const float half = ImGui::CalcTextSize(texts[k].c_str()).x / 2;
    if (x - half < free || x + half > high_begin - panel.px(8)) continue;
    list.AddLine({std::round(x), at.y + height - panel.px(2)}, {std::round(x), below}, packed(palette::text));
    text(x - half, texts[k]);
    free = x + half + panel.px(8);
  }
}

/// Side by side, as many as fit into a line.
void kind_rows(const Panel& panel, const std::vector<PictureLegend::Kind>& kinds) {
  const float line = ImGui::GetFontSize(), room = 1.5F * panel.px(ramp_width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float x = at.x, y = at.y, widest = 0;
  for (const PictureLegend::Kind& kind : kinds) {
    const float width = panel.px(12) + ImGui::CalcTextSize(kind.name.c_str()).x;
    if (x > at.x && x + width > at.x + room) x = at.x, y += line + panel.px(3);
    ImGui::GetWindowDrawList()->AddCircleFilled({x + panel.px(4), y + line / 2}, panel.px(4), packed(kind.color));
    ImGui::GetWindowDrawList()->AddText({x + panel.px(12), y}, packed(palette::text), kind.name.c_str());
    x += width + panel.px(14);
    widest = std::max(widest, x - panel.px(14) - at.x);
  }
  ImGui::Dummy({widest, y + line - at.y});
}

/// The longest bar of a round length.
void scale_bar(const Panel& panel, const PictureLegend& legend, const Rect& picture) {
  const double log_pixel = legend.log_height - std::log10(static_cast<double>(picture.height));
  const double log_most = log_pixel + std::log10(static_cast<double>(panel.px(most_bar)));
  if (!std::isfinite(log_most)) return;
  const double power = std::floor(log_most), mantissa = round_below(std::pow(10.0, log_most - power));
  const auto length = static_cast<float>(std::pow(10.0, std::log10(mantissa) + power - log_pixel));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetFontSize(), middle = std::round(at.y + line / 2), tall = panel.px(4);
  std::string unit = legend.unit.empty() ? "" : " " + legend.unit;
  if (mantissa == 1 && power == 0 && unit.ends_with('s')) unit.pop_back();  // "1 length unit"
  const std::string words =
      power_text(mantissa, static_cast<int>(power)) + unit + (legend.turn.empty() ? "" : ",  " + legend.turn);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thick = std::max(1.0F, panel.px(1.5F)), right = at.x + std::round(length);
  list.AddRectFilled({at.x, middle}, {right, middle + thick}, packed(palette::text));
  for (const float x : {at.x, right - thick})
    list.AddRectFilled({x, middle - tall}, {x + thick, middle + tall}, packed(palette::text));
  list.AddText({right + panel.px(8), at.y}, packed(palette::text), words.c_str());
  ImGui::Dummy({right + panel.px(8) + ImGui::CalcTextSize(words.c_str()).x - at.x, line});
}

}  // namespace

void picture_legend(const Panel& panel, const PictureLegend& legend, const Rect& picture) {
  panel.state.measured.legend_height = 0;
  if (!panel.state.look.legend || picture.width < panel.px(280) || picture.height < panel.px(200)) return;
  const float shade = panel.state.look.theme == Theme::light ? 0.86F : 0.62F;  // of dark pictures, most of them
  const StillWindow window(
      "##legend", {.at = {picture.x + panel.px(12), picture.y + picture.height - panel.px(12)},
                   .pivot = {0, 1},
                   .color = Color{palette::window.rgb, shade},
                   .padding = ImVec2{panel.px(10), panel.px(7)},
                   .flags = over_picture | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBringToFrontOnFocus});
  if (!window) return;
  const WithFont small(panel.fonts.small);
  if (!legend.moment.empty()) ImGui::TextUnformatted(legend.moment.c_str());
  if (!legend.kinds.empty()) kind_rows(panel, legend.kinds);
  if (!legend.colors.by.empty() && legend.colors.ramp.size() >= 6) quantity_rows(panel, legend);
  scale_bar(panel, legend, picture);
  panel.state.measured.legend_height = ImGui::GetWindowHeight() + panel.px(8);
}

}  // namespace orrery::ui
