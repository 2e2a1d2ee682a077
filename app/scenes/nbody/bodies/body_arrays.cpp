#include "scenes/nbody/bodies/body_arrays.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/files/table_text.hpp"
#include "base/points/point_arrays.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

using BodyValues = std::array<double, body_values>;

std::string text_of(std::span<const std::size_t> shape) {
  return shape.empty() ? "a single number"
                       : joined(shape, " x ", [](std::size_t extent) { return std::to_string(extent); });
}

// "N x 7: mass,x,y,z,vx,vy,vz, N x 6: …"
std::string expected_shapes() {
  std::vector<std::string> shapes;
  for (const std::size_t count : {7U, 6U, 4U, 3U})
    shapes.push_back("N x " + std::to_string(count) + ": " + joined(usual_body_names(count), ","));
  return joined(shapes, "; ");
}

bool is_usual(std::size_t columns) { return !usual_body_names(columns).empty(); }

void check_orientation(std::span<const std::size_t> shape, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw usage_error("the array's shape", text_of(shape), expected_shapes() + why, name);
  };
  if (shape.size() != 2) refuse("");
  const std::size_t rows = shape[0], columns = shape[1];
  if (!is_usual(columns))
    refuse(is_usual(rows) ? "; the array looks transposed: save its transpose (NumPy: array.T)" : "");
  if (columns != body_values && rows != columns && is_usual(rows))
    refuse("; " + std::to_string(rows) + " bodies or, transposed, " + std::to_string(columns) +
           " bodies: save all 7 columns, or an array with named fields");
}

// The vectors x and v have the components pos_x, v_x, ….
std::string component(const std::string& name, std::size_t axis) {
  return (lower_case(name) == "x" ? "pos" : name) + "_" + std::string(1, "xyz"[axis]);
}

bool is_vector(const std::string& name) { return body_value_named(component(name, 0)).has_value(); }

std::vector<NumberColumn> columns_of_fields(const NpyLayout& layout, const std::string& name) {
  if (layout.shape.size() != 1)
    throw usage_error("the shape of the structured array", text_of(layout.shape), "N", name);
  std::vector<NumberColumn> columns;
  for (const NpyField& field : layout.fields) {
    const auto add = [&](std::string column, std::size_t index) {
      columns.push_back({std::move(column), field.type, 0, field.offset + index * field.type.bytes, layout.item_bytes});
    };
    const bool is_alone = field.count == 1;
    if (is_alone && !field.name.empty()) add(field.name, 0);
    if (field.count == 2 || field.count == 3)
      for (std::size_t axis = 0; axis < field.count; ++axis) add(component(field.name, axis), axis);
    if (field.count > 3) add(field.name + " × " + std::to_string(field.count), 0);
  }
  return columns;
}

NumberColumn column_at(const NpyLayout& layout, std::size_t column, std::string name) {
  const NpyType& type = layout.fields.front().type;
  const std::size_t rows = layout.shape.front(), columns = layout.shape.size() < 2 ? 1 : layout.shape[1];
  if (layout.is_column_major) return {std::move(name), type, 0, column * rows * type.bytes, type.bytes};
  return {std::move(name), type, 0, column * type.bytes, columns * type.bytes};
}

std::vector<NumberColumn> columns_of_rows(const NpyLayout& layout, const std::string& name) {
  check_orientation(layout.shape, name);
  const std::vector<std::string> names = usual_body_names(layout.shape[1]);
  std::vector<NumberColumn> columns;
  for (std::size_t column = 0; column < names.size(); ++column)
    columns.push_back(column_at(layout, column, names[column]));
  return columns;
}

// ---- archives

constexpr std::string_view array_suffix = ".npy";

/// An array of an archive.
struct NamedArray {
  std::string name;  // without its folders
  std::string bytes;
  NpyLayout layout;
};

std::string array_name(const std::string& member) {
  const std::string_view name = std::string_view(member).substr(member.rfind('/') + 1);
  return std::string(name.substr(0, name.size() - array_suffix.size()));
}

/// The arrays to be read, and the names of all.
struct ArrayChoice {
  std::vector<std::string> all, wanted;  // names of members
};

ArrayChoice choose_arrays(ArchiveReader& archive, const std::string& name) {
  ArrayChoice choice;
  archive.visit(
      [&](const ArchiveReader::Member& member) {
        if (member.name.ends_with(array_suffix)) choice.all.push_back(member.name);
        return false;
      },
      {});
  for (const std::string& member : choice.all)
    if (choice.all.size() == 1 || is_vector(array_name(member)) || body_value_named(array_name(member)))
      choice.wanted.push_back(member);
  if (choice.wanted.empty())
    throw usage_error("the arrays of the archive", joined(choice.all, ", ", array_name),
                      "arrays named pos, vel and mass, or x, y, z, …, or a single array", name);
  return choice;
}

std::vector<NamedArray> read_arrays(ArchiveReader& archive, const ArrayChoice& choice, const std::string& name) {
  constexpr std::uint64_t most = (1U << 17) + std::uint64_t{most_in_a_set} * 256;
  std::vector<NamedArray> arrays;
  archive.visit(
      [&](const ArchiveReader::Member& member) {
        const bool is_wanted = std::ranges::find(choice.wanted, member.name) != choice.wanted.end();
        if (is_wanted && member.bytes > most)
          throw usage_error("the size of the array " + in_quotes(member.name),
                            bytes_text(static_cast<double>(member.bytes)),
                            "at most " + bytes_text(static_cast<double>(most)), name);
        return is_wanted;
      },
      [&](const ArchiveReader::Member& member, std::string_view bytes) {
        const std::string place = name + ", " + printable(member.name);
        arrays.push_back({array_name(member.name), std::string(bytes), parse_npy_layout(bytes, bytes.size(), place)});
      });
  return arrays;
}

std::vector<NumberColumn> columns_of_named(const NamedArray& array, const std::string& place) {
  const NpyLayout& layout = array.layout;
  const std::vector<std::size_t>& shape = layout.shape;
  const auto refuse = [&](const std::string& expected) {
    throw usage_error("the shape of the array " + in_quotes(array.name), text_of(shape), expected, place);
  };
  if (layout.is_structured) refuse("numbers without fields");
  if (shape.size() == 1 || (shape.size() == 2 && shape[1] == 1)) return {column_at(layout, 0, array.name)};
  if (!is_vector(array.name)) refuse("N");
  const bool fits = shape.size() == 2 && (shape[1] == 2 || shape[1] == 3);
  if (!fits || (shape[0] != shape[1] && (shape[0] == 2 || shape[0] == 3)))
    refuse(std::string("N x 3") +
           (shape.size() == 2 && shape[0] <= 3
                ? ", and it could be transposed: save all columns in one N x 7 array, or its transpose (NumPy: array.T)"
                : ""));
  std::vector<NumberColumn> columns;
  for (std::size_t axis = 0; axis < shape[1]; ++axis)
    columns.push_back(column_at(layout, axis, component(array.name, axis)));
  return columns;
}

BodyArray body_array_of(const std::vector<NamedArray>& arrays, const ArrayChoice& choice, const std::string& name) {
  const NamedArray& first = arrays.front();
  const bool is_named = is_vector(first.name) || body_value_named(first.name);
  if (choice.all.size() == 1 && (!is_named || first.layout.is_structured)) return BodyArray(first.layout, name);
  std::vector<NumberColumn> columns;
  for (std::size_t part = 0; part < arrays.size(); ++part) {
    for (NumberColumn& column : columns_of_named(arrays[part], name)) {
      column.part = part;
      columns.push_back(std::move(column));
    }
    if (const std::size_t rows = arrays[part].layout.shape.front(); rows != first.layout.shape.front())
      throw usage_error("the rows of the array " + in_quotes(arrays[part].name), std::to_string(rows),
                        std::to_string(first.layout.shape.front()) + ", as in " + in_quotes(first.name), name);
  }
  for (const std::string& member : choice.all)
    if (std::ranges::find(choice.wanted, member) == choice.wanted.end())
      columns.push_back({.name = array_name(member), .type = {}});
  return BodyArray(std::move(columns), true, first.layout.shape.front(), name);
}

// ---- points of other programs

std::optional<std::size_t> value_of(const PointArray& array) { return body_value_named(array.component(0)); }

// Only the points themselves are places: other arrays may have such names, too.
BodyArray body_array_of(const PointArrays& points, const std::string& name) {
  std::vector<NumberColumn> columns;
  for (std::size_t part = 0; part < points.arrays.size(); ++part) {
    const PointArray& array = points.arrays[part];
    const auto value = value_of(array);
    const bool is_place = value && *value != 0 && *value <= 3;
    if (!value || (part > 0 && is_place)) {
      columns.push_back({.name = is_place ? "another " + array.name : array.name, .type = {}});
      continue;
    }
    for (std::size_t k = 0; k < array.components; ++k)
      columns.push_back({array.component(k), array.type, part, k * array.type.bytes, array.stride});
  }
  return BodyArray(std::move(columns), true, points.count, name);
}

}  // namespace

// ---- arrays

BodyArray::BodyArray(const NpyLayout& layout, std::string name)
    : BodyArray(layout.is_structured ? columns_of_fields(layout, name) : columns_of_rows(layout, name),
                layout.is_structured, layout.shape.empty() ? 0 : layout.shape.front(), name) {
  begin_ = layout.begin;
  const bool are_columns_apart = layout.is_column_major && layout.shape.size() > 1;
  row_bytes_ = are_columns_apart ? 0 : layout.is_structured ? layout.item_bytes : layout.item_bytes * layout.shape[1];
}

BodyArray::BodyArray(std::vector<NumberColumn> columns, bool has_names, std::size_t rows, std::string name)
    : name_(std::move(name)), columns_(std::move(columns)), rows_(rows) {
  check_body_count(rows_, name_);
  std::vector<std::string> names;
  for (const NumberColumn& column : columns_) names.push_back(column.name);
  chosen_ = body_columns(names, has_names, name_);
  is_own_ = columns_.size() == body_values;
  for (std::size_t value = 0; value < body_values; ++value) {
    const auto place = chosen_.of[value];
    if (place && !columns_[*place].type.is_number())
      throw usage_error("the type of " + in_quotes(columns_[*place].name), columns_[*place].type.text,
                        "integers or floating-point numbers of at most 8 bytes", name_);
    is_own_ = is_own_ && place == value && columns_[value].type.kind == 'f' && columns_[value].type.bytes == 8 &&
              columns_[value].type.order == std::endian::native && columns_[value].part == 0 &&
              columns_[value].offset == value * sizeof(double);
  }
  if (is_own_) is_own_ = columns_.front().stride == sizeof(BodyValues);
  if (is_own_ && !has_names) chosen_.understood.clear();
}

Body BodyArray::body(std::span<const char* const> parts, std::size_t row, std::size_t index) const {
  BodyValues values{1};
  if (is_own_)
    std::memcpy(values.data(), parts.front() + row * sizeof values, sizeof values);
  else
    for (std::size_t value = 0; value < body_values; ++value)
      if (const auto place = chosen_.of[value]) {
        const NumberColumn& column = columns_[*place];
        values[value] = npy_number(parts[column.part] + column.offset + row * column.stride, column.type);
      }
  for (std::size_t value = 0; value < body_values; ++value)
    if (!std::isfinite(values[value]) || (value == 0 && values[value] < 0)) {
      const std::size_t column = *chosen_.of[value];
      throw usage_error(columns_[column].name, shortest(values[value]),
                        value == 0 ? "a finite number of 0 or more" : "a finite number",
                        TextPlace{name_, index + 1, column + 1}.text());
    }
  return {values[0], values[1], values[2], values[3], values[4], values[5], values[6]};
}

Bodies BodyArray::bodies(std::span<const char* const> parts) const {
  Bodies all(rows_);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = body(parts, i, i);
  return all;
}

Bodies parse_npy_bodies(std::string_view bytes, const std::string& name, std::string& understood) {
  const BodyArray array(parse_npy_layout(bytes, bytes.size(), name), name);
  understood = array.understood();
  const char* const data = bytes.data() + array.begin();
  return array.bodies({&data, 1});
}

Bodies read_npz_bodies(ByteSource source, const std::string& name, const FileProgress& progress,
                       std::string& understood) {
  ArchiveReader archive(std::move(source), name);
  const ArrayChoice choice = choose_arrays(archive, name);
  const std::vector<NamedArray> arrays = read_arrays(archive, choice, name);
  const BodyArray array = body_array_of(arrays, choice, name);
  std::vector<const char*> parts;
  for (const NamedArray& part : arrays) parts.push_back(part.bytes.data() + part.layout.begin);
  understood = array.understood();
  Bodies bodies = array.bodies(parts);
  if (progress) progress(1);
  return bodies;
}

void check_npz_bodies(ByteSource source, const std::string& name) {
  ArchiveReader archive(std::move(source), name);
  (void)choose_arrays(archive, name);
}

Bodies read_point_bodies(const ByteSource& source, const std::string& name, const FileProgress& progress,
                         std::string& understood) {
  const ByteSource told{source.bytes, [&](std::uint64_t at, std::size_t count) {
                          if (progress) progress(static_cast<double>(at) / static_cast<double>(source.bytes));
                          return source.read(at, count);
                        }};
  const PointArrays points = read_point_arrays(
      told, name, {most_in_a_set, [](const PointArray& array) { return value_of(array).has_value(); }});
  const BodyArray array = body_array_of(points, name);
  std::vector<const char*> parts;
  for (const PointArray& part : points.arrays) parts.push_back(part.bytes.data());
  if (!array.is_complete()) understood = array.understood();  // the format fixes the names
  Bodies bodies = array.bodies(parts);
  if (progress) progress(1);
  return bodies;
}

std::size_t count_point_bodies(const ByteSource& source, const std::string& name) {
  const PointArrays points = read_point_arrays(source, name, {most_in_a_set, [](const PointArray&) { return false; }});
  return body_array_of(points, name).rows();
}

}  // namespace orrery
