#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/plot.hpp"

namespace orrery::ui {
namespace {

double bandwidth_of(const Ceilings& ceilings) { return std::max(ceilings.read_bytes, ceilings.copy_bytes); }

bool has_point(const RooflinePlace& place) { return std::isfinite(place.intensity); }

Color ink_of_row(const Panel& panel, const SceneSnapshot& scene, std::size_t i) {
  return ui::ink_of(panel.state.inks, scene.kernels[i].name);
}

std::string told(const KernelStatistics& kernel, const RooflinePlace& place) {
  return kernel.name + "\n" + metric(kernel.operations_per_second) + " operations/s in " +
         (kernel.doubles ? "double" : "single") + "\n" + metric(kernel.bytes_per_second) + " bytes/s requested\n" +
         number(place.intensity, 3) + " operations per byte\n" + std::string(name_of(place.bound)) + "-bound, " +
         percent(place.fraction) + " of the roof";
}

/// The limit of a kernel's speed, and the changes that would make it faster.
std::string reason_of(const RooflinePlace& place) {
  switch (place.bound) {
    case Bound::compute:
      return "Limited by arithmetic: it computes at " + percent(place.fraction) +
             " of the device's peak. Fewer operations, or a lower precision, would make it faster; faster memory would not.";
    case Bound::memory:
      return "Limited by memory: it requests bytes at " + percent(place.fraction) +
             " of the device's rate. Fewer or smaller reads would make it faster; less arithmetic would not.";
    case Bound::launch:
      return "Limited by launches: it ends before the next launch can begin. More work per launch, such as more "
             "bodies, or more steps per frame would use the device better.";
    case Bound::latency:
      return "Limited by latency: it reaches " + percent(place.fraction) +
             " of what arithmetic and memory allow. Its work-items wait for memory, for each other or for slow functions, "
             "or there are too few of them; another work-group size, which tuning finds, or more work may help.";
    default:
      return {};
  }
}

/// Up the slope of the memory's rate to the peak, and along it. x and y one after the other.
std::vector<double> roof_of(double peak, double bandwidth, double left, double right, double bottom) {
  const double foot = std::max(left, bottom / bandwidth), ridge = peak / bandwidth;
  return {foot, ridge, right, foot * bandwidth, peak, peak};
}

Series roof(const std::string& name, const std::vector<double>& points, Color color) {
  const std::span<const double> all(points);
  return {.name = name, .values = all.subspan(3), .color = color, .x = all.first(3)};
}

void chart(const Panel& panel, const SceneSnapshot& scene) {
  const Ceilings& ceilings = *scene.roofline.ceilings;
  const double bandwidth = bandwidth_of(ceilings), peak = ceilings.multiply_adds;
  if (!(bandwidth > 0) || !(peak > 0)) return;
  double left = peak / bandwidth / 100, right = peak / bandwidth * 100, bottom = peak / 1000;
  const std::size_t count = std::min(scene.roofline.places.size(), scene.kernels.size());
  std::vector<double> intensities, rates;
  for (std::size_t i = 0; i < count; ++i) {
    intensities.push_back(scene.roofline.places[i].intensity);
    rates.push_back(scene.kernels[i].operations_per_second);
    if (!has_point(scene.roofline.places[i])) continue;
    left = std::min(left, intensities.back() / 2);
    right = std::max(right, intensities.back() * 2);
    bottom = std::min(bottom, rates.back() / 2);
  }
  const std::vector<double> single = roof_of(peak, bandwidth, left, right, bottom);
  std::vector<double> twice;
  Plot shown{.title = "Roofline",
             .x = {.name = "Operations per byte", .logarithmic = true, .low = left, .high = right},
             .y = {.name = "Speed", .unit = "operations/s", .logarithmic = true, .low = bottom, .high = 2 * peak},
             .height = 152,
             .note = metric(peak) + "/s,  " + metric(bandwidth) + "B/s"};
  if (ceilings.multiply_adds_double > 0) {
    twice = roof_of(ceilings.multiply_adds_double, bandwidth, left, right, bottom);
    shown.series.push_back(roof("Roof, double", twice, {palette::dim.rgb, 0.6F}));
  }
  shown.series.push_back(roof("Roof, single", single, palette::text));
  for (std::size_t i = 0; i < count; ++i)
    if (has_point(scene.roofline.places[i]))
      shown.series.push_back({.name = scene.kernels[i].name,
                              .values = std::span<const double>(rates).subspan(i, 1),
                              .color = ink_of_row(panel, scene, i),
                              .x = std::span<const double>(intensities).subspan(i, 1),
                              .style = Series::Style::points,
                              .note = told(scene.kernels[i], scene.roofline.places[i])});
  plot(panel, shown);
}

void rows(const Panel& panel, const SceneSnapshot& scene) {
  for (std::size_t i = 0; i < scene.roofline.places.size() && i < scene.kernels.size(); ++i) {
    const RooflinePlace& place = scene.roofline.places[i];
    const bool known = place.bound != Bound::unknown;
    const std::string right = known ? std::string(name_of(place.bound)) + "  " + percent(place.fraction) : "n/a";
    split_line(panel, scene.kernels[i].name + (scene.kernels[i].modified ? " (modified)" : ""),
               has_point(place) ? ink_of_row(panel, scene, i) : palette::dim, right,
               known ? palette::text : palette::dim);
    if (known && place.fraction <= 1) hint(panel, reason_of(place));
    if (place.fraction > 1) hint(panel, "Above the memory roof: caches serve the reads");
    if (!known) hint(panel, "The kernel's work is unknown, or the driver reported no time");
  }
}

/// In words, of the kernel that takes the most time.
void reason(const SceneSnapshot& scene) {
  const auto longest = std::ranges::max_element(scene.kernels, {}, &KernelStatistics::timed_seconds);
  const auto index = static_cast<std::size_t>(longest - scene.kernels.begin());
  if (index >= std::min(scene.roofline.places.size(), scene.kernels.size())) return;
  if (const std::string why = reason_of(scene.roofline.places[index]); !why.empty())
    wrapped_text("Most time goes to " + longest->name + ". " + why, palette::dim);
}

}  // namespace

void roofline_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first) {
  if (!section(panel, "Roofline", {}, open_at_first)) return;
  const RooflineSnapshot& seen = scene.roofline;
  if (seen.ceilings) {
    chart(panel, scene);
    rows(panel, scene);
    reason(scene);
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
