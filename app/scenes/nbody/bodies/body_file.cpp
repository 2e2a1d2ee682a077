#include "scenes/nbody/bodies/body_file.hpp"

#include <algorithm>
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
#include "base/files/folder.hpp"
#include "base/files/npy.hpp"
#include "base/files/table_text.hpp"
#include "base/log.hpp"
#include "base/platform/heap.hpp"
#include "base/platform/parallel.hpp"
#include "base/points/ply.hpp"
#include "base/points/point_format.hpp"
#include "base/points/writers.hpp"
#include "base/points/xyz.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/body_arrays.hpp"
#include "scenes/nbody/bodies/body_columns.hpp"

namespace orrery {
namespace {

constexpr std::size_t columns = body_values;

Body body_of(const std::array<double, columns>& v) { return {v[0], v[1], v[2], v[3], v[4], v[5], v[6]}; }
std::array<double, columns> values_of(const Body& b) { return {b.mass, b.x, b.y, b.z, b.vx, b.vy, b.vz}; }

constexpr std::size_t piece_bytes = std::size_t{4} << 20;  // read or written at once
constexpr std::size_t row_bytes = columns * sizeof(double);

void tell(const FileProgress& progress, std::size_t done, std::size_t all) {
  if (progress && all > 0) progress(static_cast<double>(done) / static_cast<double>(all));
}

Error became_shorter(const std::string& name) {
  return usage_error("the file " + in_quotes(name) + " became shorter while it was read", {}, {});
}

/// Bytes in memory that are read as an InputFile is.
class BytesInMemory {
 public:
  explicit BytesInMemory(std::string_view bytes) : bytes_(bytes), rest_(bytes) {}
  std::uint64_t bytes() const { return bytes_.size(); }
  std::string_view read(std::size_t count) {
    const std::string_view piece = rest_.substr(0, count);
    rest_.remove_prefix(piece.size());
    return piece;
  }

 private:
  std::string_view bytes_, rest_;
};

/// Rows of one length, read from a file piece by piece.
template <class File>
class RowReader {
 public:
  RowReader(File& file, std::size_t all, const std::string& name, const FileProgress& progress)
      : file_(file), name_(name), progress_(progress) {
    reserve_at_once(bodies_, all);
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
  /// The same on all cores; `one` must need only its own row.
  template <class One>
  void read_in_parallel(std::size_t each, const One& one) {
    while (bodies_.size() < all_) {
      const std::size_t first = bodies_.size();
      const std::size_t rows = std::min(all_ - first, std::max<std::size_t>(piece_bytes / each, 1));
      const std::string_view piece = file_.read(rows * each);
      if (piece.size() < rows * each) throw became_shorter(name_);
      bodies_.resize(first + rows);
      in_parallel(rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) bodies_[first + i] = one(piece.substr(i * each, each), first + i);
      });
      tell(progress_, bodies_.size(), all_);
    }
  }
  Bodies take() { return std::move(bodies_); }

 private:
  File& file_;
  const std::string& name_;
  const FileProgress& progress_;
  Bodies bodies_;
  std::size_t all_ = 0;
};

constexpr std::size_t longest_header = 1 << 17;

BodyArray body_array_of(const std::filesystem::path& path, const InputFile& file) {
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
    reader.read_in_parallel(array.row_bytes(), [&](std::string_view row, std::size_t index) {
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
  /// `line`: the number of the first line.
  explicit BodyText(std::string_view name, std::size_t line = 1) : name_(name), rows_(name), text_(name, rows_, line) {}

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
  void reserve(std::size_t count) { rows_.reserve(count); }
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

/// Rows of text in a file of another format, whose header has their number and names.
struct CountedRows {
  std::size_t count = 0;
  std::vector<std::string> names;
  std::size_t begin = 0, line = 0;  // offset and line of the first row
};

template <class File>
Bodies read_counted_bodies(File& file, const std::string& name, const CountedRows& counted,
                           const FileProgress& progress, std::string& understood) {
  BodyText text(name, counted.line - 1);
  text.reserve(std::min<std::size_t>(counted.count, file.bytes() / (2 * counted.names.size())));  // a header may lie
  text.add(joined(counted.names, " ") + "\n", 0);
  (void)file.read(counted.begin);
  const auto all = static_cast<std::size_t>(file.bytes());
  std::size_t lines = counted.count, done = counted.begin;
  while (lines > 0) {
    const std::string_view piece = file.read(piece_bytes);
    if (piece.empty()) break;
    std::size_t end = 0;
    for (; lines > 0 && end < piece.size(); --lines) {
      const std::size_t next = piece.find('\n', end);
      end = next == piece.npos ? piece.size() : next + 1;
      if (next == piece.npos) break;
    }
    text.add(piece.substr(0, end), 0);
    done += piece.size();
    tell(progress, std::min(done, all), all);
  }
  Bodies bodies = text.take(understood);
  if (bodies.size() != counted.count)
    throw usage_error("the number of rows", std::to_string(bodies.size()), std::to_string(counted.count), name);
  return bodies;
}

CountedRows xyz_rows(std::string_view beginning, const std::string& name) {
  XyzLayout layout = parse_xyz_layout(beginning, name);
  check_body_count(layout.count, name);
  return {layout.count, std::move(layout.names), layout.begin, 3};
}

PlyLayout ply_layout(std::string_view beginning, std::uint64_t bytes, const std::string& name) {
  PlyLayout layout = parse_ply_layout(beginning, bytes, name);
  check_body_count(layout.count, name);
  return layout;
}

BodyArray body_array_of(const PlyLayout& layout, const std::string& name) {
  std::vector<NumberColumn> all;
  for (const NpyField& field : layout.fields)
    all.push_back({field.name, field.type, 0, field.offset, layout.row_bytes});
  return BodyArray(std::move(all), true, layout.count, name);
}

template <class File>
Bodies read_xyz_bodies(File& file, std::string_view beginning, const std::string& name, const FileProgress& progress,
                       std::string& understood) {
  return read_counted_bodies(file, name, xyz_rows(beginning, name), progress, understood);
}

template <class File>
Bodies read_ply_bodies(File& file, std::string_view beginning, const std::string& name, const FileProgress& progress,
                       std::string& understood) {
  const PlyLayout layout = ply_layout(beginning, file.bytes(), name);
  if (layout.row_bytes == 0) {
    CountedRows rows{layout.count, {}, layout.begin, layout.lines + 1};
    for (const NpyField& field : layout.fields) rows.names.push_back(field.name);
    return read_counted_bodies(file, name, rows, progress, understood);
  }
  const BodyArray array = body_array_of(layout, name);
  understood = array.understood();
  (void)file.read(layout.begin);
  RowReader reader(file, array.rows(), name, progress);
  reader.read_in_parallel(layout.row_bytes, [&](std::string_view row, std::size_t index) {
    const char* const data = row.data();
    return array.body({&data, 1}, 0, index);
  });
  return reader.take();
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

// Formats that are read; base/points/point_format.hpp has the written ones.
enum class Format { text, npy, npz, tipsy, xyz, ply, points };
struct NamedFormat {
  std::string_view extension;
  Format format;
};
constexpr std::array formats{
    NamedFormat{".csv", Format::text},   NamedFormat{".tsv", Format::text},   NamedFormat{".txt", Format::text},
    NamedFormat{".dat", Format::text},   NamedFormat{".npy", Format::npy},    NamedFormat{".npz", Format::npz},
    NamedFormat{".xyz", Format::xyz},    NamedFormat{".ply", Format::ply},    NamedFormat{".gsd", Format::points},
    NamedFormat{".vtp", Format::points}, NamedFormat{".tipsy", Format::tipsy}};

const NamedFormat* find_format(const std::filesystem::path& path) {
  const auto found = std::ranges::find(formats, lower_case(path.extension().string()), &NamedFormat::extension);
  return found == formats.end() ? nullptr : &*found;
}

Format format_of(const std::filesystem::path& path) {
  if (const NamedFormat* found = find_format(path)) return found->format;
  throw usage_error("the file of bodies", path.string(), "a file named " + readable_bodies());
}

// Columns that are not read make rows longer; a row of .tipsy has at most 48 bytes.
FileKind kind_of(Format format) {
  constexpr std::uint64_t longest_row = 256, header = 1 << 17;
  if (format == Format::tipsy) return {"a bodies file", header + most_in_a_set * 48, false};
  if (format == Format::points)
    return {"a bodies file", std::uint64_t{1} << 50, false};  // includes frames that are not read
  return {"a bodies file", most_in_a_set * longest_row, false};
}

}  // namespace

std::string bodies_csv(const Bodies& bodies) {
  std::ostringstream text;
  write_csv_points(text, frame_of(bodies), {});
  return text.str();
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
  BytesInMemory file(bytes);
  const std::string_view beginning = bytes.substr(0, longest_header);
  const auto read = [&]() -> Bodies {
    switch (format_of(path)) {
      case Format::npy:
        return parse_npy_bodies(bytes, name, said);
      case Format::npz:
        return read_npz_bodies(byte_source(bytes), name, {}, said);
      case Format::tipsy:
        return parse_tipsy(bytes, name);
      case Format::xyz:
        return read_xyz_bodies(file, beginning, name, {}, said);
      case Format::ply:
        return read_ply_bodies(file, beginning, name, {}, said);
      case Format::points:
        return read_point_bodies(byte_source(bytes), name, {}, said);
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
          return read_npz_bodies(byte_source(file), path.string(), progress, said);
        case Format::tipsy:
          return read_tipsy_bodies(path, file, progress);
        case Format::xyz:
          return read_xyz_bodies(file, read_beginning(path, longest_header), path.string(), progress, said);
        case Format::ply:
          return read_ply_bodies(file, read_beginning(path, longest_header), path.string(), progress, said);
        case Format::points:
          return read_point_bodies(byte_source(file), path.string(), progress, said);
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
  if (format == Format::xyz) return xyz_rows(read_beginning(path, longest_header), path.string()).count;
  if (format == Format::ply) {
    const PlyLayout layout = ply_layout(read_beginning(path, longest_header), file.bytes(), path.string());
    return layout.row_bytes > 0 ? body_array_of(layout, path.string()).rows() : layout.count;
  }
  if (format == Format::points) return count_point_bodies(byte_source(file), path.string());
  if (format == Format::npz)
    check_npz_bodies(byte_source(file), path.string());
  else
    inspect_text(path, file);
  return std::nullopt;
}

PointFrame frame_of(const Bodies& bodies, const BodyFileNotes& notes) {
  static_assert(sizeof(Body) == row_bytes);
  PointFrame frame{.count = bodies.size(),
                   .step = notes.step,
                   .time = notes.time,
                   .softening = notes.softening,
                   .units = notes.units};
  const double* const first = bodies.empty() ? nullptr : &bodies.front().mass;
  for (std::size_t value = 0; value < columns; ++value)
    frame.columns.push_back({std::string(body_names()[value]), first + value, columns});
  return frame;
}

void write_bodies(const std::filesystem::path& path, const Bodies& bodies, const BodyFileNotes& notes,
                  const FileProgress& progress) {
  check_bodies_extension(path);
  write_points(path, frame_of(bodies, notes), progress);
}

std::string readable_bodies() { return joined(formats, ", ", &NamedFormat::extension); }

void check_bodies_extension(const std::filesystem::path& path) {
  if (find_point_format(path) == nullptr)
    throw usage_error("the file of bodies", path.string(), "a file named " + point_extensions());
}

}  // namespace orrery
