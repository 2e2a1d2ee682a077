#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/plot_drawing.hpp"

namespace orrery::ui {
namespace {

std::string details(const KernelStatistics& kernel) {
  std::string text = kernel.name + (kernel.file.empty() ? "" : ", of " + kernel.file) +
                     (kernel.modified ? ", modified" : "") + "\n" +
                     grouped(static_cast<std::int64_t>(kernel.launches)) + " launches";
  if (kernel.first_launches > 0)
    text += "\n" + grouped(static_cast<std::int64_t>(kernel.first_launches)) +
            " right after a build, not averaged; the last took " + duration(kernel.first_us);
  if (kernel.untimed > 0)
    text += "\n" + grouped(static_cast<std::int64_t>(kernel.untimed)) + " without a valid time from the driver";
  text += "\nLast " + duration(kernel.last_us) + ", p90 " + duration(kernel.p90_us);
  if (std::isfinite(kernel.spread)) text += "\nQuartile distance " + percent(kernel.spread) + " of the median";
  if (kernel.is_throttled())
    text += "\nThe same work takes " + percent(kernel.slowdown - 1) + " longer than at first: the device slows down";
  if (kernel.is_noisy()) text += "\nTimes vary: other work is running on this machine";
  return text + "\nQueued → start, median " + duration(kernel.queue_delay_us);
}

void right_aligned(const std::string& text, Color color = palette::text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  ImGui::TextColored(color, "%s", text.c_str());
}

void header(const Panel& panel) {
  const WithFont small(panel.fonts.small);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(palette::dim, "Kernel and launches");
  for (const char* title : {"Median", "p99", "Busy"}) {
    ImGui::TableNextColumn();
    right_aligned(title, palette::dim);
  }
  hint(panel, "Device time divided by wall time, over the last second");
}

/// At the right end of the name's line: leads to the kernel's file. Amber where that is edited.
void edit_link(const Panel& panel, const KernelStatistics& kernel, ImVec2 end) {
  const WithFont small(panel.fonts.small);
  const char* label = kernel.modified ? "modified" : "Edit";
  const ImVec2 size{ImGui::CalcTextSize(label).x, ImGui::GetTextLineHeight() + panel.px(2)};
  ImGui::SetCursorPos({end.x - size.x - panel.px(4), end.y});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(kernel.name.c_str());
  if (clickable("##edit", size)) panel.send(command::ShowKernel{kernel.file});
  ImGui::PopID();
  const Color color = kernel.modified ? palette::warning : ImGui::IsItemHovered() ? palette::text : palette::accent;
  ImGui::GetWindowDrawList()->AddText({at.x, at.y + panel.px(2)}, packed(color), label);
  hint(panel, "Edit " + kernel.file + " while it runs   (E)");
}

/// The name; below it the launches and their recent times.
void name_cell(const Panel& panel, const KernelStatistics& kernel) {
  const float width = ImGui::GetContentRegionAvail().x;
  const bool doubtful = kernel.is_throttled() || kernel.is_noisy();
  const float top = ImGui::GetCursorPosY(), begin = ImGui::GetCursorPosX();
  ImGui::TextColored(doubtful ? palette::warning : palette::text, "%s",
                     fitted(kernel.name, width - panel.px(32)).c_str());
  offer_copy(panel, {}, details(kernel));
  hint(panel, details(kernel));
  const float below = ImGui::GetCursorPosY();
  if (!kernel.file.empty()) {
    edit_link(panel, kernel, {begin + width, top});
    ImGui::SetCursorPos({begin, below});
  }
  const WithFont small(panel.fonts.small);
  const float history = panel.px(64);
  const std::string launches = "× " + grouped(static_cast<std::int64_t>(kernel.launches));
  const float left = ImGui::GetCursorPosX();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
  ImGui::TextColored(palette::dim, "%s", fitted(launches, width - history).c_str());
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(left + width - history);
  // Clear of the link above it.
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + panel.px(3));
  sparkline(kernel.recent_us, ink_of(panel.state.inks, kernel.name),
            {history, ImGui::GetTextLineHeight() - panel.px(3)});
}

/// Where it lies.
Rect row(const Panel& panel, const KernelStatistics& kernel, float width) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  name_cell(panel, kernel);
  const auto cell = [&](const char* name, const std::string& text, const std::string& exact) {
    ImGui::TableNextColumn();
    right_aligned(text);
    offer_copy(panel, kernel.name + ", " + name, exact);
  };
  cell("median", duration(kernel.median_us), shortest(kernel.median_us) + " µs");
  cell("p99", duration(kernel.p99_us), shortest(kernel.p99_us) + " µs");
  cell("share of the time", percent(kernel.busy_share), shortest(kernel.busy_share));
  return {at.x, at.y, width, 2 * ImGui::GetTextLineHeight()};
}

std::string summary(const SceneSnapshot& scene) {
  return scene.kernels.empty() ? std::string() : percent(scene.use.busy()) + " busy";
}

}  // namespace

void kernels_panel(const Panel& panel, const SceneSnapshot& scene, const EditorSnapshot& editor, bool open_at_first) {
  const bool modified = std::ranges::any_of(editor.files, &KernelFile::modified);
  if (!section(panel, "Kernels", (modified ? "modified  " : "") + summary(scene), open_at_first)) return;
  edited_kernels(panel, editor);
  if (scene.kernels.empty()) wrapped_text("Nothing has been launched yet.", palette::dim);
  if (!std::isfinite(scene.use.computing)) wrapped_text("This driver reports no timings.", palette::dim);
  if (scene.kernels.empty()) return;
  const float table = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {ImGui::GetStyle().CellPadding.x, panel.px(3)});
  const bool visible = ImGui::BeginTable("kernels", 4, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX);
  ImGui::PopStyleVar();
  if (!visible) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
  for (float width : {54.0F, 54.0F, 44.0F})
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, panel.px(width));
  header(panel);
  std::vector<Rect> rows;
  for (const KernelStatistics& kernel : scene.kernels) rows.push_back(row(panel, kernel, table));
  ImGui::EndTable();
  for (std::size_t k = 0; k < rows.size(); ++k) list_control(panel, scene.kernels[k].name, rows[k]);
}

}  // namespace orrery::ui
