#include "base/work/last_words.hpp"

#include <array>
#include <cstring>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include "base/files/unfinished_file.hpp"

namespace orrery {
namespace {

std::array<char, 64> program{"orrery"};

void put(const char* text) {
#ifdef _WIN32
  if (_write(2, text, static_cast<unsigned>(std::strlen(text))) < 0) return;
#else
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // there is no one left to tell
#endif
}

// A progress line may be on the screen.
bool on_a_terminal() {
#ifdef _WIN32
  return _isatty(2) != 0;
#else
  return ::isatty(STDERR_FILENO) == 1;
#endif
}

}  // namespace

void name_program(std::string_view name) { program[name.copy(program.data(), program.size() - 1)] = '\0'; }

void say_last_words(const char* signal) {
  remove_unfinished_files();
  if (on_a_terminal()) put("\r\033[K");
  for (const char* words :
       {static_cast<const char*>(program.data()), ": ended by ", signal, "; no half-written file is left\n"})
    put(words);
}

}  // namespace orrery
