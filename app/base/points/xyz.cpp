// Extended XYZ: the number of points, a line of keys and values, and a row for each point. Frames follow each other.
// https://github.com/libAtoms/extxyz
#include "base/points/xyz.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "base/files/table_text.hpp"
#include "base/points/writers.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

void append_shortest(std::string& text, double value) {
  std::array<char, 32> digits{};
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

std::string xyz_header(const PointFrame& frame) {
  std::string text = std::to_string(frame.count) + "\n";
  if (frame.box) {
    const auto& [x, y, z] = *frame.box;
    text += "Lattice=\"" + shortest(x) + " 0 0 0 " + shortest(y) + " 0 0 0 " + shortest(z) + "\" Origin=\"" +
            shortest(-x / 2) + " " + shortest(-y / 2) + " " + shortest(-z / 2) + "\" pbc=\"T T T\" ";
  } else {
    text += "pbc=\"F F F\" ";
  }
  text += std::string("Properties=") + (kind_column(frame) == nullptr ? "species" : "type") + ":S:1:pos:R:3:velo:R:3";
  for (const PointColumn* column : scalar_columns(frame)) text += ":" + column->name + ":R:1";
  text += " Time=" + shortest(frame.time) + " Step=" + std::to_string(frame.step);
  if (!frame.units.empty()) text += " Units=\"" + std::string(frame.units) + "\"";
  return text + "\n";
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

// The value of `key=value`, with an optionally quoted value; empty: none.
std::string_view value_of_key(std::string_view line, std::string_view key) {
  std::size_t at = lower_case(line).find(key);
  if (at == line.npos) return {};
  at += key.size();
  const bool is_quoted = line.substr(at).starts_with('"');
  return is_quoted ? line.substr(at + 1, line.find('"', at + 1) - at - 1)
                   : line.substr(at, line.find_first_of(" \t\r", at) - at);
}

// "species:S:1:pos:R:3"
std::vector<std::string> names_of_properties(std::string_view properties, const std::string& place) {
  constexpr std::int64_t most_values = 1000;
  const std::vector<std::string_view> parts = split_text(properties, ':');
  std::vector<std::string> names;
  for (std::size_t k = 0; k + 2 < parts.size(); k += 3) {
    const std::string name(parts[k] == "Z" ? "atomic_number" : parts[k]);
    const auto count = parse_integer(parts[k + 2]);
    if (name.empty() || !count || *count < 1 || *count > most_values) break;
    for (std::int64_t value = 0; value < *count; ++value)
      names.push_back(*count == 1   ? name
                      : *count == 3 ? name + "_" + std::string(1, "xyz"[value])
                                    : name + "." + std::to_string(value + 1));
    if (k + 3 == parts.size()) return names;
  }
  throw usage_error("Properties", std::string(properties), "NAME:TYPE:COUNT, such as species:S:1:pos:R:3:velo:R:3",
                    place);
}

std::vector<std::string> names_of_plain_rows(std::string_view row) {
  std::vector<std::string> names{"species", "x", "y", "z"};
  std::size_t values = 0;
  for (std::size_t at = row.find_first_not_of(" \t\r"); at < row.size();) {
    ++values;
    at = row.find_first_not_of(" \t\r", std::min(row.find_first_of(" \t\r", at), row.size()));
  }
  while (names.size() < values) names.push_back("column_" + std::to_string(names.size() + 1));
  return names;
}

}  // namespace

XyzLayout parse_xyz_layout(std::string_view beginning, std::string_view name) {
  const std::size_t mark = beginning.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const std::string_view first = trimmed(line_at(beginning, mark));
  const auto count = parse_integer(first);
  if (!count || *count < 1)
    throw usage_error("the number of points", std::string(first.substr(0, 64)), "a whole number of 1 or more",
                      TextPlace{name}.text());
  XyzLayout layout{static_cast<std::size_t>(*count), {}, 0};
  const std::size_t second = std::min(beginning.find('\n'), beginning.size() - 1) + 1;
  const std::string_view keys = line_at(beginning, second);
  layout.begin = second + keys.size() + 1;
  if (layout.begin >= beginning.size())
    throw usage_error("the text ends before its first row", {}, "expected " + std::string(first) + " rows",
                      TextPlace{name, 2, 1}.text());
  const std::string_view properties = value_of_key(keys, "properties=");
  layout.names = properties.empty() ? names_of_plain_rows(line_at(beginning, layout.begin))
                                    : names_of_properties(properties, TextPlace{name, 2, 1}.text());
  return layout;
}

std::int64_t xyz_bytes_before(const std::filesystem::path& path, std::int64_t begins) {
  std::ifstream file(path, std::ios::binary);
  std::int64_t whole = 0;
  for (std::string line; std::getline(file, line);) {
    const auto count = parse_integer(trimmed(line));
    if (!count || !std::getline(file, line)) break;
    const auto step = parse_integer(value_of_key(line, "step="));
    if (!step || *step >= begins) break;
    for (std::int64_t row = 0; row < *count && file; ++row) std::getline(file, line);
    if (!file || file.eof()) break;  // the last row has no end
    whole = static_cast<std::int64_t>(file.tellg());
  }
  return whole;
}

void write_xyz_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress) {
  const PointVector place = place_columns(frame), velocity = velocity_columns(frame);
  std::vector<const PointColumn*> columns(place.begin(), place.end());
  columns.insert(columns.end(), velocity.begin(), velocity.end());
  for (const PointColumn* column : scalar_columns(frame)) columns.push_back(column);
  const PointColumn* const kind = kind_column(frame);
  write_point_rows(out, frame.count, xyz_header(frame), progress, [&](std::string& text, std::size_t i) {
    text += kind == nullptr ? "X" : frame.kind_names[kind->kinds[i]];
    for (const PointColumn* column : columns) {
      text += ' ';
      append_shortest(text, (*column)[i]);
    }
    text += '\n';
  });
}

}  // namespace orrery
