#include "base/work/external_editor.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "base/platform/process.hpp"
#include "base/work/child_run.hpp"

namespace orrery {
namespace {

constexpr double early_failure = 1;  // seconds in which a program that cannot run has ended

// Editors with a window of their own. Other values of $EDITOR may need a terminal, which does not exist here.
constexpr std::array<std::string_view, 34> graphical{
    "atom",     "bbedit",       "bluefish",    "clion",      "code",    "code-insiders", "codium",
    "cursor",   "emacs",        "emacsclient", "featherpad", "geany",   "gedit",         "gnome-text-editor",
    "gvim",     "jedit",        "kate",        "kwrite",     "leafpad", "lite-xl",       "mate",
    "mousepad", "neovide",      "notepadqq",   "nvim-qt",    "pluma",   "qtcreator",     "scite",
    "subl",     "sublime_text", "vscodium",    "xed",        "zed",     "zeditor"};

bool needs_no_terminal(const std::vector<std::string>& words) {
  if (words.empty()) return false;
  const std::string name = std::filesystem::path(words.front()).filename().string();
  const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  if (name == "vim" || name == "vi") return has("-g");
  if (name == "emacs" && (has("-nw") || has("--no-window-system"))) return false;
  if (name == "emacsclient" && (has("-nw") || has("-t") || has("--tty"))) return false;
  return std::ranges::find(graphical, name) != graphical.end();
}

}  // namespace

std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word += command[++i];
      begun = true;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      begun = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (std::exchange(begun, false)) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote != 0) return {};
  if (begun) words.push_back(word);
  return words;
}

std::vector<std::string> editor_command(const std::vector<std::string>& candidates) {
  for (const std::string& candidate : candidates)
    if (std::vector<std::string> words = words_of(candidate); needs_no_terminal(words)) return words;
  return platform::text_opener();
}

std::string open_folder_of(const std::filesystem::path& file) {
  std::vector<std::string> words = platform::folder_opener();
  const std::string folder = file.parent_path().string();
  words.push_back(folder);
  const std::string fault = start_program(words, early_failure);
  return fault.empty()
             ? fault
             : "No file manager could be opened (" + words.front() + ": " + fault + "). The folder is " + folder;
}

std::string open_in_editor(const std::filesystem::path& file) {
  std::vector<std::string> candidates;
  for (const char* name : {"VISUAL", "EDITOR"})
    if (const char* value = std::getenv(name); value != nullptr) candidates.emplace_back(value);
  std::vector<std::string> words = editor_command(candidates);
  words.push_back(file.string());
  const std::string fault = start_program(words, early_failure);
  if (fault.empty()) return "Opened " + file.string() + " with " + words.front();
  throw failure("no editor could be opened (" + words.front() + ": " + fault + ")", "the file is " + file.string());
}

}  // namespace orrery
