/// Programs: kernels specialised by definitions, built once, cached on disk.
///
/// A program is named by its source file and a sorted list of -D definitions. Sources may #include the .clh files
/// beside them. Binaries are cached under a key of platform, device, driver, options and include-expanded source;
/// any doubt rebuilds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/device/device.hpp"
#include "compute/device/device_info.hpp"
#include "compute/device/work_group.hpp"
#include "compute/program/kernel_sources.hpp"

namespace orrery {

/// PoCL before 6.0 ends the process if two queues run one kernel, with equal work-group sizes, from different offsets
/// or over a wider range for the first time: pocl_release_dlhandle_cache() then releases the other queue's machine code
/// (lib/CL/devices/common.c). 3.1 counts each use twice, so there it happens only between those two counts: in 22 of
/// 600 runs of 500 bodies on two devices. Program libraries that exist at the same time must therefore not share
/// programs.
bool confuses_queues(const DeviceInfo& info);

/// The lowest unused number; 0 for drivers without that fault. Any thread.
class OwnPrograms {
 public:
  explicit OwnPrograms(const DeviceInfo& info);
  ~OwnPrograms();
  OwnPrograms(const OwnPrograms&) = delete;
  OwnPrograms& operator=(const OwnPrograms&) = delete;

  /// A compiler option, after a blank, that makes the program distinct from others of the same source. Empty if none is
  /// needed.
  std::string option() const { return number_ == 0 ? std::string() : " -D OWN_PROGRAMS=" + std::to_string(number_); }

 private:
  int number_ = 0;
};

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

  /// A new kernel object; its arguments are independent of other kernels'.
  cl::Kernel kernel(const char* entry) const;
};

/// A build, successful or not.
struct BuildRecord {
  std::string source, options;
  std::string log;    ///< compiler's log; empty: binary from the disk
  std::string fault;  ///< empty if it succeeded
  double seconds = 0;
  bool from_cache = false;
};

/// The origin of a program.
struct ProgramOrigin {
  std::string file;
  bool edited = false;  ///< the file, or one of its includes, was edited by the user
};

/// Throws an Error if a kernel of `old` is missing in `fresh` or has another number of arguments there.
void check_replaceable(const Program& old, const Program& fresh);

/// A step of a build, taken by this process or by the compiler process (compiler.hpp). Throws an Error with the
/// compiler's log. `name` is for messages.
cl::Program compiled_here(const Device& device, const std::string& name, const std::string& options,
                          const std::string& source);
/// True for PoCL, which caches the code of each kernel for each size of work-group. Asking it for a binary compiles
/// generic variants of all kernels that are never run, which doubles the time of the first start.
bool keeps_code_itself(const DeviceInfo& info);
/// The program as the driver saves it; empty if the driver returns none.
std::vector<unsigned char> binary_of(const cl::Program& program);
/// The build log with the places of the #line directives, without trailing white space.
std::string log_of(const cl::Program& program, const Device& device, const std::string& source);

/// Builds on the calling thread; any thread, several at once.
class ProgramLibrary {
 public:
  /// An empty `cache` stores nothing.
  ProgramLibrary(const Device& device, KernelSources sources, std::filesystem::path cache);
  /// Builds from the sources in use (kernel_sources()).
  explicit ProgramLibrary(const Device& device);

  /// Throws Error with the compiler's log when the build fails.
  std::shared_ptr<const Program> build(const ProgramSpec& spec);
  /// Builds from other sources before they are in use, so that the programs are ready when they are.
  std::shared_ptr<const Program> build(const ProgramSpec& spec, const KernelSources& sources);
  /// Calls `watch` after each new build of this library, on the building thread. Call before the first build.
  void watch_builds(std::function<void(const BuildRecord&)> watch) { watch_ = std::move(watch); }
  /// All programs built from the sources in use.
  std::vector<ProgramSpec> built() const;
  /// The number of programs built so far.
  std::size_t count() const;
  /// Identifies a program of a library: its specification and include-expanded source.
  using Key = std::pair<ProgramSpec, std::string>;
  static Key key_of(const ProgramSpec& spec, const KernelSources& sources);
  Key key_of(const ProgramSpec& spec) const { return key_of(spec, *sources()); }
  /// True if the program has been built.
  bool has(const Key& key) const;
  /// Forgets programs of sources that are not in use.
  void forget_others();
  /// The origin of a program built here; nothing for others.
  std::optional<ProgramOrigin> origin_of(cl_program program) const;

  const Device& device() const { return device_; }

 private:
  std::string options_for(const ProgramSpec& spec) const;
  std::filesystem::path cache_file(const ProgramSpec& spec, const std::string& source) const;
  std::shared_ptr<const Program> build_from_source(const ProgramSpec& spec, const std::string& source,
                                                   bool edited) const;
  Program newly_built(const ProgramSpec& spec, const std::string& source, bool edited) const;
  std::shared_ptr<const KernelSources> sources() const { return own_sources_ ? own_sources_ : kernel_sources(); }
  std::vector<Key> built_keys(bool in_use) const;

  Device device_;
  OwnPrograms own_{device_.info()};
  std::shared_ptr<const KernelSources> own_sources_;  // null: the sources in use
  std::filesystem::path cache_;
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Program>> built_;
  std::map<cl_program, ProgramOrigin> origins_;
  std::function<void(const BuildRecord&)> watch_;
};

/// Cached programs, one file each; any thread, any number of processes. The content of `file` under exactly this key,
/// if it is complete; otherwise nothing. `file` may be empty.
std::optional<std::vector<unsigned char>> read_binary(const std::filesystem::path& file, std::string_view key);

/// Never throws: a cache that cannot be written only costs time. The first call of a process cleans the
/// folder.
void write_binary(const std::filesystem::path& file, std::string_view key, const std::vector<unsigned char>& binary);

/// If the folder exceeds `most_bytes`, removes the least recently used programs until half of it is left, and
/// incomplete files older than a day. Never throws.
void tidy_binaries(const std::filesystem::path& folder, std::uintmax_t most_bytes);

}  // namespace orrery
