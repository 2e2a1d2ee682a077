/// Who is near, on the host: for what is done once, when a world is filled or begins. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "model/particles/world.hpp"

namespace orrery::particles {

/// Of the nearest images.
double distance2(const Box& box, const Vector& a, const Vector& b);

/// Positions in cells that are at least as wide as the distance asked for.
class NearSearch {
 public:
  /// Finds what is closer than `distance`; the box must outlive it.
  NearSearch(const Box& box, double distance) : box_(box), distance_(distance) {}

  /// They are numbered as they come, from 0.
  void add(const Vector& at);
  /// Calls found(number, distance²) for each that is closer to `at`, itself as well.
  template <class F>
  void around(const Vector& at, F&& found) const {
    if (!(distance_ > 0)) return;
    for (const Cell& cell : cells_around(cell_of(at))) {
      const auto members = cells_.find(cell);
      if (members == cells_.end()) continue;
      for (const std::uint32_t i : members->second)
        if (const double d2 = distance2(box_, at, positions_[i]); d2 < distance_ * distance_) found(i, d2);
    }
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  std::int64_t cells_along(std::size_t axis) const;
  Cell cell_of(const Vector& at) const;
  std::vector<Cell> cells_around(const Cell& cell) const;  // each once

  const Box& box_;
  double distance_;
  std::vector<Vector> positions_;
  std::map<Cell, std::vector<std::uint32_t>> cells_;
};

}  // namespace orrery::particles
