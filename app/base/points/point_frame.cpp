#include "base/points/point_frame.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 6> vector_names{"x", "y", "z", "vx", "vy", "vz"};

PointVector vector_at(const PointFrame& frame, std::size_t first) {
  PointVector vector{};
  for (std::size_t axis = 0; axis < vector.size(); ++axis) {
    vector[axis] = find_column(frame, vector_names[first + axis]);
    if (vector[axis] == nullptr) throw failure("points without " + std::string(vector_names[first + axis]));
  }
  return vector;
}

}  // namespace

const PointColumn* find_column(const PointFrame& frame, std::string_view name) {
  const auto found = std::ranges::find(frame.columns, name, &PointColumn::name);
  return found == frame.columns.end() ? nullptr : &*found;
}

PointVector place_columns(const PointFrame& frame) { return vector_at(frame, 0); }
PointVector velocity_columns(const PointFrame& frame) { return vector_at(frame, 3); }

std::vector<const PointColumn*> scalar_columns(const PointFrame& frame) {
  std::vector<const PointColumn*> all;
  for (const PointColumn& column : frame.columns)
    if (column.kinds == nullptr && std::ranges::find(vector_names, column.name) == vector_names.end())
      all.push_back(&column);
  return all;
}

const PointColumn* kind_column(const PointFrame& frame) {
  const auto found = std::ranges::find_if(frame.columns, [](const PointColumn& c) { return c.kinds != nullptr; });
  return found == frame.columns.end() ? nullptr : &*found;
}

void check_finite(const PointFrame& frame) {
  for (const PointColumn& column : frame.columns)
    for (std::size_t i = 0; column.kinds == nullptr && i < frame.count; ++i)
      if (!std::isfinite(column[i]))
        throw failure(column.name + " of point " + std::to_string(i + 1) + " became " + shortest(column[i]) +
                      " at step " + std::to_string(frame.step));
}

}  // namespace orrery
