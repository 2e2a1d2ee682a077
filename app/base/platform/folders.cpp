#include "base/platform/folders.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace orrery::platform {
namespace fs = std::filesystem;

// NAME="$HOME/Pictures" or NAME="/absolute", as xdg-user-dirs writes it; a backslash precedes a sign that a shell
// reads.
fs::path user_directory(std::string_view user_dirs, std::string_view name, const fs::path& home) {
  constexpr std::string_view in_home = "$HOME";
  std::istringstream lines{std::string(user_dirs)};
  fs::path found;
  for (std::string line; std::getline(lines, line);) {
    std::string_view rest = line;
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    if (!rest.starts_with("=\"")) continue;
    std::string value;
    for (std::size_t i = 2; i < rest.size() && rest[i] != '"'; ++i) {
      if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
      value += rest[i];
    }
    if (value.starts_with('/')) found = value;
    if (value == in_home || value.starts_with("$HOME/")) found = home.string() + value.substr(in_home.size());
  }
  return found;
}

}  // namespace orrery::platform
