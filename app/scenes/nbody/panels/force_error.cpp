#include <array>

#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/panels/panels.hpp"
#include "ui/format.hpp"
#include "ui/plot.hpp"

namespace orrery::ui {
namespace {

constexpr const char* percentiles_help =
    "Relative errors of the accelerations of the last 4,096 bodies that were drawn at random, 256 a frame, compared with "
    "sums in double precision";
constexpr const char* cost_help =
    "Time a step with a tree of each force error, and with all pairs, for the bodies as they are now. They wait meanwhile";

/// How many of 100 bodies have a smaller error.
Stat percentile(const char* label, double error, Color color = palette::text) {
  return {label, {number(error, 2), error}, color, nullptr, percentiles_help};
}

Color color_of(const NbodySnapshot& nbody) {
  constexpr double by_chance = 1.33;  // of the 99th percentile of a thousand bodies
  const bool kept = nbody.force_error == 0 || !(nbody.error_percentiles.p99 > by_chance * nbody.force_error);
  return kept ? palette::text : palette::warning;
}

void cost_plot(const Panel& panel, const NbodySnapshot& nbody) {
  const AccuracyCosts& costs = nbody.accuracy;
  const std::string label = costs.running ? "Cancel   " + percent(costs.progress) : "Measure error against cost";
  if (toggle(panel, (label + "###accuracy").c_str(), costs.running, -FLT_MIN, cost_help))
    panel.send_to_scene(command::MeasureAccuracy{!costs.running});
  if (!costs.fault.empty()) wrapped_text(costs.fault, palette::warning);
  if (costs.errors.empty()) return;
  const std::array asked{nbody.force_error};
  plot(panel, {.title = "Error against cost",
               .x = {.name = "Force error", .logarithmic = true},
               .y = {.name = "Step", .unit = "ms", .logarithmic = true},
               .at = costs.errors,
               .series = {{"Quadrupole", costs.quadrupole, palette::kernel},
                          {"Monopole", costs.monopole, palette::kinetic},
                          {"All pairs", costs.all_pairs, palette::dim}},
               .height = 96,
               .marks = std::span(asked).first(nbody.force_error > 0 ? 1 : 0)});
}

}  // namespace

void force_error_panel(const Panel& panel, const NbodySnapshot& nbody) {
  const ErrorPercentiles& found = nbody.error_percentiles;
  if (!section(panel, "Force error", "99 % below " + number(found.p99, 2), is_roomy(panel))) return;
  stat_grid(panel, {percentile("Median", found.median),
                    percentile("90 % below", found.p90),
                    percentile("99 % below", found.p99, color_of(nbody)),
                    percentile("99.9 % below", found.p999),
                    percentile("Largest", found.largest),
                    {"Asked of 99 %", nbody.force_error > 0 ? number(nbody.force_error, 2) : "nothing"}});
  const AccelerationErrors& errors = nbody.errors;
  plot(panel, {.title = "Relative force error",
               .x = {.name = "Time", .unit = "G = 1"},
               .y = {.name = "Error", .logarithmic = true},
               .at = errors.time,
               .series = {{"Median", errors.median, palette::residual}, {"p99", errors.p99, palette::kinetic}},
               .height = 56});
  cost_plot(panel, nbody);
}

}  // namespace orrery::ui
