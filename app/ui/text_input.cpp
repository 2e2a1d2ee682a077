#include "ui/text_input.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <vector>

namespace orrery::ui {
namespace {

// In a frame with typed input, ImGui calls back only for the edit.
constexpr ImGuiInputTextFlags watched = ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackEdit;

struct Field {
  const std::string& text;
  const TextInput& how;
};

/// The part in which two texts differ.
struct Difference {
  int at, removed, added;
};

template <class Letters>
Difference difference(const Letters* before, int length_before, const Letters* after, int length_after) {
  const int shorter = std::min(length_before, length_after);
  int same = 0, tail = 0;
  while (same < shorter && before[same] == after[same]) ++same;
  while (tail < shorter - same && before[length_before - 1 - tail] == after[length_after - 1 - tail]) ++tail;
  return {same, length_before - same - tail, length_after - same - tail};
}

#if IMGUI_VERSION_NUM < 18800
/// Tells ImGui's undo of what a callback has changed, as later versions do by themselves. A change within what was
/// typed just now is a part of it.
void note_change(const ImGuiInputTextCallbackData& data) {
  ImGuiInputTextState& state = ImGui::GetCurrentContext()->InputTextState;
  std::vector<ImWchar> text(static_cast<std::size_t>(data.BufTextLen) + 1);
  const int length = ImTextStrFromUtf8(text.data(), data.BufTextLen + 1, data.Buf, data.Buf + data.BufTextLen);
  const auto [at, removed, added] = difference(state.TextW.Data, state.CurLenW, text.data(), length);
  if (removed == 0 && added == 0) return;
  ImStb::StbUndoState& undo = state.Stb.undostate;
  undo.redo_point = STB_TEXTEDIT_UNDOSTATECOUNT;
  undo.redo_char_point = STB_TEXTEDIT_UNDOCHARCOUNT;
  if (data.EventFlag == ImGuiInputTextFlags_CallbackEdit && undo.undo_point > 0) {
    ImStb::StbUndoRecord& typed = undo.undo_rec[undo.undo_point - 1];
    if (at >= typed.where && at + removed <= typed.where + typed.delete_length) {
      typed.delete_length += added - removed;
      return;
    }
  }
  if (undo.undo_point == STB_TEXTEDIT_UNDOSTATECOUNT || undo.undo_char_point + removed > STB_TEXTEDIT_UNDOCHARCOUNT)
    undo.undo_point = 0, undo.undo_char_point = 0;
  if (removed > STB_TEXTEDIT_UNDOCHARCOUNT) return;
  undo.undo_rec[undo.undo_point++] = {at, removed, added, removed > 0 ? undo.undo_char_point : -1};
  std::copy_n(state.TextW.Data + at, removed, undo.undo_char + undo.undo_char_point);
  undo.undo_char_point += removed;
}

/// A field that begins anew with another text than it had last has nothing to undo.
void forget_other_text(const char* id, const std::string& text) {
  ImGuiInputTextState& state = ImGui::GetCurrentContext()->InputTextState;
  const ImGuiID field = ImGui::GetID(id);
  if (state.ID != field || ImGui::GetActiveID() == field) return;
  std::string had(static_cast<std::size_t>(state.CurLenA) + 1, '\0');
  if (state.CurLenA == static_cast<int>(text.size()))
    ImTextStrToUtf8(had.data(), static_cast<int>(had.size()), state.TextW.Data, state.TextW.Data + state.CurLenW);
  had.pop_back();
  if (had != text) state.ID = 0;
}
#else
void note_change(const ImGuiInputTextCallbackData&) {}
void forget_other_text(const char*, const std::string&) {}
#endif

int on_event(ImGuiInputTextCallbackData* data) {
  auto& [text, how] = *static_cast<Field*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) replace_text(*data, text);
  int answer = 0;
  if (how.callback != nullptr && (how.flags & data->EventFlag) != 0) {
    data->UserData = how.user;
    answer = how.callback(data);
  }
  if (data->BufDirty) note_change(*data);
  return answer;
}

}  // namespace

bool text_input(const char* id, std::string& text, const TextInput& how) {
  forget_other_text(id, text);
  Field field{text, how};
  return ImGui::InputTextWithHint(id, how.hint, &text, how.flags | watched, on_event, &field);
}

bool text_area(const char* id, std::string& text, ImVec2 size, const TextInput& how) {
  forget_other_text(id, text);
  Field field{text, how};
  return ImGui::InputTextMultiline(id, &text, size, how.flags | watched, on_event, &field);
}

void replace_text(ImGuiInputTextCallbackData& data, std::string_view text) {
  const Difference changed = difference<char>(data.Buf, data.BufTextLen, text.data(), static_cast<int>(text.size()));
  const char* const added = text.data() + changed.at;
  if (changed.removed > 0) data.DeleteChars(changed.at, changed.removed);
  if (changed.added > 0) data.InsertChars(changed.at, added, added + changed.added);
}

}  // namespace orrery::ui
