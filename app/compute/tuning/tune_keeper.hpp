/// Keeps what sweeps find in the user's file; writes on a worker thread, and tells once what cannot be written.
#pragma once

#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "compute/tuning/tuning_store.hpp"

namespace orrery {

/// One thread.
class TuneKeeper {
 public:
  /// Reads the file. Where it is damaged, `messages` tells.
  explicit TuneKeeper(std::vector<std::string>& messages, std::filesystem::path path = TuningStore::default_path());

  const TuningStore& store() const { return store_; }
  /// In place of what there is of the same question; begins to write. What others have written meanwhile stays.
  void keep(StoredSweep sweep);
  bool saving() const { return saving_.busy(); }
  /// Why nothing is kept any more, once.
  std::string poll();
  /// Waits until everything is written; as poll().
  std::string finish();

 private:
  std::filesystem::path path_;
  TuningStore store_;
  std::vector<StoredSweep> mine_;  // found here
  Background<std::string> saving_;
  bool failed_ = false;
};

}  // namespace orrery
