/// The clipboard of the desktop. Window thread, while ImGui's context exists.
#pragma once

#include <string>

namespace orrery::ui {

void copy_to_clipboard(const std::string& text);
/// Empty when the clipboard holds no text.
std::string clipboard_text();

}  // namespace orrery::ui
