#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "ui/format.hpp"
#include "ui/inks.hpp"
#include "ui/panels/list.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {
namespace {

// ---- the chart

constexpr float gutter_width = 150, axis_height = 18, tallest_lane = 44;
constexpr double shortest_view = 1e3;  // nanoseconds
constexpr double nanoseconds_in_us = 1e3;

/// Where times lie across the lanes.
struct Chart {
  const TimelineView& view;
  std::span<const TimelineSpan> spans;  // those that may be seen
  ImVec2 low, high;                     // pixels of the lanes, without gutter and axis
  double from, length;

  float at(double time) const {
    return low.x + static_cast<float>((time - from) / length * static_cast<double>(high.x - low.x));
  }
  double time(float x) const { return from + length * static_cast<double>((x - low.x) / (high.x - low.x)); }
  double per_pixel() const { return length / static_cast<double>(high.x - low.x); }
};

struct Row {
  float top, bottom;  // of the bars
};

/// The order on screen: the window's thread, queues, OpenGL.
std::vector<std::size_t> lanes_in_order(const TimelineView& view) {
  std::vector<std::size_t> order;
  for (const LaneKind kind : {LaneKind::host, LaneKind::queue, LaneKind::gl})
    for (std::size_t lane = 0; lane < view.lanes.size(); ++lane)
      if (view.lanes[lane].kind == kind) order.push_back(lane);
  return order;
}

void text(const Panel& panel, ImVec2 at, Color ink, const std::string& words) {
  const WithFont small(panel.fonts.small);
  ImGui::GetWindowDrawList()->AddText(at, packed(ink), words.c_str());
}

// ---- what lies behind the bars

/// 1, 2 or 5 × 10ⁿ nanoseconds, so that ticks are no closer than `closest`.
double tick_step(double closest) {
  const double decade = std::pow(10.0, std::floor(std::log10(closest)));
  for (const double times : {1.0, 2.0, 5.0})
    if (times * decade >= closest) return times * decade;
  return 10 * decade;
}

std::string tick_text(double nanoseconds, double step) {
  std::string value = number(std::round(nanoseconds / step) * step / (step >= 1e5 ? 1e6 : 1e3), 6);
  return value + (step >= 1e5 ? " ms" : " µs");
}

/// Ticks count from the first frame that begins in view.
double zero_of(const Chart& chart) {
  for (const TimelineSpan& span : chart.spans)
    if (span.lane == Timeline::frames_lane && static_cast<double>(span.end) > chart.from)
      return static_cast<double>(static_cast<double>(span.start) >= chart.from ? span.start : span.end);
  return chart.from;
}

void axis(const Panel& panel, const Chart& chart) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double zero = zero_of(chart), step = tick_step(chart.per_pixel() * static_cast<double>(panel.px(76)));
  for (double tick = std::ceil((chart.from - zero) / step) * step; tick + zero <= chart.from + chart.length;
       tick += step) {
    const float x = std::floor(chart.at(tick + zero));
    list.AddLine({x, chart.low.y - panel.px(4)}, {x, chart.low.y}, packed(palette::dim, 0.7F));
    const std::string words = tick_text(tick, step);
    const WithFont small(panel.fonts.small);
    if (x + panel.px(3) + ImGui::CalcTextSize(words.c_str()).x > chart.high.x) continue;
    text(panel, {x + panel.px(3), chart.low.y - panel.px(axis_height)}, palette::dim, words);
  }
}

void frame_bounds(const Panel& panel, const Chart& chart) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float last = -1e9F;
  for (const TimelineSpan& span : chart.spans) {
    if (span.lane != Timeline::frames_lane) continue;
    const float x0 = chart.at(static_cast<double>(span.start)), x1 = chart.at(static_cast<double>(span.end));
    if (x1 < chart.low.x || x0 > chart.high.x) continue;
    if (span.frame % 2 == 0)
      list.AddRectFilled({std::max(x0, chart.low.x), chart.low.y}, {std::min(x1, chart.high.x), chart.high.y},
                         packed(palette::text, 0.025F));
    if (x1 - last < 3 || x1 > chart.high.x) continue;
    last = x1;
    list.AddLine({std::floor(x1), chart.low.y}, {std::floor(x1), chart.high.y}, packed(palette::frame, 0.55F),
                 panel.px(1));
  }
}

void gutter(const Panel& panel, const TimelineLane& lane, ImVec2 at, float height) {
  const WithFont small(panel.fonts.small);
  const float width = panel.px(gutter_width - 12), line = ImGui::GetTextLineHeight();
  const bool device = lane.kind != LaneKind::host, two = device && height >= 2 * line + panel.px(2);
  const float top = at.y + std::round((height - (two ? 2 : 1) * line) / 2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({at.x, top}, packed(palette::text), fitted(lane.name, width).c_str());
  if (!two) return;
  const std::string clock = lane.clock_known
                                ? "± " + duration(static_cast<double>(lane.clock_error) / nanoseconds_in_us)
                                : std::string("n/a");
  list.AddText({at.x, top + line}, packed(palette::dim), clock.c_str());
}

// ---- bars

Color ink_of_span(const Panel& panel, const TimelineView& view, const TimelineSpan& span) {
  const std::string& name = view.names[span.name];
  if (view.lanes[span.lane].kind == LaneKind::host) {
    const bool idle = name == "wait" || name == "hold" || name == "present";
    return idle ? Color{palette::dim.rgb, 0.35F} : Color{palette::frame.rgb, name == "update" ? 1.0F : 0.75F};
  }
  // Passes are no kernels: one hue, and neighbours differ.
  if (view.lanes[span.lane].kind == LaneKind::gl)
    return {palette::potential.rgb, span.name % 3 == 0 ? 1.0F : span.name % 3 == 1 ? 0.8F : 0.62F};
  return ui::ink_of(panel.state.inks, name);
}

void bar(const Panel& panel, const TimelineSpan& span, const Chart& chart, Row row, bool chosen) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x0 = std::max(chart.at(static_cast<double>(span.start)), chart.low.x - 2);
  const float x1 = std::min(std::max(chart.at(static_cast<double>(span.end)), x0 + 1), chart.high.x + 2);
  const Color ink = ink_of_span(panel, chart.view, span);
  list.AddRectFilled({x0, row.top}, {x1, row.bottom}, packed(ink, 0.9F), x1 - x0 > 6 ? panel.px(2) : 0);
  if (chosen)
    list.AddRect({x0 - 1, row.top - 1}, {x1 + 1, row.bottom + 1}, packed(palette::text), panel.px(2), 0, panel.px(1));
  const WithFont small(panel.fonts.small);
  if (x1 - x0 < panel.px(26) || row.bottom - row.top < ImGui::GetTextLineHeight()) return;
  const std::string& whole = chart.view.names[span.name];
  const std::string name = fitted(whole, x1 - x0 - panel.px(8));
  if (name.size() < 5 && name != whole) return;
  const Color words = ink.alpha < 0.5F ? palette::text : palette::window;
  list.AddText({x0 + panel.px(4), std::round((row.top + row.bottom - ImGui::GetTextLineHeight()) / 2)}, packed(words),
               name.c_str());
}

/// Below the bar: a hair from queued to submitted, a band from there to running.
void waiting(const Panel& panel, const TimelineSpan& span, const Chart& chart, Row row, bool chosen) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto clamped = [&](std::int64_t time) {
    return std::clamp(chart.at(static_cast<double>(time)), chart.low.x, chart.high.x);
  };
  const float queued = clamped(span.queued), submitted = clamped(span.submitted), start = clamped(span.start);
  const float y = row.bottom + panel.px(3), thick = panel.px(chosen ? 4 : 3);
  const Color ink = ink_of_span(panel, chart.view, span);
  if (submitted - queued >= 1)
    list.AddLine({queued, y + thick / 2}, {submitted, y + thick / 2}, packed(ink, chosen ? 1.0F : 0.35F), panel.px(1));
  if (start - submitted >= 1)
    list.AddRectFilled({submitted, y}, {start, y + thick}, packed(ink, chosen ? 1.0F : 0.35F));
}

struct Lane {
  std::size_t index;
  Row row;
};

/// Draws the bars of one lane; of those that fall into one column of pixels, one.
void bars(const Panel& panel, const Chart& chart, const Lane& lane, const TimelineSpan* chosen) {
  const TimelineLane& known = chart.view.lanes[lane.index];
  float last = -1e9F;
  bool any = false;
  for (const TimelineSpan& span : chart.spans) {
    if (span.lane != lane.index) continue;
    const auto begin = static_cast<double>(span.queued), end = static_cast<double>(span.end);
    if (end < chart.from || begin > chart.from + chart.length) continue;
    any = true;
    if (known.kind == LaneKind::queue) waiting(panel, span, chart, lane.row, &span == chosen);
    const float right = std::floor(chart.at(end));
    if (right <= last && &span != chosen) continue;
    last = right;
    if (static_cast<double>(span.start) <= chart.from + chart.length)
      bar(panel, span, chart, lane.row, &span == chosen);
  }
  if (!any && known.untimed > 0)
    text(panel, {chart.low.x + panel.px(8), std::round((lane.row.top + lane.row.bottom) / 2 - panel.px(7))},
         palette::dim,
         "n/a: " + grouped(static_cast<std::int64_t>(known.untimed)) + " without a valid time from the driver");
}

// ---- the mouse

/// The shortest bar of the lane that is under the mouse, give or take two pixels.
const TimelineSpan* under_mouse(const Chart& chart, const std::vector<Lane>& lanes, ImVec2 mouse) {
  const double time = chart.time(mouse.x), near = 2 * chart.per_pixel();
  const TimelineSpan* found = nullptr;
  for (const Lane& lane : lanes) {
    if (mouse.y < lane.row.top - 2 || mouse.y > lane.row.bottom + 8) continue;
    for (const TimelineSpan& span : chart.spans) {
      if (span.lane != lane.index || static_cast<double>(span.end) + near < time ||
          static_cast<double>(span.start) - near > time)
        continue;
      if (found == nullptr || span.end - span.start < found->end - found->start) found = &span;
    }
  }
  return found;
}

std::string range_text(const TimelineSpan& span) {
  const auto sizes = [](const std::array<std::uint32_t, 2>& size) {
    return grouped(size[0]) + (size[1] > 1 ? " × " + grouped(size[1]) : std::string());
  };
  if (span.global[0] == 0) return {};
  return sizes(span.global) + " work-items" + (span.local[0] > 0 ? " in groups of " + sizes(span.local) : "");
}

/// How far into its frame the span begins, if that frame is known.
std::optional<double> into_frame_us(const Chart& chart, std::int64_t time) {
  for (const TimelineSpan& frame : chart.spans)
    if (frame.lane == Timeline::frames_lane && frame.start <= time && time < frame.end)
      return static_cast<double>(time - frame.start) / nanoseconds_in_us;
  return std::nullopt;
}

void tell(const Panel& panel, const Chart& chart, const TimelineSpan& span) {
  const TimelineView& view = chart.view;
  const TimelineLane& lane = view.lanes[span.lane];
  const auto us = [](std::int64_t from, std::int64_t to) {
    return duration(static_cast<double>(to - from) / nanoseconds_in_us);
  };
  ImGui::BeginTooltip();
  {
    const WithFont heading(panel.fonts.heading);
    ImGui::TextUnformatted(view.names[span.name].c_str());
    ImGui::SameLine();
    ImGui::TextUnformatted(us(span.start, span.end).c_str());
  }
  if (lane.kind == LaneKind::queue) {
    ImGui::TextColored(palette::dim, "Queued → submitted  %s", us(span.queued, span.submitted).c_str());
    ImGui::TextColored(palette::dim, "Submitted → running  %s", us(span.submitted, span.start).c_str());
  }
  if (const std::string range = range_text(span); !range.empty()) ImGui::TextColored(palette::dim, "%s", range.c_str());
  if (const auto into = into_frame_us(chart, span.start))
    ImGui::TextColored(palette::dim, "Begins %s into a frame", duration(*into).c_str());
  ImGui::TextColored(palette::dim, "Requested in frame %s", grouped(span.frame).c_str());
  if (lane.kind != LaneKind::host)
    ImGui::TextColored(palette::dim, "Clock accuracy ± %s",
                       duration(static_cast<double>(lane.clock_error) / nanoseconds_in_us).c_str());
  ImGui::EndTooltip();
}

void zoom_and_pan(TimelineUi& timeline, const Chart& chart) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    const double fixed = chart.time(std::clamp(io.MousePos.x, chart.low.x, chart.high.x));
    const double length = std::clamp(timeline.length * std::pow(0.8, static_cast<double>(io.MouseWheel)), shortest_view,
                                     std::max(timeline.last - timeline.first, 2 * shortest_view));
    timeline.from = fixed - (fixed - timeline.from) * length / timeline.length;
    timeline.length = length;
    timeline.paused = true;
  }
  if (ImGui::IsItemActive() && io.MouseDelta.x != 0) {
    timeline.from -= static_cast<double>(io.MouseDelta.x) * chart.per_pixel();
    timeline.paused = true;
  }
  const double half = timeline.length / 2;
  if (timeline.paused) timeline.from = std::clamp(timeline.from, timeline.first - half, timeline.last - half);
}

/// Spans that may reach into view; spans are in the order of their start.
std::span<const TimelineSpan> seen(const TimelineUi& timeline) {
  const std::vector<TimelineSpan>& all = timeline.shown->spans;
  const auto starts_before = [](const TimelineSpan& span, double time) {
    return static_cast<double>(span.start) < time;
  };
  const auto begin = std::lower_bound(all.begin(), all.end(), timeline.from - timeline.longest, starts_before);
  // A command may wait in view and run beyond it.
  const auto end =
      std::lower_bound(begin, all.end(), timeline.from + timeline.length + timeline.longest, starts_before);
  return {begin, end};
}

/// Lanes below each other, their names at the left.
std::vector<Lane> lay_out(const Panel& panel, Chart& chart, float left) {
  const std::vector<std::size_t> order = lanes_in_order(chart.view);
  const float height =
      std::min(panel.px(tallest_lane), (chart.high.y - chart.low.y) / static_cast<float>(order.size()));
  const float inset = std::min(panel.px(4), height / 6);
  chart.high.y = chart.low.y + height * static_cast<float>(order.size());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(chart.low, chart.high, packed(palette::raised), ImGui::GetStyle().FrameRounding);
  std::vector<Lane> lanes;
  for (const std::size_t index : order) {
    const float top = chart.low.y + height * static_cast<float>(lanes.size());
    const float below = chart.view.lanes[index].kind == LaneKind::queue ? panel.px(6) : 0;
    gutter(panel, chart.view.lanes[index], {left, top}, height);
    if (!lanes.empty()) list.AddLine({left, top}, {chart.high.x, top}, packed(palette::line));
    lanes.push_back({index, {top + inset, top + height - inset - below}});
  }
  return lanes;
}

/// Draws state.timeline at the cursor, as large as `size`. The chart answers the wheel (zoom), a drag (pan) and
/// the resting mouse (what a bar is).
void timeline_chart(const Panel& panel, ImVec2 size) {
  TimelineUi& timeline = panel.state.timeline;
  const ImVec2 at = ImGui::GetCursorScreenPos(), end{at.x + size.x, at.y + size.y};
  clickable("lanes", size);
  timeline.hovered = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (!timeline.shown || !(timeline.length > 0) || size.x < panel.px(gutter_width + 40) || size.y < panel.px(40))
    return;
  Chart chart{*timeline.shown, {}, {at.x + panel.px(gutter_width), at.y + panel.px(axis_height)}, end, timeline.from,
              timeline.length};
  zoom_and_pan(timeline, chart);
  chart.from = timeline.from;
  chart.length = timeline.length;
  chart.spans = seen(timeline);
  const std::vector<Lane> lanes = lay_out(panel, chart, at.x);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over_lanes = timeline.hovered && mouse.x >= chart.low.x && mouse.y <= chart.high.y;
  const TimelineSpan* chosen = over_lanes ? under_mouse(chart, lanes, mouse) : nullptr;
  ImGui::PushClipRect({chart.low.x, at.y}, {chart.high.x, chart.high.y}, true);
  axis(panel, chart);
  frame_bounds(panel, chart);
  for (const Lane& lane : lanes) bars(panel, chart, lane, chosen);
  if (over_lanes)
    list.AddLine({std::floor(mouse.x), chart.low.y}, {std::floor(mouse.x), chart.high.y}, packed(palette::text, 0.25F));
  ImGui::PopClipRect();
  if (chosen != nullptr && !ImGui::IsMouseDragging(0)) tell(panel, chart, *chosen);
}

/// Shows another view, which is not null, in the same place.
void take(TimelineUi& timeline, std::shared_ptr<const TimelineView> view) {
  timeline.shown = std::move(view);
  const std::vector<TimelineSpan>& spans = timeline.shown->spans;
  timeline.first = spans.empty() ? 0 : static_cast<double>(spans.front().start);
  timeline.last = timeline.first + shortest_view;
  timeline.longest = 0;
  for (const TimelineSpan& span : spans) {
    timeline.last = std::max(timeline.last, static_cast<double>(span.end));
    timeline.longest = std::max(timeline.longest, static_cast<double>(span.end - span.queued));
  }
}

/// Shows everything there is.
void show_all(TimelineUi& timeline) {
  timeline.from = timeline.first;
  timeline.length = timeline.last - timeline.first;
}

/// Moves to the last few frames of which everything is known.
void show_newest(TimelineUi& timeline) {
  constexpr std::size_t frames_shown = 4;
  show_all(timeline);
  std::vector<const TimelineSpan*> frames;
  for (const TimelineSpan& span : timeline.shown->spans)
    if (span.lane == Timeline::frames_lane) frames.push_back(&span);
  if (frames.empty()) return;
  // The work of the newest frame is still in flight.
  const std::size_t end = frames.size() - (frames.size() > frames_shown ? 1 : 0);
  timeline.from = static_cast<double>(frames[end - std::min(end, frames_shown)]->start);
  timeline.length = std::max(static_cast<double>(frames[end - 1]->end) - timeline.from, shortest_view);
}

// ---- the panel

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
  if (toggle(panel, timeline.paused ? "Live" : "Pause", timeline.paused, each,
             timeline.paused ? "Follow the newest frames" : "Freeze the timeline, as zooming and dragging also do")) {
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

/// Colours and names of the kernels, in rows of as many as fit.
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
  if (panel.state.sections.face != panel.state.sections.shown) return;
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
  const StillWindow window(
      "##timeline",
      {.at = {area.x, area.y}, .size = {area.width, area.height}, .rounded = false, .flags = beside_picture});
  if (!window) return;
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.y}, {area.x + area.width, area.y + panel.px(1)},
                                            packed(palette::line));
  heading_line(panel, timeline);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (timeline.shown && !timeline.shown->spans.empty())
    timeline_chart(panel, room);
  else
    wrapped_text("Nothing has been recorded yet.", palette::dim);
}

}  // namespace orrery::ui
