#include "ui/slider.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace orrery::ui {
namespace {

/// A logarithmic scale from 0: this much of its left end is 0, and the rest these powers of ten.
constexpr double zero_share = 0.02;
constexpr double decades_from_zero = 6;

bool from_zero(const SliderScale& scale) { return scale.logarithmic && scale.low <= 0; }
bool has_logarithm(const SliderScale& scale) { return scale.logarithmic && scale.low >= 0 && scale.high > 0; }

/// Halved, so that ±1e308 does not overflow.
double linear_place(const SliderScale& scale, double value) {
  const double length = scale.high / 2 - scale.low / 2;
  return length > 0 ? (value / 2 - scale.low / 2) / length : 0;
}

double linear_value(const SliderScale& scale, double place) { return scale.low * (1 - place) + scale.high * place; }

}  // namespace

double SliderScale::place(double value) const {
  double at = 0;
  if (!has_logarithm(*this))
    at = linear_place(*this, value);
  else if (value <= 0)
    at = 0;
  else if (from_zero(*this))
    at = zero_share + (1 - zero_share) * (1 + std::log10(value / high) / decades_from_zero);
  else
    at = high > low ? std::log(value / low) / std::log(high / low) : 0;
  return std::isfinite(at) ? std::clamp(at, 0.0, 1.0) : 0.0;
}

double SliderScale::value(double place) const {
  if (place <= 0) return low;
  if (place >= 1) return high;
  if (!has_logarithm(*this)) return linear_value(*this, place);
  if (!from_zero(*this)) return low * std::pow(high / low, place);
  if (place < zero_share) return 0;
  return high * std::pow(10.0, decades_from_zero * ((place - zero_share) / (1 - zero_share) - 1));
}

double SliderScale::round_value(double place) const {
  const double exact = value(place);
  if (place <= 0 || place >= 1 || exact == 0) return exact;
  std::string text = brief(exact, 3);
  if (!has_logarithm(*this)) {
    const double step = std::pow(10.0, std::floor(std::log10((high / 2 - low / 2) / 250)));
    const double rounded = std::round(exact / step) * step;
    text = brief(std::isfinite(rounded) ? rounded : exact, 12);
  }
  return std::clamp(parse_real(text).value_or(exact), low, high);
}

SliderMove slider(const Panel& panel, const char* id, float width, double place, const std::string& text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (width <= 0) width = std::max(1.0F, ImGui::GetContentRegionAvail().x + width);
  const ImVec2 size{width, ImGui::GetFrameHeight()};
  clickable(id, size);
  const bool active = ImGui::IsItemActive(), by_key = pressed_by_key();
  const int arrow = take_arrows();
  const bool hovered = ImGui::IsItemHovered();

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  const ImVec2 corner{at.x + size.x, at.y + size.y};
  const float handle = std::max(2.0F, panel.px(2));
  const float x = at.x + handle + static_cast<float>(place) * (size.x - 3 * handle);
  list.AddRectFilled(at, corner, ImGui::GetColorU32(active || hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg),
                     rounding);
  list.AddRectFilled(at, {x, corner.y}, ImGui::GetColorU32(ImVec4(Color{palette::accent.rgb, palette::filled})),
                     rounding);
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const float text_width = ImGui::CalcTextSize(text.c_str()).x, usual = corner.x - padding.x - text_width;
  // Where the handle comes to its number, the number stands left of it: both stay legible.
  const bool meets = x + 2 * handle > usual;
  const float text_left = meets ? std::max(at.x + handle, x - padding.x - text_width) : usual;
  list.AddRectFilled({x, at.y + handle}, {x + handle, corner.y - handle},
                     ImGui::GetColorU32(ImVec4(Color{palette::accent.rgb, active || hovered ? 1.0F : 0.8F})),
                     handle / 2);
  list.AddText({text_left, at.y + padding.y},
               active || hovered ? packed(palette::text) : ImGui::GetColorU32(ImGuiCol_Text), text.c_str());

  constexpr double step = 0.01;
  SliderMove move;
  move.arrow = arrow;
  if (arrow != 0) move.place = std::clamp(place + arrow * step, 0.0, 1.0);
  move.type = by_key;
  if (!active || by_key) return move;
  panel.state.value_clicked = true;
  const bool control = ImGui::GetIO().KeyCtrl;
  if (ImGui::IsMouseDoubleClicked(0) || (control && ImGui::IsMouseClicked(0))) {
    move.type = true;
  } else if (!control && ImGui::IsMouseDragging(0)) {  // a click alone moves nothing
    const double wanted = (ImGui::GetIO().MousePos.x - at.x - 1.5F * handle) / std::max(1.0F, size.x - 3 * handle);
    move.place = std::clamp(wanted, 0.0, 1.0);
  }
  return move;
}

}  // namespace orrery::ui
