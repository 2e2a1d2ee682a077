/// What a tuner searches: axes with their values. Plain data, free of OpenCL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

/// A value for each axis, in their order.
using TuneValues = std::vector<std::int64_t>;
/// The same by the axes' names, each as text: what files keep.
using NamedTuneValues = std::map<std::string, std::string, std::less<>>;

struct TuneAxis {
  std::string name;                     ///< "work-group"
  std::vector<std::int64_t> values;     ///< without repetition
  std::vector<std::string> names = {};  ///< of the values, where they are no numbers

  std::string text(std::int64_t value) const;
  std::optional<std::int64_t> value(std::string_view text) const;
};

/// The powers of two from `least` to `most`, and the standard value.
TuneAxis powers_of_two(std::string name, std::size_t least, std::size_t most, std::size_t standard);

struct TuneSpace {
  std::vector<TuneAxis> axes;

  std::size_t points() const;
  /// `index` < points(); the last axis turns fastest.
  TuneValues point(std::size_t index) const;
  /// All that differ from `values` at most along this axis.
  std::vector<TuneValues> line(const TuneValues& values, std::size_t axis) const;

  /// "forces gather, work-group 128"
  std::string text(const TuneValues& values) const;
  NamedTuneValues named(const TuneValues& values) const;
  /// Nothing when an axis or its value is none of this space.
  std::optional<TuneValues> values(const NamedTuneValues& named) const;
  /// `values` with those of the named axes instead. Throws a usage Error that names the axis and what it allows.
  TuneValues overlaid(TuneValues values, const NamedTuneValues& named) const;
  /// As well, with the values of `values` alone on all but the axes named. Unknown ones are ignored.
  TuneSpace restricted(const TuneValues& values, const std::vector<std::string>& swept) const;
  /// Of the axis of that name. Throws std::out_of_range when there is none.
  std::int64_t get(const TuneValues& values, std::string_view axis) const;
};

}  // namespace orrery
