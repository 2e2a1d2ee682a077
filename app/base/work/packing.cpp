#include "base/work/packing.hpp"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/platform/parallel.hpp"

namespace orrery {
namespace {

constexpr std::size_t stride = 32;  // bytes: one row of four doubles, or two of four floats
constexpr std::size_t piece = std::size_t{1} << 20;

// Plane k holds byte k of all rows. Bytes after the last whole row stay in place.
template <class Move>
std::string moved(std::string_view bytes, const Move& move) {
  std::string result(bytes);
  const std::size_t count = bytes.size() / stride;
  in_parallel(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      for (std::size_t k = 0; k < stride; ++k) move(result, row * stride + k, k * count + row);
  });
  return result;
}
std::string planes_of(std::string_view rows) {
  return moved(rows,
               [&](std::string& planes, std::size_t in_row, std::size_t in_plane) { planes[in_plane] = rows[in_row]; });
}
std::string rows_of(std::string_view planes) {
  return moved(planes,
               [&](std::string& rows, std::size_t in_row, std::size_t in_plane) { rows[in_row] = planes[in_plane]; });
}

Bytef* bytes_of(const char* bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes)); }

struct Piece {
  std::string deflated;
  uLong sum = 0;  // checksum of its bytes
  std::size_t length = 0;
};

Piece deflated(std::string_view bytes, bool last) {
  z_stream stream{};
  constexpr int headless = -15, memory = 8;  // no header and sum; zlib's usual memory
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, headless, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw failure("cannot pack numbers", "the memory may be full");
  Piece result{.deflated = {},
               .sum = adler32(adler32(0, nullptr, 0), bytes_of(bytes.data()), static_cast<uInt>(bytes.size())),
               .length = bytes.size()};
  constexpr uLong mark_of_flush = 16;
  result.deflated.resize(deflateBound(&stream, static_cast<uLong>(bytes.size())) + mark_of_flush);
  stream.next_in = bytes_of(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = bytes_of(result.deflated.data());
  stream.avail_out = static_cast<uInt>(result.deflated.size());
  const int state = deflate(&stream, last ? Z_FINISH : Z_SYNC_FLUSH);
  const bool whole = stream.avail_in == 0 && stream.avail_out > 0 && state == (last ? Z_STREAM_END : Z_OK);
  result.deflated.resize(result.deflated.size() - stream.avail_out);
  deflateEnd(&stream);
  if (!whole) throw failure("cannot pack numbers", "the memory may be full");
  return result;
}

}  // namespace

// One zlib stream, deflated in pieces on all cores, as in pigz: pieces end at whole bytes and are independent.
std::string packed(std::string_view bytes) {
  const std::string planes = planes_of(bytes);
  std::vector<Piece> pieces(std::max<std::size_t>(1, (planes.size() + piece - 1) / piece));
  in_parallel(pieces.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      pieces[k] = deflated(std::string_view(planes).substr(k * piece, piece), k + 1 == pieces.size());
  });
  std::string result = "\x78\x01";  // deflate with a window of 32 KiB, the fastest level
  uLong sum = adler32(0, nullptr, 0);
  for (const Piece& each : pieces) {
    result += each.deflated;
    sum = adler32_combine(sum, each.sum, static_cast<z_off_t>(each.length));
  }
  for (int shift = 24; shift >= 0; shift -= 8) result.push_back(static_cast<char>(sum >> shift & 0xff));
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
