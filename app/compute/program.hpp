/// Programs: kernels specialised by definitions, built once, kept on disk.
///
/// A program is named by its source file and a sorted list of -D definitions. Sources may #include the .clh files
/// beside them. Binaries are cached under a key of platform, device, driver, options and include-expanded source;
/// any doubt rebuilds.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "compute/device.hpp"
#include "compute/work_group.hpp"

namespace orrery {

struct ProgramSpec {
  std::string source;                              ///< "nbody.cl", relative to the kernel folder
  std::map<std::string, std::string> definitions;  ///< -D NAME=VALUE
  std::string options = {};                        ///< further compiler options: "-cl-fast-relaxed-math"
  auto operator<=>(const ProgramSpec&) const = default;
};

struct Program {
  cl::Program handle;
  std::string log;  ///< warnings of a successful build
  bool from_cache = false;
  double build_seconds = 0;

  /// A kernel object of its own: arguments set on it are nobody else's.
  cl::Kernel kernel(const char* entry) const;
};

/// Of the include-expanded text of several files of that folder; changes when any of them, or what it includes, does.
std::string source_hash(const std::filesystem::path& kernels, std::span<const std::string> files);

/// Builds on the calling thread; any thread, several at once.
class ProgramLibrary {
 public:
  /// `cache` may be empty: nothing is kept then.
  ProgramLibrary(const Device& device, std::filesystem::path kernels, std::filesystem::path cache);
  explicit ProgramLibrary(const Device& device);

  /// Throws Error with the compiler's log when the build fails.
  std::shared_ptr<const Program> build(const ProgramSpec& spec);

  /// The include-expanded text of a source file.
  std::string expanded_source(const std::string& source) const;
  /// The newest change of any file in the kernel folder, for hot reload; file_time_type::min() where there is none.
  std::filesystem::file_time_type newest_change() const;

  const Device& device() const { return device_; }

 private:
  std::filesystem::path cache_file(const ProgramSpec& spec, const std::string& source) const;
  std::shared_ptr<const Program> build_from_source(const ProgramSpec& spec, const std::string& source) const;

  Device device_;
  std::filesystem::path kernels_;
  std::filesystem::path cache_;
  std::mutex mutex_;
  std::map<std::pair<ProgramSpec, std::string>, std::shared_ptr<const Program>> built_;
};

}  // namespace orrery
