#include <algorithm>

#include "ui/panels/list.hpp"
#include "ui/shortcuts.hpp"

namespace orrery::ui {
namespace {

constexpr float group_width = 320;
constexpr float group_gap = 32;
constexpr ImGuiWindowFlags still = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoNav;

void group(const Panel& panel, std::string_view scene) {
  ImGui::BeginGroup();
  {
    const WithFont heading(panel.fonts.heading);
    line_of_text(panel, scene.empty() ? "Everywhere" : title_of(scene), palette::accent);
  }
  for (const Shortcut& shortcut : shortcuts) {
    if (shortcut.scene != scene) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({panel.px(group_width), ImGui::GetTextLineHeight() + panel.px(3)});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto draw = [&](float x, Color color, std::string_view text) {
      list.AddText({x, at.y}, packed(color), text.data(), text.data() + text.size());
    };
    draw(at.x, palette::text, shortcut.input);
    draw(at.x + panel.px(150), palette::dim, shortcut.action);
  }
  ImGui::EndGroup();
}

/// Darkens what lies behind and takes every click; true when clicked.
bool shade(ImVec2 display) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(display);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(Color{0x05070a, 0.6F}));
  ImGui::SetNextWindowFocus();
  ImGui::Begin("##shade", nullptr, still | ImGuiWindowFlags_NoScrollbar);
  const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  return clicked;
}

void contents(const Panel& panel, const WindowSnapshot& snapshot) {
  {
    const WithFont title(panel.fonts.title);
    ImGui::TextUnformatted("Mouse and keys");
  }
  ImGui::Dummy({1, panel.px(6)});
  // The longest table has a column of its own.
  ImGui::BeginGroup();
  group(panel, {});
  for (const std::string_view scene : snapshot.scenes) {
    if (scene == "mandelbrot") continue;
    ImGui::Dummy({1, panel.px(8)});
    group(panel, scene);
  }
  ImGui::EndGroup();
  ImGui::SameLine(0, panel.px(group_gap));
  ImGui::BeginGroup();
  group(panel, "mandelbrot");
  ImGui::Dummy({1, panel.px(8)});
  ImGui::TextColored(palette::dim, "Ctrl+click a slider to type its value.");
  ImGui::TextColored(palette::dim, "Orrery " ORRERY_VERSION);
  ImGui::EndGroup();
}

}  // namespace

void help_page(const Panel& panel, const WindowSnapshot& snapshot) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  if (shade(display)) panel.state.help_open = false;
  const ImVec2 padding{panel.px(28), panel.px(22)};
  const float width = 2 * panel.px(group_width) + panel.px(group_gap) + 2 * padding.x;
  const float height = panel.px(536);
  ImGui::SetNextWindowPos({std::round(display.x / 2), std::round(display.y / 2)}, 0, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(width, display.x), std::min(height, display.y)});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  if (ImGui::Begin("##help", nullptr, still)) contents(panel, snapshot);
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace orrery::ui
