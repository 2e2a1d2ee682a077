#include "ui/code_text.hpp"

#include <algorithm>
#include <utility>

#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr const char* indent = "  ";

struct Typing {
  CodeState& state;
  std::size_t length_before;
};

int offset_of_line(const char* text, int length, int line) {
  int at = 0;
  for (int k = 1; k < line && at < length; ++at)
    if (text[at] == '\n') ++k;
  return at;
}

void replace_tab(ImGuiInputTextCallbackData& data) {
  const int at = data.CursorPos - 1;
  if (at < 0 || data.Buf[at] != '\t') return;
  data.DeleteChars(at, 1);
  data.InsertChars(at, indent);
}

// A new line begins below the one before.
void indent_new_line(ImGuiInputTextCallbackData& data) {
  const int at = data.CursorPos - 1;
  if (at < 0 || data.Buf[at] != '\n') return;
  int begin = at;
  while (begin > 0 && data.Buf[begin - 1] != '\n') --begin;
  int end = begin;
  while (end < at && data.Buf[end] == ' ') ++end;
  const std::string blanks(data.Buf + begin, data.Buf + end);
  if (!blanks.empty()) data.InsertChars(data.CursorPos, blanks.c_str());
}

int on_typing(ImGuiInputTextCallbackData* data) {
  auto& typing = *static_cast<Typing*>(data->UserData);
  CodeState& state = typing.state;
  const bool typed = static_cast<std::size_t>(data->BufTextLen) == typing.length_before + 1;
  if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit && typed) {
    replace_tab(*data);
    indent_new_line(*data);
  }
  if (data->EventFlag != ImGuiInputTextFlags_CallbackAlways) return 0;
  if (const int line = std::exchange(state.jump, 0); line > 0) {
    data->CursorPos = offset_of_line(data->Buf, data->BufTextLen, line);
    data->SelectionStart = data->SelectionEnd = data->CursorPos;
  }
  state.cursor = data->CursorPos;
  return 0;
}

struct Layout {
  float line, character, padding, gutter;
  int lines, longest;
};

Layout layout_of(const Panel& panel, const std::string& text) {
  Layout layout{ImGui::GetTextLineHeight(), ImGui::CalcTextSize("0").x, ImGui::GetStyle().FramePadding.y, 0, 1, 0};
  int length = 0;
  for (const char c : text) {
    layout.longest = std::max(layout.longest, ++length);
    if (c == '\n') ++layout.lines, length = 0;
  }
  const std::string widest = std::to_string(std::max(layout.lines, 999));
  layout.gutter = ImGui::CalcTextSize(widest.c_str()).x + panel.px(20);
  return layout;
}

void follow_cursor(CodeState& state, const std::string& text, const Layout& layout, bool moved) {
  if (state.cursor < 0) return;
  const auto cursor = std::min(static_cast<std::size_t>(state.cursor), text.size());
  const auto here = text.begin() + static_cast<std::ptrdiff_t>(cursor);
  state.line = 1 + static_cast<int>(std::count(text.begin(), here, '\n'));
  const auto begin = cursor == 0 ? 0 : text.rfind('\n', cursor - 1) + 1;  // npos + 1 is 0
  const float x = ImGui::CalcTextSize(text.c_str() + begin, text.c_str() + cursor).x;
  state.column = 1 + static_cast<int>(std::round(x / layout.character));
  if (!moved) return;
  const float top = static_cast<float>(state.line - 1) * layout.line, low = ImGui::GetScrollY();
  const float height = ImGui::GetWindowHeight() - 2 * layout.padding - ImGui::GetStyle().ScrollbarSize;
  if (top < low) ImGui::SetScrollY(top);
  if (top + layout.line > low + height) ImGui::SetScrollY(top + layout.line - height);
  const float left = ImGui::GetScrollX(), width = ImGui::GetWindowWidth() - 4 * layout.character;
  if (x < left) ImGui::SetScrollX(std::max(0.0F, x - 8 * layout.character));
  if (x > left + width) ImGui::SetScrollX(x - width + 8 * layout.character);
}

void draw_marks(std::span<const CodeMark> marks, const Layout& layout, ImVec2 at) {
  const float left = ImGui::GetWindowPos().x, right = left + ImGui::GetWindowWidth();
  for (const CodeMark& mark : marks) {
    const float y = at.y + layout.padding + static_cast<float>(mark.line - 1) * layout.line;
    ImGui::GetWindowDrawList()->AddRectFilled({left, y}, {right, y + layout.line}, packed(mark.color, 0.22F));
  }
}

/// Where the text is seen, and how far it is scrolled.
struct Seen {
  ImVec2 at;
  float height = 0, scroll = 0;
};

/// The numbers of the lines that are seen, beside the scrolled text.
void draw_gutter(const Panel& panel, const CodeState& state, const CodeNotes& notes, const Layout& layout,
                 const Seen& seen) {
  const auto& [at, height, scroll] = seen;
  const auto& [marks, changed] = notes;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(at, {at.x + layout.gutter, at.y + height}, true);
  const int first = std::max(0, static_cast<int>((scroll - layout.padding) / layout.line));
  for (int k = first; k < layout.lines; ++k) {
    const float y = at.y + layout.padding + static_cast<float>(k) * layout.line - scroll;
    if (y > at.y + height) break;
    const auto mark = std::ranges::find(marks, k + 1, &CodeMark::line);
    const bool here = state.cursor >= 0 && state.line == k + 1;
    const Color color = mark != marks.end() ? mark->color : here ? palette::text : Color{palette::dim.rgb, 0.7F};
    const std::string number = std::to_string(k + 1);
    const float right = at.x + layout.gutter - panel.px(10);
    list.AddText({right - ImGui::CalcTextSize(number.c_str()).x, y}, packed(color), number.c_str());
    if (static_cast<std::size_t>(k) < changed.size() && changed[static_cast<std::size_t>(k)])
      list.AddRectFilled({right + panel.px(4), y}, {right + panel.px(6), y + layout.line}, packed(palette::warning));
    if (mark != marks.end() && ImGui::IsMouseHoveringRect({at.x, y}, {at.x + layout.gutter, y + layout.line})) {
      const WithFont body(panel.fonts.body);
      ImGui::SetTooltip("%s", mark->text.c_str());
    }
  }
  list.PopClipRect();
}

}  // namespace

// The text field is as large as its text, so that it never scrolls by itself; the window around it does.
bool code_text(const Panel& panel, const char* id, std::string& text, CodeState& state, const CodeNotes& notes,
               ImVec2 size) {
  const WithFont mono(panel.fonts.mono);
  const Layout layout = layout_of(panel, text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(palette::code), ImGui::GetStyle().FrameRounding);
  ImGui::SetCursorScreenPos({at.x + layout.gutter, at.y});
  bool edited = false;
  float scroll = 0;
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(Color{0, 0}));
  if (ImGui::BeginChild(id, {size.x - layout.gutter, size.y}, false,
                        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNav)) {
    draw_marks(notes.marks, layout, ImGui::GetCursorScreenPos());
    const int jump = state.jump, cursor = state.cursor;
    if (jump > 0) {
      ImGui::SetKeyboardFocusHere();
      ImGui::SetScrollY(std::max(0.0F, static_cast<float>(jump - 1) * layout.line - 0.4F * size.y));
    }
    const ImVec2 room{
        std::max(static_cast<float>(layout.longest + 8) * layout.character, ImGui::GetContentRegionAvail().x),
        std::max(static_cast<float>(layout.lines + 2) * layout.line, size.y - 2 * layout.padding)};
    note_missing_characters(text);
    const std::string before = text;
    Typing typing{state, text.size()};
    edited = text_area("##text", text, room,
                       {.flags = ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackAlways |
                                 ImGuiInputTextFlags_CallbackEdit,
                        .callback = on_typing,
                        .user = &typing});
    if (ImGui::IsItemDeactivated() && escape_pressed()) text = before, edited = false;  // Esc takes nothing back here
    if (!ImGui::IsItemActive()) state.cursor = -1;
    follow_cursor(state, text, layout, state.cursor != cursor && cursor >= 0);
    scroll = ImGui::GetScrollY();
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  draw_gutter(panel, state, notes, layout, {at, size.y, scroll});
  return edited;
}

}  // namespace orrery::ui
