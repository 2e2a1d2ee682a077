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
#include "base/files/folder.hpp"
#include "base/files/npy.hpp"
#include "base/files/table_text.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/body_arrays.hpp"
#include "scenes/nbody/bodies/body_columns.hpp"

namespace orrery {
namespace {

constexpr std::size_t columns = body_values;

Body body_of(const std::array<double, columns>& v) { return {v[0], v[1], v[2], v[3], v[4], v[5], v[6]}; }
std::array<double, columns> values_of(const Body& b) { return {b.mass, b.x, b.y, b.z, b.vx, b.vy, b.vz}; }

constexpr std::size_t piece_bytes = std::size_t{4} << 20;  // that is read or written at once
constexpr std::size_t row_bytes = columns * sizeof(double);

void tell(const FileProgress& progress, std::size_t done, std::size_t all) {
  if (progress && all > 0) progress(static_cast<double>(done) / static_cast<double>(all));
}

Error became_shorter(const std::string& name) {
  return usage_error("the file " + in_quotes(name) + " became shorter while it was read", {}, {});
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
      const std::size_t rows = std::min(left, std::max<std::size_t>(piece_bytes / each, 1));
      const std::string_view piece = file_.read(rows * each);
      if (piece.size() < rows * each) throw became_shorter(name_);
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

BodyArray body_array_of(const std::filesystem::path& path, const InputFile& file) {
  constexpr std::size_t longest_header = 1 << 17;
  const std::string name = path.string();
  return BodyArray(parse_npy_layout(read_beginning(path, longest_header), file.bytes(), name), name);
}

TipsyHeader tipsy_header_of(const std::filesystem::path& path, InputFile& file) {
  const TipsyHeader header(file.read(TipsyHeader::bytes), file.bytes(), path.string());
  check_body_count(header.bodies(), path.string());
  return header;
}

Bodies read_npy_bodies(const std::filesystem::path& path, InputFile& file, const FileProgress& progress,
                       std::string& understood) {
  const std::string name = path.string();
  const BodyArray array = body_array_of(path, file);
  understood = array.understood();
  (void)file.read(array.begin());
  RowReader reader(file, array.rows(), name, progress);
  if (array.row_bytes() > 0) {
    reader.read(array.rows(), array.row_bytes(), [&](std::string_view row, std::size_t index) {
      const char* const data = row.data();
      return array.body({&data, 1}, 0, index);
    });
    return reader.take();
  }
  std::string columns_of_all;
  while (columns_of_all.size() < file.bytes() - array.begin()) {
    const std::string_view piece = file.read(piece_bytes);
    if (piece.empty()) throw became_shorter(name);
    columns_of_all += piece;
    tell(progress, columns_of_all.size(), static_cast<std::size_t>(file.bytes()) - array.begin());
  }
  const char* const data = columns_of_all.data();
  return array.bodies({&data, 1});
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

/// The bodies of a text, as its table is read.
class BodyRows final : public TableRows {
 public:
  explicit BodyRows(std::string_view name) : name_(name) {}

  std::string expected() const override {
    return expected_body_columns() + ", or rows of 7 numbers: " + std::string(body_header);
  }
  std::size_t known(std::span<const std::string> names) const override {
    return static_cast<std::size_t>(
        std::ranges::count_if(names, [](const auto& name) { return body_value_named(name).has_value(); }));
  }
  // Fewer numbers could be positions in a plane with their velocities, or positions with a mass after them.
  std::vector<std::string> usual_names(std::size_t count) const override {
    return count == columns ? usual_body_names(count) : std::vector<std::string>();
  }
  std::vector<TableColumn> begin(std::span<const std::string> names, bool has_header,
                                 const TextPlace& header) override {
    columns_ = body_columns(names, has_header, header.text());
    std::vector<TableColumn> all;
    for (const std::string& name : names) all.push_back({name, TableColumn::Cells::ignored});
    for (std::size_t value = 0; value < columns; ++value)
      if (const auto column = columns_.of[value])
        all[*column].cells = value == 0 ? TableColumn::Cells::numbers_from_0 : TableColumn::Cells::numbers;
    return all;
  }
  void row(std::span<const double> numbers, std::span<const std::string_view>, const TextPlace&) override {
    std::array<double, columns> values{1};
    for (std::size_t value = 0; value < columns; ++value)
      if (const auto column = columns_.of[value]) values[value] = numbers[*column];
    bodies_.push_back(body_of(values));
    if (bodies_.size() > most_in_a_set) check_body_count(bodies_.size(), std::string(name_));
  }
  void amend(std::size_t row, std::size_t column, double number) override {
    std::array<double, columns> values = values_of(bodies_[row]);
    for (std::size_t value = 0; value < columns; ++value)
      if (columns_.of[value] == column) values[value] = number;
    bodies_[row] = body_of(values);
  }

  std::size_t size() const { return bodies_.size(); }
  void reserve(std::size_t count) { bodies_.reserve(std::min(count, most_in_a_set)); }
  const std::string& understood() const { return columns_.understood; }
  Bodies take() { return std::move(bodies_); }

 private:
  std::string_view name_;
  BodyColumns columns_;
  Bodies bodies_;
};

/// A text that comes in pieces.
class BodyText {
 public:
  explicit BodyText(std::string_view name) : name_(name), rows_(name), text_(name, rows_) {}

  /// `all`: the bytes of all pieces, to reserve memory.
  void add(std::string_view piece, std::size_t all) {
    const bool is_first = rows_.size() == 0;
    text_.add(piece);
    if (!is_first || piece.size() >= all || piece.empty()) return;
    constexpr double margin = 1.05;  // later rows are about as long
    const double pieces = static_cast<double>(all) / static_cast<double>(piece.size());
    rows_.reserve(static_cast<std::size_t>(margin * pieces * static_cast<double>(rows_.size())));
  }
  bool has_begun() const { return text_.has_begun(); }
  Bodies take(std::string& understood) {
    text_.finish();
    if (rows_.size() == 0)
      throw usage_error("there are no bodies in " + in_quotes(std::string(name_)), {},
                        "expected a header and at least one row", TextPlace{name_}.text());
    std::vector<std::string> parts{rows_.understood(), text_.understood()};
    std::erase(parts, "");
    understood = joined(parts, "; ");
    return rows_.take();
  }

 private:
  std::string_view name_;
  BodyRows rows_;
  TableText text_;
};

Bodies read_text_bodies(const std::filesystem::path& path, InputFile& file, const FileProgress& progress,
                        std::string& understood) {
  const std::string name = path.string();
  BodyText text(name);
  const auto all = static_cast<std::size_t>(file.bytes());
  for (std::size_t done = 0;;) {
    const std::string_view piece = file.read(piece_bytes);
    if (piece.empty()) break;
    text.add(piece, all);
    done += piece.size();
    tell(progress, std::min(done, all), all);
  }
  return text.take(understood);
}

// Line by line, because rows may be wrong.
void inspect_text(const std::filesystem::path& path, InputFile& file) {
  constexpr std::size_t most = 1 << 16;
  const std::string name = path.string(), beginning(file.read(most));
  BodyText text(name);
  for (std::size_t begin = 0; begin < beginning.size() && !text.has_begun();) {
    const std::size_t end = std::min(beginning.find_first_of("\r\n", begin), beginning.size() - 1) + 1;
    text.add(std::string_view(beginning).substr(begin, end - begin), 0);
    begin = end;
  }
  std::string understood;
  if (!text.has_begun() && beginning.size() < most) (void)text.take(understood);
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

enum class Format { text, npy, npz, tipsy };
struct NamedFormat {
  std::string_view extension;
  Format format;
};
constexpr std::array formats{NamedFormat{".csv", Format::text},   NamedFormat{".tsv", Format::text},
                             NamedFormat{".txt", Format::text},   NamedFormat{".dat", Format::text},
                             NamedFormat{".npy", Format::npy},    NamedFormat{".npz", Format::npz},
                             NamedFormat{".tipsy", Format::tipsy}};

const NamedFormat* find_format(const std::filesystem::path& path) {
  const auto found = std::ranges::find(formats, lower_case(path.extension().string()), &NamedFormat::extension);
  return found == formats.end() ? nullptr : &*found;
}

Format format_of(const std::filesystem::path& path) {
  if (const NamedFormat* found = find_format(path)) return found->format;
  throw usage_error("the file of bodies", path.string(),
                    "a file named " + joined(formats, ", ", &NamedFormat::extension));
}

// Columns that are not read make rows longer; a row of .tipsy has at most 48 bytes.
FileKind kind_of(Format format) {
  constexpr std::uint64_t longest_row = 256, header = 1 << 17;
  if (format == Format::tipsy) return {"a bodies file", header + most_in_a_set * 48, false};
  return {"a bodies file", most_in_a_set * longest_row, false};
}

}  // namespace

std::string bodies_csv(const Bodies& bodies) {
  std::string text = std::string(body_header) + "\n";
  for (const Body& body : bodies) append_csv(text, body);
  return text;
}

Matrix matrix_of(std::shared_ptr<const Bodies> bodies) {
  static_assert(sizeof(Body) == row_bytes && offsetof(Body, vz) == row_bytes - sizeof(double));
  const double* const first = bodies->empty() ? nullptr : &bodies->front().mass;
  return {body_header, bodies->size(), columns, std::shared_ptr<const double>(std::move(bodies), first)};
}

Bodies bodies_of(const Matrix& matrix, const std::string& name) {
  if (matrix.columns != columns)
    throw usage_error("the number of columns", std::to_string(matrix.columns), "7: " + std::string(body_header), name);
  const NpyType type{"<f8", 'f', sizeof(double), std::endian::native};
  const BodyArray array({.shape = {matrix.rows, columns}, .fields = {{{}, type}}, .item_bytes = sizeof(double)}, name);
  const char* const data = reinterpret_cast<const char*>(matrix.data.get());
  return array.bodies({&data, 1});
}

Bodies parse_bodies_csv(std::string_view text, std::string_view name, std::string* understood) {
  std::string said;
  BodyText table(name);
  table.add(text, text.size());
  Bodies bodies = table.take(said);
  if (understood != nullptr) *understood = said;
  return bodies;
}

Bodies parse_bodies(std::string_view bytes, const std::filesystem::path& path, std::string* understood) {
  const std::string name = path.string();
  std::string said;
  const auto read = [&]() -> Bodies {
    switch (format_of(path)) {
      case Format::npy:
        return parse_npy_bodies(bytes, name, said);
      case Format::npz:
        return read_npz_bodies(archive_source(bytes), name, {}, said);
      case Format::tipsy:
        return parse_tipsy(bytes, name);
      default:
        return parse_bodies_csv(bytes, name, &said);
    }
  };
  Bodies bodies = read();
  check_body_count(bodies.size(), name);
  if (understood != nullptr) *understood = said;
  return bodies;
}

bool may_be_bodies(const std::filesystem::path& path) {
  const NamedFormat* format = find_format(path);
  if (format == nullptr || format->extension != ".txt") return format != nullptr;
  try {
    (void)inspect_bodies(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

Bodies read_bodies(const std::filesystem::path& path, const FileProgress& progress, std::string* understood) {
  const Format format = format_of(path);
  std::string said;
  try {
    InputFile file(path, kind_of(format));
    const auto read = [&] {
      switch (format) {
        case Format::npy:
          return read_npy_bodies(path, file, progress, said);
        case Format::npz:
          return read_npz_bodies(archive_source(file), path.string(), progress, said);
        case Format::tipsy:
          return read_tipsy_bodies(path, file, progress);
        default:
          return read_text_bodies(path, file, progress, said);
      }
    };
    Bodies bodies = read();
    file.confirm_unchanged();
    if (!said.empty()) log(Level::warning, path.string() + ": " + said);
    if (understood != nullptr) *understood = said;
    return bodies;
  } catch (const std::bad_alloc&) {
    throw failure("out of memory for the bodies of " + path.string());
  }
}

std::filesystem::path merge_bodies(std::span<const std::filesystem::path> paths, const std::filesystem::path& folder,
                                   std::string& assumed, const FileProgress& progress) {
  const std::string others = std::to_string(paths.size() - 1) + " files";
  Bodies all;
  std::vector<std::string> notes;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const auto part = [&](double done) {
      if (progress) progress((static_cast<double>(k) + done) / static_cast<double>(paths.size()));
    };
    std::string understood;
    const Bodies bodies = read_bodies(paths[k], part, &understood);
    check_body_count(all.size() + bodies.size(), paths.front().string() + " and " + others);
    all.insert(all.end(), bodies.begin(), bodies.end());
    if (!understood.empty()) notes.push_back(printable(paths[k].filename().string()) + ": " + understood);
  }
  assumed = joined(notes, "; ");
  const std::string second = paths.size() == 2 ? paths.back().stem().string() : others;
  const std::string name = paths.front().stem().string() + " + " + second;
  const std::filesystem::path merged = claim_free_name(folder, name, ".npy");
  try {
    write_bodies(merged, all);
  } catch (const Error&) {
    std::error_code ignored;
    std::filesystem::remove(merged, ignored);
    throw;
  }
  return merged;
}

std::optional<std::size_t> inspect_bodies(const std::filesystem::path& path) {
  const Format format = format_of(path);
  InputFile file(path, kind_of(format));
  if (format == Format::npy) return body_array_of(path, file).rows();
  if (format == Format::tipsy) return tipsy_header_of(path, file).bodies();
  if (format == Format::npz)
    check_npz_bodies(archive_source(file), path.string());
  else
    inspect_text(path, file);
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
    const std::string comment = notes.units.empty() ? "" : "# " + std::string(notes.units) + "\n";
    write_rows(stream, bodies, comment + std::string(body_header) + "\n", progress,
               [](std::string& text, const Body& body, std::size_t) { append_csv(text, body); });
  });
}

void check_bodies_extension(const std::filesystem::path& path) {
  const std::filesystem::path extension = path.extension();
  if (extension != ".csv" && extension != ".npy" && extension != ".tipsy")
    throw usage_error("the file of bodies", path.string(), "FILE.csv, FILE.npy or FILE.tipsy");
}

}  // namespace orrery
