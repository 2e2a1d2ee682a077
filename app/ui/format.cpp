#include "ui/format.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "ui/theme.hpp"

namespace orrery::ui {
namespace {

/// Three significant digits without an exponent, for 0.0995 … 9999.
std::string three_digits(double value) {
  const double size = std::abs(value);
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, value);
  return buffer.data();
}

float text_width(std::string_view text) {
  return text.empty() ? 0 : ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::string metric(double value) {
  constexpr std::array prefixes{"", " k", " M", " G", " T", " P", " E"};
  if (std::isnan(value)) return "n/a";
  if (value == 0) return "0";
  std::size_t prefix = 0;
  double scaled = value;
  for (; std::abs(scaled) >= 999.5 && prefix + 1 < prefixes.size(); ++prefix) scaled /= 1000;
  if (std::abs(scaled) >= 9999 || std::abs(scaled) < 0.1) return number(value, 3);
  return three_digits(scaled) + prefixes[prefix];
}

std::string number(double value, int significant) {
  if (std::isnan(value)) return "n/a";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  std::string text = brief(value, significant);
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

std::string duration(double microseconds) {
  if (!std::isfinite(microseconds)) return "n/a";
  if (microseconds < 999.5) return three_digits(microseconds) + " µs";
  if (microseconds < 999.5e3) return three_digits(microseconds / 1e3) + " ms";
  if (microseconds < 9999e6) return three_digits(microseconds / 1e6) + " s";
  return number(microseconds / 1e6, 3) + " s";
}

std::string percent(double share) {
  if (!std::isfinite(share)) return "n/a";
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), share > 0 && share < 0.0995 ? "%.1f %%" : "%.0f %%",
                std::clamp(share, 0.0, 9.99) * 100);
  return buffer.data();
}

std::string fitted(std::string_view text, float width) {
  note_missing_characters(text);
  if (text_width(text) <= width) return std::string(text);
  constexpr std::string_view ellipsis = "…";
  std::size_t fits = 0;
  std::size_t fails = text.size();
  while (fails - fits > 1) {
    const std::size_t middle = (fits + fails) / 2;
    (text_width(text.substr(0, middle)) + text_width(ellipsis) <= width ? fits : fails) = middle;
  }
  while (fits > 0 && !starts_code_point(text[fits])) --fits;
  return std::string(text.substr(0, fits)) + std::string(ellipsis);
}

// A line is measured as a whole: the widths of words are rounded up.
std::string wrapped(std::string_view text, float width) {
  std::string lines;
  std::size_t line = 0;  // where it begins
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    if (at > line && text_width(text.substr(line, end - line)) > width) lines.back() = '\n', line = at;
    lines += text.substr(at, end - at);
    if (end < text.size()) lines += text[end];
    at = end + 1;
    if (end < text.size() && text[end] == '\n') line = at;
  }
  return lines;
}

}  // namespace orrery::ui
