#include <algorithm>

#include "ui/panel_list.hpp"
#include "ui/shortcuts.hpp"

namespace orrery::ui {
namespace {

std::string heading_of(std::string_view scene) { return std::string(scene.empty() ? "Everywhere" : title_of(scene)); }

void text(std::string_view line, Color color) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(color));
  ImGui::TextUnformatted(line.data(), line.data() + line.size());
  ImGui::PopStyleColor();
}

void group(const Panel& panel, std::string_view scene) {
  {
    const WithFont heading(panel.fonts.heading);
    text(heading_of(scene), palette::accent);
  }
  const float left = ImGui::GetCursorPosX();
  for (const Shortcut& shortcut : shortcuts) {
    if (shortcut.scene != scene) continue;
    text(shortcut.input, palette::text);
    ImGui::SameLine(left + panel.px(150));
    text(shortcut.action, palette::dim);
  }
}

}  // namespace

void help_page(const Panel& panel, const WindowSnapshot& snapshot) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, display, packed({0x0b0d10}, 0.45F));
  const ImVec2 size{std::min(panel.px(720), display.x - panel.px(32)), std::min(panel.px(430), display.y - panel.px(32))};
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, 0, {0.5F, 0.5F});
  ImGui::SetNextWindowSize(size);
  ImGui::SetNextWindowFocus();
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(24), panel.px(20)});
  if (ImGui::Begin("##help", nullptr, flags & ~ImGuiWindowFlags_NoScrollbar)) {
    ImGui::Columns(2, "##columns", false);
    group(panel, "");
    ImGui::NextColumn();
    for (std::string_view scene : snapshot.scenes) {
      group(panel, scene);
      ImGui::Spacing();
    }
    ImGui::Columns(1);
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace orrery::ui
