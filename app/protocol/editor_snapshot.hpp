/// What the panels see of the kernel editor: plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/program/build_log.hpp"

namespace orrery {

/// A file of the installation that a person may run a version of their own of.
struct KernelFile {
  std::string name;
  bool modified = false;  ///< programs are built from the edited text
  bool building = false;  ///< the text that was saved last is being built
  bool refused = false;   ///< … or does not build; what ran before goes on
  bool offered = false;   ///< an edited copy of an earlier session, not in use
  std::string unkept;     ///< why the text that was saved last is nowhere on disk; empty when it is
};

struct EditorSnapshot {
  std::vector<KernelFile> files;
  std::string folder;                           ///< of the edited copies
  std::string open;                             ///< the file that is shown; empty when none is
  std::shared_ptr<const std::string> text;      ///< of it as saved; null until it has been read
  std::shared_ptr<const std::string> original;  ///< the installation's
  std::uint64_t revision = 0;                   ///< another text than before, and not because the panel has saved it
  std::vector<CompilerMessage> messages;        ///< of the last build
  std::string log;

  /// Names of the modified files, "a.cl, b.clh"; empty when there is none.
  std::string modified_names() const {
    std::string names;
    for (const KernelFile& file : files)
      if (file.modified) names += (names.empty() ? "" : ", ") + file.name;
    return names;
  }
};

}  // namespace orrery
