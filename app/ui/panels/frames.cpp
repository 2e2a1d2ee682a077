#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/plot.hpp"

namespace orrery::ui {
namespace {

constexpr std::size_t frames_shown = 240;
constexpr double sixtieth_ms = 1000.0 / 60;

std::string milliseconds(double value) { return std::isfinite(value) ? duration(value * 1e3) : "n/a"; }

/// The newest at the right end. One that takes several times as long as usual does not flatten the others.
void frames_plot(const Panel& panel, const FrameTimes& frames) {
  constexpr double least = 2 * sixtieth_ms, most = 6 * sixtieth_ms;
  std::vector<double> ago, times;
  const std::size_t count = std::min(frames_shown, frames.recent_ms.size());
  double longest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    ago.push_back(static_cast<double>(k) + 1 - static_cast<double>(count));
    times.push_back(static_cast<double>(frames.recent_ms[frames.recent_ms.size() - count + k]));
    if (std::isfinite(times.back())) longest = std::max(longest, times.back());
  }
  plot(panel, {.title = "Time of each frame",
               .x = {.name = "Frames ago", .low = -static_cast<double>(frames_shown), .high = 0},
               .y = {.name = "Time", .unit = "ms", .low = 0, .high = std::clamp(1.1 * longest, least, most)},
               .at = ago,
               .series = {{.name = "Frame", .values = times, .color = palette::frame, .style = Series::Style::bars}},
               .height = 64,
               .reference = sixtieth_ms});
}

}  // namespace

void frames_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first) {
  const FrameTimes& frames = snapshot.frames;
  if (!section(panel, "Frames", "p99 " + milliseconds(frames.p99_ms), open_at_first)) return;
  stat_grid(panel, {{"p50", {milliseconds(frames.p50_ms), frames.p50_ms / 1e3}},
                    {"p95", {milliseconds(frames.p95_ms), frames.p95_ms / 1e3}},
                    {"p99", {milliseconds(frames.p99_ms), frames.p99_ms / 1e3}},
                    {"Longest", {milliseconds(frames.max_ms), frames.max_ms / 1e3}}});
  frames_plot(panel, frames);
  bool vsync = snapshot.vsync;
  label_row(panel, "Wait for display", "Wait for the display between frames");
  if (ImGui::Checkbox("##vsync", &vsync)) panel.send(command::SetVsync{vsync});
  const WithFont small(panel.fonts.small);
  line_of_text(panel, snapshot.gl_renderer, palette::dim);
}

}  // namespace orrery::ui
