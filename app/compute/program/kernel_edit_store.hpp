/// A person's edited copies of kernel files, in a folder of theirs. The installation's own files are never written.
///
/// Touches the disk in every call: a worker's. A value; any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compute/program/kernel_sources.hpp"

namespace orrery {

class KernelEditStore {
 public:
  /// An empty `folder` keeps nothing.
  KernelEditStore(std::filesystem::path originals, std::filesystem::path folder)
      : originals_(std::move(originals)), folder_(std::move(folder)) {}
  /// kernels/ in the user's data folder.
  static std::filesystem::path default_folder();

  const std::filesystem::path& originals() const { return originals_; }
  const std::filesystem::path& folder() const { return folder_; }
  /// The files of the installation, by name.
  std::vector<std::string> files() const;
  /// Every copy of one of them that there is and that differs from it. A copy that cannot be read, or is longer than
  /// any kernel, is none.
  KernelSources::Edits read() const;
  /// Keeps a copy. Throws Error: no such file, no folder, a full disk.
  void write(const std::string& file, const std::string& text) const;
  /// No copy any more: what there was lies beside it, with a ~ after its name. Throws Error.
  void remove(const std::string& file) const;
  /// Where the copy is, which is made from the original when there is none. Throws Error.
  std::filesystem::path copy_of(const std::string& file) const;
  /// The newest change of any file of the installation.
  std::filesystem::file_time_type newest_original() const;

 private:
  std::filesystem::path checked_path(const std::string& file) const;

  std::filesystem::path originals_, folder_;
};

}  // namespace orrery
