#include "scenes/nbody/bodies/body_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <new>
#include <ostream>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/npy.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

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
  return usage_error(std::string(column_names[column]), std::string(cell),
                     mass ? "a finite number of 0 or more" : "a finite number", text_of(place));
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
    const std::string_view cell = trimmed(row.substr(start, end - start), " \t");
    const auto value = parse_real(cell);
    if (!value || (column == 0 && *value < 0)) throw bad_cell(place, column, cell);
    values[column] = *value;
    start = end + 1;
  }
  return body_of(values);
}

constexpr std::size_t piece_bytes = std::size_t{4} << 20;  // that is read or written at once
constexpr std::size_t row_bytes = columns * sizeof(double);

void tell(const FileProgress& progress, std::size_t done, std::size_t all) {
  if (progress && all > 0) progress(static_cast<double>(done) / static_cast<double>(all));
}

void check_number(std::size_t bodies, const std::string& name) {
  if (bodies == 0) throw usage_error("there are no bodies in", name, {});
  if (bodies > most_in_a_set)
    throw usage_error("the number of bodies in " + in_quotes(name), std::to_string(bodies),
                      "at most " + std::to_string(most_in_a_set));
}

std::string text_of(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

void check_shape(const std::vector<std::size_t>& shape, const std::string& name) {
  if (shape.size() != 2 || shape[1] != columns)
    throw usage_error("the array's shape", text_of(shape), "N x 7: " + std::string(csv_header), name);
}

Body checked_body(const std::array<double, columns>& values, std::size_t index, const std::string& name) {
  for (std::size_t column = 0; column < columns; ++column)
    if (!std::isfinite(values[column]) || (column == 0 && values[column] < 0))
      throw bad_cell({name, index + 1, column + 1}, column, shortest(values[column]));
  return body_of(values);
}

Body npy_body(std::string_view row, std::size_t index, const std::string& name) {
  std::array<double, columns> values{};
  for (std::size_t column = 0; column < columns; ++column) values[column] = npy_value(row, column * sizeof(double));
  return checked_body(values, index, name);
}

Bodies parse_npy_bodies(std::string_view bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, bytes.size(), name);
  check_shape(header.shape, name);
  check_number(header.shape.front(), name);
  Bodies bodies(header.shape.front());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i] = npy_body(bytes.substr(header.begin + i * row_bytes, row_bytes), i, name);
  return bodies;
}

/// Rows of one length, read from a file piece by piece.
class RowReader {
 public:
  RowReader(InputFile& file, std::size_t all, const std::string& name, const FileProgress& progress)
      : file_(file), name_(name), progress_(progress) {
    bodies_.reserve(all);
    all_ = all;
  }

  /// `one(row, index)` makes the body of a row.
  template <class One>
  void read(std::size_t count, std::size_t each, const One& one) {
    for (std::size_t left = count; left > 0;) {
      const std::size_t rows = std::min(left, piece_bytes / each);
      const std::string_view piece = file_.read(rows * each);
      if (piece.size() < rows * each)
        throw usage_error("the file " + in_quotes(name_) + " became shorter while it was read", {}, {});
      for (std::size_t i = 0; i < rows; ++i) bodies_.push_back(one(piece.substr(i * each, each), bodies_.size()));
      left -= rows;
      tell(progress_, bodies_.size(), all_);
    }
  }
  Bodies take() { return std::move(bodies_); }

 private:
  InputFile& file_;
  const std::string& name_;
  const FileProgress& progress_;
  Bodies bodies_;
  std::size_t all_ = 0;
};

constexpr std::size_t longest_npy_header = 1 << 17;

NpyHeader npy_header_of(const std::filesystem::path& path, const InputFile& file) {
  NpyHeader header = parse_npy_header(read_beginning(path, longest_npy_header), file.bytes(), path.string());
  check_shape(header.shape, path.string());
  check_number(header.shape.front(), path.string());
  return header;
}

TipsyHeader tipsy_header_of(const std::filesystem::path& path, InputFile& file) {
  const TipsyHeader header(file.read(TipsyHeader::bytes), file.bytes(), path.string());
  check_number(header.bodies(), path.string());
  return header;
}

Bodies read_npy_bodies(const std::filesystem::path& path, InputFile& file, const FileProgress& progress) {
  const std::string name = path.string();
  const NpyHeader header = npy_header_of(path, file);
  (void)file.read(header.begin);
  RowReader reader(file, header.shape.front(), name, progress);
  reader.read(header.shape.front(), row_bytes,
              [&](std::string_view row, std::size_t index) { return npy_body(row, index, name); });
  return reader.take();
}

Bodies read_tipsy_bodies(const std::filesystem::path& path, InputFile& file, const FileProgress& progress) {
  const std::string name = path.string();
  const TipsyHeader header = tipsy_header_of(path, file);
  RowReader reader(file, header.bodies(), name, progress);
  std::size_t at = TipsyHeader::bytes;
  for (const auto& [first, count, each] : header.rows())
    reader.read(count, each, [&](std::string_view row, std::size_t index) {
      const Body body = header.body(row, index, at, name);
      at += row.size();
      return body;
    });
  return reader.take();
}

/// The bodies of a .csv file, whose text comes in pieces that end anywhere.
class CsvReader {
 public:
  explicit CsvReader(std::string_view name) : place_{name} {}

  /// `all`: of the text, to reserve memory.
  void add(std::string_view piece, std::size_t all) {
    const std::size_t end = piece.rfind('\n');
    if (end == std::string_view::npos) {
      if (rest_.size() + piece.size() > longest_row)
        throw usage_error("a row of more than " + std::to_string(longest_row) + " bytes", {},
                          "expected " + std::to_string(columns) + " values, " + std::string(csv_header),
                          text_of(place_));
      rest_ += piece;
      return;
    }
    const bool first = bodies_.empty();
    std::size_t begin = 0;
    if (!rest_.empty()) {
      begin = piece.find('\n') + 1;
      rest_ += piece.substr(0, begin);
      add_lines(std::exchange(rest_, {}));
    }
    add_lines(piece.substr(begin, end + 1 - begin));
    rest_ = piece.substr(end + 1);
    if (!first || piece.size() >= all) return;
    constexpr double margin = 1.05;  // later rows are about as long
    const double pieces = static_cast<double>(all) / static_cast<double>(piece.size());
    bodies_.reserve(static_cast<std::size_t>(margin * pieces * static_cast<double>(bodies_.size())));
  }

  Bodies take() {
    if (!rest_.empty()) add_line(std::exchange(rest_, {}));
    if (bodies_.empty())
      throw usage_error("there are no bodies in " + in_quotes(std::string(place_.file)), {},
                        "expected a header and at least one row", text_of(place_));
    return std::move(bodies_);
  }

 private:
  static constexpr std::size_t longest_row = 1 << 16;

  void add_lines(std::string_view lines) {
    while (!lines.empty()) {
      const std::size_t end = lines.find('\n');
      add_line(lines.substr(0, end));
      lines.remove_prefix(end + 1);
    }
  }

  void add_line(std::string_view line) {
    if (place_.line == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_blank(line)) {
      // Blank lines are skipped.
    } else if (!std::exchange(has_header_, true)) {
      if (line != csv_header)
        throw usage_error("the header of a bodies file", std::string(line.substr(0, 60)), std::string(csv_header),
                          text_of(place_));
    } else {
      bodies_.push_back(parse_row(line, place_));
      if (bodies_.size() > most_in_a_set) check_number(bodies_.size(), std::string(place_.file));
    }
    ++place_.line;
  }

  Place place_;
  std::string rest_;  // of the last line, until its end comes
  bool has_header_ = false;
  Bodies bodies_;
};

void check_is_text(std::string_view piece, const std::string& name) {
  if (const std::size_t zero = piece.find('\0'); zero != piece.npos)
    throw usage_error(in_quotes(name) + " is not a text file", {}, "byte " + std::to_string(zero) + " is 0");
}

Bodies read_csv_bodies(const std::filesystem::path& path, InputFile& file, const FileProgress& progress) {
  const std::string name = path.string();
  CsvReader reader(name);
  const auto all = static_cast<std::size_t>(file.bytes());
  for (std::size_t done = 0;;) {
    const std::string_view piece = file.read(piece_bytes);
    if (done == 0) check_is_text(piece.substr(0, 1 << 16), name);
    if (piece.empty()) break;
    reader.add(piece, all);
    done += piece.size();
    tell(progress, std::min(done, all), all);
  }
  return reader.take();
}

void append_csv(std::string& text, const Body& body) {
  char separator = 0;
  for (const double value : values_of(body)) {
    if (separator != 0) text += separator;
    append_digits17(text, value);
    separator = ',';
  }
  text += '\n';
}

void append_npy(std::string& bytes, const Body& body) {
  for (const double value : values_of(body)) append_npy_value(bytes, value);
}

// `append(bytes, body, index)` adds a row, after `header`.
template <class Append>
void write_rows(std::ostream& stream, const Bodies& bodies, std::string header, const FileProgress& progress,
                const Append& append) {
  std::string piece = std::move(header);
  piece.reserve(piece_bytes + piece_bytes / 8);
  const auto write_piece = [&](std::size_t done) {
    stream.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    piece.clear();
    tell(progress, done, bodies.size());
  };
  for (std::size_t i = 0; i < bodies.size() && stream; ++i) {
    append(piece, bodies[i], i);
    if (piece.size() >= piece_bytes) write_piece(i + 1);
  }
  write_piece(bodies.size());
}

// A row of text takes up to 180 bytes, a row of .npy 56, a row of .tipsy at most 48; each file has a header.
FileKind kind_of(const std::filesystem::path& path) {
  constexpr std::uint64_t longest_row = 256, header = 1 << 17;
  if (path.extension() == ".npy") return {"a bodies file", header + most_in_a_set * columns * sizeof(double), false};
  if (path.extension() == ".tipsy") return {"a bodies file", header + most_in_a_set * 48, false};
  return {"a bodies file", most_in_a_set * longest_row};
}

}  // namespace

std::string bodies_csv(const Bodies& bodies) {
  std::string text = std::string(csv_header) + "\n";
  for (const Body& body : bodies) append_csv(text, body);
  return text;
}

Matrix matrix_of(std::shared_ptr<const Bodies> bodies) {
  static_assert(sizeof(Body) == row_bytes && offsetof(Body, vz) == row_bytes - sizeof(double));
  const double* const first = bodies->empty() ? nullptr : &bodies->front().mass;
  return {csv_header, bodies->size(), columns, std::shared_ptr<const double>(std::move(bodies), first)};
}

Bodies bodies_of(const Matrix& matrix, const std::string& name) {
  check_shape({matrix.rows, matrix.columns}, name);
  check_number(matrix.rows, name);
  Bodies bodies(matrix.rows);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::array<double, columns> values{};
    std::ranges::copy(matrix.values().subspan(i * columns, columns), values.begin());
    bodies[i] = checked_body(values, i, name);
  }
  return bodies;
}

Bodies parse_bodies_csv(std::string_view text, std::string_view name) {
  CsvReader reader(name);
  reader.add(text, text.size());
  return reader.take();
}

Bodies parse_bodies(std::string_view bytes, const std::filesystem::path& name) {
  check_bodies_extension(name);
  const std::filesystem::path extension = name.extension();
  Bodies bodies = extension == ".npy"     ? parse_npy_bodies(bytes, name.string())
                  : extension == ".tipsy" ? parse_tipsy(bytes, name.string())
                                          : parse_bodies_csv(bytes, name.string());
  check_number(bodies.size(), name.string());
  return bodies;
}

Bodies read_bodies(const std::filesystem::path& path, const FileProgress& progress) {
  check_bodies_extension(path);
  try {
    InputFile file(path, kind_of(path));
    Bodies bodies = path.extension() == ".npy"     ? read_npy_bodies(path, file, progress)
                    : path.extension() == ".tipsy" ? read_tipsy_bodies(path, file, progress)
                                                   : read_csv_bodies(path, file, progress);
    file.confirm_unchanged();
    return bodies;
  } catch (const std::bad_alloc&) {
    throw failure("out of memory for the bodies of " + path.string());
  }
}

std::optional<std::size_t> inspect_bodies(const std::filesystem::path& path) {
  check_bodies_extension(path);
  InputFile file(path, kind_of(path));
  if (path.extension() == ".npy") return npy_header_of(path, file).shape.front();
  if (path.extension() == ".tipsy") return tipsy_header_of(path, file).bodies();
  const std::string name = path.string();
  const std::string beginning(file.read(csv_header.size() + 2));
  check_is_text(beginning, name);
  CsvReader reader(name);
  reader.add(beginning.substr(0, beginning.find('\n')) + "\n", 0);
  return std::nullopt;
}

void write_bodies(const std::filesystem::path& path, const Bodies& bodies, const BodyFileNotes& notes,
                  const FileProgress& progress) {
  check_bodies_extension(path);
  write_file(path, [&](std::ostream& stream) {
    if (path.extension() == ".npy") {
      const std::array shape{bodies.size(), columns};
      return write_rows(stream, bodies, npy_header(shape), progress,
                        [](std::string& bytes, const Body& body, std::size_t) { append_npy(bytes, body); });
    }
    if (path.extension() == ".tipsy")
      return write_rows(stream, bodies, tipsy_header(bodies.size(), notes.time), progress,
                        [&](std::string& bytes, const Body& body, std::size_t index) {
                          append_tipsy(bytes, body, notes.softening, index);
                        });
    write_rows(stream, bodies, std::string(csv_header) + "\n", progress,
               [](std::string& text, const Body& body, std::size_t) { append_csv(text, body); });
  });
}

void check_bodies_extension(const std::filesystem::path& path) {
  const std::filesystem::path extension = path.extension();
  if (extension != ".csv" && extension != ".npy" && extension != ".tipsy")
    throw usage_error("the file of bodies", path.string(), "FILE.csv, FILE.npy or FILE.tipsy");
}

}  // namespace orrery
