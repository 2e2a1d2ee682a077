/// The user's text editor and file manager.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Splits a command such as $VISUAL into words at blanks, with a shell's quotes and backslashes, but without variables
/// or redirection. Nothing if a quote is not closed.
std::vector<std::string> words_of(std::string_view command);

/// The command of a graphical editor: the first of the candidates ($VISUAL, $EDITOR) that needs no terminal, or the
/// desktop's choice ("xdg-open").
std::vector<std::string> editor_command(const std::vector<std::string>& candidates);

/// Opens the file without waiting for it to be closed. Returns a message: the editor's name. Throws an Error with the
/// file's path if none could be started. Takes up to a second, so it is called by a worker.
std::string open_in_editor(const std::filesystem::path& file);

/// Opens the file's folder in the desktop's file manager without waiting for it. Returns why that failed, with the
/// folder's path; nothing if it was opened. Takes up to a second, so it is called by a worker.
std::string open_folder_of(const std::filesystem::path& file);

}  // namespace orrery
