#include <algorithm>
#include <array>
#include <cmath>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

/// log₁₀ of operations a byte against log₁₀ of operations a second.
struct Axes {
  ImVec2 low, high;  // pixels: left top, right bottom
  double x0, x1, y0, y1;

  ImVec2 at(double intensity, double rate) const {
    const double x = (std::log10(intensity) - x0) / (x1 - x0), y = (std::log10(rate) - y0) / (y1 - y0);
    return {low.x + static_cast<float>(std::clamp(x, 0.0, 1.0)) * (high.x - low.x),
            high.y - static_cast<float>(std::clamp(y, 0.0, 1.0)) * (high.y - low.y)};
  }
};

double bandwidth_of(const Ceilings& ceilings) { return std::max(ceilings.read_bytes, ceilings.copy_bytes); }

bool has_point(const RooflinePlace& place) { return std::isfinite(place.intensity); }

Color ink_of_row(const Panel& panel, const SceneSnapshot& scene, std::size_t i) {
  return ui::ink_of(panel.state.inks, scene.kernels[i].name);
}

Axes axes_of(const SceneSnapshot& scene, ImVec2 low, ImVec2 high) {
  const Ceilings& ceilings = *scene.roofline.ceilings;
  const double ridge = ceilings.multiply_adds / bandwidth_of(ceilings);
  double left = ridge / 100, right = ridge * 100, bottom = ceilings.multiply_adds / 1000;
  for (std::size_t i = 0; i < scene.roofline.places.size() && i < scene.kernels.size(); ++i) {
    if (!has_point(scene.roofline.places[i])) continue;
    left = std::min(left, scene.roofline.places[i].intensity / 2);
    right = std::max(right, scene.roofline.places[i].intensity * 2);
    bottom = std::min(bottom, scene.kernels[i].operations_per_second / 2);
  }
  return {low, high, std::log10(left), std::log10(right), std::log10(bottom), std::log10(2 * ceilings.multiply_adds)};
}

void roof(const Axes& axes, double peak, double bandwidth, Color ink, float thickness) {
  if (!(peak > 0)) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double left = std::pow(10.0, axes.x0), right = std::pow(10.0, axes.x1), bottom = std::pow(10.0, axes.y0);
  const double foot = std::max(left, bottom / bandwidth), ridge = peak / bandwidth;
  const ImVec2 top = axes.at(ridge, peak);
  list.AddLine(axes.at(foot, foot * bandwidth), top, packed(ink), thickness);
  list.AddLine(top, axes.at(right, peak), packed(ink), thickness);
}

void decades(const Axes& axes) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (double x = std::ceil(axes.x0); x <= axes.x1; ++x) {
    const float at = axes.at(std::pow(10.0, x), 1).x;
    list.AddLine({at, axes.low.y}, {at, axes.high.y}, packed(palette::line, 0.7F));
  }
  for (double y = std::ceil(axes.y0); y <= axes.y1; ++y) {
    const float at = axes.at(1, std::pow(10.0, y)).y;
    list.AddLine({axes.low.x, at}, {axes.high.x, at}, packed(palette::line, 0.7F));
  }
}

void label(const Panel& panel, ImVec2 at, const std::string& text, bool right) {
  const WithFont small(panel.fonts.small);
  if (right) at.x -= ImGui::CalcTextSize(text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(at, packed(palette::dim), text.c_str());
}

std::string told(const KernelStatistics& kernel, const RooflinePlace& place) {
  return kernel.name + "\n" + metric(kernel.operations_per_second) + " operations/s in " +
         (kernel.doubles ? "double" : "single") + "\n" + metric(kernel.bytes_per_second) + " bytes/s requested\n" +
         number(place.intensity, 3) + " operations per byte\n" + std::string(name_of(place.bound)) + "-bound, " +
         percent(place.fraction) + " of the roof";
}

void points(const Panel& panel, const SceneSnapshot& scene, const Axes& axes) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool hovered = ImGui::IsItemHovered();
  for (std::size_t i = 0; i < scene.roofline.places.size() && i < scene.kernels.size(); ++i) {
    const RooflinePlace& place = scene.roofline.places[i];
    if (!has_point(place)) continue;
    const Color ink = ink_of_row(panel, scene, i);
    const ImVec2 at = axes.at(place.intensity, scene.kernels[i].operations_per_second);
    list.AddLine(at, {at.x, axes.high.y}, packed(ink, 0.25F));
    list.AddCircleFilled(at, panel.px(4), packed(ink));
    list.AddCircle(at, panel.px(6), packed(ink, 0.4F));
    if (hovered && std::hypot(mouse.x - at.x, mouse.y - at.y) < panel.px(9)) {
      ImGui::BeginTooltip();
      ImGui::TextUnformatted(told(scene.kernels[i], place).c_str());
      ImGui::EndTooltip();
    }
  }
}

void chart(const Panel& panel, const SceneSnapshot& scene) {
  const Ceilings& ceilings = *scene.roofline.ceilings;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.px(170)};
  clickable("roofline", size);
  const ImVec2 end{at.x + size.x, at.y + size.y};
  if (!ImGui::IsRectVisible(at, end) || !(bandwidth_of(ceilings) > 0) || !(ceilings.multiply_adds > 0)) return;
  ImGui::GetWindowDrawList()->AddRectFilled(at, end, packed(palette::raised), ImGui::GetStyle().FrameRounding);
  const Axes axes = axes_of(scene, at, end);
  ImGui::PushClipRect(at, end, true);
  decades(axes);
  roof(axes, ceilings.multiply_adds_double, bandwidth_of(ceilings), {palette::dim.rgb, 0.5F}, panel.px(1));
  roof(axes, ceilings.multiply_adds, bandwidth_of(ceilings), palette::text, panel.px(2));
  points(panel, scene, axes);
  const float inset = panel.px(5), line = panel.fonts.scale * 13;
  label(panel, {end.x - inset, axes.at(1, ceilings.multiply_adds).y + inset},
        metric(ceilings.multiply_adds) + " multiply-adds/s", true);
  label(panel, {at.x + inset, at.y + inset}, metric(bandwidth_of(ceilings)) + "B/s", false);
  label(panel, {end.x - inset, end.y - line - inset}, "operations per byte →", true);
  ImGui::PopClipRect();
}

void rows(const Panel& panel, const SceneSnapshot& scene) {
  for (std::size_t i = 0; i < scene.roofline.places.size() && i < scene.kernels.size(); ++i) {
    const RooflinePlace& place = scene.roofline.places[i];
    const bool known = place.bound != Bound::unknown;
    const std::string right = known ? std::string(name_of(place.bound)) + "  " + percent(place.fraction) : "n/a";
    split_line(panel, scene.kernels[i].name + (scene.kernels[i].modified ? " (modified)" : ""),
               has_point(place) ? ink_of_row(panel, scene, i) : palette::dim, right,
               known ? palette::text : palette::dim);
    if (place.fraction > 1) hint(panel, "Above the memory roof: caches serve the reads");
    if (!known) hint(panel, "The kernel's work is unknown, or the driver reported no time");
  }
}

}  // namespace

void roofline_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first) {
  if (!section(panel, "Roofline", {}, open_at_first)) return;
  const RooflineSnapshot& seen = scene.roofline;
  if (seen.ceilings) {
    chart(panel, scene);
    rows(panel, scene);
  } else {
    wrapped_text("The device's peak rates have not been measured yet.", palette::dim);
  }
  const char* action = seen.measuring ? "Measuring …" : seen.ceilings ? "Measure again" : "Measure";
  if (button(panel, action, ImGui::GetContentRegionAvail().x,
             "Measure the device's arithmetic, memory and launch rates beside the scene; the results are saved for "
             "this driver",
             !seen.measuring))
    panel.send(command::MeasureCeilings{});
}

}  // namespace orrery::ui
