#include "ui/search.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/parameter_widget.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr float search_width = 580, rows_shown = 11, row_height = 24;
constexpr ImGuiWindowFlags lone = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing;

/// ImGui calls it while the field has the keyboard; it puts the caret behind the text when the field begins.
int place_caret(ImGuiInputTextCallbackData* field) {
  if (!*static_cast<bool*>(field->UserData)) return 0;
  field->CursorPos = field->BufTextLen;
  field->ClearSelection();
  return 0;
}

/// Adds the letters that came before the field had the keyboard: a frame may take long.
void take_early_text(std::string& text) {
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  for (const ImWchar letter : typed) {
    std::array<char, 5> bytes{};
    if (letter < ' ') continue;
    ImTextCharToUtf8(bytes.data(), letter);
    text += bytes.data();
  }
  typed.resize(0);
  if (!is_pressed(ImGuiKey_Backspace)) return;
  while (!text.empty() && (text.back() & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

/// The field has the keyboard unless something is being pressed; true when Enter ends it.
bool search_field(const Panel& panel) {
  SearchUi& ui = panel.state.search;
  bool begins = ImGui::GetActiveID() != ImGui::GetID("##text");
  const std::string before = ui.text;
  if (begins) take_early_text(ui.text);
  if (begins && ImGui::GetActiveID() == 0) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool entered = text_input("##text", ui.text,
                                  {.flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways,
                                   .hint = "Find anything; \"softening 0.01\" sets a value",
                                   .callback = place_caret,
                                   .user = &begins});
  list_control(panel, "Search");
  if (ui.text != before) ui.chosen = 0;
  return entered || (begins && is_pressed(ImGuiKey_Enter));
}

void remember(Look& look, const SearchEntry& entry) {
  const std::string name = name_of(entry);
  std::erase(look.recent, name);
  look.recent.insert(look.recent.begin(), name);
  if (look.recent.size() > Look::most_recent) look.recent.resize(Look::most_recent);
}

/// Reads the value that is typed behind the parameter's title; has neither value nor refusal where none is typed.
TypedValue typed_of(const SearchMatch& match) {
  if (match.entry->parameter == nullptr || match.value.empty()) return {};
  return typed_value(*match.entry->parameter, match.value);
}

/// Does what the entry is for, and closes; where a value is wanted, its title waits for one, or for a choice.
void choose(const Panel& panel, const SearchMatch& match) {
  SearchUi& ui = panel.state.search;
  const SearchEntry& entry = *match.entry;
  TypedValue typed = typed_of(match);
  if (!typed.refusal.empty()) return;
  if (typed.value)
    panel.send(command::SetParameter{std::string(entry.parameter->info.name), std::move(*typed.value)});
  else if (entry.command)
    panel.commands.push_back(*entry.command);
  else if (entry.parameter != nullptr)
    ui.text = entry.title + " ";
  else if (!entry.section.empty())
    panel.state.sections.revealed = entry.section, panel.state.hidden = panel.state.collapsed = false;
  remember(panel.state.look, entry);
  ui.chosen = 0;
  ui.open = entry.parameter != nullptr && !typed.value && !entry.command;
}

/// The sections of the column, on both of its faces.
void add_sections(SearchEntries& entries, const UiState& state) {
  const std::string own = state.sections.scene + "/";
  for (const auto& [key, fold] : state.sections.first_folds)
    if (key.starts_with(own))
      entries.push_back({.kind = "Section",
                         .title = key.substr(own.size()),
                         .detail = fold.face == Face::explore ? "Explore" : "Measure",
                         .section = key.substr(own.size())});
}

bool takes_number(const SearchEntry& entry) {
  if (entry.parameter == nullptr) return false;
  const Value& value = entry.parameter->value;
  return !std::holds_alternative<bool>(value) &&
         (entry.parameter->info.decimal || !std::holds_alternative<std::string>(value));
}

/// The text at the right of a row; the chosen row also shows the allowed range.
std::string detail_of(const SearchMatch& match, const TypedValue& typed, bool chosen) {
  const SearchEntry& entry = *match.entry;
  if (!typed.refusal.empty()) return typed.refusal;
  if (typed.value) return entry.detail + "  →  " + shown_value(entry.parameter->info, *typed.value);
  if (!chosen || !takes_number(entry)) return entry.detail;
  const ParameterInfo& info = entry.parameter->info;
  return range_text(info) + (info.unit.empty() ? "" : "  " + std::string(info.unit)) + "      " + entry.detail;
}

void draw_row(const Panel& panel, const SearchMatch& match, bool chosen, ImVec2 at, float width) {
  const SearchEntry& entry = *match.entry;
  const TypedValue typed = typed_of(match);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = at.y + std::round((panel.px(row_height) - ImGui::GetFontSize()) / 2), inset = panel.px(8);
  const std::string right = fitted(detail_of(match, typed, chosen), width * 0.6F);
  const float right_width = ImGui::CalcTextSize(right.c_str()).x;
  const Color ink = !typed.refusal.empty() ? palette::error : typed.value ? palette::accent : palette::dim;
  list.AddText({at.x + width - inset - right_width, y}, packed(ink), right.c_str());
  const bool acts = entry.command || entry.parameter != nullptr || !entry.section.empty();
  const std::string title = fitted(entry.title, width - right_width - 3 * inset);
  list.AddText({at.x + inset, y}, packed(acts ? palette::text : palette::dim), title.c_str());
}

/// "Parameter", above the first entry of a kind.
void kind_heading(const Panel& panel, const char* title) {
  const WithFont small(panel.fonts.small);
  ImGui::Dummy({1, panel.px(4)});
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + panel.px(8));
  ImGui::TextColored(palette::accent, "%s", title);
}

/// The chosen entry is kept in sight when a key has moved to it; true when a click has chosen one.
bool rows(const Panel& panel, std::span<const SearchMatch> matches, bool moved) {
  SearchUi& ui = panel.state.search;
  const bool by_kind = ui.text.find_first_not_of(" ") == std::string::npos;
  const ImVec2 mouse = ImGui::GetIO().MouseDelta;
  std::string heading;
  for (std::size_t k = 0; k < matches.size(); ++k) {
    const std::string kind = matches[k].recent ? "Recent" : matches[k].entry->kind;
    if (by_kind && kind != heading) kind_heading(panel, kind.c_str());
    heading = kind;
    const ImVec2 at = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, panel.px(row_height)};
    const auto place = static_cast<int>(k);
    ImGui::PushID(place);
    const bool clicked = clickable("##row", size);
    ImGui::PopID();
    if (ImGui::IsItemHovered() && (mouse.x != 0 || mouse.y != 0)) ui.chosen = place;
    if (moved && place == ui.chosen) ImGui::SetScrollHereY(0.5F);
    if (!ImGui::IsItemVisible()) continue;
    if (place == ui.chosen)
      ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                                                ImGui::GetColorU32(ImGuiCol_HeaderHovered),
                                                ImGui::GetStyle().FrameRounding);
    draw_row(panel, matches[k], place == ui.chosen, at, size.x);
    list_control(panel, matches[k].entry->title);
    if (!clicked) continue;
    ui.chosen = place;
    return true;
  }
  return false;
}

/// Rows that the keys move by, down.
int step_by_keys() {
  if (is_pressed(ImGuiKey_DownArrow)) return 1;
  if (is_pressed(ImGuiKey_UpArrow)) return -1;
  if (is_pressed(ImGuiKey_PageDown)) return static_cast<int>(rows_shown);
  if (is_pressed(ImGuiKey_PageUp)) return -static_cast<int>(rows_shown);
  return 0;
}

void search_contents(const Panel& panel, const WindowSnapshot& snapshot) {
  SearchUi& ui = panel.state.search;
  const bool entered = search_field(panel);
  SearchEntries entries = search_entries(snapshot);
  add_sections(entries, panel.state);
  const std::vector<SearchMatch> matches = ranked(entries, ui.text, panel.state.look.recent);
  const int step = step_by_keys();
  ui.chosen = std::clamp(ui.chosen + step, 0, std::max(0, static_cast<int>(matches.size()) - 1));
  const float found = std::clamp(static_cast<float>(matches.size()), 1.0F, rows_shown);
  const float room = std::min(found * panel.px(row_height), std::floor(ImGui::GetIO().DisplaySize.y / 2));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  bool chosen = entered;
  if (ImGui::BeginChild("##rows", {0, room})) chosen = rows(panel, matches, step != 0) || chosen;
  if (matches.empty()) line_of_text(panel, "No match", palette::dim);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  if (chosen && !matches.empty()) choose(panel, matches[static_cast<std::size_t>(ui.chosen)]);
}

}  // namespace

// It begins empty, whatever was looked for before.
void search_pane(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture) {
  SearchUi& ui = panel.state.search;
  if (shade({0x05070a, 0.25F}) || escape_pressed()) ui.open = false;
  const float width = std::min(panel.px(search_width), ImGui::GetIO().DisplaySize.x - panel.px(16));
  const float left = picture.x + std::round((picture.width - width) / 2);
  ImGui::SetNextWindowPos({std::clamp(left, 0.0F, ImGui::GetIO().DisplaySize.x - width), panel.px(48)});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  const bool visible = ImGui::Begin("##search", nullptr, lone | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PopStyleVar();
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  panel.state.controls.section = "Find";
  if (visible && ui.open) search_contents(panel, snapshot);
  panel.state.controls.section.clear();
  ImGui::End();
  if (!ui.open) ui = {};
}

}  // namespace orrery::ui
