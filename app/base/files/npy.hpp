/// NumPy's .npy files. Orrery writes doubles: one- or two-dimensional, little-endian, row-major ('<f8', C order). It
/// can read the layout of other arrays with items of fixed size.
///
/// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <bit>
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

/// How NumPy stores a value.
struct NpyType {
  std::string text;  ///< text of the header: "<f8"
  char kind = 0;     ///< 'f', 'i' and 'u' are numbers
  std::size_t bytes = 0;
  std::endian order = std::endian::little;

  /// True if npy_number() reads this type.
  bool is_number() const;
};
/// A column of an array, or a field of a structured array; a vector if `count` is not 1.
struct NpyField {
  std::string name;
  NpyType type;
  std::size_t offset = 0;  ///< byte offset in an item
  std::size_t count = 1;
};
/// The header of any array; its `count` items of `item_bytes` begin at byte `begin`.
struct NpyLayout {
  std::vector<std::size_t> shape;
  bool is_column_major = false;  ///< Fortran order
  bool is_structured = false;
  std::vector<NpyField> fields;  ///< an unnamed field if not structured
  std::size_t item_bytes = 0, begin = 0, count = 0;
};
/// `beginning`: the file's first bytes, with the longest possible header; `bytes`: size of the file. Throws a usage
/// Error that names the byte for an invalid array, a wrong size, objects or nested fields.
NpyLayout parse_npy_layout(std::string_view beginning, std::uint64_t bytes, std::string_view name);
/// The number at this address; all of its bytes must be readable.
double npy_number(const char* at, const NpyType& type);

/// The header of a file of doubles; its `count` values begin at byte `begin`.
struct NpyHeader {
  std::vector<std::size_t> shape;  ///< one or two extents
  std::size_t begin = 0, count = 0;
};
/// Throws like parse_npy().
NpyHeader parse_npy_header(std::string_view beginning, std::uint64_t bytes, std::string_view name);
/// The value at this place of the bytes.
double npy_value(std::string_view bytes, std::size_t at);

/// `bytes` are a whole file; `name` stands for it in messages. Throws a usage Error that describes the fault and names
/// its byte.
NpyArray parse_npy(std::string_view bytes, std::string_view name);
NpyArray read_npy(const std::filesystem::path& path);

/// Writes version 1.0, like numpy.save. `values` has as many elements as the product of `shape`.
void write_npy(const std::filesystem::path& path, std::span<const std::size_t> shape, std::span<const double> values);
inline void write_npy(const std::filesystem::path& path, const NpyArray& array) {
  write_npy(path, array.shape, array.values);
}

/// The header of such a file, and its values in pieces in order, for arrays larger than memory. `type`: type of an item
/// in the header's form.
std::string npy_header(std::span<const std::size_t> shape, std::string_view type = "'<f8'");
void write_npy_values(std::ostream& out, std::span<const double> values);

}  // namespace orrery
