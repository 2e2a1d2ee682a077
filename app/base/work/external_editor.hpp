/// The person's own text editor.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The words of a command as $VISUAL holds it: split at blanks, quotes and backslashes as a shell reads them, nothing
/// else (no variables, no redirection). Nothing where a quote does not end.
std::vector<std::string> words_of(std::string_view command);

/// The command with which a graphical editor is begun: of the candidates ($VISUAL, $EDITOR) the first that needs no
/// terminal, else the desktop's own choice ("xdg-open").
std::vector<std::string> editor_command(const std::vector<std::string>& candidates);

/// Opens the file there and does not wait for it to be closed. Returns what to tell: which editor, or where the file is
/// when none could be begun. Takes up to a second: a worker's.
std::string open_in_editor(const std::filesystem::path& file);

}  // namespace orrery
