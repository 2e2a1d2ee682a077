#include "base/line_changes.hpp"

#include <algorithm>
#include <cstdint>

namespace orrery {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t most_cells = 1 << 22;

Lines lines_of(std::string_view text) {
  Lines lines;
  for (std::size_t begin = 0;;) {
    const auto end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return lines;
    begin = end + 1;
  }
}

}  // namespace

std::vector<bool> changed_lines(std::string_view original, std::string_view text) {
  const Lines a = lines_of(original), b = lines_of(text);
  std::vector<bool> changed(b.size(), false);
  std::size_t first = 0, last_a = a.size(), last_b = b.size();
  while (first < last_a && first < last_b && a[first] == b[first]) ++first;
  while (last_a > first && last_b > first && a[last_a - 1] == b[last_b - 1]) --last_a, --last_b;
  const std::size_t rows = last_a - first, columns = last_b - first;
  if (rows > 0 && columns == 0) changed[std::min(first, b.size() - 1)] = true;
  if (rows == 0 || columns == 0 || (rows + 1) * (columns + 1) > most_cells) {
    std::fill(changed.begin() + static_cast<std::ptrdiff_t>(first),
              changed.begin() + static_cast<std::ptrdiff_t>(last_b), true);
    return changed;
  }
  // common[i][j]: length for a from i and b from j, both without the first lines.
  std::vector<std::uint32_t> common((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (columns + 1) + j]; };
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      at(i, j) = a[first + i] == b[first + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  bool inserted = false, left_out = false;  // since the last common line
  const auto mark_gap = [&](std::size_t behind) {
    if (left_out && !inserted) changed[std::min(first + behind, b.size() - 1)] = true;
    inserted = left_out = false;
  };
  for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
    if (i < rows && j < columns && a[first + i] == b[first + j]) {
      mark_gap(j);
      ++i, ++j;
    } else if (j < columns && (i == rows || at(i, j + 1) >= at(i + 1, j))) {
      inserted = changed[first + j++] = true;
    } else {
      left_out = true;
      ++i;
    }
  }
  mark_gap(columns);
  return changed;
}

}  // namespace orrery
