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
  /// `file`: for the states; empty: none is kept. `every`: steps between states; 0: a run keeps about 200 states.
  Archiving(std::string file, std::int64_t every);

  /// If `from` is the archive itself, new states follow `entry`, from which the run continues.
  void continue_behind(const std::string& from, const ArchiveEntry& entry);
  /// True if a state is due at the end of a burst; the run has `steps` steps in all.
  bool due(std::int64_t step, std::int64_t steps) const;
  /// Appends a state, of a later step than all before. Throws Error.
  void keep(const NbodyRunState& state);
  void finish();

 private:
  std::string file_;
  std::int64_t every_;
  std::optional<std::int64_t> last_;    // last step in the archive
  std::optional<std::uint64_t> whole_;  // bytes of the states of a continued archive
  std::optional<RunArchiveWriter> writer_;
};

}  // namespace orrery::cli
