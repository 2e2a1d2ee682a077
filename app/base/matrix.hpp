/// An immutable matrix of numbers with shared ownership. Any thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace orrery {

struct Matrix {
  std::string_view names;  ///< names of the columns, "mass,x,y"; a literal; empty: unknown
  std::size_t rows = 0, columns = 0;
  std::shared_ptr<const double> data = {};  ///< row by row; `rows * columns` numbers

  std::span<const double> values() const { return {data.get(), rows * columns}; }
  /// The bits are compared: a NaN equals itself, and 0 does not equal -0.
  bool operator==(const Matrix& other) const {
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    return columns == other.columns && rows == other.rows &&
           (data == other.data || std::ranges::equal(values(), other.values(), {}, bits, bits));
  }
};

}  // namespace orrery
