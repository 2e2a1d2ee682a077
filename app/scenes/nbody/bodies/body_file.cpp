#include "scenes/nbody/bodies/body_file.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <new>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/npy.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/tipsy.hpp"

namespace orrery {
namespace {

constexpr std::string_view csv_header = "mass,x,y,z,vx,vy,vz";
constexpr std::size_t columns = 7;
constexpr std::array<std::string_view, columns> column_names{"mass", "x", "y", "z", "vx", "vy", "vz"};

Body body_of(const std::array<double, columns>& v) { return {v[0], v[1], v[2], v[3], v[4], v[5], v[6]}; }
std::array<double, columns> values_of(const Body& b) { return {b.mass, b.x, b.y, b.z, b.vx, b.vy, b.vz}; }

struct Place {
  std::string_view file;
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // in characters, from 1
};

std::string text_of(const Place& place) {
  return std::string(place.file) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

Error bad_cell(const Place& place, std::size_t column, std::string_view cell) {
  const bool mass = column == 0;
  return usage_error(std::string(column_names[column]), cell.empty() ? "(empty)" : std::string(cell),
                     mass ? "a finite number of 0 or more" : "a finite number", text_of(place));
}

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.remove_suffix(1);
  return cell;
}

Body parse_row(std::string_view row, Place place) {
  std::array<double, columns> values{};
  std::size_t start = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    const bool last = column + 1 == columns;
    const std::size_t end = last ? row.size() : row.find(',', start);
    place.column = start + 1;
    if (end == std::string_view::npos)
      throw usage_error("a row with " + std::to_string(column + 1) + " values", std::string(row),
                        std::to_string(columns) + " values, " + std::string(csv_header), text_of(place));
    const std::string_view cell = trimmed(row.substr(start, end - start));
    const auto value = parse_real(cell);
    if (!value || (column == 0 && *value < 0)) throw bad_cell(place, column, cell);
    values[column] = *value;
    start = end + 1;
  }
  return body_of(values);
}

Bodies bodies_of(const NpyArray& array, const std::string& name) {
  if (array.shape.size() != 2 || array.columns() != columns)
    throw usage_error(in_quotes(name) + " is not a table of bodies", {},
                      "expected an array of shape N x 7: " + std::string(csv_header));
  Bodies bodies(array.rows());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::array<double, columns> values{};
    for (std::size_t column = 0; column < columns; ++column) {
      values[column] = array.values[i * columns + column];
      if (!std::isfinite(values[column]) || (column == 0 && values[column] < 0))
        throw bad_cell({name, i + 1, column + 1}, column, shortest(values[column]));
    }
    bodies[i] = body_of(values);
  }
  return bodies;
}

void put_csv(std::ostream& stream, const Bodies& bodies) {
  stream << csv_header << '\n';
  for (const Body& body : bodies) {
    const char* separator = "";
    for (const double value : values_of(body)) stream << std::exchange(separator, ",") << digits17(value);
    stream << '\n';
  }
}

// A row of text takes up to 180 bytes, a row of .npy 56, a row of .tipsy at most 48; each file has a header.
FileKind kind_of(const std::filesystem::path& path) {
  constexpr std::uint64_t longest_row = 256, header = 1 << 17;
  if (path.extension() == ".npy") return {"a bodies file", header + most_in_a_set * columns * sizeof(double), false};
  if (path.extension() == ".tipsy") return {"a bodies file", header + most_in_a_set * 48, false};
  return {"a bodies file", most_in_a_set * longest_row};
}

void write_table(const std::filesystem::path& path, const Bodies& bodies) {
  NpyArray array{{bodies.size(), columns}, {}};
  array.values.reserve(bodies.size() * columns);
  for (const Body& body : bodies)
    for (const double value : values_of(body)) array.values.push_back(value);
  write_npy(path, array);
}

}  // namespace

std::string bodies_csv(const Bodies& bodies) {
  std::ostringstream text;
  put_csv(text, bodies);
  return text.str();
}

Bodies parse_bodies_csv(std::string_view text, std::string_view name) {
  Bodies bodies;
  Place place{name};
  for (bool header = true; !text.empty(); ++place.line) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (std::exchange(header, false)) {
      if (line != csv_header)
        throw usage_error("the header of a bodies file", std::string(line.substr(0, 60)), std::string(csv_header),
                          text_of(place));
    } else if (!line.empty() || !text.empty()) {
      bodies.push_back(parse_row(line, place));
    }
  }
  if (bodies.empty())
    throw usage_error("there are no bodies in " + in_quotes(name), {}, "expected a header and at least one row",
                      text_of(place));
  return bodies;
}

Bodies parse_bodies(std::string_view bytes, const std::filesystem::path& name) {
  check_bodies_extension(name);
  const std::filesystem::path extension = name.extension();
  Bodies bodies = extension == ".npy"     ? bodies_of(parse_npy(bytes, name.string()), name.string())
                  : extension == ".tipsy" ? parse_tipsy(bytes, name.string())
                                          : parse_bodies_csv(bytes, name.string());
  if (bodies.empty()) throw usage_error("there are no bodies in", name.string(), {});
  if (bodies.size() > most_in_a_set)
    throw usage_error("the number of bodies in " + in_quotes(name.string()), std::to_string(bodies.size()),
                      "at most " + std::to_string(most_in_a_set));
  return bodies;
}

Bodies read_bodies(const std::filesystem::path& path) {
  check_bodies_extension(path);
  try {
    return parse_bodies(read_file(path, kind_of(path)), path);
  } catch (const std::bad_alloc&) {
    throw failure("out of memory for the bodies of " + path.string());
  }
}

void write_bodies(const std::filesystem::path& path, const Bodies& bodies, const BodyFileNotes& notes) {
  check_bodies_extension(path);
  if (path.extension() == ".npy") return write_table(path, bodies);
  if (path.extension() == ".tipsy") return write_file(path, tipsy_bytes(bodies, notes.time, notes.softening));
  write_file(path, [&](std::ostream& stream) { put_csv(stream, bodies); });
}

void check_bodies_extension(const std::filesystem::path& path) {
  const std::filesystem::path extension = path.extension();
  if (extension != ".csv" && extension != ".npy" && extension != ".tipsy")
    throw usage_error("the file of bodies", path.string(), "FILE.csv, FILE.npy or FILE.tipsy");
}

}  // namespace orrery
