#include <array>
#include <cmath>
#include <cstdio>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/plot.hpp"

namespace orrery::ui {
namespace {

constexpr std::size_t frames_shown = 240;
constexpr float sixtieth_ms = 1000.0F / 60;

std::string milliseconds(double value) { return std::isfinite(value) ? duration(value * 1e3) : "n/a"; }

}  // namespace

void frames_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first) {
  const FrameTimes& frames = snapshot.frames;
  if (!section(panel, "Frames", "p99 " + milliseconds(frames.p99_ms), open_at_first)) return;
  stat_grid(panel, {{"p50", milliseconds(frames.p50_ms)},
                    {"p95", milliseconds(frames.p95_ms)},
                    {"p99", milliseconds(frames.p99_ms)},
                    {"Longest", milliseconds(frames.max_ms)}});
  bars("frames", frames.recent_ms, frames_shown, sixtieth_ms, panel.px(64), panel.fonts);
  hint(panel, "Times of the last 240 frames");
  bool vsync = snapshot.vsync;
  label_row(panel, "Wait for display", "Wait for the display between frames");
  if (ImGui::Checkbox("##vsync", &vsync)) panel.send(command::SetVsync{vsync});
  const WithFont small(panel.fonts.small);
  line_of_text(panel, snapshot.gl_renderer, palette::dim);
}

}  // namespace orrery::ui
