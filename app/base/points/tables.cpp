// Tables of points: .csv with 17 significant digits, and NumPy's .npy of doubles. An array without kinds has a row for
// each point; with kinds, it is structured, with a field for each column.
#include <algorithm>
#include <string>

#include "base/files/npy.hpp"
#include "base/points/writers.hpp"
#include "base/text.hpp"

namespace orrery {

void write_csv_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress) {
  const std::string comment = frame.units.empty() ? "" : "# " + std::string(frame.units) + "\n";
  const std::string header = comment + joined(frame.columns, ",", &PointColumn::name) + "\n";
  write_point_rows(out, frame.count, header, progress, [&](std::string& text, std::size_t i) {
    bool is_first = true;
    for (const PointColumn& column : frame.columns) {
      if (!std::exchange(is_first, false)) text += ',';
      column.kinds != nullptr ? void(text += frame.kind_names[column.kinds[i]]) : append_digits17(text, column[i]);
    }
    text += '\n';
  });
}

void write_npy_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress) {
  std::size_t longest = 1;
  for (const std::string& name : frame.kind_names) longest = std::max(longest, name.size());
  const bool has_fields = kind_column(frame) != nullptr;
  std::string type = "'<f8'";
  if (has_fields)
    type = "[" +
           joined(frame.columns, ", ",
                  [&](const PointColumn& column) {
                    const std::string each = column.kinds != nullptr ? "<U" + std::to_string(longest) : "<f8";
                    return "('" + column.name + "', '" + each + "')";
                  }) +
           "]";
  std::vector<std::size_t> shape{frame.count};
  if (!has_fields) shape.push_back(frame.columns.size());
  write_point_rows(out, frame.count, npy_header(shape, type), progress, [&](std::string& bytes, std::size_t i) {
    for (const PointColumn& column : frame.columns) {
      if (column.kinds == nullptr) {
        append_little_endian(bytes, column[i]);
        continue;
      }
      const std::string& name = frame.kind_names[column.kinds[i]];  // letters, digits and _: each is one character
      for (std::size_t k = 0; k < longest; ++k)
        append_little_endian(bytes, k < name.size() ? static_cast<std::uint32_t>(name[k]) : 0U);
    }
  });
}

}  // namespace orrery
