#include "ui/device_use.hpp"

#include <algorithm>
#include <cmath>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

struct Part {
  double share;
  Color color;
};

/// Shares of the time, side by side; the rest of the bar stays dark.
void use_bar(const Panel& panel, std::initializer_list<Part> parts) {
  const float width = ImGui::GetContentRegionAvail().x, height = panel.px(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, packed(palette::field));
  float begin = 0;
  for (const Part& part : parts) {
    const float share = std::isfinite(part.share) ? static_cast<float>(std::clamp(part.share, 0.0, 1.0)) : 0;
    const float end = std::min(begin + share * width, width);
    if (end - begin >= 1) list.AddRectFilled({at.x + begin, at.y}, {at.x + end, at.y + height}, packed(part.color));
    begin = std::max(begin, end);
  }
}

DeviceUseLine line_of(const WindowSnapshot& snapshot) {
  const SceneSnapshot& scene = snapshot.scene;
  return device_use_line({.computing = scene.use.computing,
                          .copying = scene.use.copying,
                          .drawing = snapshot.drawing,
                          .frame_seconds = snapshot.frames.p50_ms / 1000,
                          .status = scene.status,
                          .work = scene.work});
}

}  // namespace

void device_use(const Panel& panel, const WindowSnapshot& snapshot) {
  const DeviceUse& use = snapshot.scene.use;
  const DeviceUseLine line = line_of(snapshot);
  const std::string help = "The bar shows the last second. From the left: computing " + percent(use.computing) +
                           ", copying " + percent(use.copying) + ", drawing by OpenGL " + percent(snapshot.drawing);
  ImGui::Dummy({1, panel.px(1)});
  use_bar(panel,
          {{use.computing, palette::kernel}, {use.copying, palette::kinetic}, {snapshot.drawing, palette::frame}});
  hint(panel, help);
  const WithFont small(panel.fonts.small);
  line_of_text(panel, line.share, palette::dim);
  hint(panel, help);
  line_of_text(panel, line.reason.empty() ? " " : line.reason, palette::dim);
}

void burst_advice(const Panel& panel, const WindowSnapshot& snapshot) {
  const std::int64_t burst = line_of(snapshot).burst;
  if (burst == 0) return;
  const std::string label = "Use " + grouped(burst) + " steps per frame";
  if (button(panel, label.c_str(), -FLT_MIN, "Compute more time steps per frame, so that the device is never idle"))
    panel.send(command::SetParameter{std::string(burst_parameter), burst});
}

}  // namespace orrery::ui
