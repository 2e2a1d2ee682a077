#include "base/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace orrery {
namespace {

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  return text;
}

std::string formatted(const char* format, int precision, double value) {
  std::array<char, 64> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), format, precision, value);
  std::string text(buffer.data(), static_cast<std::size_t>(length));
  // snprintf writes the locale's decimal separator.
  for (char& c : text)
    if (c == ',') c = '.';
  return text;
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = without_plus(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string shortest(double value) {
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end);
}

std::string digits17(double value) { return formatted("%.*g", 17, value); }

std::string brief(double value, int significant) { return formatted("%.*g", significant, value); }

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return brief(bytes, 3) + " " + units[unit];
}

std::string fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  std::array<char, 16> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr};
}

}  // namespace orrery
