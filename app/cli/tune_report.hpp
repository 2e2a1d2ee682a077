/// The output of `orrery tune` for one sweep, new or saved.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/tuning/tuning_store.hpp"

namespace orrery::cli {

struct TuneReport {
  TuneSubject subject;
  TuneSpace space;
  std::vector<TuneEntry> entries;
  TuneValues standard, best, choice;  ///< `best` and `choice` are empty if nothing was timed
  bool complete = false, exhaustive = false, host_times = false;
  double seconds = 0;      ///< duration of this run
  std::string fault = {};  ///< why the default cannot be used
  std::string note = {};   ///< the origin of the numbers
};

/// The report of a saved sweep.
TuneReport report_of(const StoredSweep& stored, const TuneTarget& target);
TuneReport report_of(const Sweep& sweep, const TuneTarget& target);

/// Prints to standard output.
void print(const TuneReport& report);
nlohmann::ordered_json as_json(const TuneReport& report);

}  // namespace orrery::cli
