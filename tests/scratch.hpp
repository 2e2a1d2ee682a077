/// Names in the temporary folder that no other test process uses: CTest runs several at once.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <system_error>

#include "base/platform/process.hpp"

namespace orrery {

/// Returns such a name. The process removes the files and folders with these names when it ends. One thread.
inline std::filesystem::path scratch(const std::string& name) {
  struct Used {
    decltype(platform::process_number()) process = platform::process_number();
    std::set<std::filesystem::path> paths;
    ~Used() {
      std::error_code ignored;
      if (process != platform::process_number()) return;  // in a forked child
      for (const std::filesystem::path& path : paths) std::filesystem::remove_all(path, ignored);
    }
  };
  static Used used;
  const std::string process = std::to_string(platform::process_number());
  return *used.paths.insert(std::filesystem::temp_directory_path() / ("orrery-" + process + "-" + name)).first;
}

}  // namespace orrery
