#include "base/files/exr_stream.hpp"

#include <bit>
#include <initializer_list>
#include <limits>

#include "base/error.hpp"
#include "base/little_endian.hpp"

namespace orrery {
namespace {

std::string exr_words(std::initializer_list<std::uint32_t> words) {
  std::string bytes;
  for (const std::uint32_t word : words) append_little_endian(bytes, word);
  return bytes;
}

void append_exr_attribute(std::string& header, const std::string& name, const std::string& type,
                          const std::string& value) {
  header += name + '\0' + type + '\0';
  append_little_endian(header, static_cast<std::uint32_t>(value.size()));
  header += value;
}

std::string exr_channels(const std::vector<std::string>& names) {
  constexpr std::uint32_t of_floats = 2;
  std::string bytes;
  for (const std::string& name : names) bytes += name + '\0' + exr_words({of_floats, 0, 1, 1});
  return bytes + '\0';
}

std::string exr_header(std::uint32_t width, std::uint32_t height, const std::vector<std::string>& channels,
                       const ImageTexts& texts) {
  constexpr std::uint32_t one = std::bit_cast<std::uint32_t>(1.0F), long_names = 0x400;
  const std::string window = exr_words({0, 0, width - 1, height - 1});
  std::string header = exr_words({20000630, 2 | long_names});
  append_exr_attribute(header, "channels", "chlist", exr_channels(channels));
  append_exr_attribute(header, "compression", "compression", std::string(1, '\0'));
  append_exr_attribute(header, "dataWindow", "box2i", window);
  append_exr_attribute(header, "displayWindow", "box2i", window);
  append_exr_attribute(header, "lineOrder", "lineOrder", std::string(1, '\0'));
  append_exr_attribute(header, "pixelAspectRatio", "float", exr_words({one}));
  append_exr_attribute(header, "screenWindowCenter", "v2f", exr_words({0, 0}));
  append_exr_attribute(header, "screenWindowWidth", "float", exr_words({one}));
  for (const auto& [name, text] : texts) append_exr_attribute(header, name, "string", text);
  return header + '\0';
}

}  // namespace

ExrStream::ExrStream(std::ostream& out, std::uint32_t width, std::uint32_t height, std::vector<std::string> channels,
                     const ImageTexts& texts)
    : out_(out) {
  const std::uint64_t row_bytes = std::uint64_t{width} * channels.size() * sizeof(float);
  if (row_bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
    throw usage_error("the width of an .exr picture", std::to_string(width), "rows of less than 2 GiB");
  std::string bytes = exr_header(width, height, channels, texts);
  const std::uint64_t first = bytes.size() + std::uint64_t{height} * sizeof(std::uint64_t);
  constexpr std::uint64_t row_header = 8;
  for (std::uint64_t row = 0; row < height; ++row) append_little_endian(bytes, first + row * (row_header + row_bytes));
  out_ << bytes;
}

void ExrStream::write_row(std::span<const float> values) {
  std::string bytes = exr_words({row_++, static_cast<std::uint32_t>(values.size_bytes())});
  for (const float value : values) append_little_endian(bytes, value);
  out_ << bytes;
}

}  // namespace orrery
