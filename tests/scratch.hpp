/// A name in the temporary folder that no other test process uses: CTest runs several at once.
#pragma once

#include <filesystem>
#include <string>

#include "base/platform/process.hpp"

namespace orrery {

inline std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("orrery-" + std::to_string(platform::process_number()) + "-" + name);
}

}  // namespace orrery
