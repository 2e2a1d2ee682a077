/// NumPy's .npy files. Orrery's own are of doubles: one- or two-dimensional, little-endian, row-major ('<f8', C order).
/// The layout of all others is known where each of their items has a fixed size.
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
  std::string text;  ///< as the header has it: "<f8"
  char kind = 0;     ///< 'f', 'i' and 'u' are numbers
  std::size_t bytes = 0;
  std::endian order = std::endian::little;

  /// npy_number() reads values of this type.
  bool is_number() const;
};
/// A column of an array, or a field of a structured one, which is a vector where `count` is not 1.
struct NpyField {
  std::string name;
  NpyType type;
  std::size_t offset = 0;  ///< in an item
  std::size_t count = 1;
};
/// The header of any array, whose items follow it: `count` of `item_bytes` from byte `begin` on.
struct NpyLayout {
  std::vector<std::size_t> shape;
  bool is_column_major = false;  ///< Fortran order
  bool is_structured = false;
  std::vector<NpyField> fields;  ///< one without a name where it is not structured
  std::size_t item_bytes = 0, begin = 0, count = 0;
};
/// `beginning`: as many of the file's first bytes as its header may have; `bytes`: of the whole file. Throws a usage
/// Error that names the byte for what is no array, has other than `bytes`, or has objects or fields within fields.
NpyLayout parse_npy_layout(std::string_view beginning, std::uint64_t bytes, std::string_view name);
/// The number at this place, which has all of its bytes.
double npy_number(const char* at, const NpyType& type);

/// The header of a file of doubles, whose values follow it: `count` from byte `begin` on.
struct NpyHeader {
  std::vector<std::size_t> shape;  ///< one or two extents
  std::size_t begin = 0, count = 0;
};
/// Throws as parse_npy() does.
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

/// The header of such a file, and its values in pieces and in order, for arrays that do not fit in memory. `type`: of
/// an item, as the header has it.
std::string npy_header(std::span<const std::size_t> shape, std::string_view type = "'<f8'");
void write_npy_values(std::ostream& out, std::span<const double> values);

}  // namespace orrery
