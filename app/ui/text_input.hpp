/// The text fields of all panels, whose text the program may change, too: what it changes is undone by Ctrl+Z like
/// what was typed.
///
/// ImGui before 1.88 does not notice such changes, and then undoes at places that the text no longer has. Window
/// thread.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

namespace orrery::ui {

struct TextInput {
  ImGuiInputTextFlags flags = 0;
  const char* hint = "";                      ///< shown while the field is empty
  ImGuiInputTextCallback callback = nullptr;  ///< called for the events that the flags name
  void* user = nullptr;                       ///< UserData of the callback
};

/// ImGui::InputText of one line, which also follows a text that was changed elsewhere while the field is active.
bool text_input(const char* id, std::string& text, const TextInput& how = {});
/// The same of many lines.
bool text_area(const char* id, std::string& text, ImVec2 size, const TextInput& how = {});

/// Within a callback: changes the text, and moves the caret behind what was changed before it.
void replace_text(ImGuiInputTextCallbackData& data, std::string_view text);

}  // namespace orrery::ui
