#include "base/files/table_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"

namespace orrery {
namespace {

constexpr std::size_t longest_line = 1 << 16;
constexpr std::size_t most_late = 1 << 20;  // most ambiguous numbers that may wait
constexpr std::string_view little_mark = "\xFF\xFE", big_mark = "\xFE\xFF";

void append_utf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80U | (code >> shift & 0x3fU)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0U | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0U | code >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0U | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

// The length of the mark of a comment; 0: no comment.
std::size_t comment_mark(std::string_view line) {
  if (line.starts_with("//")) return 2;
  return line.starts_with('#') || line.starts_with('%') ? 1 : 0;
}

std::size_t marks_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == '.' || c == ','; }));
}

/// The fast case of decimal commas: no other mark, and few digits.
std::optional<double> with_decimal_comma(std::string_view text) {
  std::array<char, 32> plain{};
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || marks_in(text) != 1 || text.size() > plain.size()) return std::nullopt;
  std::ranges::copy(text, plain.begin());
  plain[comma] = '.';
  return parse_real({plain.data(), text.size()});
}

}  // namespace

std::string TextPlace::text() const {
  return std::string(file) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

// ---- bytes to lines

void TableText::add(std::string_view bytes) {
  const std::string_view text = decoded(bytes);
  const std::size_t end = text.rfind('\n');
  if (end == std::string_view::npos) {
    if (rest_.size() + text.size() > longest_line)
      throw usage_error("a row of more than " + std::to_string(longest_line) + " bytes", {},
                        "expected " + rows_.expected(), place_.text());
    rest_ += text;
    return;
  }
  std::size_t begin = 0;
  if (!rest_.empty()) {
    begin = text.find('\n') + 1;
    rest_ += text.substr(0, begin);
    add_lines(std::exchange(rest_, {}));
  }
  add_lines(text.substr(begin, end + 1 - begin));
  rest_ = text.substr(end + 1);
}

std::string_view TableText::decoded(std::string_view bytes) {
  if (encoding_ == Encoding::unknown && !bytes.empty()) {
    encoding_ = bytes.starts_with(little_mark) ? Encoding::utf16_little
                : bytes.starts_with(big_mark)  ? Encoding::utf16_big
                                               : Encoding::utf8;
    if (encoding_ != Encoding::utf8) bytes.remove_prefix(little_mark.size());
    if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
    if (const std::size_t zero = bytes.substr(0, longest_line).find('\0');
        encoding_ == Encoding::utf8 && zero != std::string_view::npos)
      throw usage_error(in_quotes(std::string(place_.file)) + " is not a text file", {},
                        "byte " + std::to_string(zero) + " is 0", place_.text());
  }
  if (encoding_ == Encoding::utf16_little || encoding_ == Encoding::utf16_big) {
    decode_utf16(bytes);
    bytes = decoded_;
  }
  if (!after_return_ && bytes.find('\r') == std::string_view::npos) return bytes;
  std::string lines;
  lines.reserve(bytes.size());
  while (!bytes.empty()) {
    if (std::exchange(after_return_, false) && bytes.front() == '\n') bytes.remove_prefix(1);
    const std::size_t end = bytes.find('\r');
    lines += bytes.substr(0, end);
    after_return_ = end != std::string_view::npos;
    if (after_return_) lines += '\n';
    bytes.remove_prefix(after_return_ ? end + 1 : bytes.size());
  }
  decoded_ = std::move(lines);
  return decoded_;
}

void TableText::decode_utf16(std::string_view bytes) {
  undecoded_ += bytes;
  decoded_.clear();
  const bool is_big = encoding_ == Encoding::utf16_big;
  const auto unit_at = [&](std::size_t at) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(undecoded_[at]),
               second = static_cast<unsigned char>(undecoded_[at + 1]);
    return is_big ? static_cast<std::uint32_t>(first << 8 | second) : static_cast<std::uint32_t>(second << 8 | first);
  };
  constexpr std::uint32_t replacement = 0xfffd;
  std::size_t at = 0;
  for (; at + 1 < undecoded_.size(); at += 2) {
    std::uint32_t code = unit_at(at);
    if (code >= 0xd800 && code < 0xdc00) {
      if (at + 3 >= undecoded_.size()) break;
      const std::uint32_t low = unit_at(at + 2);
      const bool is_pair = low >= 0xdc00 && low < 0xe000;
      code = is_pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : replacement;
      if (is_pair) at += 2;
    } else if (code >= 0xdc00 && code < 0xe000) {
      code = replacement;
    }
    append_utf8(decoded_, code);
  }
  undecoded_.erase(0, at);
}

void TableText::add_lines(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    add_line(lines.substr(0, end));
    lines.remove_prefix(end + 1);
  }
}

void TableText::add_line(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (line.find_first_not_of(" \t;,|") == std::string_view::npos) {
    // Blank lines are skipped, and the rows of empty cells that spreadsheets write below a table.
  } else if (const std::size_t mark = comment_mark(line.substr(first)); mark > 0) {
    if (!has_begun()) comment_ = {std::string(line.substr(first + mark)), place_.line};
  } else if (has_begun()) {
    add_row(line);
  } else if (line.size() == 5 && lower_case(line).starts_with("sep=")) {
    separators_ = line.substr(4);
  } else {
    begin(line);
  }
  ++place_.line;
}

void TableText::finish() {
  if (!rest_.empty()) add_line(std::exchange(rest_, {}));
  settle_late();
}

void TableText::settle_late() {
  for (const Late& late : std::exchange(late_, {})) {
    const WrittenNumber number = read_written_number(late.text);
    if (decimal_ == 0 || !(has_groups_ || late.text.find(decimal_) != std::string::npos))
      throw usage_error(columns_[late.column].name + ": " + in_quotes(late.text) + " has two meanings, " +
                            *number.with_point + " and " + *number.with_comma,
                        {}, "expected no grouped digits, or another number that decides between the two",
                        late.place.text());
    const auto value = parse_real(decimal_ == '.' ? *number.with_point : *number.with_comma);
    if (!value || !is_allowed(*value, late.column)) throw bad_number(late.column, late.text, late.place);
    rows_.amend(late.row, late.column, *value);
  }
}

std::string TableText::understood() const {
  std::vector<std::string> parts;
  if (decimal_ == ',') parts.emplace_back("decimal comma");
  if (has_groups_) parts.emplace_back("grouped digits");
  return joined(parts, ", ");
}

// ---- the first line

// Returns the place of an unclosed quote.
std::optional<std::size_t> TableText::split(std::string_view line, char separator, std::vector<Cell>& cells) {
  cells.clear();
  const bool between_blanks = separator == ' ';
  const auto is_gap = [&](std::size_t at) { return line[at] == ' ' || (line[at] == '\t' && separator != '\t'); };
  const auto skip_gap = [&](std::size_t at) {
    while (at < line.size() && is_gap(at)) ++at;
    return at;
  };
  for (std::size_t at = 0;;) {
    const std::size_t begin = skip_gap(at);
    if (between_blanks && begin == line.size()) return std::nullopt;
    std::size_t end = begin;
    if (begin < line.size() && line[begin] == '"') {
      std::size_t close = line.find('"', begin + 1);
      while (close < line.size() && line.substr(close + 1).starts_with('"')) close = line.find('"', close + 2);
      if (close >= line.size()) return begin;
      end = skip_gap(close + 1);
      if (end < line.size() && line[end] != separator && !(between_blanks && end > close + 1)) return begin;
      if (between_blanks) --end;
      cells.push_back({trimmed(line.substr(begin + 1, close - begin - 1), " \t"), begin, true});
    } else {
      while (end < line.size() && line[end] != separator && !(between_blanks && is_gap(end))) ++end;
      std::size_t last = end;
      while (last > begin && is_gap(last - 1)) --last;
      cells.push_back({line.substr(begin, last - begin), begin, false});
    }
    if (end >= line.size()) return std::nullopt;
    at = end + 1;
  }
}

// A unit between blanks, like [m], belongs to the name before it.
std::vector<std::string> TableText::names_in(std::string_view line, char separator) const {
  std::vector<Cell> cells;
  std::vector<std::string> names;
  if (split(line, separator, cells)) return names;
  for (const Cell& cell : cells) {
    const bool is_unit = separator == ' ' && !names.empty() && !cell.is_quoted &&
                         (cell.text.starts_with('[') || cell.text.starts_with('('));
    if (is_unit)
      (names.back() += ' ') += cell.text;
    else
      names.emplace_back(cell.text);
  }
  return names;
}

void TableText::begin(std::string_view line) {
  if (begin_with_names(line, place_.line, 0)) return;
  if (begin_with_numbers(line)) return add_row(line);
  throw usage_error("the first row of the table", std::string(line.substr(0, 2 * most_shown)), rows_.expected(),
                    place_.text());
}

// Chooses the separator that gives the most known names. `columns`: required number; 0: any.
bool TableText::begin_with_names(std::string_view line, std::size_t number, std::size_t columns) {
  std::size_t most = 0;
  std::vector<std::string> best;
  for (const char separator : separators_) {
    std::vector<std::string> names = names_in(line, separator);
    const std::size_t known = columns == 0 || names.size() == columns ? rows_.known(names) : 0;
    if (known <= most) continue;
    most = known;
    best = std::move(names);
    if (columns == 0) separator_ = separator;
  }
  if (most > 0) begin(best, true, number);
  return most > 0;
}

bool TableText::begin_with_numbers(std::string_view line) {
  for (const char separator : separators_) {
    if (split(line, separator, cells_)) continue;
    if (!std::ranges::all_of(cells_, [](const Cell& c) { return read_written_number(c.text).is_number(); })) continue;
    const std::vector<std::string> usual = rows_.usual_names(cells_.size());
    separator_ = separator;
    if (comment_ && begin_with_names(comment_->text, comment_->line, cells_.size())) return true;
    if (usual.empty()) continue;
    begin(usual, false, place_.line);
    return true;
  }
  return false;
}

void TableText::begin(const std::vector<std::string>& names, bool has_header, std::size_t line) {
  columns_ = rows_.begin(names, has_header, {place_.file, line, 1});
  numbers_.assign(columns_.size(), 0);
  words_.assign(columns_.size(), {});
}

// ---- rows

// The fast case of large files: only numbers with a decimal point between commas.
bool TableText::take_plain_numbers(std::string_view line) {
  if (separator_ != ',' || decimal_ != '.') return false;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    if (columns_[column].cells < TableColumn::Cells::numbers) return false;
    if (column > 0 && (at == end || *at++ != ',')) return false;
    const auto [next, error] = std::from_chars(at, end, numbers_[column]);
    if (error != std::errc() || !std::isfinite(numbers_[column]) || !is_allowed(numbers_[column], column)) return false;
    at = next;
  }
  return at == end;
}

void TableText::add_row(std::string_view line) {
  if (take_plain_numbers(line)) {
    rows_.row(numbers_, words_, place_);
    ++row_;
    return;
  }
  if (const auto unended = split(line, separator_, cells_))
    throw usage_error("a quote that is not closed before the next separator", {}, {}, place_of(line, *unended).text());
  while (cells_.size() > columns_.size() && cells_.back().text.empty()) cells_.pop_back();
  if (cells_.size() != columns_.size()) {
    const std::size_t at = cells_[std::min(cells_.size() - 1, columns_.size())].begin;
    throw usage_error("a row with " + std::to_string(cells_.size()) + " values", std::string(line),
                      std::to_string(columns_.size()) + " values, " + joined(columns_, ",", &TableColumn::name) +
                          (separator_ == ',' && cells_.size() > columns_.size()
                               ? "; with decimal commas, separate the values by semicolons, or quote them"
                               : ""),
                      place_of(line, at).text());
  }
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const Cell& cell = cells_[column];
    switch (columns_[column].cells) {
      case TableColumn::Cells::ignored:
        break;
      case TableColumn::Cells::words:
        words_[column] = cell.text;
        break;
      default:
        numbers_[column] = number_of(cell, column, line);
    }
  }
  rows_.row(numbers_, words_, place_);
  ++row_;
}

double TableText::number_of(const Cell& cell, std::size_t column, std::string_view line) {
  if (const auto plain = parse_real(cell.text)) {
    const bool has_point = decimal_ != '.' && cell.text.find('.') != std::string_view::npos;
    // Between semicolons "1.234" may be grouped digits; programs that write other separators do not group digits.
    if (has_point && separator_ != ';') take_decimal('.', cell, column, line);
    if ((!has_point || decimal_ == '.') && is_allowed(*plain, column)) return *plain;
  }
  if (const auto plain = decimal_ == ',' ? with_decimal_comma(cell.text) : std::nullopt)
    if (is_allowed(*plain, column)) return *plain;
  const WrittenNumber number = read_written_number(cell.text);
  if (!number.is_number()) throw bad_number(column, cell.text, place_of(line, cell.begin));
  const std::size_t marks = marks_in(cell.text);
  if (!number.has_two_meanings()) {
    if (marks > 0) take_decimal(number.with_point ? '.' : ',', cell, column, line);
    has_groups_ |= marks > 1;
  } else if (decimal_ == 0 || (cell.text.find(decimal_) == std::string_view::npos && !has_groups_)) {
    if (late_.size() == most_late) settle_late();
    late_.push_back({row_, column, place_of(line, cell.begin), std::string(cell.text)});
    return 0;
  }
  const auto& meant = decimal_ == ',' ? number.with_comma : number.with_point;
  const auto value = meant ? parse_real(*meant) : std::nullopt;
  if (!value || !is_allowed(*value, column)) throw bad_number(column, cell.text, place_of(line, cell.begin));
  return *value;
}

void TableText::take_decimal(char decimal, const Cell& cell, std::size_t column, std::string_view line) {
  if (decimal_ == 0) {
    decimal_ = decimal;
    decimal_example_ = in_quotes(cell.text) + " in line " + std::to_string(place_.line);
  }
  if (decimal_ != decimal)
    throw usage_error(
        columns_[column].name, std::string(cell.text),
        std::string("a number with a decimal ") + (decimal_ == '.' ? "point" : "comma") + ", like " + decimal_example_,
        place_of(line, cell.begin).text());
}

bool TableText::is_allowed(double value, std::size_t column) const {
  return value >= 0 || columns_[column].cells != TableColumn::Cells::numbers_from_0;
}

Error TableText::bad_number(std::size_t column, std::string_view text, const TextPlace& place) const {
  const bool from_0 = columns_[column].cells == TableColumn::Cells::numbers_from_0;
  return usage_error(columns_[column].name, std::string(text),
                     from_0 ? "a finite number of 0 or more" : "a finite number", place.text());
}

TextPlace TableText::place_of(std::string_view line, std::size_t at) const {
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; };
  const auto before = static_cast<std::size_t>(std::ranges::count_if(line.substr(0, at), begins_character));
  return {place_.file, place_.line, before + 1};
}

}  // namespace orrery
