/// The archive that a run without a window keeps of its past (files/run_archive.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenes/nbody/files/run_archive.hpp"

namespace orrery::cli {

/// One thread.
class Archiving {
 public:
  /// `file`: for the states; empty: none is kept. Every so many steps, 0: so many that a whole run keeps about 200.
  Archiving(std::string file, std::int64_t every);

  /// Where `from` is the archive itself, it grows behind the state that the run continues from; `entry` ends there.
  void continue_behind(const std::string& from, const ArchiveEntry& entry);
  /// At the end of a burst, of a run of `steps` steps in all.
  bool due(std::int64_t step, std::int64_t steps) const;
  /// A state of a later step than all before is appended. Throws Error.
  void keep(const NbodyRunState& state);
  void finish();

 private:
  std::string file_;
  std::int64_t every_;
  std::optional<std::int64_t> last_;    // step that is in the archive
  std::optional<std::uint64_t> whole_;  // of an archive that is continued, in bytes
  std::optional<RunArchiveWriter> writer_;
};

}  // namespace orrery::cli
