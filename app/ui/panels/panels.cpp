#include "ui/panels.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/plot.hpp"
#include "ui/scene_panels.hpp"

namespace orrery::ui {
namespace {

constexpr float handle_width = 22;
constexpr float least_usual_column = 340, most_usual_column = 480;
constexpr float usual_part = 0.19F;  // of the window's width
constexpr float drawer_height = 204;
constexpr float wide_room = 1400;  // beside the column, from which on the editor is beside the picture
constexpr float editor_share_beside = 0.45F, least_editor = 640, most_editor = 980;
constexpr float editor_share_below = 0.45F;  // of the height, that the picture keeps

float column_part(const UiState& state, float width, float scale) {
  const float usual = std::clamp(usual_part * width / scale, least_usual_column, most_usual_column);
  const float wanted = std::round((state.collapsed ? handle_width : state.look.column.value_or(usual)) * scale);
  return std::floor(std::min(wanted, 0.6F * width));
}

float drawer_part(const UiState& state, float height, float scale) {
  return state.timeline.open ? std::floor(std::min(drawer_height * scale, 0.45F * height)) : 0;
}

/// Height of the camera path's strip, above the drawer.
float strip_part(const UiState& state, float scale) { return std::round(state.measured.path_strip * scale); }

float bottom_of(const UiState& state, float height, float scale) {
  return height - drawer_part(state, height, scale) - strip_part(state, scale);
}

/// Tabs as wide as their titles, so that all can be read in a narrow column.
void scene_tabs(const Panel& panel, const WindowSnapshot& snapshot) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float height = panel.px(30);
  const auto count = static_cast<float>(std::max<std::size_t>(1, snapshot.scenes.size()));
  const float all = ImGui::GetContentRegionAvail().x - height - count * gap;
  const WithFont heading(panel.fonts.heading);
  float titles = 0, widest = 0;
  for (const SceneEntry& scene : snapshot.scenes) {
    const float width = ImGui::CalcTextSize(std::string(scene.title).c_str()).x;
    titles += width;
    widest = std::max(widest, width);
  }
  const bool even = count * (widest + panel.px(12)) <= all;
  for (const SceneEntry& scene : snapshot.scenes) {
    const bool chosen = scene.name == snapshot.scene.name;
    const std::string title(scene.title);
    const float own = ImGui::CalcTextSize(title.c_str()).x;
    const float width = even ? all / count : titles < all ? own + (all - titles) / count : all * own / titles;
    ImGui::PushStyleColor(ImGuiCol_Button,
                          chosen ? ImGui::GetStyleColorVec4(ImGuiCol_Button) : ImVec4(palette::raised));
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(chosen ? palette::text : palette::dim));
    if (fitted_button(panel, title.c_str(), {std::floor(width), height}) && !chosen)
      panel.send(command::SelectScene{std::string(scene.name)});
    list_control(panel, title);
    ImGui::PopStyleColor(2);
    if (chosen) {
      const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
      const float inset = panel.px(10);
      ImGui::GetWindowDrawList()->AddRectFilled({low.x + inset, high.y - panel.px(2)}, {high.x - inset, high.y},
                                                packed(palette::accent));
    }
    ImGui::SameLine(0, gap);
  }
  const WithFont body(panel.fonts.body);
  if (arrow(panel, "##collapse", ImGuiDir_Left, {height, height}, "Collapse the column")) panel.state.collapsed = true;
}

/// The buttons Explore and Measure.
void faces(const Panel& panel) {
  UiState& state = panel.state;
  state.sections.shown = state.tour.face.value_or(state.look.face);
  const ImVec2 size{std::floor(ImGui::GetContentRegionAvail().x / 2), panel.px(24)};
  const auto choose = [&](Face face, const char* title, std::string_view help) {
    const bool chosen = face == state.sections.shown;
    const float thick = panel.px(chosen ? 2 : 1);
    if (clickable(title, size)) state.look.face = face, state.tour.face.reset();
    list_control(panel, title);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const bool bright = chosen || ImGui::IsItemHovered() || ImGui::IsItemFocused();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = std::round((low.x + high.x - ImGui::CalcTextSize(title).x) / 2);
    list.AddText({left, low.y + panel.px(3)}, packed(bright ? palette::text : palette::dim), title);
    list.AddRectFilled({low.x, high.y - thick}, high, packed(chosen ? palette::accent : palette::line));
    hint(panel, help);
  };
  choose(Face::explore, "Explore", "Presets, tours, parameters and results");
  ImGui::SameLine(0, 0);
  choose(Face::measure, "Measure", "Performance: device, work-groups, kernels, tuner, frames");
}

void explore_sections(const Panel& panel, const WindowSnapshot& snapshot) {
  const SceneSnapshot& scene = snapshot.scene;
  const ScenePanels& own = panels_of(scene);
  panel.state.sections.face = Face::explore;
  if (snapshot.presets) gallery_panel(panel, *snapshot.presets, true);
  tours_panel(panel, snapshot.tours, is_roomy(panel));
  own.first_sections(panel, scene);
  parameters_panel(panel, scene, true);
  own.sections_after_parameters(panel);
  look_panel(panel, false);
}

void measure_sections(const Panel& panel, const WindowSnapshot& snapshot) {
  const SceneSnapshot& scene = snapshot.scene;
  const bool roomy = is_roomy(panel), tunable = scene.tuning != nullptr;
  panel.state.sections.face = Face::measure;
  device_panel(panel, snapshot, true);
  tuning_panel(panel, snapshot, true);
  kernels_panel(panel, scene, snapshot.editor, true);
  if (tunable) tuner_panel(panel, snapshot, roomy);
  panels_of(scene).tuning_sections(panel);
  roofline_panel(panel, scene, roomy);
  compare_panel(panel, snapshot, false);
  timeline_panel(panel, scene);
  frames_panel(panel, snapshot, roomy);
}

/// All of them, whichever face is shown: a tour or the search may ask for one of the other.
void sections(const Panel& panel, const WindowSnapshot& snapshot) {
  panel.state.sections.scene = snapshot.scene.name;
  ImGui::PushID(panel.state.sections.scene.c_str());
  explore_sections(panel, snapshot);
  measure_sections(panel, snapshot);
  end_section(panel);
  panel.state.controls.section.clear();
  ImGui::PopID();
}

/// Keeps the same width for its contents whether or not it scrolls: the bar lies in the column's right margin.
void scrolling_part(const Panel& panel, const WindowSnapshot& snapshot, float height) {
  const bool scrolls = panel.state.measured.scrolls;
  const float bar = scrolls ? ImGui::GetStyle().ScrollbarSize : 0;
  const ImGuiWindowFlags flags = scrolls ? ImGuiWindowFlags_AlwaysVerticalScrollbar : ImGuiWindowFlags_NoScrollbar;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
#if IMGUI_VERSION_NUM >= 19090
  const bool seen = ImGui::BeginChild("sections", {width + bar, height}, ImGuiChildFlags_NavFlattened, flags);
#else
  const bool seen = ImGui::BeginChild("sections", {width + bar, height}, false, flags | ImGuiWindowFlags_NavFlattened);
#endif
  if (seen) sections(panel, snapshot);
  panel.state.measured.scrolls = ImGui::GetScrollMaxY() > 0;
  const bool scrolled = ImGui::GetScrollY() > 0;
  ImGui::EndChild();
  if (scrolled) ImGui::GetWindowDrawList()->AddLine(at, {at.x + width, at.y}, packed(palette::line));
}

void frames_line(const Panel& panel, const WindowSnapshot& snapshot, float room) {
  const std::string rate = number(std::round(snapshot.frames.frames_per_second)) + " fps";
  line_of_text(
      panel,
      rate + "   p99 " + duration(snapshot.frames.p99_ms * 1e3) + "   " + (snapshot.shared ? "shared" : "copied"),
      palette::dim, room);
  hint(panel, "Frames per second, of which " + number(std::round(snapshot.frames.pictures_per_second)) +
                  " draw a new picture: without changes the last picture stays, and a processor that also computes "
                  "draws fewer pictures while there is no input");
}

void recording_line(const Panel& panel, const RecordingSnapshot& recording, float room) {
  const float high = ImGui::GetFrameHeight(), radius = panel.px(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled({at.x + radius, at.y + high / 2}, radius, packed(palette::error));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 3 * radius);
  line_of_text(panel, "Recorded " + number(std::floor(10 * recording.seconds) / 10) + " s", palette::text,
               room - 3 * radius);
  hint(panel, std::to_string(recording.frames) + " frames; a still picture adds none");
}

void footer(const Panel& panel, const WindowSnapshot& snapshot) {
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + width, at.y}, packed(palette::line));
  ImGui::Dummy({1, panel.px(1)});
  ImGui::AlignTextToFramePadding();
  const float help_width = panel.px(64), record_width = panel.px(60), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float room = width - help_width - gap - record_width;
  snapshot.recording ? recording_line(panel, *snapshot.recording, room - gap)
                     : frames_line(panel, snapshot, room - gap);
  ImGui::SameLine(room + ImGui::GetStyle().WindowPadding.x);
  if (button(panel, snapshot.recording ? "Stop" : "Record", record_width,
             "Record the picture as a film, with a frame for each burst   (F9)"))
    panel.send(command::ToggleRecording{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Help F1", help_width, "Keys, mouse actions and the manual")) panel.state.help.open = true;
}

std::string explained(const char* what, const std::string& step, const char* keys) {
  return std::string(what) + (step.empty() ? " the last change" : "   " + step) + "   (" + keys + ")";
}

void edit_buttons(const Panel& panel, const WindowSnapshot& snapshot) {
  const EditSnapshot& edits = snapshot.edits;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float all = ImGui::GetContentRegionAvail().x - 3 * gap, inset = 2 * panel.px(4);
  const float words = ImGui::CalcTextSize("Copy as command").x + inset, least = ImGui::CalcTextSize("Undo").x + inset;
  const float width = std::floor(std::min(all / 5, std::max(least, (all - words) / 3)));
  file_menu(panel, snapshot, width);
  ImGui::SameLine(0, gap);
  if (button(panel, "Undo", width, explained("Undo", edits.undo, "Ctrl+Z"), !edits.undo.empty()))
    panel.send(command::Undo{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Redo", width, explained("Redo", edits.redo, "Ctrl+Shift+Z"), !edits.redo.empty()))
    panel.send(command::Redo{});
  ImGui::SameLine(0, gap);
  const char* const copy = words <= ImGui::GetContentRegionAvail().x ? "Copy as command" : "Copy";
  if (button(panel, copy, -FLT_MIN, "Copy the command line that shows this   (Ctrl+Shift+C)"))
    panel.send(command::CopyCommandLine{});
}

void column(const Panel& panel, const WindowSnapshot& snapshot, float width) {
  const float height = ImGui::GetIO().DisplaySize.y;
  const StillWindow window("##column",
                           {.at = {0, 0}, .size = {width, height}, .rounded = false, .flags = beside_picture});
  if (!window) return;
  const bool covered = snapshot.files.preview || panel.state.choice.is_open() || panel.state.search.open;
  if (panel.state.keyboard && !covered) take_keyboard();
  scene_tabs(panel, snapshot);
  ImGui::Dummy({1, panel.px(2)});
  panels_of(snapshot.scene).buttons(panel);
  faces(panel);
  if (panel.state.sections.shown == Face::measure) device_use(panel, snapshot);
  const float foot = 2 * ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y * 3 + panel.px(1);
  const float room = ImGui::GetContentRegionAvail().y - foot;
  if (room > panel.px(20)) scrolling_part(panel, snapshot, room);
  footer(panel, snapshot);
  edit_buttons(panel, snapshot);
}

/// The column's right edge can be dragged; a double click leaves its width to the window's.
void edge(const Panel& panel, float x) {
  const float wide = panel.px(6), height = ImGui::GetIO().DisplaySize.y;
  const StillWindow window("##edge", {.at = {x - panel.px(2), 0},
                                      .size = {wide, height},
                                      .padding = ImVec2{0, 0},
                                      .rounded = false,
                                      .flags = beside_picture | ImGuiWindowFlags_NoBackground});
  if (!window) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Look& look = panel.state.look;
  clickable("##drag", {wide, height});
  list_control(panel, "Edge of the column");
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0))
    look.column = std::clamp(ImGui::GetIO().MousePos.x / panel.fonts.scale, Look::least_column, Look::most_column);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) look.column.reset();
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x + panel.px(1), at.y}, {at.x + panel.px(3), height},
                                            packed(palette::accent));
}

void handle(const Panel& panel, float width) {
  const float height = ImGui::GetIO().DisplaySize.y;
  const StillWindow window(
      "##handle",
      {.at = {0, 0}, .size = {width, height}, .padding = ImVec2{0, 0}, .rounded = false, .flags = beside_picture});
  if (window && arrow(panel, "##expand", ImGuiDir_Right, {width, height}, "Show the panels"))
    panel.state.collapsed = false;
}

/// A step points at its control when it is reached, and marks it as long as it is shown.
void follow_tour(TourUi& ui, const TourSnapshot& tour) {
  const int step = tour.steps > 0 ? static_cast<int>(tour.step) : -1;
  if (step != ui.step || tour.look_at != ui.look_at) ui.arrives = true;
  ui.step = step;
  ui.look_at = tour.look_at;
  if (step < 0) ui.unfolded.clear(), ui.face.reset();
  ui.height = 0;
}

/// Messages lie over the picture; where it is too narrow for two buttons, over the column, too.
Rect room_of_messages(const Panel& panel, const Rect& picture) {
  constexpr float least = 224;
  if (picture.width >= panel.px(least)) return picture;
  return {0, picture.y, ImGui::GetIO().DisplaySize.x, picture.height};
}

/// A tour, and above it the notices and what waits for an answer.
void messages(const Panel& panel, const WindowSnapshot& snapshot, Rect picture) {
  const UiState& state = panel.state;
  Rect room = room_of_messages(panel, picture);
  tour_card(panel, snapshot, room);
  tour_end_offer(panel, snapshot.tour, room);
  room.height -= state.tour.height;
  picture.height -= state.tour.height;
  if (!state.hidden) {
    modified_pill(panel, snapshot.editor, picture);
    status_pill(panel, snapshot, room);
    plot_pane(panel, snapshot.scene.name, picture);
    passing_notice(panel, snapshot, room);
    if (state.first_start) first_hint(panel, snapshot, room);
  }
  offers(panel, snapshot, room);
  fault_banner(panel, snapshot, room);
}

}  // namespace

const ScenePanels& panels_of(const SceneSnapshot& scene) {
  static const ScenePanels none;
  return scene.panels ? *scene.panels : none;
}

Rect picture_area(const UiState& state, float width, float height, float scale, bool device) {
  if (state.hidden || !device) return {0, 0, width, height};
  const float column = column_part(state, width, scale), bottom = bottom_of(state, height, scale);
  const Rect editor = editor_area(state, width, height, scale);
  if (editor.width <= 0) return {column, 0, width - column, bottom};
  return editor.y > 0 ? Rect{column, 0, width - column, editor.y} : Rect{column, 0, editor.x - column, bottom};
}

Rect editor_area(const UiState& state, float width, float height, float scale) {
  if (state.hidden || !(state.editor.open || state.measured.scene_pane > 0)) return {};
  const float column = column_part(state, width, scale), room = width - column;
  if (room < wide_room * scale || !state.editor.open) {
    const float bottom = bottom_of(state, height, scale);
    const float top = std::round(
        state.editor.open ? bottom * editor_share_below
                          : std::max(bottom * editor_share_below, bottom - state.measured.scene_pane * scale));
    return {column, top, room, bottom - top};
  }
  const float editor = std::round(std::clamp(room * editor_share_beside, least_editor * scale, most_editor * scale));
  return {width - editor, 0, editor, height};
}

void draw_ui(const WindowSnapshot& snapshot, UiState& state, const Fonts& fonts, command::Commands& commands) {
  // Version 1.86 divides by it for corners of a radius below 1e-6, which what is two pixels wide may have.
  ImGui::GetDrawListSharedData()->CircleSegmentCounts[0] = IM_DRAWLIST_ARCFAST_SAMPLE_MAX;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::GetIO().WantCaptureMouse) state.keyboard = false;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  if (!(display.x >= 1 && display.y >= 1)) return;
  const Panel panel{state, fonts, commands};
  state.controls.section.clear();
  state.controls.places.clear();
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) ++state.controls.clicks;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    state.value_clicked = ImGui::GetIO().KeyCtrl && ImGui::GetIO().WantCaptureMouse;
  const WithFont body(fonts.body);
  const bool device = !snapshot.device_name.empty();
  state.editor.open = !snapshot.editor.open.empty();
  const ScenePanels& own = panels_of(snapshot.scene);
  state.measured.scene_pane = state.editor.open ? 0 : own.pane_height();
  state.path.over.reset();
  state.measured.path_strip = path_strip_height(snapshot.scene.path);
  state.path.rows = snapshot.scene.path.rows;
  state.measured.pane_closes = state.measured.scene_pane > 0 && own.pane_closes();
  const Rect picture = picture_area(state, display.x, display.y, fonts.scale, device);
  follow_tour(state.tour, snapshot.tour);
  state.measured.column_edge = state.hidden || !device ? 0 : picture.x;
  if (device) own.in_picture(panel, picture);
  if (device && !state.large_plot) picture_legend(panel, own.legend(), picture);
  if (!device) {
    no_device_page(panel, snapshot);
  } else if (!state.hidden) {
    const float drawer = drawer_part(state, display.y, fonts.scale);
    timeline_drawer(panel, snapshot, {picture.x, display.y - drawer, picture.width, drawer});
    const float strip = strip_part(state, fonts.scale);
    if (strip > 0)
      path_strip(panel, snapshot.scene.path, {picture.x, display.y - drawer - strip, picture.width, strip});
    state.collapsed ? handle(panel, picture.x) : column(panel, snapshot, picture.x);
    if (!state.collapsed) edge(panel, picture.x);
    const Rect pane = editor_area(state, display.x, display.y, fonts.scale);
    if (state.editor.open) editor_pane(panel, snapshot.editor, pane);
    if (state.measured.scene_pane > 0) own.pane(panel, pane);
  }
  if (state.tour.face.value_or(state.look.face) == state.sections.shown) state.tour.arrives = false;
  if (device) messages(panel, snapshot, picture);
  if (state.help.open) help_page(panel, snapshot);
  state.help.opens = !state.help.open;
  if (state.search.open) search_pane(panel, snapshot, picture);
  if (snapshot.files.preview) file_preview(panel, *snapshot.files.preview);
  file_dialog(panel, snapshot.files);
}

}  // namespace orrery::ui
