// Tipsy (scenes/nbody/bodies/body_file.hpp tells its format): the standard, big-endian one, of dark particles.
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/points/writers.hpp"

namespace orrery {
namespace {

void append_big_endian(std::string& bytes, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift & 0xff);
}

std::string tipsy_header(const PointFrame& frame) {
  if (frame.count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw failure("a .tipsy file cannot hold " + std::to_string(frame.count) + " bodies", "write a .npy file");
  const auto count = static_cast<std::uint32_t>(frame.count);
  const auto time = std::bit_cast<std::uint64_t>(frame.time);
  std::string bytes;
  for (const std::uint32_t word :
       {static_cast<std::uint32_t>(time >> 32), static_cast<std::uint32_t>(time), count, 3U, 0U, count, 0U, 0U})
    append_big_endian(bytes, word);
  return bytes;
}

}  // namespace

void write_tipsy_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress) {
  const PointColumn softening{.name = "softening", .numbers = &frame.softening, .stride = 0};
  const double nothing = 0;
  const PointColumn potential{.name = "potential", .numbers = &nothing, .stride = 0};
  const PointColumn* const mass = find_column(frame, "mass");
  if (mass == nullptr)
    throw failure("a .tipsy file needs masses, which these points do not have", "write a .csv or .npy file");
  std::vector<const PointColumn*> columns{mass};
  for (const PointVector& vector : {place_columns(frame), velocity_columns(frame)})
    columns.insert(columns.end(), vector.begin(), vector.end());
  columns.insert(columns.end(), {&softening, &potential});
  write_point_rows(out, frame.count, tipsy_header(frame), progress, [&](std::string& bytes, std::size_t i) {
    for (const PointColumn* column : columns)
      append_big_endian(bytes, std::bit_cast<std::uint32_t>(single_of((*column)[i], *column, i, ".tipsy")));
  });
}

}  // namespace orrery
