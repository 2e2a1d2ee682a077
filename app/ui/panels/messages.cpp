#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

constexpr double notice_seconds = 4;
constexpr double file_seconds = 8;    // of a notice with buttons
constexpr double offer_seconds = 20;  // of a notice with an offer
constexpr double fade_seconds = 0.6;
constexpr float notice_button = 76;

/// A part of a ring that goes round, so much below the line's top.
void spinner(const Panel& panel, float below) {
  const float radius = panel.px(5);
  const float size = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto turn = static_cast<float>(std::fmod(ImGui::GetTime() * 5, 6.283185307));
  ImGui::Dummy({size, size});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PathArcTo({at.x + size / 2, at.y + below + size / 2}, radius, turn, turn + 4.2F, 16);
  list.AddPolyline(list._Path.Data, list._Path.Size, packed(palette::accent), 0, panel.px(2));
  list.PathClear();
}

/// The work under way. Builds of edited kernels are shown in the editor, and here only when they take long.
std::string status_of(const Panel& panel, const WindowSnapshot& snapshot) {
  if (!snapshot.scene.status.empty()) return snapshot.scene.status;
  const bool building = std::ranges::any_of(snapshot.editor.files, &KernelFile::building);
  return building && panel.state.offers.give_up ? "building edited kernels" : "";
}

void fault_log(const Panel& panel, const SceneSnapshot& scene, const Rect& picture) {
  const WithFont mono(panel.fonts.mono);
  std::string text = scene.fault_log;
  const float lines = static_cast<float>(std::ranges::count(text, '\n')) + 1.5F;
  const float height = std::min(lines * ImGui::GetTextLineHeight(), 0.5F * picture.height) + panel.px(8);
  ImGui::InputTextMultiline("##log", &text, {-1, height}, ImGuiInputTextFlags_ReadOnly);
}

/// A device other than the silent ones; if there is none, the first silent one again.
command::SelectDevices successor(const WindowSnapshot& snapshot) {
  for (const PlatformInfo& platform : snapshot.platforms)
    for (const DeviceInfo& device : platform.devices)
      if (device.fault.empty() &&
          std::ranges::find(snapshot.members, device.id, &DeviceInfo::id) == snapshot.members.end())
        return {{device.id}};
  return {{snapshot.members.front().id}};
}

void fault_buttons(const Panel& panel, const WindowSnapshot& snapshot) {
  UiState& state = panel.state;
  const SceneSnapshot& scene = snapshot.scene;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::min(panel.px(88), (ImGui::GetContentRegionAvail().x - 2 * gap) / 3);
  if (state.offers.abandon && !snapshot.members.empty()) {
    if (button(panel, "Abandon", width, "Continue from the last backup, on another device if possible"))
      panel.send(successor(snapshot));
    ImGui::SameLine(0, gap);
  }
  if (!scene.fault_log.empty()) {
    if (button(panel, state.banner.log_open ? "Hide log" : "Show log", width, {}))
      state.banner.log_open = !state.banner.log_open;
    ImGui::SameLine(0, gap);
  }
  if (button(panel, "Copy", width, "Copy the message and its log"))
    ImGui::SetClipboardText((scene.fault + (scene.fault_log.empty() ? "" : "\n" + scene.fault_log)).c_str());
  ImGui::SameLine(0, gap);
  if (scene.can_rewind) {
    if (button(panel, "Rewind", width, "Return to the last state without NaN or infinity   (Backspace)"))
      panel.send(command::Rewind{});
    ImGui::SameLine(0, gap);
  }
  if (button(panel, "Dismiss", width, {})) {
    state.banner.dismissed = scene.fault;
    panel.send(command::DismissFault{});
  }
}

void title_and_text(const Panel& panel, const std::string& title, const std::string& text) {
  {
    const WithFont heading(panel.fonts.heading);
    wrapped_text(title, palette::error);
  }
  list_control(panel, title);
  if (!text.empty()) wrapped_text(text);
}

/// Where what is so wide begins in the middle of the picture.
float middle_of(const Rect& picture, float width) { return picture.x + std::round((picture.width - width) / 2); }

/// Buttons have edges, on cards whose colour is nearly theirs.
class EdgedButtons {
 public:
  explicit EdgedButtons(const Panel& panel) {
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0F, panel.px(1)));
    ImGui::PushStyleColor(ImGuiCol_Border, ImVec4(Color{palette::dim.rgb, 0.7F}));
  }
  ~EdgedButtons() {
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
  }
  EdgedButtons(const EdgedButtons&) = delete;
  EdgedButtons& operator=(const EdgedButtons&) = delete;
};

/// A question that waits at the lower right edge of the picture, and its one or two answers.
struct Offer {
  const char* id;
  float width;
  std::string text, more = {};
  Color ink = palette::text;
  std::vector<NoticeAction> answers;
};

/// So far above the edge; returns where it ends.
float offer(const Panel& panel, const Rect& picture, float above, const Offer& offer) {
  const float width = std::min(panel.px(offer.width), picture.width - panel.px(24)), margin = panel.px(12);
  const StillWindow window(offer.id,
                           {.at = {picture.x + picture.width - margin, picture.y + picture.height - margin - above},
                            .size = {width, 0},
                            .pivot = {1, 1},
                            .color = Color{palette::field.rgb, 0.97F},
                            .flags = over_picture});
  if (!window) return above;
  wrapped_text(offer.text, offer.ink);
  if (!offer.more.empty()) wrapped_text(offer.more, palette::dim);
  const EdgedButtons edged(panel);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  for (const NoticeAction& answer : offer.answers) {
    if (&answer != &offer.answers.front()) ImGui::SameLine(0, gap);
    if (button(panel, answer.label.c_str(), half, answer.help)) panel.commands.push_back(answer.command);
  }
  return above + ImGui::GetWindowHeight() + margin;
}

void failure(const Panel& panel, const Failure& failure) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = panel.px(88);
  ImGui::PushID(failure.title.c_str());
  title_and_text(panel, failure.title, failure.text);
  if (button(panel, "Copy", width, "Copy the message"))
    ImGui::SetClipboardText((failure.title + (failure.text.empty() ? "" : "\n" + failure.text)).c_str());
  ImGui::SameLine(0, gap);
  if (button(panel, "Dismiss", width, {})) panel.send(command::DismissFault{failure.title});
  ImGui::PopID();
}

}  // namespace

void fault_banner(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture) {
  UiState& state = panel.state;
  const SceneSnapshot& scene = snapshot.scene;
  if (scene.fault != state.banner.dismissed) state.banner.dismissed.clear();
  const bool scene_failed = !scene.fault.empty() && state.banner.dismissed.empty();
  if (!scene_failed && snapshot.failures.empty()) return;
  const float width = std::min(panel.px(680), picture.width - panel.px(24));
  const StillWindow window("##fault", {.at = {middle_of(picture, width), picture.y + panel.px(12)},
                                       .size = {width, 0},
                                       .color = Color{palette::alarm.rgb, 0.97F},
                                       .flags = over_picture});
  if (!window) return;
  if (scene_failed) {
    title_and_text(panel, scene.fault_title, scene.fault);
    if (state.banner.log_open && !scene.fault_log.empty()) fault_log(panel, scene, picture);
    fault_buttons(panel, snapshot);
  }
  for (const Failure& each : snapshot.failures) {
    if (scene_failed || &each != &snapshot.failures.front()) ImGui::Separator();
    failure(panel, each);
  }
}

// At the lower edge: they are no faults of now, and wait.
void offers(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture) {
  float above = 0;
  if (const LeftSession& left = snapshot.left_session; !left.when.empty()) {
    Offer restore{.id = "##restore",
                  .width = 520,
                  .text = left.copied ? "Orrery closed unexpectedly. Last saved at " + left.when + "."
                                      : "Orrery closed unexpectedly at " + left.when + ", before anything was saved.",
                  .more = left.report,
                  .answers = {{"Dismiss", "Delete the report", command::ForgetSession{}}}};
    if (left.copied)
      restore.answers = {{"Restore", "Restore that session and close this one", command::RestoreSession{}},
                         {"Discard", "Delete the saved session", command::ForgetSession{}}};
    above = offer(panel, picture, above, restore);
  }
  if (!snapshot.edits.ruin.empty())
    above = offer(panel, picture, above,
                  {.id = "##ruin",
                   .width = 420,
                   .text = snapshot.edits.ruin + ".",
                   .ink = palette::warning,
                   .answers = {{"Undo and rewind", "Take the change back and return to the moment before it",
                                command::UndoAndRewind{}},
                               {"Keep", "Keep the change and continue", command::KeepChange{}}}});
  if (const auto& scale = panel.state.offers.larger_scale; scale && !panel.state.hidden)
    offer(panel, picture, above,
          {.id = "##scale",
           .width = 420,
           .text = "Text may be small on this screen.",
           .answers = {{"Use " + percent(static_cast<double>(*scale)),
                        "Size of the panels and their text   (later with Ctrl and +)", command::AnswerScale{true}},
                       {"Keep " + percent(static_cast<double>(panel.state.look.scale)), "Do not ask again",
                        command::AnswerScale{false}}}});
}

float action_width(const Panel& panel, const NoticeAction& action) {
  return std::max(panel.px(notice_button), ImGui::CalcTextSize(action.label.c_str()).x + panel.px(16));
}

/// The notice's buttons take this width, each with its gap: two for its file, one for its offer.
float buttons_width(const Panel& panel, const Notice& notice) {
  const float of_file = notice.file.empty() ? 0 : 2 * panel.px(notice_button + 10);
  return of_file + (notice.action ? action_width(panel, *notice.action) + panel.px(10) : 0);
}

/// Draws the notice with its buttons.
void notice_with_buttons(const Panel& panel, const Notice& notice) {
  const EdgedButtons edged(panel);
  const float gap = panel.px(10), width = panel.px(notice_button);
  const float room = ImGui::GetContentRegionAvail().x - buttons_width(panel, notice);
  const bool one_line = ImGui::CalcTextSize(notice.text.c_str()).x <= room;
  if (one_line) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(notice.text.c_str());
    ImGui::SameLine(0, gap);
  } else {
    wrapped_text(notice.text);
  }
  if (const auto& action = notice.action) {
    if (button(panel, action->label.c_str(), action_width(panel, *action), action->help)) panel.send(action->command);
    if (!notice.file.empty()) ImGui::SameLine(0, gap);
  }
  if (notice.file.empty()) return;
  if (button(panel, "Show", width, "Open the folder")) panel.send(command::ShowInFolder{notice.file});
  ImGui::SameLine(0, gap);
  if (button(panel, "Copy path", width, "Copy the path of the file")) ImGui::SetClipboardText(notice.file.c_str());
}

void passing_notice(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture) {
  UiState& state = panel.state;
  const double now = ImGui::GetTime();
  if (snapshot.notice.text != state.notice.text) state.notice = {snapshot.notice.text, now};
  if (state.notice.text.empty()) return;
  const float beside = buttons_width(panel, snapshot.notice);
  const double seconds = snapshot.notice.action ? offer_seconds : beside > 0 ? file_seconds : notice_seconds;
  const double left = state.notice.since + seconds - now;
  if (left <= 0) return panel.send(command::DismissMessage{state.notice.text});
  const float text = ImGui::CalcTextSize(state.notice.text.c_str()).x;
  const float width = std::min(text + panel.px(28) + beside, picture.width - panel.px(24));
  if (width < panel.px(40)) return;
  // It does not come down when the status goes: its buttons stay under the pointer.
  state.notice.above_status |= !status_of(panel, snapshot).empty();
  const float above_status = state.notice.above_status ? ImGui::GetFrameHeight() + panel.px(24) : 0;
  const float bottom = picture.y + picture.height - panel.px(12) - above_status - state.measured.legend_height;
  const StillWindow window("##notice", {.at = {middle_of(picture, width), bottom},
                                        .size = {width, 0},
                                        .pivot = {0, 1},
                                        .color = Color{palette::field.rgb, 0.96F},
                                        .opacity = static_cast<float>(std::min(1.0, left / fade_seconds)),
                                        .flags = over_picture | (beside > 0 ? 0 : ImGuiWindowFlags_NoInputs)});
  if (!window) return;
  if (ImGui::IsWindowHovered()) state.notice.since = std::max(state.notice.since, now - seconds + 2 * fade_seconds);
  beside > 0 ? notice_with_buttons(panel, snapshot.notice) : wrapped_text(state.notice.text);
}

void status_pill(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture) {
  const std::string status = status_of(panel, snapshot);
  if (status.empty() || picture.width < panel.px(120)) return;
  const bool can_cancel_reading = !snapshot.scene.cancel_reading.empty();
  const bool can_give_up = can_cancel_reading || panel.state.offers.give_up;
  const float cancel = can_give_up ? panel.px(64) : 0;
  const float room = picture.width - panel.px(24) - panel.px(60) - cancel;
  const float bottom = picture.y + picture.height - panel.px(12) - panel.state.measured.legend_height;
  const StillWindow window("##status", {.at = {picture.x + panel.px(12), bottom},
                                        .pivot = {0, 1},
                                        .color = Color{palette::window.rgb, 0.85F},
                                        .flags = over_picture | (can_give_up ? 0 : ImGuiWindowFlags_NoInputs)});
  if (!window) return;
  spinner(panel, can_give_up ? ImGui::GetStyle().FramePadding.y : 0);
  ImGui::SameLine();
  if (can_give_up) ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fitted(status, room).c_str());
  if (!can_give_up) return;
  ImGui::SameLine(0, panel.px(12));
  const std::string_view help = can_cancel_reading ? snapshot.scene.cancel_reading : "Keep the previous kernels";
  if (button(panel, "Cancel", cancel, help))
    can_cancel_reading ? panel.send(command::CancelReading{}) : panel.send(command::GiveUpBuilding{});
}

}  // namespace orrery::ui
