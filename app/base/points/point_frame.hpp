/// Points with named numbers at one moment, for writing to files of other programs. Refers to the numbers. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A number for each point, or the kind of each. The names x, y, z and vx, vy, vz are the place and the velocity.
struct PointColumn {
  std::string name;
  const double* numbers = nullptr;       ///< number of the first point
  std::size_t stride = 1;                ///< numbers from one point to the next
  const std::uint32_t* kinds = nullptr;  ///< instead of numbers: indices in PointFrame::kind_names

  double operator[](std::size_t point) const { return numbers[point * stride]; }
};

struct PointFrame {
  std::size_t count = 0;
  std::vector<PointColumn> columns = {};  ///< in the order of tables; x, y, z, vx, vy and vz are among them
  std::vector<std::string> kind_names = {};
  std::int64_t step = 0;
  double time = 0, softening = 0;
  std::optional<std::array<double, 3>> box = {};  ///< periodic box centred at the origin
  std::string_view units = {};                    ///< "AU, years, suns"; empty: none
};

/// Null if the frame has no such column.
const PointColumn* find_column(const PointFrame& frame, std::string_view name);
/// The three columns of a vector.
using PointVector = std::array<const PointColumn*, 3>;
PointVector place_columns(const PointFrame& frame);
PointVector velocity_columns(const PointFrame& frame);
/// The columns of numbers that are neither places nor velocities.
std::vector<const PointColumn*> scalar_columns(const PointFrame& frame);
/// The column of kinds; null: a single kind.
const PointColumn* kind_column(const PointFrame& frame);
/// Throws a failure that names the first number that is NaN or infinite.
void check_finite(const PointFrame& frame);

}  // namespace orrery
