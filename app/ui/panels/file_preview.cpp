#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

constexpr float preview_width = 620;

/// Columns of one width; numbers end at the right of theirs.
void table(const Panel& panel, const FilePreview& preview) {
  const WithFont mono(panel.fonts.mono);
  const auto count = static_cast<float>(preview.columns.size());
  const float width = ImGui::GetContentRegionAvail().x / count, height = ImGui::GetFontSize() + panel.px(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto rows = static_cast<float>(preview.rows.size() + 1);
  ImGui::Dummy({count * width, rows * height});
  const auto cell = [&](std::size_t column, std::size_t row, const std::string& text, Color color) {
    const std::string shown = fitted(text, width - panel.px(6));
    const float right = at.x + static_cast<float>(column + 1) * width;
    ImGui::GetWindowDrawList()->AddText(
        {right - ImGui::CalcTextSize(shown.c_str()).x, at.y + static_cast<float>(row) * height}, packed(color),
        shown.c_str());
  };
  for (std::size_t column = 0; column < preview.columns.size(); ++column) {
    cell(column, 0, preview.columns[column], palette::dim);
    for (std::size_t row = 0; row < preview.rows.size(); ++row)
      cell(column, row + 1, preview.rows[row][column], palette::text);
  }
}

/// Below each other: Tab leads down from one to the next.
void answers(const Panel& panel, const FilePreview& preview) {
  const bool entered = !ImGui::GetIO().NavVisible && enter_pressed();  // before any other is chosen
  if (button(panel, "Load", -FLT_MIN, "Load it as it is shown   (Enter)") || entered)
    panel.send(command::AnswerPreview{true});
  const std::string merge = "Merge all " + std::to_string(preview.files) + " files";
  if (preview.files > 1 &&
      button(panel, merge.c_str(), -FLT_MIN, "Load the bodies of all of them together, from a new file"))
    panel.send(command::MergeFiles{});
  if (button(panel, "Cancel", -FLT_MIN, "Leave everything as it is   (Esc)")) panel.send(command::AnswerPreview{false});
}

}  // namespace

void file_preview(const Panel& panel, const FilePreview& preview) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  shade({0x05070a, 0.6F}, "##behind the preview");
  const float width = std::max(1.0F, std::min(panel.px(preview_width), display.x - panel.px(24)));
  const StillWindow window("##preview", {.at = {std::round(display.x / 2), std::round(display.y / 2)},
                                         .size = {width, 0},
                                         .pivot = {0.5F, 0.5F},
                                         .padding = ImVec2{panel.px(18), panel.px(14)}});
  if (!window) return;
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  take_keyboard();
  panel.state.controls.section = "Preview";
  {
    const WithFont title(panel.fonts.heading);
    wrapped_text(preview.name + ": " + preview.contents);
  }
  wrapped_text(preview.assumed, palette::warning);
  list_control(panel, preview.assumed);
  ImGui::Dummy({1, panel.px(2)});
  table(panel, preview);
  ImGui::Dummy({1, panel.px(2)});
  answers(panel, preview);
  panel.state.controls.section.clear();
}

}  // namespace orrery::ui
