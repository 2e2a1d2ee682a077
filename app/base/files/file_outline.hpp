/// The kind of a file, decided once: by its content, and by its name only if the content is inconclusive. Plain values;
/// any thread.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace orrery {

struct FileOutline {
  std::filesystem::path path;
  bool holds_state = false;  ///< TOML of tables alone, or a picture or an archive that carries a state
  /// The top level of TOML: [names], [[names]] and names of values.
  std::set<std::string, std::less<>> tables = {}, lists = {}, values = {};
};

/// `named`: extensions of files that are not TOML, whatever their content. Throws a usage Error for a .toml file that
/// is no TOML, and for a file that cannot be read.
FileOutline outline_of(const std::filesystem::path& path, const std::set<std::string, std::less<>>& named);

}  // namespace orrery
