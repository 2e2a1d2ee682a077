// The past of the run below the picture: its kept moments on a line, over which a hand moves.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/panels/panels.hpp"
#include "ui/format.hpp"

namespace orrery::ui {
namespace {

constexpr float strip_height = 34;  // at scale 1
constexpr float save_width = 62;    // likewise
constexpr double stillness = 0.15;  // seconds after which the hand rests

/// Places of steps on the line.
struct PastScale {
  float left, width;
  std::int64_t first, last;

  float place(double step) const {
    const double share =
        (step - static_cast<double>(first)) / static_cast<double>(std::max<std::int64_t>(1, last - first));
    return left + width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  }
  std::int64_t step_at(float x) const {
    const double share =
        std::clamp(static_cast<double>(x - left) / static_cast<double>(std::max(width, 1.0F)), 0.0, 1.0);
    return first + std::llround(share * static_cast<double>(last - first));
  }
};

std::int64_t last_step(const PastView& past) {
  std::int64_t last = past.step;
  for (const auto* branch : {&past.moments, &past.other_branch})
    if (!branch->empty()) last = std::max(last, branch->back().step);
  return last;
}

double time_at(const std::vector<PastView::Moment>& moments, std::int64_t step, double fallback) {
  const auto behind = std::ranges::upper_bound(moments, step, {}, &PastView::Moment::step);
  if (behind == moments.begin()) return moments.empty() ? fallback : moments.front().time;
  const PastView::Moment& from = *std::prev(behind);
  if (behind == moments.end()) return from.step == step ? from.time : fallback;
  const auto steps = static_cast<double>(behind->step - from.step);
  return std::lerp(from.time, behind->time, static_cast<double>(step - from.step) / steps);
}

/// A marked moment.
struct Mark {
  enum class Of { change, warning, encounter } of = Of::change;
  std::int64_t step = 0;
};
std::vector<Mark> marks_of(const NbodySnapshot& seen) {
  std::vector<Mark> marks;
  const auto& moments = seen.past.moments;
  for (const PastView::Moment& moment : moments)
    if (moment.changes) marks.push_back({Mark::Of::change, moment.step});
  for (const double time : seen.diagnostics.long_steps) {
    const auto at = std::ranges::find_if(moments, [&](const PastView::Moment& each) { return each.time >= time; });
    if (at != moments.end()) marks.push_back({Mark::Of::warning, at->step});
  }
  if (!seen.followed.closest.name.empty()) marks.push_back({Mark::Of::encounter, seen.followed.closest_step});
  return marks;
}

std::string text_of(const Mark& mark, const NbodySnapshot& seen) {
  switch (mark.of) {
    case Mark::Of::warning:
      return "the time step was too long";
    case Mark::Of::encounter:
      return seen.followed.closest.name + " was closest";
    default:
      return "settings or bodies were changed";
  }
}

void draw_mark(const Panel& panel, const Mark& mark, float x, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = panel.px(3), above = y - panel.px(7);
  switch (mark.of) {
    case Mark::Of::warning:
      return list.AddTriangleFilled({x - size, above - size}, {x + size, above - size}, {x, above + size},
                                    packed(palette::warning));
    case Mark::Of::encounter:
      return list.AddCircle({x, above}, size, packed(palette::accent), 0, panel.px(1.5F));
    default:
      return list.AddCircleFilled({x, y}, size, packed(palette::accent));
  }
}

// Kept moments are faint.
void draw_branch(const Panel& panel, const PastScale& scale, const std::vector<PastView::Moment>& moments, float y,
                 Color color) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float free = scale.left;
  for (const PastView::Moment& moment : moments) {
    const float x = std::round(scale.place(static_cast<double>(moment.step)));
    if (x < free) continue;
    list.AddRectFilled({x, y - panel.px(3)}, {x + std::max(1.0F, panel.px(1)), y + panel.px(3)}, packed(color));
    free = x + panel.px(4);
  }
}

void tell(const Panel& panel, NbodyUi::PastHand& hand, std::int64_t step, bool arrives) {
  if (step == hand.step && (!arrives || hand.arrived)) return;
  hand.step = step;
  hand.arrived = arrives;
  panel.send_to_scene(command::GoToStep{step, arrives, hand.other_branch});
  hand.other_branch = false;  // the branches have changed places
}

std::string shown_time(const NbodySnapshot& seen, double time) {
  return number(time) + (seen.units.named ? " " + seen.units.time : "");
}

// While the hand moves, the picture comes from kept moments; where it rests, and where it lets go, the moment is
// computed. Near a mark it means the mark.
void take_hand(const Panel& panel, NbodyUi::PastHand& hand, const PastScale& scale, const NbodySnapshot& seen,
               const std::vector<Mark>& marks, float middle) {
  const PastView& past = seen.past;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool below = !past.other_branch.empty() && mouse.y > middle;
  std::int64_t step = scale.step_at(mouse.x);
  std::string marked;
  float near = panel.px(6);
  for (const Mark& mark : marks) {
    const float away = std::abs(scale.place(static_cast<double>(mark.step)) - mouse.x);
    if (!below && away <= near) near = away, step = mark.step, marked = ", where " + text_of(mark, seen);
  }
  if (ImGui::IsItemActivated()) hand = {.other_branch = below && step > past.fork};
  if (ImGui::IsItemActive()) {
    if (step != hand.step) hand.moved = ImGui::GetTime();
    tell(panel, hand, step, ImGui::GetTime() - hand.moved > stillness);
  }
  if (ImGui::IsItemDeactivated()) tell(panel, hand, hand.step, true);
  if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return;
  if (below && step > past.fork) marked = ", before the last change";
  hint_above(
      panel, mouse.x,
      "t = " + shown_time(seen, time_at(past.moments, step, past.time)) + ", step " + std::to_string(step) + marked);
}

void draw_line(const Panel& panel, const NbodySnapshot& seen, NbodyUi& ui, const Rect& area) {
  const PastView& past = seen.past;
  const std::string now = (past.is_near ? "t ≈ " : "t = ") + shown_time(seen, seen.time);
  const float text = std::max(panel.px(96), ImGui::CalcTextSize(now.c_str()).x + panel.px(20));
  const PastScale scale{area.x + text, std::max(area.width - text - panel.px(save_width + 16), 1.0F),
                        past.moments.empty() ? past.step : past.moments.front().step, last_step(past)};
  const bool two = !past.other_branch.empty();
  const float middle = area.y + area.height / 2, row = two ? panel.px(6) : 0, y = middle - row;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({area.x + panel.px(12), std::round(middle - ImGui::GetFontSize() / 2)},
               packed(past.is_near ? palette::dim : palette::text), now.c_str());
  const float thick = std::max(1.0F, panel.px(2)), head = scale.place(static_cast<double>(past.step));
  const float end =
      past.moments.empty() ? head : std::max(head, scale.place(static_cast<double>(past.moments.back().step)));
  list.AddRectFilled({scale.left, y - thick / 2}, {end, y + thick / 2}, packed(palette::field));
  list.AddRectFilled({scale.left, y - thick / 2}, {head, y + thick / 2}, packed(palette::accent, 0.6F));
  draw_branch(panel, scale, past.moments, y, palette::dim);
  const std::vector<Mark> marks = marks_of(seen);
  for (const Mark& mark : marks) draw_mark(panel, mark, scale.place(static_cast<double>(mark.step)), y);
  if (two) {
    const float fork = scale.place(static_cast<double>(past.fork)), below = middle + row;
    list.AddLine({fork, y}, {fork, below}, packed(palette::line), thick);
    list.AddRectFilled({fork, below - thick / 2},
                       {scale.place(static_cast<double>(past.other_branch.back().step)), below + thick / 2},
                       packed(palette::field));
    draw_branch(panel, scale, past.other_branch, below, palette::dim);
  }
  list.AddCircleFilled({head, y}, panel.px(6), packed(past.is_near ? palette::dim : palette::text));
  ImGui::SetCursorScreenPos({scale.left - panel.px(6), area.y});
  clickable("##past line", {scale.width + panel.px(12), area.height});
  list_control(panel, "Past", {scale.left, area.y, scale.width, area.height});
  take_hand(panel, ui.hand, scale, seen, marks, middle);
}

}  // namespace

// A small window has no room to spare.
float NbodyPanels::pane_height() const {
  constexpr float least_window = 480;  // at scale 1
  const bool has_room = ImGui::GetIO().DisplaySize.y >= least_window * ImGui::GetFontSize() / body_pixels;
  return ui_->past && has_room ? strip_height : 0;
}

void NbodyPanels::pane(const Panel& panel, const Rect& area) const {
  const StillWindow window("##past", {.at = {area.x, area.y},
                                      .size = {area.width, area.height},
                                      .padding = ImVec2{0, 0},
                                      .rounded = false,
                                      .flags = beside_picture});
  if (!window) return;
  const WithFont small(panel.fonts.small);
  draw_line(panel, seen_, *ui_, area);
  const float width = panel.px(save_width), height = ImGui::GetFrameHeight();
  ImGui::SetCursorScreenPos({area.x + area.width - width - panel.px(6), area.y + (area.height - height) / 2});
  if (button(panel, "Save …##past", width, "Save the past as a file to move through later",
             !seen_.past.moments.empty()))
    panel.send(command::AskToSave{true});
}

}  // namespace orrery::ui
