#include <cmath>
#include <utility>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/panels/timeline_chart.hpp"

namespace orrery::ui {
namespace {

void follow_newest(TimelineUi& timeline, const WindowSnapshot& snapshot) {
  const bool held = timeline.hovered && !timeline.paused && timeline.shown;
  if (held || !snapshot.timeline || snapshot.timeline == timeline.shown) return;
  take(timeline, snapshot.timeline);
  if (!timeline.paused) show_newest(timeline);
  if (std::exchange(timeline.whole, false)) show_all(timeline);
}

void heading_line(const Panel& panel, TimelineUi& timeline) {
  const float left = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x,
              gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::AlignTextToFramePadding();
  {
    const WithFont heading(panel.fonts.heading);
    ImGui::TextUnformatted("Timeline");
  }
  ImGui::SameLine(0, panel.px(12));
  ImGui::TextColored(palette::dim, "%s%s", duration(timeline.length / 1e3).c_str(),
                     timeline.paused    ? ", paused"
                     : timeline.hovered ? ", held while the mouse is over it"
                                        : "");
  const float each = panel.px(64), close = ImGui::GetFrameHeight();
  ImGui::SameLine(left + width - 3 * each - close - 3 * gap);
  if (toggle(
          panel, timeline.paused ? "Live" : "Pause", timeline.paused, each,
          timeline.paused ? "Follow the newest frames" : "Hold the present picture; zooming and dragging do so too")) {
    timeline.paused = !timeline.paused;
    if (!timeline.paused && timeline.shown) show_newest(timeline);
  }
  ImGui::SameLine(0, gap);
  if (button(panel, "All", each, "Show all recorded frames")) {
    timeline.whole = !timeline.paused;  // all of it comes with the pause
    timeline.paused = true;
    show_all(timeline);
  }
  ImGui::SameLine(0, gap);
  if (button(panel, "Export", each, "Write a trace for ui.perfetto.dev or chrome://tracing"))
    panel.send(command::ExportTimeline{});
  ImGui::SameLine(0, gap);
  if (arrow(panel, "##close", ImGuiDir_Down, {close, close}, "Close the timeline (T)")) timeline.open = false;
}

/// Which colour is which kernel, as many in a row as fit.
void legend(const Panel& panel, const SceneSnapshot& scene) {
  const WithFont small(panel.fonts.small);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x, side = panel.px(8);
  float end = -1;
  for (const KernelStatistics& kernel : scene.kernels) {
    const float width = side + panel.px(5) + ImGui::CalcTextSize(kernel.name.c_str()).x;
    if (end > 0 && end + panel.px(12) + width <= right) ImGui::SameLine(0, panel.px(12));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + std::round((ImGui::GetTextLineHeight() - side) / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({at.x, top}, {at.x + side, top + side}, packed(ink_of(panel.state.inks, kernel.name)),
                       panel.px(2));
    list.AddText({at.x + side + panel.px(5), at.y}, packed(palette::dim), kernel.name.c_str());
    ImGui::Dummy({width, ImGui::GetTextLineHeight()});
    end = at.x + width;
  }
}

}  // namespace

void timeline_panel(const Panel& panel, const SceneSnapshot& scene) {
  bool& open = panel.state.timeline.open;
  open = heading(panel, "Timeline", "T", open);  // T opens it as well
  if (!open) return;
  wrapped_text("Below the picture. Wheel: zoom. Drag: pan.", palette::dim);
  legend(panel, scene);
}

void timeline_drawer(const Panel& panel, const WindowSnapshot& snapshot, const Rect& area) {
  TimelineUi& timeline = panel.state.timeline;
  if (!timeline.open) return;
  follow_newest(timeline, snapshot);
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  if (ImGui::Begin("##timeline", nullptr, fixed_window)) {
    ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.y}, {area.x + area.width, area.y + panel.px(1)},
                                              packed(palette::line));
    heading_line(panel, timeline);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (timeline.shown && !timeline.shown->spans.empty())
      timeline_chart(panel, room);
    else
      wrapped_text("Nothing has been recorded yet.", palette::dim);
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace orrery::ui
