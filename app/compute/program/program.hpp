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
#include <optional>
#include <string>
#include <vector>

#include "compute/device/device.hpp"
#include "compute/device/work_group.hpp"
#include "compute/program/kernel_sources.hpp"
#include "compute/program/own_programs.hpp"

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

/// Where a program comes from.
struct ProgramOrigin {
  std::string file;
  bool edited = false;  ///< that file, or one that it includes, is a person's and not the installation's
};

/// Throws Error when a kernel of `old` is missing in `fresh`, or takes another number of arguments there.
void check_replaceable(const Program& old, const Program& fresh);

/// Builds on the calling thread; any thread, several at once.
class ProgramLibrary {
 public:
  /// `cache` may be empty: nothing is kept then.
  ProgramLibrary(const Device& device, KernelSources sources, std::filesystem::path cache);
  /// Of the sources that are in use (kernel_sources()).
  explicit ProgramLibrary(const Device& device);

  /// Throws Error with the compiler's log when the build fails.
  std::shared_ptr<const Program> build(const ProgramSpec& spec);
  /// From other sources, before they are in use. What is built of them is at hand when they are.
  std::shared_ptr<const Program> build(const ProgramSpec& spec, const KernelSources& sources);
  /// What has been built of the sources that are in use.
  std::vector<ProgramSpec> built() const;
  /// Programs of other sources than those in use are not kept any longer.
  void forget_others();
  /// Of a program that was built here; nothing for another.
  std::optional<ProgramOrigin> origin_of(cl_program program) const;

  const Device& device() const { return device_; }

 private:
  using Key = std::pair<ProgramSpec, std::string>;  // with its include-expanded source

  std::string options_for(const ProgramSpec& spec) const;
  std::filesystem::path cache_file(const ProgramSpec& spec, const std::string& source) const;
  std::shared_ptr<const Program> build_from_source(const ProgramSpec& spec, const std::string& source) const;
  std::shared_ptr<const KernelSources> sources() const { return own_sources_ ? own_sources_ : kernel_sources(); }
  std::vector<Key> built_keys(bool in_use) const;

  Device device_;
  OwnPrograms own_{device_.info()};
  std::shared_ptr<const KernelSources> own_sources_;  // null: those in use
  std::filesystem::path cache_;
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Program>> built_;
  std::map<cl_program, ProgramOrigin> origins_;
};

}  // namespace orrery
