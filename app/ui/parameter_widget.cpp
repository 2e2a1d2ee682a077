#include "ui/parameter_widget.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "protocol/path_command.hpp"
#include "ui/format.hpp"
#include "ui/slider.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr double widest_slider = 1e6;                 ///< integers with a wider linear range are typed
constexpr double below_2_63 = 9223372036854774784.0;  ///< the largest double that an integer can hold
constexpr double decades_above_nothing = 1e-8;  ///< lower end of a logarithmic slider from 0, relative to its maximum
constexpr float auto_width = 46;

void send(const Panel& panel, const ParameterView& parameter, Value value) {
  if (value != parameter.value) panel.send(command::SetParameter{std::string(parameter.info.name), std::move(value)});
}

std::int64_t whole(double value) {
  return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(value, -below_2_63, below_2_63));
}

std::int64_t within(const ParameterInfo& info, std::int64_t value) {
  const std::int64_t lowest = whole(std::ceil(info.minimum)) + (info.above_minimum ? 1 : 0);
  return std::clamp(value, lowest, std::max(lowest, whole(info.maximum)));
}

double within(const ParameterInfo& info, double value) {
  if (info.either_sign && value < 0) return -within(info, -value);
  const double lowest = info.above_minimum ? std::nextafter(info.minimum, info.maximum) : info.minimum;
  return std::clamp(value, lowest, std::max(lowest, info.maximum));
}

SliderScale scale_of(const ParameterInfo& info) {
  if (info.soft_maximum > info.soft_minimum) return {info.soft_minimum, info.soft_maximum, info.logarithmic};
  const bool open = info.logarithmic && info.above_minimum && info.minimum == 0;
  return {open ? info.maximum * decades_above_nothing : info.minimum, info.maximum, info.logarithmic};
}

/// The typed value. A refused text stays in its field, with the reason below; a field in place of a slider stays too.
std::optional<Value> read_typed(const Panel& panel, const ParameterView& parameter, const std::string& text,
                                bool in_place_of_slider) {
  TypedValue typed = typed_value(parameter, text);
  if (!typed.value)
    panel.state.edit = {std::string(parameter.info.name), text, in_place_of_slider && is_pressed(ImGuiKey_Enter),
                        std::move(typed.refusal)};
  return typed.value;
}

bool is_refused(const Panel& panel, std::string_view name) {
  return panel.state.edit.name == name && !panel.state.edit.refusal.empty();
}

/// Below a field: why what was typed into it was refused.
void refusal_line(const Panel& panel, std::string_view name) {
  if (is_refused(panel, name)) refusal(panel, panel.state.edit.refusal);
}

/// A field whose text counts when Enter is pressed or the field is left: the text, then. Esc leaves the value as it is.
std::optional<std::string> typed(const Panel& panel, const ParameterView& parameter, std::string text, float width) {
  const std::string_view none = parameter.info.none;
  Edit& edit = panel.state.edit;
  const bool mine = edit.name == parameter.info.name;
  if (mine) text = edit.text;
  if (mine && edit.begins) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width);
  const bool changed = text_input(
      "##typed", text, {.flags = ImGuiInputTextFlags_AutoSelectAll, .hint = none.empty() ? "" : none.data()});
  if (changed || (mine && edit.begins))
    edit = {std::string(parameter.info.name), text, false, changed ? std::string() : edit.refusal};
  const bool elsewhere = ImGui::IsMouseClicked(0) && !ImGui::IsItemHovered();
  if (mine && !edit.refusal.empty() && elsewhere) edit.left = true;
  if (mine && edit.left && !ImGui::IsMouseDown(0) && !ImGui::IsMouseReleased(0)) edit = {};
  if (!ImGui::IsItemDeactivated() || edit.name != parameter.info.name) return std::nullopt;
  const bool typed_anew = edit.refusal.empty();
  const bool gives_up = is_pressed(ImGuiKey_Escape);
  if (gives_up || (!typed_anew && !is_pressed(ImGuiKey_Enter))) {
    gives_up ? void(edit = {}) : void(edit.left = true);
    return std::nullopt;
  }
  edit = {};
  if (is_pressed(ImGuiKey_Enter)) panel.state.value_clicked = false;
  return text;
}

/// Returns the value that the slider is moved to.
std::optional<Value> number_slider(const Panel& panel, const ParameterView& parameter, double value,
                                   const std::string& text, float width) {
  const SliderScale scale = scale_of(parameter.info);
  // A slider moves the magnitude of a number that may have either sign.
  const double sign = parameter.info.either_sign && value < 0 ? -1 : 1;
  const SliderMove move = slider(panel, "##slider", width, scale.place(sign * value), text);
  if (move.type)
    panel.state.edit = {std::string(parameter.info.name), value_text(parameter.info, parameter.value), true};
  if (!move.place) return std::nullopt;
  const double wanted = sign * scale.round_value(*move.place);
  if (std::holds_alternative<double>(parameter.value)) return within(parameter.info, wanted);
  // By keys, a step of a whole number is at least 1.
  const std::int64_t moved = whole(std::round(wanted));
  return within(parameter.info, moved == whole(value) ? moved + move.arrow : moved);
}

/// `shown` is the value to draw: the parameter's own, or the one in use for "auto". Returns the new value, if any.
std::optional<Value> number_field(const Panel& panel, const ParameterView& parameter, double shown,
                                  const std::string& text, float width) {
  const ParameterInfo& info = parameter.info;
  const bool integer = std::holds_alternative<std::int64_t>(parameter.value);
  const bool too_wide = integer && !info.logarithmic && info.maximum - info.minimum > widest_slider;
  if (!too_wide && panel.state.edit.name != info.name) return number_slider(panel, parameter, shown, text, width);
  const bool in_use = too_wide && text != "auto";
  std::string now = in_use ? std::to_string(whole(shown)) : value_text(info, parameter.value);
  if (is_none(info, parameter.value)) now.clear();
  const auto entered = typed(panel, parameter, std::move(now), width);
  if (entered && entered->empty() && !info.none.empty()) return Value(whole(info.minimum));
  return entered ? read_typed(panel, parameter, *entered, !too_wide) : std::nullopt;
}

void number_widget(const Panel& panel, const ParameterView& parameter, double shown, const std::string& text,
                   float width) {
  if (auto wanted = number_field(panel, parameter, shown, text, width)) send(panel, parameter, std::move(*wanted));
}

void text_field(const Panel& panel, const ParameterView& parameter, const std::string& value) {
  const float height = ImGui::GetFrameHeight();
  const WithFont font(parameter.info.decimal ? panel.fonts.mono : ImGui::GetFont());
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {ImGui::GetStyle().FramePadding.x, (height - ImGui::GetFontSize()) / 2});
  const auto entered = typed(panel, parameter, value, -FLT_MIN);
  ImGui::PopStyleVar();
  if (!entered) return;
  if (auto wanted = read_typed(panel, parameter, *entered, false)) send(panel, parameter, std::move(*wanted));
}

void choice(const Panel& panel, const ParameterView& parameter, const std::string& value) {
  if (!begin_combo(panel, "##choice", title_of(parameter.info, value))) return;
  for (const Choice& candidate : parameter.info.choices) {
    const bool chosen = candidate.name == value;
    if (list_entry(panel, title_of(parameter.info, candidate), chosen))
      send(panel, parameter, std::string(candidate.name));
    if (chosen) ImGui::SetItemDefaultFocus();
  }
  ImGui::EndCombo();
}

void check(const Panel& panel, const ParameterView& parameter, bool value) {
  if (ImGui::Checkbox("##check", &value)) send(panel, parameter, value);
}

void automatic(const Panel& panel, const ParameterView& parameter, std::int64_t value,
               std::optional<std::int64_t> in_use) {
  const std::string name(parameter.info.name);
  const bool on = value == 0;
  if (!on) panel.state.manual[name] = value;
  const auto remembered = panel.state.manual.find(name);
  const std::int64_t fallback = remembered != panel.state.manual.end() ? remembered->second : 1;
  const std::int64_t shown = on ? in_use.value_or(within(parameter.info, fallback)) : value;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;

  const std::string text = on && !in_use ? "auto" : grouped(shown);
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(on ? palette::dim : palette::text));
  number_widget(panel, parameter, static_cast<double>(shown), text, -(panel.px(auto_width) + gap));
  ImGui::PopStyleColor();
  hint(panel, parameter_help(parameter));
  ImGui::SameLine(0, gap);
  if (toggle(panel, "auto", on, panel.px(auto_width), on ? "Automatic" : "Choose automatically"))
    send(panel, parameter, on ? within(parameter.info, shown) : std::int64_t{0});
}

void widget(const Panel& panel, const ParameterView& parameter, std::optional<std::int64_t> in_use) {
  const ParameterInfo& info = parameter.info;
  if (const auto* on = std::get_if<bool>(&parameter.value)) return check(panel, parameter, *on);
  if (const auto* text = std::get_if<std::string>(&parameter.value))
    return info.choices.empty() ? text_field(panel, parameter, *text) : choice(panel, parameter, *text);
  if (const auto* real = std::get_if<double>(&parameter.value))
    return number_widget(panel, parameter, *real, number(*real), -FLT_MIN);
  const std::int64_t value = std::get<std::int64_t>(parameter.value);
  if (info.automatic) return automatic(panel, parameter, value, in_use);
  number_widget(panel, parameter, static_cast<double>(value), grouped(value), -FLT_MIN);
}

bool follows_path(const Panel& panel, std::string_view row) {
  return std::ranges::find(panel.state.path.rows, row) != panel.state.path.rows.end();
}

void label_menu(const Panel& panel, const ParameterView& parameter) {
  if (!ImGui::BeginPopup("##parameter")) return;
  const ParameterInfo& info = parameter.info;
  const std::string value = value_text(info, parameter.value);
  const std::optional<Value>& usual = parameter.usual;
  const std::string reset = usual ? "Reset to " + shown_value(info, *usual) : "Reset";
  const bool differs = usual != parameter.value;
  if (ImGui::Selectable(reset.c_str(), false, differs ? 0 : ImGuiSelectableFlags_Disabled))
    panel.send(command::ResetParameter{std::string(info.name)});
  if (ImGui::Selectable("Copy value")) ImGui::SetClipboardText(value.c_str());
  if (ImGui::Selectable("Copy as option"))
    ImGui::SetClipboardText(("--" + std::string(info.name) + "=" + value).c_str());
  if (can_follow_path(info, parameter.value)) {
    const bool follows = follows_path(panel, info.name);
    if (ImGui::MenuItem("Follow the camera path", nullptr, follows))
      panel.send_to_scene(command::FollowPath{std::string(info.name), std::get<double>(parameter.value), !follows});
    list_control(panel, "Follow the camera path");
  }
  ImGui::EndPopup();
}

/// Behind the label, the shape of a keyframe.
void mark_follower(const Panel& panel) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float size = panel.px(3.5F), x = high.x + panel.px(16), y = (low.y + high.y) / 2;
  ImGui::GetWindowDrawList()->AddQuadFilled({x, y - size}, {x + size, y}, {x, y + size}, {x - size, y},
                                            packed(palette::accent));
}

/// The help, in which each explanation of a choice ("langevin: friction and noise", "yoshida4 4, 3") begins with its
/// title.
std::string help_of(const ParameterInfo& info) {
  std::string text;
  for (std::size_t at = 0; at < info.help.size();) {
    const std::size_t end = std::min(info.help.find_first_of(": ", at), info.help.size());
    const std::string_view word = info.help.substr(at, end - at);
    const std::string_view next = info.help.substr(end, 2);
    const bool explains = next.starts_with(":") || (next.size() == 2 && next[1] >= '0' && next[1] <= '9');
    const bool explained = explains && std::ranges::find(info.choices, word, &Choice::name) != info.choices.end();
    text += explained ? title_of(info, word) : std::string(word);
    text += info.help.substr(end, 1);
    at = end + 1;
  }
  return text;
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

}  // namespace

bool resets(const Panel& panel, bool differs) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  if (differs)
    ImGui::GetWindowDrawList()->AddCircleFilled({high.x + panel.px(7), (low.y + high.y) / 2}, panel.px(2),
                                                packed(palette::accent));
  if (!ImGui::IsItemHovered()) return false;
  if (ImGui::IsMouseClicked(1)) ImGui::OpenPopup("##parameter");
  return ImGui::IsMouseDoubleClicked(0);
}

TypedValue typed_value(const ParameterView& parameter, std::string_view text) {
  const ParameterInfo& info = parameter.info;
  std::string refusal = refusal_of(info, parameter.value, text);
  if (!refusal.empty()) return {std::nullopt, std::move(refusal)};
  return {parse_value(info, parameter.value, text), {}};
}

bool form_row(const Panel& panel, std::string_view label, std::string_view help, std::span<Parameter> fields) {
  label_row(panel, label, help);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, count = static_cast<float>(fields.size());
  const float width = std::floor((ImGui::GetContentRegionAvail().x - gap * (count - 1)) / count);
  for (Parameter& field : fields) {
    const ParameterView view{field.info(), field.value()};
    if (&field != &fields.front()) ImGui::SameLine(0, gap);
    ImGui::PushID(view.info.name.data());
    const auto entered =
        typed(panel, view, value_text(view.info, view.value), &field == &fields.back() ? -FLT_MIN : width);
    hint(panel, capitalised(view.info.help) + "\n" + range_text(view.info));
    list_control(panel, view.info.label);
    ImGui::PopID();
    if (!entered) continue;
    if (const auto wanted = read_typed(panel, view, *entered, false)) field.assign(*wanted);
  }
  for (const Parameter& field : fields) refusal_line(panel, field.info().name);
  return std::ranges::any_of(fields, [&](const Parameter& field) { return is_refused(panel, field.info().name); });
}

std::string parameter_help(const ParameterView& parameter) {
  const ParameterInfo& info = parameter.info;
  std::string text = capitalised(help_of(info));
  if (!text.empty()) text += "\n";
  text += std::string(info.label) + ": " + shown_value(info, parameter.value);
  if (!info.unit.empty()) text += " [" + std::string(info.unit) + "]";
  if (info.decimal) text += "\n" + range_text(info);
  if (is_number(parameter.value)) text += "\n" + range_text(info) + "\nDouble-click to type";
  return text;
}

void parameter_row(const Panel& panel, const ParameterView& parameter, std::optional<std::int64_t> in_use,
                   std::string_view idle) {
  const ParameterInfo& info = parameter.info;
  ImGui::PushID(std::string(info.name).c_str());
  const std::optional<Value>& usual = parameter.usual;
  const bool differs = usual && *usual != parameter.value;
  std::string help = parameter_help(parameter);
  if (differs) help += "\nDefault " + shown_value(info, *usual) + ": double-click the label to reset";
  const bool follows = follows_path(panel, info.name);
  if (follows) help += "\nFollows the camera path: K keeps its value with a keyframe";
  if (!idle.empty()) help = std::string(idle) + "\n" + help;
  ImGui::BeginDisabled(!idle.empty());
  label_row(panel, info.label, help);
  if (follows) mark_follower(panel);
  if (resets(panel, differs)) panel.send(command::ResetParameter{std::string(info.name)});
  widget(panel, parameter, in_use);
  if (!info.automatic) hint(panel, help);
  refusal_line(panel, info.name);
  label_menu(panel, parameter);
  ImGui::EndDisabled();
  ImGui::PopID();
}

}  // namespace orrery::ui
