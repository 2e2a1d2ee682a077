#include "base/files/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"

namespace orrery {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;
constexpr std::size_t largest_item = 1 << 24;  // in bytes
constexpr std::string_view wanted = "a .npy file of numbers";

/// Reads the header's Python dictionary: exactly the keys descr, fortran_order and shape, in any order.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::size_t offset, std::string_view name)
      : text_(text), offset_(offset), name_(name) {}

  NpyLayout layout() {
    expect('{');
    while (!accept('}')) {
      member(quoted());
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ != text_.size()) fail("nothing after the dictionary", std::string(text_.substr(at_, 1)));
    if (!has_type_ || !has_order_ || !has_shape_) fail("the keys descr, fortran_order and shape", std::string(text_));
    for (const NpyField& field : layout_.fields) layout_.item_bytes += field.type.bytes * field.count;
    return std::move(layout_);
  }

 private:
  void member(std::string_view key) {
    expect(':');
    if (key == "descr") {
      fields();
      has_type_ = true;
    } else if (key == "fortran_order") {
      layout_.is_column_major = accept_word("True");
      if (!layout_.is_column_major && !accept_word("False")) fail("True or False for fortran_order", found());
      has_order_ = true;
    } else if (key == "shape") {
      layout_.shape = extents();
      has_shape_ = true;
    } else {
      fail("the keys descr, fortran_order and shape", std::string(key));
    }
  }

  void fields() {
    layout_.fields.clear();
    layout_.is_structured = accept('[');
    if (!layout_.is_structured) return layout_.fields.push_back({{}, type(), 0, 1});
    std::size_t offset = 0;
    while (!accept(']')) {
      layout_.fields.push_back(field(offset));
      offset += layout_.fields.back().type.bytes * layout_.fields.back().count;
      if (!accept(',')) {
        expect(']');
        break;
      }
    }
  }

  // ('pos', '<f8', (3,)), and (('a title', 'pos'), '<f8').
  NpyField field(std::size_t offset) {
    NpyField field{{}, {}, offset, 1};
    expect('(');
    const bool has_title = accept('(');
    field.name = quoted();
    if (has_title) {
      expect(',');
      field.name = quoted();
      expect(')');
    }
    expect(',');
    field.type = type();
    if (accept(',') && next_is('('))
      for (const std::size_t extent : extents()) field.count = product(field.count, extent);
    (void)accept(',');
    expect(')');
    (void)product(field.count, field.type.bytes);
    return field;
  }

  // '<f8', '|u1', '<U16', '<M8[ns]': byte order, kind, size; for text, in characters of 4 bytes.
  NpyType type() {
    if (next_is('[')) fail("fields of numbers, none of which has fields of its own", "[");
    const std::string text(quoted());
    NpyType type{text, text.size() > 1 ? text[1] : '\0', 0, text[0] == '>' ? std::endian::big : std::endian::little};
    std::size_t digits = 2;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && type.bytes < largest_item; ++digits)
      type.bytes = 10 * type.bytes + static_cast<std::size_t>(text[digits] - '0');
    const bool has_unit = digits < text.size() && text[digits] == '[' && (type.kind == 'M' || type.kind == 'm');
    const bool is_known = std::string_view("<>|").find(text[0]) != std::string_view::npos &&
                          std::string_view("fiubcSUVMm").find(type.kind) != std::string_view::npos;
    if (!is_known || digits == 2 || type.bytes > largest_item || (digits < text.size() && !has_unit))
      fail("the type <f8, or another of a fixed size", text);
    if (type.kind == 'U') type.bytes *= 4;
    return type;
  }

  std::size_t product(std::size_t a, std::size_t b) const {
    if (a != 0 && b > largest_item / a) fail("fields of at most " + std::to_string(largest_item) + " bytes", found());
    return a * b;
  }

  std::vector<std::size_t> extents() {
    std::vector<std::size_t> shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(extent());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    constexpr std::size_t most_dimensions = 32;
    if (shape.size() > most_dimensions) fail("at most 32 dimensions", std::to_string(shape.size()));
    return shape;
  }

  std::size_t extent() {
    skip_space();
    const std::size_t begin = at_;
    std::size_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const auto digit = static_cast<std::size_t>(text_[at_] - '0');
      if (value > (std::numeric_limits<std::size_t>::max() - digit) / 10)
        fail("a smaller extent", std::string(text_.substr(begin, at_ + 1 - begin)));
      value = 10 * value + digit;
    }
    if (at_ == begin) fail("an extent", found());
    return value;
  }

  std::string_view quoted() {
    skip_space();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail("a quoted text", found());
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) fail("a closing quote", "the header's end");
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return content;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool next_is(char character) {
    skip_space();
    return at_ < text_.size() && text_[at_] == character;
  }
  bool accept(char character) {
    if (!next_is(character)) return false;
    ++at_;
    return true;
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(char character) {
    if (!accept(character)) fail(std::string("\"") + character + "\"", found());
  }
  std::string found() const { return at_ < text_.size() ? std::string(text_.substr(at_, 1)) : "the header's end"; }
  [[noreturn]] void fail(const std::string& expected, std::string found) const {
    throw usage_error("the .npy header", std::move(found), expected,
                      std::string(name_) + ", byte " + std::to_string(offset_ + at_));
  }

  std::string_view text_;
  std::size_t offset_;  // offset of the header's text in the file
  std::string_view name_;
  std::size_t at_ = 0;
  bool has_type_ = false, has_order_ = false, has_shape_ = false;
  NpyLayout layout_;
};

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// The header's text in the file.
std::string_view header_text(std::string_view bytes, std::string_view name) {
  if (!bytes.starts_with(magic)) {
    throw usage_error("this is not a .npy file", {}, "expected " + std::string(wanted), std::string(name) + ", byte 0");
  }
  if (bytes.size() < 12)
    throw usage_error("the file ends in its header", {}, "expected " + std::string(wanted), std::string(name));
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) {
    throw usage_error("the .npy version", std::to_string(version), "1, 2 or 3", std::string(name) + ", byte 6");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  const std::size_t length = little_endian(bytes.substr(8, length_bytes));
  if (length > bytes.size() - begin) {
    throw usage_error("the file ends in its header", {}, "expected " + std::string(wanted), std::string(name));
  }
  return bytes.substr(begin, length);
}

std::size_t element_count(std::span<const std::size_t> shape, std::size_t item_bytes, std::string_view name) {
  std::size_t count = 1;
  for (std::size_t extent : shape) {
    if (extent != 0 &&
        count > std::numeric_limits<std::size_t>::max() / std::max<std::size_t>(item_bytes, 1) / extent) {
      throw usage_error("the array's shape", std::to_string(extent), "an extent that fits memory", std::string(name));
    }
    count *= extent;
  }
  return count;
}

// IEEE 754: 1 bit of sign, 5 of exponent, 10 of significand.
double of_half(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1f, significand = half & 0x3ff;
  const double size = exponent == 0      ? std::ldexp(significand, -24)
                      : exponent != 0x1f ? std::ldexp(significand + 0x400, exponent - 25)
                      : significand == 0 ? std::numeric_limits<double>::infinity()
                                         : std::numeric_limits<double>::quiet_NaN();
  return (half & 0x8000) != 0 ? -size : size;
}

void to_little_endian(std::span<double> values) {
  if constexpr (std::endian::native == std::endian::big) {
    for (double& value : values) {
      auto bytes = std::bit_cast<std::array<char, sizeof(double)>>(value);
      std::ranges::reverse(bytes);
      value = std::bit_cast<double>(bytes);
    }
  }
}

}  // namespace

bool NpyType::is_number() const {
  const bool is_integer = kind == 'i' || kind == 'u';
  return (is_integer && bytes == 1) || ((is_integer || kind == 'f') && (bytes == 2 || bytes == 4 || bytes == 8));
}

NpyLayout parse_npy_layout(std::string_view beginning, std::uint64_t bytes, std::string_view name) {
  const std::string_view text = header_text(beginning, name);
  const auto text_begin = static_cast<std::size_t>(text.data() - beginning.data());
  NpyLayout layout = HeaderParser(text, text_begin, name).layout();
  layout.begin = text_begin + text.size();
  layout.count = element_count(layout.shape, layout.item_bytes, name);
  if (const std::uint64_t found = bytes - layout.begin; found != layout.count * layout.item_bytes)
    throw usage_error("the array's data", std::to_string(found) + " bytes",
                      std::to_string(layout.count * layout.item_bytes) + " bytes by its shape", std::string(name));
  return layout;
}

double npy_number(const char* at, const NpyType& type) {
  std::array<char, sizeof(std::uint64_t)> bytes{};
  std::memcpy(bytes.data(), at, type.bytes);
  if (type.order != std::endian::native)
    std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(type.bytes));
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  };
  switch (type.kind) {
    case 'f':
      return type.bytes == 8   ? as(double())
             : type.bytes == 4 ? static_cast<double>(as(float()))
                               : of_half(as(std::uint16_t()));
    case 'i':
      return type.bytes == 8   ? static_cast<double>(as(std::int64_t()))
             : type.bytes == 4 ? static_cast<double>(as(std::int32_t()))
             : type.bytes == 2 ? static_cast<double>(as(std::int16_t()))
                               : static_cast<double>(as(std::int8_t()));
    default:
      return type.bytes == 8   ? static_cast<double>(as(std::uint64_t()))
             : type.bytes == 4 ? static_cast<double>(as(std::uint32_t()))
             : type.bytes == 2 ? static_cast<double>(as(std::uint16_t()))
                               : static_cast<double>(as(std::uint8_t()));
  }
}

NpyHeader parse_npy_header(std::string_view beginning, std::uint64_t bytes, std::string_view name) {
  NpyLayout layout = parse_npy_layout(beginning, bytes, name);
  const auto refuse = [&](std::string found, const char* expected) {
    throw usage_error("the .npy header", std::move(found), expected, std::string(name));
  };
  if (layout.is_structured) refuse("fields", "the type <f8 (little-endian doubles)");
  if (const std::string& type = layout.fields.front().type.text; type != "<f8")
    refuse(type, "the type <f8 (little-endian doubles)");
  if (layout.is_column_major) refuse("True", "False for fortran_order (rows stored first)");
  if (layout.shape.empty() || layout.shape.size() > 2)
    refuse(std::to_string(layout.shape.size()), "one or two dimensions");
  return {std::move(layout.shape), layout.begin, layout.count};
}

double npy_value(std::string_view bytes, std::size_t at) {
  double value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  to_little_endian({&value, 1});
  return value;
}

NpyArray parse_npy(std::string_view bytes, std::string_view name) {
  NpyHeader header = parse_npy_header(bytes, bytes.size(), name);
  NpyArray array{std::move(header.shape), std::vector<double>(header.count)};
  if (header.count != 0) std::memcpy(array.values.data(), bytes.data() + header.begin, header.count * sizeof(double));
  to_little_endian(array.values);
  return array;
}

NpyArray read_npy(const std::filesystem::path& path) {
  return parse_npy(read_file(path, {"an array", std::uint64_t{32} << 30, false}), path.string());
}

std::string npy_header(std::span<const std::size_t> shape, std::string_view type) {
  std::string extents;
  for (std::size_t extent : shape) extents += std::to_string(extent) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1) extents.resize(extents.size() - 2);
  std::string text = "{'descr': " + std::string(type) + ", 'fortran_order': False, 'shape': (" + extents + "), }";
  const std::size_t before = magic.size() + 4;
  const std::size_t total = (before + text.size() + 1 + alignment - 1) / alignment * alignment;
  text.resize(total - before - 1, ' ');
  text += '\n';
  std::string header(magic);
  header += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

void write_npy_values(std::ostream& out, std::span<const double> values) {
  std::vector<double> converted;
  if constexpr (std::endian::native == std::endian::big) {
    converted.assign(values.begin(), values.end());
    to_little_endian(converted);
    values = converted;
  }
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

void write_npy(const std::filesystem::path& path, std::span<const std::size_t> shape, std::span<const double> values) {
  if (element_count(shape, sizeof(double), path.string()) != values.size())
    throw failure("the shape of the .npy file does not match its values");
  write_file(path, [&](std::ostream& out) {
    out << npy_header(shape);
    write_npy_values(out, values);
  });
}

}  // namespace orrery
