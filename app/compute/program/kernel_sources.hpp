/// The texts of the kernel files: the installed ones, some of them replaced by edits.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"

namespace orrery {

/// The size limit of kernel files.
inline constexpr FileKind kernel_kind{"a kernel", 1 << 20};

/// Immutable; any thread. Only the edits are in memory; other files are read from disk each time.
class KernelSources {
 public:
  using Edits = std::map<std::string, std::string>;  ///< texts by file name

  /// `folder` and its subfolders hold the originals. Implicit, because a folder is a set of sources.
  KernelSources(std::filesystem::path folder, Edits edits = {});

  const std::filesystem::path& folder() const { return folder_; }
  const Edits& edits() const { return edits_; }
  bool is_edited(const std::string& file) const { return edits_.contains(file); }
  /// Throws Error when there is no such file.
  std::string text(const std::string& file) const;
  /// The compiler's input: the file with its includes, once each, and #line directives.
  std::string expanded(const std::string& file) const;
  /// The file and all files that it includes.
  std::vector<std::string> parts(const std::string& file) const;

 private:
  std::filesystem::path folder_;
  Edits edits_;
};

/// The file that a line of a kernel file includes.
std::optional<std::string> included_file(std::string_view line);

/// A hash of the include-expanded text of several files; it changes with any of them or of their includes.
std::string source_hash(const KernelSources& sources, std::span<const std::string> files);

/// The sources in use: the installed ones until use_kernel_sources(). Any thread.
std::shared_ptr<const KernelSources> kernel_sources();
/// Called by the window's kernel editor only.
void use_kernel_sources(std::shared_ptr<const KernelSources> sources);

}  // namespace orrery
