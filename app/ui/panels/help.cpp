#include <algorithm>
#include <array>
#include <vector>

#include "base/files/manual.hpp"
#include "ui/panels/list.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr float group_width = 460, least_group_width = 400;
constexpr float input_width = 184;
constexpr float group_gap = 32;
constexpr float group_space = 8, heading_height = 30;
constexpr float list_width = 168, list_gap = 20, most_height = 860;
constexpr ImGuiWindowFlags still = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoNav;

void group(const Panel& panel, std::string_view title, KeyBindings keys, const OtherLetters& layout, float width) {
  ImGui::BeginGroup();
  {
    const WithFont heading(panel.fonts.heading);
    line_of_text(panel, title, palette::accent);
  }
  const float input = panel.px(input_width), help = width - input;
  for (const KeyBinding& each : keys) {
    if (each.shown.empty()) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const char* const end = each.help.data() + each.help.size();
    ImGui::Dummy({width, ImGui::CalcTextSize(each.help.data(), end, false, help).y + panel.px(3)});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddText(at, packed(palette::text), shown_on(layout, each.shown).c_str());
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + input, at.y}, packed(palette::dim), each.help.data(),
                 end, help);
  }
  ImGui::EndGroup();
}

float height_of(const Panel& panel, KeyBindings keys) {
  const auto rows =
      static_cast<float>(std::ranges::count_if(keys, [](const auto& each) { return !each.shown.empty(); }));
  return panel.px(heading_height) + rows * (ImGui::GetTextLineHeight() + panel.px(3));
}

void tour_heading(const Panel& panel, std::span<const TourEntry> tours) {
  if (tours.empty()) return;
  {
    const WithFont heading(panel.fonts.heading);
    line_of_text(panel, "Guided tours", palette::accent);
  }
  tour_list(panel, tours);
  ImGui::Dummy({1, panel.px(group_space)});
}

void key_tables(const Panel& panel, const WindowSnapshot& snapshot) {
  tour_heading(panel, snapshot.tours);
  std::vector<const SceneEntry*> scenes;  // the shown one first
  for (const SceneEntry& scene : snapshot.scenes) scenes.push_back(&scene);
  std::ranges::stable_partition(scenes, [&](const SceneEntry* each) { return each->name == snapshot.scene.name; });
  // Each table goes into the column that is shorter until then.
  struct Column {
    std::vector<const SceneEntry*> scenes;
    float height = 0;
  };
  std::array<Column, 2> columns;
  const float gap = panel.px(group_gap), half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  const float width = std::clamp(half, panel.px(least_group_width), panel.px(group_width));
  columns[0].height = height_of(panel, snapshot.keys);
  for (const SceneEntry* scene : scenes) {
    Column& shorter = columns[0].height <= columns[1].height ? columns[0] : columns[1];
    shorter.scenes.push_back(scene);
    shorter.height += height_of(panel, scene->keys);
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0) ImGui::SameLine(0, gap);
    ImGui::BeginGroup();
    if (k == 0) group(panel, "Everywhere", snapshot.keys, snapshot.other_letters, width);
    for (const SceneEntry* scene : columns[k].scenes) {
      if (k == 0 || scene != columns[k].scenes.front()) ImGui::Dummy({1, panel.px(group_space)});
      group(panel, scene->title, scene->keys, snapshot.other_letters, width);
    }
    if (k > 0) {
      ImGui::Dummy({1, panel.px(group_space)});
      ImGui::TextColored(palette::dim, "Double-click a slider to type its value.");
      ImGui::TextColored(palette::dim, "Orrery " ORRERY_VERSION);
    }
    ImGui::EndGroup();
  }
}

/// The search, the title of the page, and the button that closes it.
void help_heading(const Panel& panel, std::string_view title) {
  ImGui::SetNextItemWidth(panel.px(list_width));
  text_input("##words", panel.state.help.search, {.hint = "Find in the manual"});
  list_control(panel, "Find in the manual");
  ImGui::SameLine(0, panel.px(list_gap));
  const float close = panel.px(28), left = ImGui::GetCursorPosX();
  {
    const WithFont font(panel.fonts.title);
    line_of_text(panel, title);
  }
  ImGui::SameLine(std::max(left, ImGui::GetWindowContentRegionMax().x - close));
  if (button(panel, "×##help", close, "Close   (Esc)")) panel.state.help.open = false;
  ImGui::Dummy({1, panel.px(6)});
}

void help_contents(const Panel& panel, const WindowSnapshot& snapshot) {
  static const std::vector<ManualPage> none;
  const std::vector<ManualPage>& pages = snapshot.manual == nullptr ? none : *snapshot.manual;
  const auto page = std::ranges::find(pages, panel.state.help.page, &ManualPage::name);
  const bool keys = page == pages.end() || page->name == "keys";
  help_heading(panel, keys ? "Mouse and keys" : page->title);
  const float height = std::max(1.0F, ImGui::GetContentRegionAvail().y);
  if (ImGui::BeginChild("##pages", {panel.px(list_width), height})) manual_list(panel, pages);
  ImGui::EndChild();
  ImGui::SameLine(0, panel.px(list_gap));
  // Each page has a child of its own, which keeps its place.
  const std::string name = "##page " + (keys ? std::string() : page->name);
  if (ImGui::BeginChild(name.c_str(), {0, height}, false, keys ? ImGuiWindowFlags_HorizontalScrollbar : 0)) {
    if (panel.state.help.opens) ImGui::SetScrollY(0);
    if (keys)
      key_tables(panel, snapshot);
    else
      manual_text(panel, pages, *page);
  }
  ImGui::EndChild();
}

/// The rows of the tables that a person begins with: dragging, the wheel, Space, the digits; help and search.
std::vector<const KeyBinding*> first_rows(const WindowSnapshot& snapshot) {
  std::vector<const KeyBinding*> rows;
  const auto add = [&](KeyBindings keys, auto&& wanted) {
    for (const KeyBinding& each : keys)
      if (!each.shown.empty() && wanted(each)) rows.push_back(&each);
  };
  const auto found = std::ranges::find(snapshot.scenes, snapshot.scene.name, &SceneEntry::name);
  if (found == snapshot.scenes.end()) return rows;
  add(found->keys, [](const KeyBinding& each) {
    const bool drag = each.shown.starts_with("Left") && each.shown.ends_with("drag");
    return drag || each.shown == "Wheel" || each.key == Key::space || each.key == key('1');
  });
  add(snapshot.keys, [](const KeyBinding& each) {
    const auto* const shown = each.action ? &*each.action : nullptr;
    return shown != nullptr && (std::holds_alternative<command::ToggleHelp>(*shown) ||
                                std::holds_alternative<command::ToggleSearch>(*shown));
  });
  return rows;
}

}  // namespace

void first_hint(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture) {
  const std::vector<const KeyBinding*> rows = first_rows(snapshot);
  float keys = 0, effects = 0;
  for (const KeyBinding* each : rows) {
    keys = std::max(keys, ImGui::CalcTextSize(each->shown.data(), each->shown.data() + each->shown.size()).x);
    effects = std::max(effects, ImGui::CalcTextSize(each->help.data(), each->help.data() + each->help.size()).x);
  }
  const ImVec2 padding{panel.px(18), panel.px(14)};
  const float gap = panel.px(20), width = keys + gap + effects + 2 * padding.x;
  const float line = ImGui::GetTextLineHeight() + panel.px(5);
  if (rows.empty() || width > picture.width) return;
  ImGui::SetNextWindowPos({picture.x + std::round(picture.width / 2), picture.y + std::round(0.82F * picture.height)},
                          0, {0.5F, 1});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(Color{palette::window.rgb, 0.94F}));
  if (ImGui::Begin("##first", nullptr, still | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing))
    for (const KeyBinding* each : rows) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::Dummy({width - 2 * padding.x, line});
      ImDrawList& list = *ImGui::GetWindowDrawList();
      list.AddText({at.x, at.y}, packed(palette::text), each->shown.data(), each->shown.data() + each->shown.size());
      list.AddText({at.x + keys + gap, at.y}, packed(palette::dim), each->help.data(),
                   each->help.data() + each->help.size());
    }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void help_page(const Panel& panel, const WindowSnapshot& snapshot) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  if (shade({0x05070a, 0.6F})) panel.state.help.open = false;
  const ImVec2 padding{panel.px(28), panel.px(22)};
  const float width = 2 * panel.px(group_width) + panel.px(group_gap) + panel.px(list_width) + panel.px(list_gap) +
                      ImGui::GetStyle().ScrollbarSize + 2 * padding.x;
  const float height = std::min(panel.px(most_height), display.y - 2 * panel.px(12));
  ImGui::SetNextWindowPos({std::round(display.x / 2), std::round(display.y / 2)}, 0, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::max(1.0F, std::min(width, display.x)), std::max(1.0F, height)});
  const UiState& state = panel.state;
  if (!state.choice.is_open() && !state.search.open) ImGui::SetNextWindowFocus();  // dialogs open over it
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  panel.state.controls.section = "Help";
  if (ImGui::Begin("##help", nullptr, still | ImGuiWindowFlags_NoScrollbar)) help_contents(panel, snapshot);
  ImGui::End();
  panel.state.controls.section.clear();
  ImGui::PopStyleVar();
}

}  // namespace orrery::ui
