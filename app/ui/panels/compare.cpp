#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr const char* as_here = "same as running";
Color side_color(std::size_t side) { return side == 0 ? palette::kernel : palette::kinetic; }

std::string& chosen(command::Compare& choice, std::string_view name) {
  const auto found = std::ranges::find(choice.parameters, name, [](const auto& each) { return each.first; });
  if (found != choice.parameters.end()) return found->second;
  return choice.parameters.emplace_back(name, "").second;
}

void device_row(const Panel& panel, const WindowSnapshot& snapshot) {
  std::optional<DeviceId>& device = panel.state.compare.device;
  std::string preview = as_here;
  for (const PlatformInfo& platform : snapshot.platforms)
    for (const DeviceInfo& each : platform.devices)
      if (device == each.id) preview = each.name;
  label_row(panel, "Device", "Device for side B");
  if (!begin_combo(panel, "##other-device", preview)) return;
  if (ImGui::Selectable(as_here, !device)) device.reset();
  for (const PlatformInfo& platform : snapshot.platforms)
    for (const DeviceInfo& each : platform.devices) {
      const std::string name = text_of(each.id) + "  " + each.name;
      if (each.fault.empty() && ImGui::Selectable(name.c_str(), device == each.id)) device = each.id;
    }
  ImGui::EndCombo();
}

std::vector<std::string> choices_of(const ParameterView& parameter, const WorkGroupLimits& limits) {
  if (parameter.info.name != work_group_parameter)
    return std::vector<std::string>(parameter.info.choices.begin(), parameter.info.choices.end());
  std::vector<std::string> sizes{"auto"};
  for (std::size_t size : limits.legal) sizes.push_back(std::to_string(size));
  return sizes;
}

void parameter_choice(const Panel& panel, const ParameterView& parameter, const WorkGroupLimits& limits) {
  std::string& value = chosen(panel.state.compare, parameter.info.name);
  label_row(panel, parameter.info.label, "Value for side B");
  if (parameter.info.name != work_group_parameter && parameter.info.choices.empty()) {
    text_input(("##" + std::string(parameter.info.name)).c_str(), value, {.hint = as_here});
    return hint(panel, parameter.info.help);
  }
  ImGui::PushID(parameter.info.name.data());
  if (begin_combo(panel, "##value", value.empty() ? as_here : title_of(parameter.info, value))) {
    if (list_entry(panel, as_here, value.empty())) value.clear();
    for (const std::string& choice : choices_of(parameter, limits))
      if (list_entry(panel, title_of(parameter.info, choice), value == choice)) value = choice;
    ImGui::EndCombo();
  }
  ImGui::PopID();
}

void start_button(const Panel& panel, const ComparisonSnapshot& comparison) {
  const std::string label = comparison.running ? "Cancel   " + percent(comparison.progress) : "Compare";
  if (!toggle(panel, (label + "###compare").c_str(), comparison.running, -FLT_MIN,
              "Run the present computation on sides A and B alternately, and compare times and results"))
    return;
  if (comparison.running) return panel.send(command::CancelComparison{});
  command::Compare wanted = panel.state.compare;
  std::erase_if(wanted.parameters, [](const auto& each) { return each.second.empty(); });
  panel.send(wanted);
}

// ---- the result

std::string time_text(const ComparedTime& time) { return duration(time.median * 1e6); }

std::string times_text(const ComparedTime& time) {
  return time_text(time) + "  (" + duration(time.least * 1e6) + " … " + duration(time.most * 1e6) + ")";
}

/// A bar as long as its share of the longest, with the range of all rounds as a whisker; the number at its right.
void bar(const Panel& panel, const ComparedTime& time, double longest, Color color) {
  const WithFont small(panel.fonts.small);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
  const float room = width - panel.px(64);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto place = [&](double value) {
    return at.x + static_cast<float>(std::clamp(value / longest, 0.0, 1.0)) * room;
  };
  const float middle = at.y + height / 2, half = panel.px(4);
  list.AddRectFilled({at.x, middle - half}, {at.x + room, middle + half}, packed(palette::raised), panel.px(2));
  if (std::isfinite(time.median) && longest > 0) {
    list.AddRectFilled({at.x, middle - half}, {std::max(place(time.median), at.x + 1), middle + half}, packed(color),
                       panel.px(2));
    list.AddLine({place(time.least), middle}, {place(time.most), middle}, packed(palette::text), panel.px(1));
  }
  const std::string text = time_text(time);
  list.AddText({at.x + width - ImGui::CalcTextSize(text.c_str()).x, at.y}, packed(palette::text), text.c_str());
  ImGui::Dummy({width, height});
  hint(panel, times_text(time));
}

std::string ratio_text(const std::array<ComparedTime, 2>& seconds) {
  const double ratio = seconds[1].median / seconds[0].median;
  return std::isfinite(ratio) && ratio > 0 ? "× " + number(ratio, 3) : "";
}

void pair_of_bars(const Panel& panel, const std::string& name, const std::array<ComparedTime, 2>& seconds,
                  double longest) {
  split_line(panel, name, palette::text, ratio_text(seconds), palette::dim);
  hint(panel, "Time B ÷ time A");
  for (std::size_t side = 0; side < 2; ++side) bar(panel, seconds[side], longest, side_color(side));
}

double longest_of(const Comparison& comparison) {
  double longest = 0;
  for (const ComparedKernel& kernel : comparison.kernels)
    for (const ComparedTime& time : kernel.seconds)
      if (time.most > longest) longest = time.most;
  for (const ComparedTime& time : comparison.whole) longest = std::max(longest, time.most);
  return longest;
}

void result_rows(const Panel& panel, const Comparison& comparison) {
  {
    const WithFont small(panel.fonts.small);
    wrapped_text("A: " + comparison.sides[0], side_color(0));
    wrapped_text("B: " + comparison.sides[1], side_color(1));
    line_of_text(panel, comparison.work, palette::dim);
  }
  const double longest = longest_of(comparison);
  pair_of_bars(panel, "Total per " + comparison.unit, comparison.whole, longest);
  for (const ComparedKernel& kernel : comparison.kernels) pair_of_bars(panel, kernel.name, kernel.seconds, longest);
  if (comparison.same_bits) return split_line(panel, "Results", palette::text, "bit-identical", palette::good);
  for (const ComparedResult& difference : comparison.differences) {
    split_line(panel, difference.name, palette::dim, number(difference.value, 3), palette::text);
    hint(panel, "Difference, " + difference.unit);
  }
}

std::string summary(const ComparisonSnapshot& comparison) {
  if (comparison.running) return percent(comparison.progress);
  return comparison.result ? ratio_text(comparison.result->whole) : "";
}

}  // namespace

void compare_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first) {
  const auto compared = [](const ParameterView& each) { return each.info.compared; };
  if (std::ranges::none_of(snapshot.scene.parameters, compared)) return;
  if (!section(panel, "Compare", summary(snapshot.comparison), open_at_first)) return;
  {
    const WithFont small(panel.fonts.small);
    wrapped_text("A is the running computation. B differs in:", palette::dim);
  }
  device_row(panel, snapshot);
  for (const ParameterView& parameter : snapshot.scene.parameters)
    if (compared(parameter)) parameter_choice(panel, parameter, snapshot.scene.work_group);
  start_button(panel, snapshot.comparison);
  if (snapshot.comparison.result) result_rows(panel, *snapshot.comparison.result);
}

}  // namespace orrery::ui
