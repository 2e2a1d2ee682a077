/// What is known of one candidate of a sweep; a plain snapshot, free of OpenCL.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/statistics.hpp"
#include "compute/tuning/tune_space.hpp"

namespace orrery {

enum class TuneState {
  waiting,    ///< not built yet
  measuring,  ///< right, and being timed
  measured,   ///< right, and timed well enough
  slower,     ///< right, and clearly slower than another
  rejected,   ///< does not build, or does not fit the device
  failed,     ///< ended in an error
  wrong,      ///< computes something else
};
std::string_view name_of(TuneState state);
std::optional<TuneState> tune_state(std::string_view name);

struct TuneEntry {
  TuneValues values;
  TuneState state = TuneState::waiting;
  std::string reason = {};  ///< why it was rejected, failed or is wrong
  bool keeps_bits = true;
  std::vector<double> seconds = {};  ///< of each timed run
  double median = 0;                 ///< of them; 0 when there are none
  Interval interval = {};            ///< of the median, with 95 % confidence

  bool right() const {
    return state == TuneState::measuring || state == TuneState::measured || state == TuneState::slower;
  }
  /// Takes the statistics of `seconds`.
  void summarise() {
    median = seconds.empty() ? 0 : orrery::median(seconds);
    interval = median_interval(seconds);
  }
};

}  // namespace orrery
