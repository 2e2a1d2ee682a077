#include "scenes/nbody/bodies/body_file.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::size_t header_bytes = TipsyHeader::bytes;

/// The particles of one kind. Mass, position and velocity are the first seven floats of each.
struct Kind {
  std::string_view name;
  std::size_t count_at;  // offset in the header
  std::size_t floats;
};
constexpr std::array kinds{Kind{"gas", 16, 12}, Kind{"dark", 20, 9}, Kind{"star", 24, 11}};
constexpr std::size_t bodies_at = 8, dimensions_at = 12;

std::uint32_t word_at(std::string_view bytes, std::size_t at, std::endian order) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t place = order == std::endian::big ? i : 3 - i;
    word = word << 8 | static_cast<unsigned char>(bytes[at + place]);
  }
  return word;
}

std::int32_t integer_at(std::string_view bytes, std::size_t at, std::endian order) {
  return std::bit_cast<std::int32_t>(word_at(bytes, at, order));
}

double float_at(std::string_view bytes, std::size_t at, std::endian order) {
  return static_cast<double>(std::bit_cast<float>(word_at(bytes, at, order)));
}

// The number 3 reads as 3 in one byte order only.
std::endian byte_order(std::string_view bytes, std::string_view name) {
  if (bytes.size() < header_bytes)
    throw usage_error("the length of the Tipsy file", std::to_string(bytes.size()) + " bytes",
                      "a header of " + std::to_string(header_bytes) + " bytes", std::string(name));
  for (const std::endian order : {std::endian::big, std::endian::little})
    if (integer_at(bytes, dimensions_at, order) == 3) return order;
  throw usage_error("this is not a Tipsy file of three dimensions", {}, "expected the number 3 in bytes 12 to 15",
                    std::string(name) + ", byte " + std::to_string(dimensions_at));
}

/// Numbers of particles from the header, confirmed by the length of the file.
std::array<std::size_t, kinds.size()> checked_counts(std::string_view bytes, std::uint64_t file_bytes,
                                                     std::endian order, std::string_view name) {
  std::array<std::size_t, kinds.size()> counts{};
  std::int64_t sum = 0;
  std::uint64_t length = header_bytes;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const std::int32_t count = integer_at(bytes, kinds[k].count_at, order);
    if (count < 0)
      throw usage_error("the number of " + std::string(kinds[k].name) + " particles", std::to_string(count),
                        "0 or more", std::string(name) + ", byte " + std::to_string(kinds[k].count_at));
    counts[k] = static_cast<std::size_t>(count);
    sum += count;
    length += counts[k] * kinds[k].floats * sizeof(float);
  }
  if (const std::int32_t told = integer_at(bytes, bodies_at, order); told != sum)
    throw usage_error("the number of bodies", std::to_string(told),
                      std::to_string(sum) + ", the sum of the gas, dark and star particles",
                      std::string(name) + ", byte " + std::to_string(bodies_at));
  if (file_bytes != length)
    throw usage_error("the length of the Tipsy file", std::to_string(file_bytes) + " bytes",
                      std::to_string(length) + " bytes for the " + std::to_string(sum) + " bodies of its header",
                      std::string(name));
  if (sum == 0) throw usage_error("there are no bodies in", std::string(name), {});
  return counts;
}

Body body_from(std::string_view bytes, std::size_t at, std::endian order) {
  std::array<double, 7> v{};
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = float_at(bytes, at + i * sizeof(float), order);
  return {v[0], v[1], v[2], v[3], v[4], v[5], v[6]};
}

void check_body(const Body& b, std::size_t index, std::size_t at, std::string_view name) {
  const std::string place = std::string(name) + ", byte " + std::to_string(at) + ", body " + std::to_string(index + 1);
  if (!(b.mass >= 0) || !std::isfinite(b.mass))
    throw usage_error("mass", shortest(b.mass), "a finite number of 0 or more", place);
  for (const double value : {b.x, b.y, b.z, b.vx, b.vy, b.vz})
    if (!std::isfinite(value)) throw usage_error("a coordinate", shortest(value), "a finite number", place);
}

}  // namespace

TipsyHeader::TipsyHeader(std::string_view beginning, std::uint64_t file_bytes, std::string_view name)
    : order_(byte_order(beginning, name)), counts_(checked_counts(beginning, file_bytes, order_, name)) {}

std::array<TipsyHeader::Rows, 3> TipsyHeader::rows() const {
  std::array<Rows, 3> all{};
  for (std::size_t k = 0, first = 0; k < all.size(); first += counts_[k++])
    all[k] = {first, counts_[k], kinds[k].floats * sizeof(float)};
  return all;
}

Body TipsyHeader::body(std::string_view row, std::size_t index, std::size_t at, std::string_view name) const {
  const Body body = body_from(row, 0, order_);
  check_body(body, index, at, name);
  return body;
}

Bodies parse_tipsy(std::string_view bytes, std::string_view name) {
  const TipsyHeader header(bytes, bytes.size(), name);
  Bodies bodies;
  bodies.reserve(header.bodies());
  std::size_t at = header_bytes;
  for (const auto& [first, count, each] : header.rows())
    for (std::size_t i = 0; i < count; ++i, at += each)
      bodies.push_back(header.body(bytes.substr(at, each), first + i, at, name));
  return bodies;
}

}  // namespace orrery
