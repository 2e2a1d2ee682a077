/// What the kernel editor's pane remembers from frame to frame: what is typed and not yet saved.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace orrery::ui {

/// Of a text that can be edited (code_text.hpp).
struct CodeState {
  int jump = 0;         ///< set: a line from 1, where the cursor goes next
  bool escape = false;  ///< set where Esc has been pressed in this frame; it then keeps what was typed
  int cursor = -1;      ///< bytes; −1 while nobody types
  int line = 1;         ///< of the cursor, from 1
  int column = 1;
};

struct EditorUi {
  bool open = false;  ///< the pane takes its place
  bool save = false;  ///< set by the shell: Ctrl+S
  CodeState code;
  std::string file;                           ///< whose text it is
  std::string text;                           ///< as typed
  std::uint64_t revision = 0;                 ///< of the saved text that it was made from
  bool elsewhere = false;                     ///< the saved text has been changed in another place meanwhile
  std::map<std::string, std::string> drafts;  ///< what was typed and not saved, of other files
  std::string compared;                       ///< the text that `changed` is of
  std::vector<bool> changed;                  ///< its lines that are not the original's
};

}  // namespace orrery::ui
