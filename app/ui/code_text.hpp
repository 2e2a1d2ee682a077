/// A text of many lines that can be edited: line numbers, marked lines, monospaced.
#pragma once

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

/// Marks and bars beside the lines of a text.
struct CodeNotes {
  std::vector<CodeMark> marks;
  std::vector<bool> changed = {};  ///< lines with a bar beside their number; may be shorter than the text
};

/// True when the text has changed.
bool code_text(const Panel& panel, const char* id, std::string& text, CodeState& state, const CodeNotes& notes,
               ImVec2 size);

}  // namespace orrery::ui
