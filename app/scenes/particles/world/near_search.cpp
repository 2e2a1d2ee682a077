#include "scenes/particles/world/near_search.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::particles {
namespace {

constexpr double most_cells = 1 << 20;    // per axis: a box may be much wider than the search distance
constexpr double farthest_cell = 0x1p40;  // in open space

/// Rounded down and limited to the range; NaN becomes its lower end.
std::int64_t whole(double value, double low, double high) {
  return static_cast<std::int64_t>(value >= low ? std::min(std::floor(value), high) : low);
}

}  // namespace

double distance2(const Box& box, const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double d = a[k] - b[k];
    if (box.periodic()) d -= (*box.lengths)[k] * std::rint(d / (*box.lengths)[k]);
    sum += d * d;
  }
  return sum;
}

void NearSearch::add(const Vector& at) {
  if (!(distance_ > 0)) return;  // no position is that near
  cells_[cell_of(at)].push_back(static_cast<std::uint32_t>(positions_.size()));
  positions_.push_back(at);
}

std::int64_t NearSearch::cells_along(std::size_t axis) const {
  return whole((*box_.lengths)[axis] / distance_, 1, most_cells);
}

NearSearch::Cell NearSearch::cell_of(const Vector& at) const {
  Cell cell{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (box_.periodic()) {
      const double turns = at[k] / (*box_.lengths)[k] + 0.5;
      const auto cells = static_cast<double>(cells_along(k));
      cell[k] = whole((turns - std::floor(turns)) * cells, 0, cells - 1);
    } else {
      cell[k] = whole(at[k] / distance_, -farthest_cell, farthest_cell);
    }
  }
  return cell;
}

NearSearch::Beside NearSearch::beside(std::size_t axis, std::int64_t cell) const {
  if (!box_.periodic()) return {{cell - 1, cell, cell + 1}, 3};
  const std::int64_t cells = cells_along(axis);
  return {{cell, (cell + 1) % cells, (cell + cells - 1) % cells},
          static_cast<std::size_t>(std::min<std::int64_t>(cells, 3))};
}

}  // namespace orrery::particles
