#include "ui/clipboard.hpp"

#include <imgui.h>

namespace orrery::ui {

void copy_to_clipboard(const std::string& text) { ImGui::SetClipboardText(text.c_str()); }

std::string clipboard_text() {
  const char* text = ImGui::GetClipboardText();
  return text != nullptr ? text : "";
}

}  // namespace orrery::ui
