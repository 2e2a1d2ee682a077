/// The user's edited copies of kernel files, in a folder of the user. The installed files are never written.
///
/// Every call accesses the disk, so workers use it. A value; any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compute/program/kernel_sources.hpp"

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

}  // namespace orrery
