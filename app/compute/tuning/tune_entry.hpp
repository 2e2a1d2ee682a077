/// The record of one candidate of a sweep; a plain snapshot without OpenCL.
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
  measuring,  ///< correct, and being timed
  measured,   ///< correct, and timed precisely enough
  slower,     ///< correct, and clearly slower than another
  rejected,   ///< does not build, or does not fit the device
  failed,     ///< ended in an error
  wrong,      ///< computes a wrong result
};
std::string_view name_of(TuneState state);
std::optional<TuneState> tune_state(std::string_view name);

struct TuneEntry {
  TuneValues values;
  TuneState state = TuneState::waiting;
  std::string reason = {};  ///< why it was rejected, failed or is wrong
  bool keeps_bits = true;
  std::vector<double> seconds = {};  ///< of each timed run
  double median = 0;                 ///< 0 if there are none
  Interval interval = {};            ///< of the median, with 95 % confidence

  bool right() const {
    return state == TuneState::measuring || state == TuneState::measured || state == TuneState::slower;
  }
  /// Computes the statistics of `seconds`.
  void summarise() {
    median = seconds.empty() ? 0 : orrery::median(seconds);
    interval = median_interval(seconds);
  }
};

}  // namespace orrery
