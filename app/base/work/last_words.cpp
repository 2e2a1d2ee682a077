#include "base/work/last_words.hpp"

#include <array>

#include "base/files/unfinished_file.hpp"
#include "base/platform/signals.hpp"

namespace orrery {
namespace {

std::array<char, 64> program{"orrery"};

void put_line(const char* beginning, const char* middle, const char* end) {
  if (platform::standard_error_is_a_terminal()) platform::put_on_standard_error("\r\033[K");  // a progress line
  for (const char* words : {static_cast<const char*>(program.data()), beginning, middle, end})
    platform::put_on_standard_error(words);
}

}  // namespace

void name_program(std::string_view name) { program[name.copy(program.data(), program.size() - 1)] = '\0'; }

void say_last_words(const char* signal) {
  remove_unfinished_files();
  put_line(": ended by ", signal, "; no half-written file is left\n");
}

void promise_to_end(const char* last_work) {
  put_line(": the command ends after ", last_work, "; press Ctrl+C again to end it now\n");
}

}  // namespace orrery
