// A block begins with words: the number of its bytes; or, if compressed, the number of its parts, the bytes of each
// part, the bytes of a shorter last part, and the compressed bytes of each. In base64, the words of a compressed block
// are encoded separately.
#include "base/points/vtk_data.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/error.hpp"
#include "base/little_endian.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

// The value of each letter of base64; -1 for others.
constexpr std::array<std::int8_t, 256> base64_values = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  std::int8_t value = 0;
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    values[static_cast<unsigned char>(c)] = value++;
  return values;
}();

/// A stream of decoded bytes.
class DecodedBytes {
 public:
  DecodedBytes(const VtkPlace& place, const std::string& array) : place_(place), at_(place.at), array_(array) {}

  /// An upper bound of the bytes left.
  std::uint64_t left() const { return place_.source.bytes - std::min(at_, place_.source.bytes) + decoded_.size(); }

  std::string take(std::uint64_t count) {
    if (count > left()) throw ends_early(count);
    if (!place_.is_base64) return raw(count);
    while (decoded_.size() < count) decode((count - decoded_.size() + 2) / 3 * 4);
    const std::string taken = decoded_.substr(0, static_cast<std::size_t>(count));
    decoded_.erase(0, taken.size());
    return taken;
  }

 private:
  Error ends_early(std::uint64_t count) const {
    return usage_error("the data of the array", "the end of its data", std::to_string(count) + " more bytes", array_);
  }
  std::string raw(std::uint64_t count) {
    std::string bytes(place_.source.read(at_, static_cast<std::size_t>(count)));
    if (bytes.size() < count) throw ends_early(count);
    at_ += count;
    return bytes;
  }
  // Four letters are three bytes, or fewer if the last letters are "=", after which a new part may begin.
  void decode(std::uint64_t letters) {
    const std::string_view text = place_.source.read(at_, static_cast<std::size_t>(letters));
    if (text.empty()) throw ends_early(letters);
    for (const char c : text) {
      if (std::string_view(" \t\r\n").find(c) != std::string_view::npos) continue;
      const int value = base64_values[static_cast<unsigned char>(c)];
      if (value < 0 && c != '=')
        throw usage_error("a letter of base64", std::string(1, c), "one of A-Z, a-z, 0-9, +, / and =", array_);
      if (value >= 0) group_ = group_ << 6 | static_cast<std::uint32_t>(value);
      if (c == '=') group_ <<= 6, ++fill_;
      if (++letters_ < 4) continue;
      for (int byte = 0; byte < 3 - fill_; ++byte) decoded_ += static_cast<char>(group_ >> (16 - 8 * byte) & 0xFF);
      group_ = 0, letters_ = 0, fill_ = 0;
    }
    at_ += text.size();
  }

  const VtkPlace& place_;
  std::uint64_t at_;
  const std::string& array_;
  std::string decoded_;
  std::uint32_t group_ = 0;
  int letters_ = 0, fill_ = 0;
};

std::uint64_t take_word(DecodedBytes& bytes, const VtkEncoding& encoding) {
  std::string word = bytes.take(encoding.word_bytes);
  if (encoding.order == std::endian::big) std::ranges::reverse(word);
  return little_endian_word(word, 0, word.size());
}

void check_size(std::uint64_t found, std::uint64_t expected, const std::string& array) {
  if (found != expected)
    throw usage_error("the data of the array", std::to_string(found) + " bytes", std::to_string(expected) + " bytes",
                      array);
}

/// A part of a compressed block.
struct Part {
  std::uint64_t packed = 0, bytes = 0;
};

std::vector<Part> take_parts(DecodedBytes& source, const VtkEncoding& encoding, std::uint64_t bytes,
                             const std::string& array) {
  const std::uint64_t count = take_word(source, encoding), each = take_word(source, encoding),
                      last = take_word(source, encoding);
  if (count > source.left() / encoding.word_bytes)
    throw usage_error("the number of compressed parts", std::to_string(count), "parts that lie in the file", array);
  const std::uint64_t whole = count - (last > 0 && count > 0 ? 1 : 0);
  if (whole > 0 && each > bytes / whole) check_size(each, bytes / whole, array);
  check_size(whole * each + (whole < count ? last : 0), bytes, array);
  std::vector<Part> parts(static_cast<std::size_t>(count));
  for (Part& part : parts) part = {take_word(source, encoding), each};
  if (whole < count) parts.back().bytes = last;
  return parts;
}

// zlib expands a byte to at most 1032 bytes.
std::string unpacked(DecodedBytes& source, const Part& part, const std::string& array) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30, most_of_one = 1032;
  const std::string packed = source.take(part.packed);
  if (part.bytes > most_bytes || part.bytes / most_of_one > part.packed)
    throw usage_error("a compressed part", std::to_string(part.packed) + " bytes",
                      std::to_string(part.bytes) + " bytes when unpacked, at most 1 GiB", array);
  std::string bytes(static_cast<std::size_t>(part.bytes), '\0');
  auto size = static_cast<uLongf>(bytes.size());
  const int code = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                              reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  if (code != Z_OK || size != bytes.size())
    throw usage_error("a compressed part", "bytes that zlib refuses",
                      std::to_string(part.bytes) + " bytes when unpacked", array);
  return bytes;
}

}  // namespace

std::string read_vtk_block(const VtkPlace& place, const VtkEncoding& encoding, std::uint64_t bytes,
                           const std::string& array) {
  DecodedBytes source(place, array);
  if (bytes == 0) return {};
  if (!encoding.is_compressed) {
    check_size(take_word(source, encoding), bytes, array);
    return source.take(bytes);
  }
  std::string all;
  for (const Part& part : take_parts(source, encoding, bytes, array)) all += unpacked(source, part, array);
  return all;
}

std::string read_vtk_text(std::string_view text, std::uint64_t count, const std::string& array) {
  constexpr std::string_view blanks = " \t\r\n";
  std::string bytes;
  std::uint64_t found = 0;
  const std::uint64_t most = text.size() / 2 + 1;  // numbers separated by blanks
  if (count <= most) bytes.reserve(static_cast<std::size_t>(count) * sizeof(double));
  for (std::size_t at = text.find_first_not_of(blanks); at < text.size(); ++found) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    double value = 0;
    const auto [rest, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || rest != word.data() + word.size())
      throw usage_error("value " + std::to_string(found + 1) + " of the array",
                        std::string(word.substr(0, 2 * most_shown)), "a number", array);
    if (found < count) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    at = text.find_first_not_of(blanks, end);
  }
  if (found != count)
    throw usage_error("the number of values of the array", std::to_string(found), std::to_string(count), array);
  return bytes;
}

}  // namespace orrery
