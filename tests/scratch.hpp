/// A name in the temporary folder that no other test process uses: CTest runs several at once.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace orrery {

inline std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("orrery-" + std::to_string(::getpid()) + "-" + name);
}

}  // namespace orrery
