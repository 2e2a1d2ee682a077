/// Saves the results of sweeps in the user's file, on a worker thread; reports a write failure once.
#pragma once

#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "compute/tuning/tuning_store.hpp"

namespace orrery {

/// One thread.
class TuneKeeper {
 public:
  /// Reads the file. Damage is reported in `messages`.
  explicit TuneKeeper(std::vector<std::string>& messages, std::filesystem::path path = TuningStore::default_path());

  const TuningStore& store() const { return store_; }
  /// Replaces the results for the same question and begins to write. Results of other processes stay.
  void keep(StoredSweep sweep);
  bool saving() const { return saving_.busy(); }
  /// Why results can no longer be saved, once.
  std::string poll();
  /// Waits until everything is written; returns like poll().
  std::string finish();

 private:
  std::filesystem::path path_;
  TuningStore store_;
  std::vector<StoredSweep> mine_;  // results of this process
  Background<std::string> saving_;
  bool failed_ = false;
};

}  // namespace orrery
