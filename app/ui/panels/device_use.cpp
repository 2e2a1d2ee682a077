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

/// What the time goes to, side by side; the rest of the bar stays dark.
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

}  // namespace

void device_use(const Panel& panel, const WindowSnapshot& snapshot) {
  const SceneSnapshot& scene = snapshot.scene;
  const DeviceUse& use = scene.use;
  const DeviceUseLine line = device_use_line({.computing = use.computing,
                                              .copying = use.copying,
                                              .drawing = snapshot.drawing,
                                              .frame_seconds = snapshot.frames.p50_ms / 1000,
                                              .status = scene.status,
                                              .work = scene.work});
  const float top = ImGui::GetCursorPosY() + panel.px(3);
  ImGui::SetCursorPosY(top);
  ImGui::AlignTextToFramePadding();
  const float button_width = panel.px(112);
  const float room = ImGui::GetContentRegionAvail().x - (line.burst > 0 ? button_width + panel.px(6) : 0);
  const bool fits = ImGui::CalcTextSize(line.share.c_str()).x <= room;
  line_of_text(panel, fits ? line.share : "Computing " + percent(use.computing));
  hint(panel, "Over the last second. Computing " + percent(use.computing) + ", copying " + percent(use.copying) +
                  ", drawing by OpenGL " + percent(snapshot.drawing));
  if (line.burst > 0) {
    const std::string label = "Use burst " + grouped(line.burst);
    ImGui::SetCursorPos({ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - button_width, top});
    if (button(panel, label.c_str(), button_width,
               "Compute more time steps per frame, so that the device is never idle"))
      panel.send(command::SetParameter{std::string(burst_parameter), line.burst});
  }
  ImGui::SetCursorPosY(top + ImGui::GetFrameHeight() + panel.px(1));
  use_bar(panel,
          {{use.computing, palette::kernel}, {use.copying, palette::kinetic}, {snapshot.drawing, palette::frame}});
  const WithFont small(panel.fonts.small);
  line_of_text(panel, line.reason.empty() ? " " : line.reason, palette::dim);
}

}  // namespace orrery::ui
