/// A text of many lines that can be edited: line numbers, marked lines, monospaced.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ui/panels.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {

/// A line with a colour behind it, and a text when the mouse rests on its number.
struct CodeMark {
  int line = 0;
  Color color;
  std::string text;
};

/// True when the text has changed. `changed` marks lines by a bar beside their number; it may be shorter than the text.
bool code_text(const Panel& panel, const char* id, std::string& text, CodeState& state, std::span<const CodeMark> marks,
               const std::vector<bool>& changed, ImVec2 size);

}  // namespace orrery::ui
