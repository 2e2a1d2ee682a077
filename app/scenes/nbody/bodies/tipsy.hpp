/// Tipsy, the binary format of the N-body shop's tools (tipsy, PKDGRAV, GASOLINE, ChaNGa).
///
/// A header of 32 bytes — time, number of bodies, of dimensions, of gas, dark and star particles, padding — then the
/// particles in this order, of 12, 9 and 11 floats. Standard files are big-endian, native ones often little-endian.
/// Numbers are in single precision, whatever program wrote them. The format is described at
/// https://github.com/N-BodyShop/tipsy/wiki. Any thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// The header of a Tipsy file, confirmed by the length of the file; 32 bytes.
class TipsyHeader {
 public:
  static constexpr std::size_t bytes = 32;
  /// Throws a usage Error for a header that contradicts the file or has no bodies.
  TipsyHeader(std::string_view beginning, std::uint64_t file_bytes, std::string_view name);
  std::size_t bodies() const { return counts_[0] + counts_[1] + counts_[2]; }
  /// Reads the bodies of one row after another: the rows of a kind are all as long.
  struct Rows {
    std::size_t first = 0, count = 0, bytes_each = 0;
  };
  std::array<Rows, 3> rows() const;
  /// `row`: its bytes. Throws a usage Error for an invalid body, which is the one at `index` and at byte `at` of the
  /// file.
  Body body(std::string_view row, std::size_t index, std::size_t at, std::string_view name) const;

 private:
  std::endian order_;
  std::array<std::size_t, 3> counts_{};  // gas, dark, stars
};

/// Reads either byte order. Every particle becomes a body, gas too: its mass counts, its pressure does not. `name`
/// stands for the bytes in messages. Throws a usage Error for a header that contradicts the file or an invalid body.
Bodies parse_tipsy(std::string_view bytes, std::string_view name);

/// The header of such a file of dark particles, and its rows.
std::string tipsy_header(std::size_t bodies, double time);
void append_tipsy(std::string& bytes, const Body& body, double softening, std::size_t index);
inline constexpr std::size_t tipsy_row_bytes = 36;

/// Standard Tipsy, all dark particles with this softening. Throws an Error for a number that no float can hold.
std::string tipsy_bytes(const Bodies& bodies, double time, double softening);

}  // namespace orrery
