/// The search space of tuning: axes with their values. Plain data, without OpenCL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace orrery
