// The camera path below the picture: its keyframes on a line of time. A hand on a mark moves the keyframe, a hand
// beside them moves the camera along the path.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "protocol/path_command.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

constexpr float strip_height = 28;   // at scale 1
constexpr double room_behind = 1.1;  // of the length, into which the last keyframe can be dragged
constexpr double least_length = 1;   // seconds

struct PathScale {
  float left, width;
  double length;

  float place(double time) const { return left + width * static_cast<float>(std::clamp(time / length, 0.0, 1.0)); }
  double time_at(float x) const { return length * std::clamp(static_cast<double>((x - left) / width), 0.0, 1.0); }
};

std::string seconds(double time) { return number(std::round(100 * time) / 100) + " s"; }

std::string name_of(std::size_t index) { return "Keyframe " + std::to_string(index + 1); }

std::optional<std::size_t> mark_near(const PathScale& scale, const PathView& path, float x, float reach) {
  std::optional<std::size_t> found;
  float best = reach;
  for (std::size_t k = 0; k < path.times.size(); ++k) {
    const float away = std::abs(scale.place(path.times[k]) - x);
    if (away > best) continue;
    best = away;
    found = k;
  }
  return found;
}

void mark_menu(const Panel& panel, const PathView& path) {
  const std::size_t chosen = panel.state.path.chosen;
  if (!ImGui::BeginPopup("##keyframe")) return;
  if (chosen < path.times.size()) {
    ImGui::TextColored(palette::dim, "%s, at %s", name_of(chosen).c_str(), seconds(path.times[chosen]).c_str());
    if (ImGui::Selectable("Go there")) panel.send_to_scene(command::GoToTime{path.times[chosen]});
    if (ImGui::Selectable("Replace with the present view")) panel.send_to_scene(command::ReplaceKeyframe{chosen});
    if (ImGui::Selectable("Remove")) panel.send_to_scene(command::RemoveKeyframe{chosen});
  }
  ImGui::EndPopup();
}

// A click on a mark goes there, a drag moves it; elsewhere, the hand moves the cursor.
void take_hand(const Panel& panel, const PathScale& scale, const PathView& path) {
  PathUi& ui = panel.state.path;
  const float x = ImGui::GetIO().MousePos.x;
  if (ImGui::IsItemActivated()) {
    ui.held = ui.over;
    ui.moved = false;
    ui.length = scale.length;
  }
  if (ImGui::IsItemActive() && ui.held && *ui.held < path.times.size()) {
    ui.moved = ui.moved || ImGui::IsMouseDragging(ImGuiMouseButton_Left, panel.px(3));
    if (ui.moved && ImGui::GetIO().MouseDelta.x != 0)
      panel.send_to_scene(command::MoveKeyframe{*ui.held, scale.time_at(x)});
  } else if (ImGui::IsItemActive() && (ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0)) {
    panel.send_to_scene(command::GoToTime{scale.time_at(x)});
  }
  if (ImGui::IsItemDeactivated()) {
    if (ui.held && !ui.moved && *ui.held < path.times.size())
      panel.send_to_scene(command::GoToTime{path.times[*ui.held]});
    ui.held.reset();
  }
  if (ImGui::IsItemHovered() && ui.over && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    ui.chosen = *ui.over;
    ImGui::OpenPopup("##keyframe");
  }
}

void tell(const Panel& panel, const PathScale& scale, const PathView& path) {
  const PathUi& ui = panel.state.path;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto shown = ui.held ? ui.held : ui.over;
  const bool known = shown && *shown < path.times.size();
  if (!known || ui.held)
    return hint_above(panel, mouse.x, seconds(known ? path.times[*shown] : scale.time_at(mouse.x)));
  const std::string& values = path.values[*shown];
  hint_above(panel, mouse.x,
             name_of(*shown) + " at " + seconds(path.times[*shown]) + (values.empty() ? "" : ", with " + values) +
                 "\nClick: go there. Drag: another time. Delete or right click: remove");
}

void draw_marks(const Panel& panel, const PathScale& scale, const PathView& path, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const PathUi& ui = panel.state.path;
  const float thick = std::max(1.0F, panel.px(2)), cursor = scale.place(path.cursor);
  list.AddRectFilled({scale.left, y - thick / 2}, {scale.place(path.length), y + thick / 2}, packed(palette::field));
  list.AddRectFilled({scale.left, y - thick / 2}, {cursor, y + thick / 2}, packed(palette::accent, 0.6F));
  for (std::size_t k = 0; k < path.times.size(); ++k) {
    const float x = scale.place(path.times[k]), size = panel.px(ui.over == k || ui.held == k ? 6 : 5);
    list.AddQuadFilled({x, y - size}, {x + size, y}, {x, y + size}, {x - size, y}, packed(palette::accent));
    list_control(panel, name_of(k), {x - size, y - size, 2 * size, 2 * size});
  }
  list.AddRectFilled({cursor - thick / 2, y - panel.px(9)}, {cursor + thick / 2, y + panel.px(9)},
                     packed(palette::text));
}

}  // namespace

// A small window has no room to spare.
float path_strip_height(const PathView& path) {
  constexpr float least_window = 480;  // at scale 1
  const bool has_room = ImGui::GetIO().DisplaySize.y >= least_window * ImGui::GetFontSize() / body_pixels;
  return path.times.empty() || !has_room ? 0 : strip_height;
}

void path_strip(const Panel& panel, const PathView& path, const Rect& area) {
  const StillWindow window("##path", {.at = {area.x, area.y},
                                      .size = {area.width, area.height},
                                      .padding = ImVec2{0, 0},
                                      .rounded = false,
                                      .flags = beside_picture});
  if (!window) return;
  const WithFont small(panel.fonts.small);
  PathUi& ui = panel.state.path;
  const float gap = panel.px(12), middle = area.y + std::round(area.height / 2), width = panel.px(52);
  ImGui::SetCursorScreenPos({area.x + gap, std::round(middle - ImGui::GetFrameHeight() / 2)});
  panel.state.controls.section = "Camera path";
  if (button(panel, path.playing ? "Stop" : "Play", width,
             "Move the camera along its path, or stop it   (Shift+K). K adds a keyframe"))
    panel.send_to_scene(command::TogglePath{});
  panel.state.controls.section.clear();
  const std::string told = seconds(path.cursor) + " of " + seconds(path.length);
  const float text = std::max(panel.px(104), ImGui::CalcTextSize(told.c_str()).x + gap);
  ImGui::GetWindowDrawList()->AddText({area.x + 2 * gap + width, std::round(middle - ImGui::GetFontSize() / 2)},
                                      packed(palette::text), told.c_str());
  const float left = area.x + 2 * gap + width + text;
  const double length = ui.held ? ui.length : std::max(least_length, room_behind * path.length);
  const PathScale scale{left, std::max(area.x + area.width - left - gap - panel.px(4), 1.0F), length};
  draw_marks(panel, scale, path, middle);
  ImGui::SetCursorScreenPos({scale.left - panel.px(6), area.y});
  clickable("##path line", {scale.width + panel.px(12), area.height});
  list_control(panel, "Camera path", {scale.left, area.y, scale.width, area.height});
  const bool is_near = ImGui::IsItemHovered() && !ui.held;
  if (is_near) ui.over = mark_near(scale, path, ImGui::GetIO().MousePos.x, panel.px(7));
  take_hand(panel, scale, path);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) tell(panel, scale, path);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(8), panel.px(6)});
  mark_menu(panel, path);
  ImGui::PopStyleVar();
}

}  // namespace orrery::ui
