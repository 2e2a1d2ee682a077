/// What `orrery tune` prints and writes of one sweep, whether it has just ended or was kept.
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
  TuneValues standard, best, choice;  ///< `best` and `choice` are empty where nothing was timed
  bool complete = false, exhaustive = false, host_times = false;
  double seconds = 0;      ///< that the sweep took now
  std::string fault = {};  ///< why the default cannot be used
  std::string note = {};   ///< where the numbers come from
};

/// Of what was kept.
TuneReport report_of(const StoredSweep& stored, const TuneTarget& target);
TuneReport report_of(const Sweep& sweep, const TuneTarget& target);

/// To standard output.
void print(const TuneReport& report);
nlohmann::ordered_json as_json(const TuneReport& report);

}  // namespace orrery::cli
