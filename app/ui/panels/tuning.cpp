#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/parameter_widget.hpp"
#include "ui/slider.hpp"

namespace orrery::ui {
namespace {

const ParameterView* parameter_named(const SceneSnapshot& scene, std::string_view name) {
  const auto found = std::ranges::find(scene.parameters, name, [](const ParameterView& p) { return p.info.name; });
  return found == scene.parameters.end() ? nullptr : &*found;
}

void send_size(const Panel& panel, std::size_t size) {
  panel.send(command::SetParameter{std::string(work_group_parameter), static_cast<std::int64_t>(size)});
}

/// The place of the size in use among the legal ones, or of the next smaller.
int place_of(const WorkGroupLimits& limits) {
  const auto above = std::ranges::upper_bound(limits.legal, limits.in_use);
  return static_cast<int>(std::max<std::ptrdiff_t>(0, above - limits.legal.begin() - 1));
}

/// − slider + auto: moves among the legal sizes only.
void size_row(const Panel& panel, const WorkGroupLimits& limits, bool automatic) {
  label_row(panel, "Work-group", "Work-items in a work-group: legal sizes for this kernel and device");
  const int last = static_cast<int>(limits.legal.size()) - 1;
  const int now = place_of(limits);
  const auto choose = [&](int place) {
    send_size(panel, limits.legal[static_cast<std::size_t>(std::clamp(place, 0, last))]);
  };
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float step = ImGui::GetFrameHeight();
  const float auto_width = panel.px(46);

  if (button(panel, "−", step, "The next smaller size", now > 0)) choose(now - 1);
  ImGui::SameLine(0, gap);
  const double length = std::max(1, last);
  const SliderMove move =
      slider(panel, "##size", -(step + auto_width + 2 * gap), now / length, std::to_string(limits.in_use));
  const int wanted = move.place ? static_cast<int>(std::lround(*move.place * length)) : now;
  if (wanted != now) choose(wanted);
  ImGui::SameLine(0, gap);
  if (button(panel, "+", step, "The next larger size", now < last)) choose(now + 1);
  ImGui::SameLine(0, gap);
  if (toggle(panel, "auto", automatic, auto_width, "Choose automatically"))
    send_size(panel, automatic ? limits.in_use : 0);
}

}  // namespace

void tuning_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first) {
  const SceneSnapshot& scene = snapshot.scene;
  const WorkGroupLimits& limits = scene.work_group;
  const ParameterView* work_group = parameter_named(scene, work_group_parameter);
  const auto* chosen = work_group != nullptr ? std::get_if<std::int64_t>(&work_group->value) : nullptr;
  // If the scene does not tell the size in use, the requested size is shown.
  const std::int64_t size = limits.in_use > 0 || chosen == nullptr ? static_cast<std::int64_t>(limits.in_use) : *chosen;
  if (!section(panel, "Tuning", "work-group " + (size > 0 ? std::to_string(size) : std::string("auto")), open_at_first))
    return;
  if (!limits.legal.empty())
    size_row(panel, limits, chosen != nullptr && *chosen == 0);
  else if (work_group != nullptr)
    parameter_row(panel, *work_group);
  if (const ParameterView* burst = parameter_named(scene, burst_parameter)) {
    parameter_row(panel, *burst);
    burst_advice(panel, snapshot);
  }
  if (limits.kernel.empty()) return;
  const WithFont small(panel.fonts.small);
  line_of_text(panel, "Kernel '" + limits.kernel + "': limits", palette::dim);
  stat_grid(panel, {{"Largest group", grouped(static_cast<std::int64_t>(limits.kernel_maximum))},
                    {"Preferred multiple", grouped(static_cast<std::int64_t>(limits.preferred_multiple))},
                    {"Local memory", bytes_text(static_cast<double>(limits.local_bytes))},
                    {"Private / item", bytes_text(static_cast<double>(limits.private_bytes))}});
}

}  // namespace orrery::ui
