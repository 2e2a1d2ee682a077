/// The text of the kernels' files: the installation's, or a person's instead of some of them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// Immutable; any thread. Only what a person has edited is in memory: the rest is read from disk each time.
class KernelSources {
 public:
  using Edits = std::map<std::string, std::string>;  ///< texts by file name

  /// `folder` holds the originals. Implicit: a folder is the sources of it.
  KernelSources(std::filesystem::path folder, Edits edits = {});

  const std::filesystem::path& folder() const { return folder_; }
  const Edits& edits() const { return edits_; }
  bool is_edited(const std::string& file) const { return edits_.contains(file); }
  /// Throws Error when there is no such file.
  std::string text(const std::string& file) const;
  /// What a compiler is given: with what the file includes, once each, and #line so that messages name these files.
  std::string expanded(const std::string& file) const;
  /// The file, and all that it includes.
  std::vector<std::string> parts(const std::string& file) const;

 private:
  std::filesystem::path folder_;
  Edits edits_;
};

/// Of the include-expanded text of several files; changes when any of them, or what it includes, does.
std::string source_hash(const KernelSources& sources, std::span<const std::string> files);

/// The sources that programs are built from now: the installation's until somebody uses others. Any thread.
std::shared_ptr<const KernelSources> kernel_sources();
/// The window's kernel editor says so, and nobody else.
void use_kernel_sources(std::shared_ptr<const KernelSources> sources);

}  // namespace orrery
