/// The file that keeps the state of a run, every few seconds and at its end, so that the run can be continued.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenes/nbody/files/run_state.hpp"

namespace orrery::cli {

/// A new file in the state folder, or among temporary files; empty where there is neither.
std::string new_state_file(const char* name);

class Checkpoint {
 public:
  /// `file`: for the states of the run; empty: none is kept. If it cannot be written and is not `required`, the run
  /// continues with a warning. `from`: the state that the run continues from; empty: a new run.
  Checkpoint(std::string file, bool required, std::string from);

  /// Reads the state to continue from. Warns where it is of a format without checksums.
  NbodyRunState read();
  /// The run continues from this step. Its file, evidence of a wrong continuation, is kept until a later step.
  void continue_from(std::int64_t step) { first_step_ = step; }
  /// True if a save is due; saves take at most a twentieth of the time. False without a file.
  bool due(double now) const { return !file_.empty() && now >= due_; }
  /// True if a state of this step is to be kept.
  bool takes(std::int64_t step) const { return !file_.empty() && (!in_place_ || step > first_step_); }

  /// False where the state could not be written. Passes on exceptions of `rows`.
  bool keep(const NbodyRunState& state, const RowSource& rows);
  /// True if the file has the state of this step.
  bool has(std::int64_t step) const { return kept_step_ == step; }
  /// The next save is due later, after one from `began` to `ended`, in seconds.
  void took(double began, double ended);
  /// Keeps the last state of a run that failed, in another file where that is necessary. Returns its path.
  std::string keep_last(const NbodyRunState& state);

  const std::string& file() const { return file_; }

 private:
  std::string copy_of_old() const { return from_ + ".1"; }
  void write(const NbodyRunState& state, const RowSource& rows = {});

  std::string file_;
  bool required_;
  std::string from_;
  bool in_place_ = false;  // file_ is the file from_
  std::optional<std::int64_t> kept_step_;
  std::int64_t first_step_ = 0;
  bool copies_old_ = false;  // before replacing it: it has no checksum
  double due_ = 0;
};

}  // namespace orrery::cli
