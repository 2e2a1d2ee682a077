/// Neighbour search on the host, for work that is done once, when a world is filled or begins. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// The squared distance between nearest images.
double distance2(const Box& box, const Vector& a, const Vector& b);

/// Positions in cells that are at least as wide as the search distance.
class NearSearch {
 public:
  /// Finds positions closer than `distance`; the box must outlive it.
  NearSearch(const Box& box, double distance) : box_(box), distance_(distance) {}

  /// Positions are numbered in the order of their addition, from 0.
  void add(const Vector& at);
  /// Calls found(number, distance²) for each position closer to `at`, including `at` itself.
  template <class F>
  void around(const Vector& at, F&& found) const {
    any_around(at, [&](std::uint32_t i, double d2) { return found(i, d2), false; });
  }
  /// True if a position is closer to `at`.
  bool any(const Vector& at) const {
    return any_around(at, [](std::uint32_t, double) { return true; });
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Beside {  // a cell and its neighbours along an axis, each once
    std::array<std::int64_t, 3> cells;
    std::size_t count;
    auto begin() const { return cells.begin(); }
    auto end() const { return cells.begin() + static_cast<std::ptrdiff_t>(count); }
  };
  std::int64_t cells_along(std::size_t axis) const;
  Cell cell_of(const Vector& at) const;
  Beside beside(std::size_t axis, std::int64_t cell) const;

  // found(number, distance²) returns true to stop.
  template <class F>
  bool any_around(const Vector& at, F&& found) const {
    if (!(distance_ > 0)) return false;
    const Cell cell = cell_of(at);
    const Beside across = beside(0, cell[0]), along = beside(1, cell[1]), up = beside(2, cell[2]);
    for (const std::int64_t z : up)
      for (const std::int64_t y : along)
        for (const std::int64_t x : across) {
          const auto members = cells_.find(Cell{x, y, z});
          if (members == cells_.end()) continue;
          for (const std::uint32_t i : members->second)
            if (const double d2 = distance2(box_, at, positions_[i]); d2 < distance_ * distance_ && found(i, d2))
              return true;
        }
    return false;
  }

  const Box& box_;
  double distance_;
  std::vector<Vector> positions_;
  std::map<Cell, std::vector<std::uint32_t>> cells_;
};

}  // namespace orrery::particles
