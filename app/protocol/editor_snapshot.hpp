/// State of the kernel editor for the panels. Plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/program/build_log.hpp"

namespace orrery {

/// A kernel file of the installation that a person may edit.
struct KernelFile {
  std::string name;
  bool modified = false;  ///< programs are built from the edited text
  bool building = false;  ///< the text that was saved last is being built
  bool refused = false;   ///< it does not build; the previous kernels keep running
  bool offered = false;   ///< an unused edited copy from an earlier session exists
  std::string unkept;     ///< why the last saved text is not on disk; empty: it is
};

struct EditorSnapshot {
  std::vector<KernelFile> files;
  std::string folder;                           ///< folder of the edited copies
  std::string open;                             ///< the shown file; empty: none
  std::shared_ptr<const std::string> text;      ///< its saved text; null until it has been read
  std::shared_ptr<const std::string> original;  ///< the installation's text
  std::uint64_t revision = 0;                   ///< grows when the text changes other than by saving
  std::vector<CompilerMessage> messages;        ///< messages of the last build
  std::string log;

  /// Names of the modified files, "a.cl, b.clh"; empty: none.
  std::string modified_names() const {
    std::string names;
    for (const KernelFile& file : files)
      if (file.modified) names += (names.empty() ? "" : ", ") + file.name;
    return names;
  }
};

}  // namespace orrery
