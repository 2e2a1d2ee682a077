#include "ui/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "base/files/path.hpp"
#include "base/text.hpp"
#include "ui/format.hpp"

namespace orrery::ui {
namespace {

constexpr float label_share = 0.38F;
constexpr float roomy_height = 1000;

// ImGui follows the pointers of an empty range; those of an empty view may be null.
const char* begin(std::string_view text) { return text.empty() ? "" : text.data(); }
const char* end(std::string_view text) { return text.empty() ? begin(text) : text.data() + text.size(); }

void draw_text(ImVec2 at, Color color, std::string_view text) {
  ImGui::GetWindowDrawList()->AddText(at, packed(color), begin(text), end(text));
}

float width_of(std::string_view text) { return ImGui::CalcTextSize(begin(text), end(text)).x; }

void draw_stat(const Panel& panel, const Stat& stat, ImVec2 at, float width) {
  draw_text(at, palette::dim, stat.label);
  const float label = width_of(stat.label) + panel.px(8), size = ImGui::GetFontSize();
  std::optional<WithFont> font;
  if (stat.font != nullptr) font.emplace(stat.font);
  const std::string value = fitted(stat.value.text, width - label);
  const float lower = std::round((size - ImGui::GetFontSize()) * 0.5F);  // on one base line with the label
  draw_text({at.x + width - width_of(value), at.y + lower}, stat.color, value);
}

bool copy_pressed() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || !io.KeyCtrl || io.KeyShift) return false;
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_C, false);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_C), false);
#endif
}

void send_copy(const Panel& panel, std::string_view name, std::string_view text) {
  if (text.empty() || !(ImGui::IsMouseClicked(ImGuiMouseButton_Right) || copy_pressed())) return;
  panel.send(command::CopyValue{std::string(name), std::string(text)});
}

ImU32 ramp_color(std::span<const std::uint8_t> rgb, std::size_t i) {
  return IM_COL32(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2], 255);
}

/// Whether another window that takes clicks lies over this place of the current one. Windows in front follow in the
/// list.
bool is_covered(ImVec2 at) {
  const ImGuiWindow* own = ImGui::GetCurrentWindow()->RootWindow;
  const ImVector<ImGuiWindow*>& windows = GImGui->Windows;
  return std::any_of(std::find(windows.begin(), windows.end(), own), windows.end(), [&](const ImGuiWindow* window) {
    return window->RootWindow != own && window->WasActive && !window->Hidden &&
           (window->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 && window->OuterRectClipped.Contains(at);
  });
}

/// The control that a tour's step is about gets a frame; the column scrolls to it once.
void point_at(const Panel& panel, std::string_view label, const Rect& place) {
  TourUi& tour = panel.state.tour;
  const std::string& section = panel.state.controls.section;
  const std::string_view shown = label.substr(0, label.find("##")), wanted = tour.look_at;
  const bool is_it = !wanted.empty() && wanted.ends_with(shown) && wanted.starts_with(section) &&
                     wanted.size() == section.size() + (section.empty() ? 0 : 1) + shown.size();
  if (!is_it) return;
  // Below a section's heading lies what it is about; a row is seen with those around it.
  if (std::exchange(tour.arrives, false))
    ImGui::SetScrollFromPosY(place.y + place.height / 2 - ImGui::GetWindowPos().y, section.empty() ? 0.05F : 0.5F);
  const float around = panel.px(3), inside = panel.px(1);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 least = list.GetClipRectMin(), most = list.GetClipRectMax();
  list.AddRect({std::max(place.x - around, least.x + inside), place.y - around},
               {std::min(place.x + place.width + around, most.x - inside), place.y + place.height + around},
               packed(palette::warning), panel.px(5), 0, panel.px(2));
}

}  // namespace

bool is_roomy(const Panel& panel) { return ImGui::GetIO().DisplaySize.y >= panel.px(roomy_height); }

// Beside the column, or below the item where there is room: never over what it explains. It waits, and while a button
// is down it is not shown.
void hint(const Panel& panel, std::string_view text) {
  constexpr double delay = 0.6;
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(), display = ImGui::GetIO().DisplaySize;
  UiState::Hint& rest = panel.state.hint;
  const double now = ImGui::GetTime();
  const int frame = ImGui::GetFrameCount();
  const bool same = rest.x == low.x && rest.y == low.y && frame <= rest.frame + 1;
  if (!same || ImGui::IsAnyMouseDown() || ImGui::GetIO().MouseWheel != 0) rest.since = now;
  rest = {low.x, low.y, rest.since, frame};
  if (now - rest.since < delay) return;
  const float wrap = panel.px(320), gap = panel.px(8);
  const std::string lines = wrapped(text, wrap);
  const ImVec2 padding = ImGui::GetStyle().WindowPadding,
               inside = ImGui::CalcTextSize(lines.c_str(), nullptr, false, wrap);
  const ImVec2 size{inside.x + 2 * padding.x, inside.y + 2 * padding.y};
  const bool in_column = high.x <= panel.state.measured.column_edge;
  ImVec2 at = in_column ? ImVec2{panel.state.measured.column_edge + gap, low.y} : ImVec2{low.x, high.y + gap};
  if (!in_column && at.y + size.y > display.y) at.y = low.y - gap - size.y;
  at.x = std::clamp(at.x, 0.0F, std::max(0.0F, display.x - size.x));
  at.y = std::clamp(at.y, 0.0F, std::max(0.0F, display.y - size.y));
  ImGui::SetNextWindowPos(at);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(wrap + padding.x);
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

Shown::Shown(std::string shown, double value) : text(std::move(shown)), exact(shortest(value)) {}

void offer_copy(const Panel& panel, std::string_view name, std::string_view text, const Rect& place) {
  const ImVec2 end{place.x + place.width, place.y + place.height};
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({place.x, place.y}, end)) send_copy(panel, name, text);
}

void offer_copy(const Panel& panel, std::string_view name, std::string_view text) {
  if (ImGui::IsItemHovered()) send_copy(panel, name, text);
}

void list_control(const Panel& panel, std::string_view label, const Rect& place) {
  ControlList& controls = panel.state.controls;
  const ImVec2 middle{place.x + place.width / 2, place.y + place.height / 2};
  point_at(panel, label, place);
  if (!controls.wanted || !ImGui::IsRectVisible(middle, {middle.x + 1, middle.y + 1}) || is_covered(middle)) return;
  const std::string_view shown = label.substr(0, label.find("##"));
  controls.places[(controls.section.empty() ? "" : controls.section + "/") + std::string(shown)] = place;
}

void list_control(const Panel& panel, std::string_view label) {
  const ImVec2 low = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  list_control(panel, label, {low.x, low.y, size.x, size.y});
}

// Until version 1.87, keys had the numbers of the backend.
bool is_pressed(ImGuiKey key, bool repeats) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(key, repeats);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), repeats);
#endif
}

bool enter_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  constexpr ImGuiKey keypad = ImGuiKey_KeypadEnter;
#else
  constexpr ImGuiKey keypad = ImGuiKey_KeyPadEnter;
#endif
  return is_pressed(ImGuiKey_Enter, false) || is_pressed(keypad, false);
}

StillWindow::StillWindow(const char* id, const StillWindowLook& look) {
  constexpr ImGuiWindowFlags still = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
  ImGui::SetNextWindowPos(look.at, 0, look.pivot);
  if (look.size.x > 0 || look.size.y > 0) ImGui::SetNextWindowSize(look.size);
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, look.opacity);
  if (look.color) ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(*look.color)), ++colors_;
  if (look.padding) ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, *look.padding), ++lengths_;
  if (!look.rounded) ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0), ++lengths_;
  const ImGuiWindowFlags fits = look.size.y > 0 ? 0 : ImGuiWindowFlags_AlwaysAutoResize;
  visible_ = ImGui::Begin(id, nullptr, still | fits | look.flags);
}

StillWindow::~StillWindow() {
  ImGui::End();
  ImGui::PopStyleVar(lengths_);
  ImGui::PopStyleColor(colors_);
}

void take_keyboard() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  window->Flags &= ~ImGuiWindowFlags_NoNav;
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  if (const ImGuiWindow* in_use = context.ActiveIdWindow; in_use != nullptr && in_use->RootWindow != window) return;
  const bool here = context.NavWindow != nullptr && context.NavWindow->RootWindow == window;
  if (here && context.NavId != 0) return;
  ImGui::FocusWindow(window);
  ImGui::NavInitWindow(window, context.NavId == 0);
}

bool shade(Color color, const char* id) {
  const ImVec2 all = ImGui::GetIO().DisplaySize;
  const StillWindow window(id, {.at = {0, 0}, .size = all, .color = color, .rounded = false, .flags = over_picture});
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  return ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0);
}

bool clickable(const char* id, ImVec2 size) {
#if IMGUI_VERSION_NUM >= 19150
  constexpr ImGuiButtonFlags flags = ImGuiButtonFlags_EnableNav;
#else
  constexpr ImGuiButtonFlags flags = 0;
#endif
  const bool pressed = ImGui::InvisibleButton(id, {std::max(1.0F, size.x), std::max(1.0F, size.y)}, flags);
  ImGui::RenderNavHighlight({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, ImGui::GetItemID());
  return pressed;
}

int take_arrows() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool mine = context.NavId == ImGui::GetItemID() && context.NavMoveSubmitted;
  const int steps = mine && context.NavMoveDir == ImGuiDir_Left ? -1 : mine && context.NavMoveDir == ImGuiDir_Right;
  if (steps != 0) ImGui::NavMoveRequestCancel();
  return steps;
}

bool pressed_by_key() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  return ImGui::IsItemActive() && context.ActiveIdSource != ImGuiInputSource_Mouse;
}

bool section(const Panel& panel, const char* title, std::string_view summary, bool open_at_first) {
  UiState& state = panel.state;
  UiState::Sections& sections = state.sections;
  const std::string key = sections.scene + "/" + title;
  TourUi& tour = state.tour;
  const bool toured = tour.arrives && (tour.look_at + "/").starts_with(std::string(title) + "/");
  const bool revealed = sections.revealed == title;
  const auto first =
      sections.first_folds.try_emplace(key, UiState::Sections::FirstFold{sections.face, open_at_first}).first;
  if (toured) tour.unfolded.insert(key), tour.face = sections.face;
  if (revealed) state.look.face = sections.face, tour.face.reset();
  if (sections.face != sections.shown) return false;
  if (revealed) sections.revealed.clear();
  std::map<std::string, bool>& chosen = state.look.unfolded;
  const auto known = chosen.find(key);
  const bool usual = known != chosen.end() ? known->second : first->second.open;
  const bool before = !revealed && (usual || tour.unfolded.contains(key));
  const bool open = heading(panel, title, summary, before) || revealed;
  if (open == before) return open;
  if (open) sections.unfolded_at = ImGui::GetItemRectMin().y;
  tour.unfolded.erase(key);
  return chosen[key] = open;
}

void end_section(const Panel& panel) {
  const std::optional<float> top = std::exchange(panel.state.sections.unfolded_at, std::nullopt);
  if (!top) return;
  const float above = *top - ImGui::GetWindowPos().y,
              hidden = ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y - ImGui::GetWindowHeight();
  if (hidden > 0) ImGui::SetScrollY(ImGui::GetScrollY() + std::min(hidden, above));
}

bool heading(const Panel& panel, const char* title, std::string_view summary, bool open) {
  end_section(panel);
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.px(28)};
  ImGui::Dummy({1, panel.px(1)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (clickable(title, size)) open = !open;
  panel.state.controls.section.clear();
  list_control(panel, title);
  panel.state.controls.section = title;
  const Color ink = ImGui::IsItemHovered() ? palette::accent : palette::dim;

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(at, {at.x + size.x, at.y}, packed(palette::line));
  const float middle = at.y + size.y / 2 + panel.px(1);
  draw_arrow(list, {at.x + panel.px(5), middle}, panel.px(4), open ? ImGuiDir_Down : ImGuiDir_Right, ink);
  const float text_y = std::round(middle - ImGui::GetFontSize() / 2);
  const float left = at.x + panel.px(16);
  const WithFont heading(panel.fonts.heading);
  draw_text({left, text_y}, palette::text, title);
  if (!open) {
    const float room = size.x - (left - at.x) - width_of(title) - panel.px(16);
    const WithFont body(panel.fonts.body);
    const std::string text = fitted(summary, room);
    draw_text({at.x + size.x - width_of(text), text_y}, palette::dim, text);
  }
  return open;
}

void hint_above(const Panel& panel, float x, const std::string& text) {
  const ImVec2 padding{panel.px(8), panel.px(6)};  // a strip has none
  const float half = ImGui::CalcTextSize(text.c_str()).x / 2 + padding.x + panel.px(4);
  x = std::clamp(x, half, std::max(half, ImGui::GetIO().DisplaySize.x - half));
  ImGui::SetNextWindowPos({x, ImGui::GetItemRectMin().y - panel.px(4)}, ImGuiCond_Always, {0.5F, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::SetTooltip("%s", text.c_str());
  ImGui::PopStyleVar();
}

void label_row(const Panel& panel, std::string_view label, std::string_view help) {
  const float column = std::round(ImGui::GetContentRegionAvail().x * label_share);
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  const std::string text = fitted(label, column - panel.px(6));
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(palette::dim));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  hint(panel, text.size() == label.size() ? std::string(help) : std::string(label) + "\n" + std::string(help));
  ImGui::SameLine(left + column);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  list_control(panel, label, {at.x, at.y, ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()});
  ImGui::SetNextItemWidth(-FLT_MIN);
}

void stat_grid(const Panel& panel, std::initializer_list<Stat> stats) {
  const float gap = panel.px(20);
  const float width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  const float height = ImGui::GetFontSize() + panel.px(5);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto rows = static_cast<float>((stats.size() + 1) / 2);
  ImGui::Dummy({2 * width + gap, rows * height});
  int i = 0;
  for (const Stat& stat : stats) {
    const ImVec2 cell{at.x + static_cast<float>(i % 2) * (width + gap), at.y + static_cast<float>(i / 2) * height};
    draw_stat(panel, stat, cell, width);
    const ImVec2 end{cell.x + width, cell.y + height};
    std::string help = stat.help != nullptr ? stat.help : "";
    offer_copy(panel, stat.label, stat.value.exact, {cell.x, cell.y, width, height});
    list_control(panel, stat.label, {cell.x, cell.y, width, height});
    if (ImGui::IsMouseHoveringRect(cell, end) && width_of(stat.value.text) > width - width_of(stat.label) - panel.px(8))
      help = stat.value.text + (help.empty() ? "" : "\n") + help;
    if (!help.empty() && ImGui::IsMouseHoveringRect(cell, end)) hint(panel, help);
    ++i;
  }
}

void split_line(const Panel& panel, std::string_view left, Color left_color, std::string_view right,
                Color right_color) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  const std::string end_text = fitted(right, width / 2);
  const float end_width = width_of(end_text);
  draw_text(at, left_color, fitted(left, width - end_width - panel.px(8)));
  draw_text({at.x + width - end_width, at.y}, right_color, end_text);
  if (!right.empty()) offer_copy(panel, left, right);
  if (end_text.size() != right.size() || width_of(left) > width - end_width - panel.px(8))
    hint(panel, std::string(left) + "\n" + std::string(right));
}

void line_of_text(const Panel& panel, std::string_view text, Color color, float most) {
  const std::string shown = fitted(text, std::min(most, ImGui::GetContentRegionAvail().x));
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(color));
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopStyleColor();
  offer_copy(panel, {}, text);
  if (shown.size() != text.size()) hint(panel, text);
}

void wrapped_text(std::string_view text, Color color) {
  note_missing_characters(text);
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(color));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(wrapped(text, ImGui::GetContentRegionAvail().x).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void refusal(const Panel& panel, std::string_view text) {
  int& seen = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(begin(text), end(text)), -2);
  const int before = std::exchange(seen, ImGui::GetFrameCount());
  {
    const WithFont small(panel.fonts.small);
    wrapped_text(text, palette::error);
  }
  list_control(panel, text);
  const float low = ImGui::GetItemRectMax().y, edge = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  if (seen > before + 1 && low > edge) ImGui::SetScrollHereY(1);
}

void notice(const Panel& panel, std::string_view text, Color color) {
  note_missing_characters(text);
  const float inset = panel.px(10);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string lines = wrapped(text, width - 2 * inset);
  const float height = ImGui::CalcTextSize(lines.c_str(), nullptr, false, width - 2 * inset).y + panel.px(12);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  list.AddRectFilled(at, {at.x + width, at.y + height}, packed(color, 0.12F), rounding);
  list.AddRectFilled(at, {at.x + panel.px(3), at.y + height}, packed(color), rounding);
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + inset, at.y + panel.px(6)}, packed(palette::text),
               lines.c_str(), nullptr, width - 2 * inset);
  ImGui::Dummy({width, height});
}

void color_ramp(const Panel& panel, std::span<const std::uint8_t> rgb, std::string_view low, std::string_view high) {
  const std::size_t count = rgb.size() / 3;
  if (count == 0) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.px(8)};
  ImGui::Dummy(size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  constexpr std::size_t most_steps = 64;
  const std::size_t steps = std::min(count, most_steps);
  for (std::size_t i = 0; i < steps; ++i) {
    const auto edge = [&](std::size_t k) { return at.x + size.x * static_cast<float>(k) / static_cast<float>(steps); };
    const ImU32 left = ramp_color(rgb, i * count / steps);
    const ImU32 right = ramp_color(rgb, std::min((i + 1) * count / steps, count - 1));
    list.AddRectFilledMultiColor({edge(i), at.y}, {edge(i + 1), at.y + size.y}, left, right, right, left);
  }
  list.AddRect(at, {at.x + size.x, at.y + size.y}, packed(palette::dim));  // the ends may be as light as the panel
  if (low.empty() && high.empty()) return;
  const WithFont font(panel.fonts.small);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  ImGui::Dummy({size.x, ImGui::GetFontSize()});
  draw_text({at.x, below.y - panel.px(2)}, palette::dim, low);
  draw_text({at.x + size.x - width_of(high), below.y - panel.px(2)}, palette::dim, high);
}

bool fitted_button(const Panel& panel, const char* label, ImVec2 size) {
  if (size.x == 0) return ImGui::Button(label, size);
  const std::string_view shown = std::string_view(label).substr(0, std::string_view(label).find("##"));
  const float margin = panel.px(3), high = size.y > 0 ? size.y : ImGui::GetFrameHeight();
  const float room = (size.x > 0 ? size.x : ImGui::GetContentRegionAvail().x + size.x) - 2 * margin;
  std::optional<WithFont> small;
  if (width_of(shown) > room) small.emplace(panel.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {margin, ImGui::GetStyle().FramePadding.y});
  const bool pressed = ImGui::Button((fitted(shown, room) + "###" + label).c_str(), {size.x, high});
  ImGui::PopStyleVar();
  return pressed;
}

bool button(const Panel& panel, const char* label, float width, std::string_view help, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = fitted_button(panel, label, {width, 0});
  ImGui::EndDisabled();
  list_control(panel, label);
  hint(panel, help);
  return pressed;
}

bool toggle(const Panel& panel, const char* label, bool on, float width, std::string_view help) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(on ? palette::accent : palette::text));
  ImGui::PushStyleColor(ImGuiCol_Button, on ? ImVec4(Color{palette::accent.rgb, palette::chosen})
                                            : ImGui::GetStyleColorVec4(ImGuiCol_Button));
  const bool pressed = fitted_button(panel, label, {width, 0});
  ImGui::PopStyleColor(2);
  list_control(panel, label);
  hint(panel, help);
  return pressed;
}

bool begin_combo(const Panel& panel, const char* id, const std::string& preview) {
  const float height = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string shown = fitted(preview, width - height - ImGui::GetStyle().FramePadding.x);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool open = ImGui::BeginCombo(id, shown.c_str(), ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge);
  const ImVec2 center{at.x + width - height / 2, at.y + height / 2};
  draw_arrow(list, center, panel.px(4), ImGuiDir_Down, palette::dim);
  return open;
}

std::optional<std::string> browse_button(const Panel& panel, FileQuestion question, float width) {
  FileChoice& choice = panel.state.choice;
  const std::string_view id = question.id;
  if (button(panel, ("…##" + std::string(id)).c_str(), width, question.title))
    choice.ask(std::move(question), pictures_folder().string(), panel.commands);
  return choice.take_answer(id);
}

bool list_entry(const Panel& panel, const std::string& text, bool chosen) {
  const bool pressed = ImGui::Selectable(text.c_str(), chosen);
  list_control(panel, text);
  return pressed;
}

bool arrow(const Panel& panel, const char* id, ImGuiDir direction, ImVec2 size, std::string_view help) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = clickable(id, size);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered)
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                                              ImGui::GetColorU32(ImGuiCol_ButtonHovered),
                                              ImGui::GetStyle().FrameRounding);
  draw_arrow(*ImGui::GetWindowDrawList(), {at.x + size.x / 2, at.y + size.y / 2}, panel.px(5), direction,
             hovered ? palette::text : palette::dim);
  list_control(panel, help);
  hint(panel, help);
  return pressed;
}

void draw_arrow(ImDrawList& list, ImVec2 center, float radius, ImGuiDir direction, Color color) {
  const float half = radius / 2;
  ImVec2 tip{half, 0}, tail{-half, radius};
  if (direction == ImGuiDir_Left) tip.x = -tip.x, tail.x = -tail.x;
  const auto at = [&](float along, float across) {
    return direction == ImGuiDir_Down ? ImVec2{center.x + across, center.y + along}
                                      : ImVec2{center.x + along, center.y + across};
  };
  const float thickness = std::max(1.0F, radius * 0.36F);
  list.AddLine(at(tail.x, -tail.y), at(tip.x, 0), packed(color), thickness);
  list.AddLine(at(tip.x, 0), at(tail.x, tail.y), packed(color), thickness);
}

}  // namespace orrery::ui
