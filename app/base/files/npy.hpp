/// NumPy's .npy files of doubles: one- or two-dimensional, little-endian, row-major ('<f8', C order).
///
/// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct NpyArray {
  std::vector<std::size_t> shape;  ///< one or two extents
  std::vector<double> values;      ///< row-major

  std::size_t rows() const { return shape.empty() ? 0 : shape.front(); }
  std::size_t columns() const { return shape.size() < 2 ? 1 : shape[1]; }
};

/// The header of a file, whose values follow it: `count` doubles from byte `begin` on.
struct NpyHeader {
  std::vector<std::size_t> shape;  ///< one or two extents
  std::size_t begin = 0, count = 0;
};
/// `beginning`: as many of the file's first bytes as its header may have; `bytes`: of the whole file. Throws as
/// parse_npy() does.
NpyHeader parse_npy_header(std::string_view beginning, std::uint64_t bytes, std::string_view name);
/// The value at this place of the bytes.
double npy_value(std::string_view bytes, std::size_t at);

/// `bytes` are a whole file; `name` stands for it in messages. Throws a usage Error that describes the fault and names
/// its byte.
NpyArray parse_npy(std::string_view bytes, std::string_view name);
NpyArray read_npy(const std::filesystem::path& path);

/// Version 1.0, as numpy.save writes it. `values` has as many elements as the product of `shape`.
void write_npy(const std::filesystem::path& path, std::span<const std::size_t> shape, std::span<const double> values);
inline void write_npy(const std::filesystem::path& path, const NpyArray& array) {
  write_npy(path, array.shape, array.values);
}

/// The header of such a file, and its values in pieces and in order, for arrays that do not fit in memory.
std::string npy_header(std::span<const std::size_t> shape);
void write_npy_values(std::ostream& out, std::span<const double> values);
void append_npy_value(std::string& bytes, double value);

}  // namespace orrery
