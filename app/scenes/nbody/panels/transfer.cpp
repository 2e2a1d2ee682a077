#include <algorithm>
#include <cmath>

#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/panels/panels.hpp"
#include "ui/format.hpp"
#include "ui/plot.hpp"

namespace orrery::ui {
namespace {

constexpr const char* help =
    "Measure steps per second by device time for bursts from 1 to 256. In short bursts the copy to "
    "OpenGL costs a share of each frame; in long bursts it costs almost nothing";

double best_of(std::span<const double> rates) {
  double best = 0;
  for (const double rate : rates)
    if (std::isfinite(rate)) best = std::max(best, rate);
  return best;
}

std::string summary(const TransferSweep& sweep) {
  if (sweep.running) return percent(sweep.progress);
  const double best = std::max(best_of(sweep.shared), best_of(sweep.copied));
  return best > 0 ? "up to " + metric(best) + " steps/s" : "not measured";
}

/// "of its best at burst 1", in per cent.
std::string at_first(std::span<const double> rates) {
  const double best = best_of(rates);
  return rates.empty() || !(best > 0) || !std::isfinite(rates.front())
             ? "n/a"
             : percent(rates.front() / best) + " of " + metric(best) + "/s at burst 1";
}

}  // namespace

void transfer_panel(const Panel& panel, const NbodySnapshot& nbody, bool open_at_first) {
  const TransferSweep& sweep = nbody.transfer;
  if (!section(panel, "Burst against transfer", summary(sweep), open_at_first)) return;
  const std::string label = sweep.running ? "Cancel   " + percent(sweep.progress) : "Measure";
  if (toggle(panel, (label + "###measure").c_str(), sweep.running, -FLT_MIN,
             nbody.paused ? "Available while the simulation runs" : help))
    panel.send_to_scene(command::MeasureTransfer{!sweep.running});
  if (!sweep.fault.empty()) wrapped_text(sweep.fault, palette::warning);
  if (sweep.bursts.empty()) return;
  plot(panel, {.title = "Speed by burst",
               .x = {.name = "Burst", .unit = "steps", .logarithmic = true},
               .y = {.name = "Speed", .unit = "steps/s"},
               .at = sweep.bursts,
               .series = {{"Shared", sweep.shared, palette::good}, {"Copied", sweep.copied, palette::kinetic}},
               .height = 96});
  const WithFont small(panel.fonts.small);
  split_line(panel, "Shared", palette::good, sweep.no_sharing.empty() ? at_first(sweep.shared) : "not available",
             palette::text);
  hint(panel, sweep.no_sharing);
  split_line(panel, "Copied", palette::kinetic, at_first(sweep.copied), palette::text);
}

}  // namespace orrery::ui
