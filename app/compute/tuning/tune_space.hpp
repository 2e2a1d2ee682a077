/// The search space of tuning: axes with their values, and the records of its candidates. Plain data, without OpenCL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/statistics.hpp"

namespace orrery {

/// One value per axis, in their order.
using TuneValues = std::vector<std::int64_t>;
/// The same as texts by name, for files.
using NamedTuneValues = std::map<std::string, std::string, std::less<>>;

struct TuneAxis {
  std::string name;                     ///< "work-group"
  std::vector<std::int64_t> values;     ///< without repetition
  std::vector<std::string> names = {};  ///< names of the values, if they are not numbers

  std::string text(std::int64_t value) const;
  std::optional<std::int64_t> value(std::string_view text) const;
};

/// The powers of two from `least` to `most`, and the standard value.
TuneAxis powers_of_two(std::string name, std::size_t least, std::size_t most, std::size_t standard);

struct TuneSpace {
  std::vector<TuneAxis> axes;

  std::size_t points() const;
  /// `index` < points(); the last axis changes fastest.
  TuneValues point(std::size_t index) const;
  /// All points that differ from `values` only along this axis.
  std::vector<TuneValues> line(const TuneValues& values, std::size_t axis) const;

  /// "forces gather, work-group 128"
  std::string text(const TuneValues& values) const;
  NamedTuneValues named(const TuneValues& values) const;
  /// Nothing if an axis or a value is unknown.
  std::optional<TuneValues> values(const NamedTuneValues& named) const;
  /// `values` with new values for the named axes. Throws a usage Error with the axis and its values.
  TuneValues overlaid(TuneValues values, const NamedTuneValues& named) const;
  /// The space restricted to `values`, except along the axes named. Unknown names are ignored.
  TuneSpace restricted(const TuneValues& values, const std::vector<std::string>& swept) const;
  /// The value of the named axis. Throws std::out_of_range if it is unknown.
  std::int64_t get(const TuneValues& values, std::string_view axis) const;
};

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

/// The record of one candidate of a sweep.
struct TuneEntry {
  TuneValues values;
  TuneState state = TuneState::waiting;
  std::string reason = {};  ///< why it was rejected, failed or is wrong
  bool keeps_bits = true;
  std::vector<double> seconds = {};  ///< seconds of each timed run
  double median = 0;                 ///< 0 if there are none
  Interval interval = {};            ///< 95 % confidence interval of the median

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
