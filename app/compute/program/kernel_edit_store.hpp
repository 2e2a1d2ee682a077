/// The user's edited copies of kernel files, in a folder of the user, and trial builds of them: an edit that does not
/// build leaves the running kernels unchanged. The installed files are never written.
///
/// Every call accesses the disk, so workers use it. A value; any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/program/build_log.hpp"
#include "compute/program/kernel_sources.hpp"
#include "compute/program/program.hpp"

namespace orrery {

class KernelEditStore {
 public:
  /// An empty `folder` stores nothing.
  KernelEditStore(std::filesystem::path originals, std::filesystem::path folder)
      : originals_(std::move(originals)), folder_(std::move(folder)) {}
  /// kernels/ in the user's data folder.
  static std::filesystem::path default_folder();

  const std::filesystem::path& folder() const { return folder_; }
  /// The installed kernel files, by name, from the folder and its subfolders.
  std::vector<std::string> files() const;
  /// All copies that differ from the installed file. Copies that cannot be read or are longer than any kernel are
  /// ignored.
  KernelSources::Edits read() const;
  /// Saves a copy. Throws an Error: unknown file, no folder, a full disk.
  void write(const std::string& file, const std::string& text) const;
  /// Removes the copy; the old text stays beside it with a ~ after its name. Throws Error.
  void remove(const std::string& file) const;
  /// The path of the installed file.
  std::filesystem::path original_of(const std::string& file) const;
  /// The path of the copy, which is created from the original if necessary. Throws Error.
  std::filesystem::path copy_of(const std::string& file) const;
  /// The time of the newest change of any installed kernel file.
  std::filesystem::file_time_type newest_original() const;

 private:
  std::filesystem::path checked_path(const std::string& file) const;

  std::filesystem::path originals_, folder_;
};

struct KernelTrial {
  /// The edits with which all their programs build and keep their kernels.
  std::shared_ptr<const KernelSources> accepted;
  KernelSources::Edits refused;           ///< the other edits; an accepted older edit of the file stays
  std::vector<CompilerMessage> messages;  ///< errors of the refused edits, and warnings of the others
  std::string log;                        ///< all output of the compilers
};

/// Builds every program, of those built so far on these devices, that `wanted` changes compared with the edits in use.
/// Waits for compilers, so workers call it. `present`: the sources in use.
KernelTrial try_kernels(std::span<ProgramLibrary* const> devices, const KernelSources& present,
                        const KernelSources::Edits& wanted);

}  // namespace orrery
