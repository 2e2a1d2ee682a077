#include "scenes/particles/world/particle_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/points/point_arrays.hpp"
#include "base/points/xyz.hpp"
#include "base/text.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {
namespace {

// "vx" for "velo_x", "kind" for "species".
std::string name_in_worlds(const std::string& name) {
  const std::string_view before = std::string_view(name).substr(0, name.rfind('_'));
  const std::string axis = name.substr(before.size() == name.size() ? before.size() : before.size() + 1);
  if (before == "pos" || before == "position") return axis;
  if (before == "velo" || before == "vel" || before == "velocity") return "v" + axis;
  if (name == "species" || name == "type") return "kind";
  if (name == "masses" || name == "charges") return name == "masses" ? "mass" : "charge";
  std::string plain = name;
  std::ranges::replace(plain, '.', '_');
  return plain;
}

void xyz_frame(std::string_view text, const std::string& name, TableRows& rows) {
  const XyzLayout layout = parse_xyz_layout(text, name);
  constexpr std::size_t line_of_names = 2;
  TableText table(name, rows, line_of_names);
  table.add(joined(layout.names, " ", name_in_worlds) + "\n");
  std::size_t end = layout.begin;
  for (std::size_t row = 0; row < layout.count && end < text.size(); ++row)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  table.add(text.substr(layout.begin, end - layout.begin));
  table.finish();
  if (table.rows() != layout.count)
    throw usage_error("the number of rows", std::to_string(table.rows()), std::to_string(layout.count), name);
}

// The number itself where the file does not name its kinds.
std::string kind_name(const PointArrays& points, double kind) {
  for (std::size_t k = 0; k < points.kind_names.size(); ++k)
    if (static_cast<double>(k) == kind) return points.kind_names[k];
  return shortest(kind);
}

// Reads the rows, without arrays whose names a world cannot have.
void point_rows(const ByteSource& source, const std::string& name, TableRows& rows) {
  const PointArrays points = read_point_arrays(
      source, name,
      {most_particles, [](const PointArray& array) { return name_fault(name_in_worlds(array.component(0))).empty(); }});
  struct Cell {
    const PointArray& array;
    std::size_t offset;
  };
  std::vector<std::string> names;
  std::vector<Cell> cells;
  for (const PointArray& array : points.arrays)
    for (std::size_t k = 0; k < array.components && !array.bytes.empty(); ++k)
      if (std::string each = name_in_worlds(array.component(k)); std::ranges::find(names, each) == names.end()) {
        names.push_back(std::move(each));
        cells.push_back({array, k * array.type.bytes});
      }
  const std::vector<TableColumn> columns = rows.begin(names, true, TextPlace{name});
  std::vector<double> numbers(cells.size());
  std::vector<std::string> kinds(cells.size());
  for (std::size_t i = 0; i < points.count; ++i) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const PointArray& array = cells[c].array;
      numbers[c] = npy_number(array.bytes.data() + cells[c].offset + i * array.stride, array.type);
      if (!std::isfinite(numbers[c]))
        throw usage_error(names[c], shortest(numbers[c]), "a finite number", TextPlace{name, i + 1, c + 1}.text());
      if (columns[c].cells == TableColumn::Cells::words) kinds[c] = kind_name(points, numbers[c]);
    }
    const std::vector<std::string_view> words(kinds.begin(), kinds.end());
    rows.row(numbers, words, TextPlace{name, i + 1});
  }
}

}  // namespace

void read_particle_rows(const std::filesystem::path& path, TableRows& rows) {
  const std::string name = path.string(), extension = lower_case(path.extension().string());
  if (extension == ".gsd" || extension == ".vtp") {
    InputFile input(path, {"a file of particles", std::uint64_t{1} << 50, false});
    point_rows(byte_source(input), name, rows);
    return input.confirm_unchanged();
  }
  const std::string text = read_file(path, {"a table of particles", std::uint64_t{1} << 30, false});
  if (extension == ".xyz") return xyz_frame(text, name, rows);
  TableText table(name, rows);
  table.add(text);
  table.finish();
}

}  // namespace orrery::particles
