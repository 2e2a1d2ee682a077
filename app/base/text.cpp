#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

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

constexpr std::size_t most_cells = 1 << 22;

}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split_text(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string capitalised(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z') result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result;
}

std::string in_words(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '-', ' ');
  return capitalised(words);
}

std::string as_symbol(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 24> greek{
      {{"alpha", "α"}, {"beta", "β"},    {"gamma", "γ"},   {"delta", "δ"}, {"epsilon", "ε"}, {"zeta", "ζ"},
       {"eta", "η"},   {"theta", "θ"},   {"iota", "ι"},    {"kappa", "κ"}, {"lambda", "λ"},  {"mu", "μ"},
       {"nu", "ν"},    {"xi", "ξ"},      {"omicron", "ο"}, {"pi", "π"},    {"rho", "ρ"},     {"sigma", "σ"},
       {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "φ"},     {"chi", "χ"},   {"psi", "ψ"},     {"omega", "ω"}}};
  constexpr std::array<std::string_view, 10> below{"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  const std::size_t letters = std::min(name.find_first_of("0123456789"), name.size());
  const std::string_view stem = name.substr(0, letters), digits = name.substr(letters);
  const auto letter = std::ranges::find(greek, stem, [](const auto& row) { return row.first; });
  const bool is_symbol = stem.size() == 1 || letter != greek.end();
  if (!is_symbol || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    return capitalised(words);
  }
  std::string symbol(letter != greek.end() ? letter->second : stem);
  for (const char digit : digits) symbol += below[static_cast<std::size_t>(digit - '0')];
  return symbol;
}

bool is_misspelt(std::string_view typed, std::string_view meant) {
  const std::size_t allowed = meant.size() < 6 ? 1 : 2;
  // Rows of the table of distances: two before, one before, this one.
  std::vector<std::size_t> before, last(meant.size() + 1), now(meant.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= typed.size(); ++i) {
    now[0] = i;
    for (std::size_t k = 1; k <= meant.size(); ++k) {
      now[k] = std::min({last[k] + 1, now[k - 1] + 1, last[k - 1] + (typed[i - 1] == meant[k - 1] ? 0 : 1)});
      if (i > 1 && k > 1 && typed[i - 1] == meant[k - 2] && typed[i - 2] == meant[k - 1])
        now[k] = std::min(now[k], before[k - 2] + 1);
    }
    before = std::exchange(last, now);
  }
  return typed != meant && last[meant.size()] <= allowed;
}

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

std::string digits17(double value) {
  std::string text;
  append_digits17(text, value);
  return text;
}

void append_digits17(std::string& text, double value) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 17).ptr;
  text.append(digits.data(), end);
}

std::string grouped(std::int64_t value) {
  std::string text = std::to_string(value);
  const std::ptrdiff_t first = value < 0 ? 1 : 0;
  for (std::ptrdiff_t at = std::ssize(text) - 3; at > first; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::string brief(double value, int significant) { return formatted("%.*g", significant, value); }

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return brief(bytes, 3) + " " + units[unit];
}

void Fnv1a::add(std::string_view bytes) {
  std::uint64_t hash = hash_;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  hash_ = hash;
}

std::string Fnv1a::text() const {
  std::array<char, 16> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), hash_, 16).ptr};
}

std::string fnv1a(std::string_view text) {
  Fnv1a hash;
  hash.add(text);
  return hash.text();
}

std::vector<bool> changed_lines(std::string_view original, std::string_view text) {
  const std::vector<std::string_view> a = split_text(original, '\n'), b = split_text(text, '\n');
  std::vector<bool> changed(b.size(), false);
  std::size_t first = 0, last_a = a.size(), last_b = b.size();
  while (first < last_a && first < last_b && a[first] == b[first]) ++first;
  while (last_a > first && last_b > first && a[last_a - 1] == b[last_b - 1]) --last_a, --last_b;
  const std::size_t rows = last_a - first, columns = last_b - first;
  if (rows > 0 && columns == 0) changed[std::min(first, b.size() - 1)] = true;
  if (rows == 0 || columns == 0 || (rows + 1) * (columns + 1) > most_cells) {
    std::fill(changed.begin() + static_cast<std::ptrdiff_t>(first),
              changed.begin() + static_cast<std::ptrdiff_t>(last_b), true);
    return changed;
  }
  // common[i][j]: length for a from i and b from j, both without the first lines.
  std::vector<std::uint32_t> common((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (columns + 1) + j]; };
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      at(i, j) = a[first + i] == b[first + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  bool inserted = false, left_out = false;  // since the last common line
  const auto mark_gap = [&](std::size_t behind) {
    if (left_out && !inserted) changed[std::min(first + behind, b.size() - 1)] = true;
    inserted = left_out = false;
  };
  for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
    if (i < rows && j < columns && a[first + i] == b[first + j]) {
      mark_gap(j);
      ++i, ++j;
    } else if (j < columns && (i == rows || at(i, j + 1) >= at(i + 1, j))) {
      inserted = changed[first + j++] = true;
    } else {
      left_out = true;
      ++i;
    }
  }
  mark_gap(columns);
  return changed;
}

}  // namespace orrery
