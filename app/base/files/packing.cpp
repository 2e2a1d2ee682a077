#include "base/files/packing.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

namespace orrery {
namespace {

constexpr std::size_t stride = 32;  // bytes: one row of four doubles, or two of four floats
constexpr std::size_t piece = std::size_t{1} << 24;

// Byte k of each row behind byte k of the row before; what is left behind the last whole row stays.
std::string planes_of(std::string_view rows) {
  std::string planes(rows);
  const std::size_t count = rows.size() / stride;
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t k = 0; k < stride; ++k) planes[k * count + row] = rows[row * stride + k];
  return planes;
}
std::string rows_of(std::string_view planes) {
  std::string rows(planes);
  const std::size_t count = planes.size() / stride;
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t k = 0; k < stride; ++k) rows[row * stride + k] = planes[k * count + row];
  return rows;
}

Bytef* bytes_of(const char* bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes)); }

}  // namespace

std::string packed(std::string_view bytes) {
  const std::string planes = planes_of(bytes);
  z_stream stream{};
  if (deflateInit(&stream, Z_BEST_SPEED) != Z_OK) throw failure("cannot pack numbers", "the memory may be full");
  std::string result;
  int state = Z_OK;
  for (std::string_view left = planes; state == Z_OK;) {
    if (stream.avail_in == 0) {
      const std::string_view next = left.substr(0, piece);
      left.remove_prefix(next.size());
      stream.next_in = bytes_of(next.data());
      stream.avail_in = static_cast<uInt>(next.size());
    }
    const std::size_t before = result.size(), room = std::max<std::size_t>(planes.size() / 4, 1024);
    result.resize(before + std::min(room, piece));
    stream.next_out = bytes_of(result.data() + before);
    stream.avail_out = static_cast<uInt>(result.size() - before);
    state = deflate(&stream, left.empty() ? Z_FINISH : Z_NO_FLUSH);
    result.resize(result.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  if (state != Z_STREAM_END) throw failure("cannot pack numbers", "the memory may be full");
  return result;
}

std::optional<std::string> unpacked(std::string_view bytes, std::uint64_t length) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw failure("cannot unpack numbers", "the memory may be full");
  std::string planes;
  int state = Z_OK;
  while (state == Z_OK && planes.size() <= length) {
    if (stream.avail_in == 0) {
      const std::string_view next = bytes.substr(0, piece);
      bytes.remove_prefix(next.size());
      stream.next_in = bytes_of(next.data());
      stream.avail_in = static_cast<uInt>(next.size());
    }
    const std::size_t before = planes.size();
    planes.resize(before + static_cast<std::size_t>(std::min<std::uint64_t>(piece, length + 1 - before)));
    stream.next_out = bytes_of(planes.data() + before);
    stream.avail_out = static_cast<uInt>(planes.size() - before);
    state = inflate(&stream, Z_NO_FLUSH);
    planes.resize(planes.size() - stream.avail_out);
  }
  const bool is_all = state == Z_STREAM_END && stream.avail_in == 0 && bytes.empty() && planes.size() == length;
  inflateEnd(&stream);
  if (!is_all) return std::nullopt;
  return rows_of(planes);
}

}  // namespace orrery
