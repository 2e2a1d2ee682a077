#include "ui/parameter_widget.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace orrery::ui {
namespace {

constexpr double widest_slider = 2147483647;  ///< integers with a wider linear range are typed
constexpr double below_2_63 = 9223372036854774784.0;  ///< the largest double that an integer can hold
constexpr float auto_width = 46;

void send(const Panel& panel, const ParameterView& parameter, Value value) {
  if (value != parameter.value) panel.send(command::SetParameter{std::string(parameter.info.name), std::move(value)});
}

double within(const ParameterInfo& info, double value) {
  const double lowest = info.above_minimum ? std::nextafter(info.minimum, info.maximum) : info.minimum;
  return std::isnan(value) ? lowest : std::clamp(value, lowest, info.maximum);
}

std::int64_t whole(double value) { return static_cast<std::int64_t>(std::clamp(value, -below_2_63, below_2_63)); }

std::int64_t within(const ParameterInfo& info, std::int64_t value) {
  const std::int64_t lowest = whole(std::ceil(info.minimum)) + (info.above_minimum ? 1 : 0);
  return std::clamp(value, lowest, std::max(lowest, whole(info.maximum)));
}

/// Sends what the slider before this call changed: at once while it is dragged, at the end while it is typed into.
void send_from_slider(const Panel& panel, const ParameterView& parameter, bool changed, const Value& value) {
  Edit& edit = panel.state.edit;
  const bool typing = ImGui::IsItemActive() && ImGui::GetIO().WantTextInput;
  if (changed && !typing) send(panel, parameter, value);
  if (changed && typing) edit = {std::string(parameter.info.name), {}, value};
  if (ImGui::IsItemDeactivated() && edit.name == parameter.info.name) {
    send(panel, parameter, edit.value);
    edit = {};
  }
}

void real_slider(const Panel& panel, const ParameterView& parameter, double value) {
  const ParameterInfo& info = parameter.info;
  constexpr double decades_below_maximum = 1e-8;
  double low = info.minimum;
  if (info.logarithmic && info.above_minimum && low == 0) low = info.maximum * decades_below_maximum;
  constexpr double widest = std::numeric_limits<double>::max() / 4;  // ImGui refuses wider ones
  low = std::max(low, -widest);
  const double high = std::min(info.maximum, widest);
  const ImGuiSliderFlags flags = info.logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
  const bool changed = ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &low, &high, "%.4g", flags);
  send_from_slider(panel, parameter, changed, within(info, value));
}

void integer_slider(const Panel& panel, const ParameterView& parameter, std::int64_t value) {
  const ParameterInfo& info = parameter.info;
  constexpr std::int64_t widest = std::numeric_limits<std::int64_t>::max() / 4;
  const std::int64_t low = std::max(within(info, std::numeric_limits<std::int64_t>::min()), -widest);
  const std::int64_t high = std::min(within(info, std::numeric_limits<std::int64_t>::max()), widest);
  const ImGuiSliderFlags flags = info.logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
  const bool changed = ImGui::SliderScalar("##value", ImGuiDataType_S64, &value, &low, &high, "%lld", flags);
  send_from_slider(panel, parameter, changed, within(info, value));
}

/// A field whose text is taken over by Enter or by leaving it; true then.
bool typed(const Panel& panel, const ParameterView& parameter, std::string& text) {
  Edit& edit = panel.state.edit;
  const bool mine = edit.name == parameter.info.name;
  if (mine) text = edit.text;
  if (ImGui::InputText("##value", &text)) edit = {std::string(parameter.info.name), text, {}};
  if (!ImGui::IsItemDeactivated() || edit.name != parameter.info.name) return false;
  text = edit.text;
  edit = {};
  return true;
}

void integer_field(const Panel& panel, const ParameterView& parameter, std::int64_t value) {
  std::string text = std::to_string(value);
  if (!typed(panel, parameter, text)) return;
  const auto exact = parse_integer(text);
  const auto rounded = parse_real(text);
  if (exact) send(panel, parameter, within(parameter.info, *exact));
  else if (rounded) send(panel, parameter, within(parameter.info, whole(*rounded)));
}

void text_field(const Panel& panel, const ParameterView& parameter, std::string text) {
  if (typed(panel, parameter, text)) send(panel, parameter, text);
}

void choice(const Panel& panel, const ParameterView& parameter, const std::string& value) {
  if (!ImGui::BeginCombo("##value", value.c_str())) return;
  for (std::string_view candidate : parameter.info.choices) {
    const std::string text(candidate);
    if (ImGui::Selectable(text.c_str(), text == value)) send(panel, parameter, text);
    if (text == value) ImGui::SetItemDefaultFocus();
  }
  ImGui::EndCombo();
}

void check(const Panel& panel, const ParameterView& parameter, bool value) {
  if (ImGui::Checkbox("##value", &value)) send(panel, parameter, value);
}

void integer(const Panel& panel, const ParameterView& parameter, std::int64_t value) {
  const ParameterInfo& info = parameter.info;
  const bool wide = info.maximum - info.minimum > widest_slider;
  if (wide && !info.logarithmic) integer_field(panel, parameter, value);
  else integer_slider(panel, parameter, value);
}

void automatic(const Panel& panel, const ParameterView& parameter, std::int64_t value, std::optional<std::int64_t> in_use) {
  const std::string name(parameter.info.name);
  const float button_width = panel.px(auto_width);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const bool on = value == 0;
  if (!on) panel.state.manual[name] = value;
  const auto remembered = panel.state.manual.find(name);
  const std::int64_t shown = !on ? value : in_use ? *in_use : remembered != panel.state.manual.end() ? remembered->second : 1;

  ImGui::SetNextItemWidth(-button_width - gap);
  ImGui::BeginDisabled(on);
  integer(panel, parameter, on ? within(parameter.info, shown) : value);
  ImGui::EndDisabled();
  hint(panel, parameter_help(parameter));
  ImGui::SameLine(0, gap);
  if (toggle(panel, "auto", on, button_width, on ? "Chosen by the program" : "Let the program choose"))
    send(panel, parameter, on ? within(parameter.info, shown) : std::int64_t{0});
}

}  // namespace

std::string parameter_help(const ParameterView& parameter) {
  const ParameterInfo& info = parameter.info;
  std::string text(info.help);
  if (!text.empty()) text += "\n";
  text += value_text(info, parameter.value);
  if (!info.unit.empty()) text += " " + std::string(info.unit);
  if (std::holds_alternative<std::int64_t>(parameter.value) || std::holds_alternative<double>(parameter.value))
    text += "   (" + range_text(info) + ")\nCtrl+click to type";
  return text + "\n--" + std::string(info.name);
}

void parameter_row(const Panel& panel, const ParameterView& parameter, std::optional<std::int64_t> in_use) {
  const ParameterInfo& info = parameter.info;
  ImGui::PushID(info.name.data(), info.name.data() + info.name.size());
  label_row(panel, info.label.empty() ? info.name : info.label, parameter_help(parameter));
  if (const auto* on = std::get_if<bool>(&parameter.value)) check(panel, parameter, *on);
  if (const auto* text = std::get_if<std::string>(&parameter.value))
    info.choices.empty() ? text_field(panel, parameter, *text) : choice(panel, parameter, *text);
  if (const auto* real = std::get_if<double>(&parameter.value)) real_slider(panel, parameter, *real);
  if (const auto* whole = std::get_if<std::int64_t>(&parameter.value))
    info.automatic ? automatic(panel, parameter, *whole, in_use) : integer(panel, parameter, *whole);
  const auto* whole = std::get_if<std::int64_t>(&parameter.value);
  if (whole == nullptr || !info.automatic) hint(panel, parameter_help(parameter));
  ImGui::PopID();
}

}  // namespace orrery::ui
