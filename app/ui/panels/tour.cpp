#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

constexpr float tour_width = 184;   // of its button, in a list
constexpr double soon_shown = 0.4;  // seconds of preparing that are not shown

StillWindowLook card(const Panel& panel, const Rect& picture, float width) {
  return {.at = {picture.x + std::round((picture.width - width) / 2), picture.y + picture.height - panel.px(12)},
          .size = {width, 0},
          .pivot = {0, 1},
          .color = Color{palette::window.rgb, 0.98F},
          .padding = ImVec2{panel.px(16), panel.px(12)},
          .flags = over_picture};
}

/// Height of the present card and of the gap below it.
float card_height(const Panel& panel) { return ImGui::GetWindowHeight() + panel.px(12); }

/// Draws the progress of the tour, and of the time of the present step.
void steps_line(const Panel& panel, const TourSnapshot& tour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, gap = panel.px(3), thick = panel.px(3);
  const auto count = static_cast<float>(tour.steps);
  const float each = (width - (count - 1) * gap) / count;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t k = 0; k < tour.steps; ++k) {
    const float left = at.x + static_cast<float>(k) * (each + gap);
    const Color ink = k < tour.step || (k == tour.step && tour.wait == 0) ? palette::accent : palette::line;
    list.AddRectFilled({left, at.y}, {left + each, at.y + thick}, packed(ink), thick / 2);
    if (k == tour.step && tour.wait > 0)
      list.AddRectFilled({left, at.y}, {left + each * static_cast<float>(tour.wait), at.y + thick},
                         packed(palette::accent), thick / 2);
  }
  ImGui::Dummy({width, thick + panel.px(3)});
}

/// Until all is prepared, the caption describes a picture that is not shown yet.
void caption(const Panel& panel, const std::string& text, std::string_view preparing) {
  if (preparing.empty()) panel.state.tour.prepared = ImGui::GetTime();
  const bool waits = ImGui::GetTime() - panel.state.tour.prepared > soon_shown;
  if (waits) wrapped_text("This step is not shown yet: Orrery is " + std::string(preparing) + ".", palette::warning);
  wrapped_text(text, waits ? palette::dim : palette::text);
}

void tour_buttons(const Panel& panel, const TourSnapshot& tour) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::min(panel.px(92), std::floor((ImGui::GetContentRegionAvail().x - 2 * gap) / 3));
  const bool last = tour.step + 1 == tour.steps;
  if (button(panel, "Close##tour", width, "End the tour   (Esc)")) panel.send(command::CloseTour{});
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 2 * width - gap);
  if (button(panel, "Back##tour", width, "Previous step   (Page Up)", tour.step > 0)) panel.send(command::StepTour{-1});
  ImGui::SameLine(0, gap);
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(Color{palette::accent.rgb, 0.28F}));
  if (button(panel, last ? "Finish##tour" : "Next##tour", width, last ? "End the tour" : "Next step   (Page Down)"))
    last ? panel.send(command::CloseTour{}) : panel.send(command::StepTour{+1});
  ImGui::PopStyleColor();
}

}  // namespace

void tour_card(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture) {
  const TourSnapshot& tour = snapshot.tour;
  TourUi& ui = panel.state.tour;
  const float width = std::min(panel.px(660), picture.width - panel.px(24));
  ui.height = 0;
  if (tour.steps == 0 || width < panel.px(120)) return;
  panel.state.controls.section = "Tour";
  const StillWindow window("##tour", card(panel, picture, width));
  {
    const WithFont heading(panel.fonts.heading);
    split_line(panel, tour.title, palette::text,
               "Step " + std::to_string(tour.step + 1) + " of " + std::to_string(tour.steps), palette::dim);
  }
  steps_line(panel, tour);
  caption(panel, tour.caption, snapshot.scene.status);
  ImGui::Dummy({1, panel.px(2)});
  tour_buttons(panel, tour);
  ui.height = card_height(panel);
  panel.state.controls.section.clear();
}

void tour_end_offer(const Panel& panel, const TourSnapshot& tour, const Rect& picture) {
  const float width = std::min(panel.px(420), picture.width - panel.px(24));
  if (!tour.left || width < panel.px(120)) return;
  panel.state.controls.section = "Tour";
  const StillWindow window("##tour-end", card(panel, picture, width));
  wrapped_text("Tour finished. Return to your previous scene?");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, all = ImGui::GetContentRegionAvail().x;
  const float stay = panel.px(110);
  if (button(panel, "Restore my scene", all - stay - gap, "Restore all scenes as they were before the tour"))
    panel.send(command::LeaveTour{true});
  ImGui::SameLine(0, gap);
  if (button(panel, "Keep this", stay, "Keep what the tour shows   (Esc)")) panel.send(command::LeaveTour{false});
  panel.state.tour.height = card_height(panel);
  panel.state.controls.section.clear();
}

void tour_list(const Panel& panel, std::span<const TourEntry> tours) {
  for (const TourEntry& tour : tours) {
    if (button(panel, tour.title.c_str(), panel.px(tour_width), tour.about)) {
      panel.send(command::OpenFile{tour.file});
      panel.state.help.open = false;
    }
    ImGui::SameLine(0, panel.px(10));
    ImGui::AlignTextToFramePadding();
    line_of_text(panel, capitalised(tour.about), palette::dim);
  }
}

void tours_panel(const Panel& panel, std::span<const TourEntry> tours, bool open_at_first) {
  if (tours.empty() || !section(panel, "Tours", std::to_string(tours.size()) + " guided tours", open_at_first)) return;
  for (const TourEntry& tour : tours) {
    if (button(panel, tour.title.c_str(), -FLT_MIN, tour.about)) panel.send(command::OpenFile{tour.file});
    const WithFont small(panel.fonts.small);
    wrapped_text(capitalised(tour.about), palette::dim);
    ImGui::Dummy({1, panel.px(2)});
  }
}

}  // namespace orrery::ui
