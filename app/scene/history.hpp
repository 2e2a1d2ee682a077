/// Columns of a plot over time, kept at a bounded length.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace orrery {

/// Makes room for one more row in columns of equal length: full columns lose every second row.
inline void make_room(std::initializer_list<std::vector<double>*> columns) {
  constexpr std::size_t most_rows = 2048;
  for (std::vector<double>* column : columns) {
    if (column->size() < most_rows) continue;
    for (std::size_t i = 0; 2 * i < column->size(); ++i) (*column)[i] = (*column)[2 * i];
    column->resize((column->size() + 1) / 2);
  }
}

}  // namespace orrery
