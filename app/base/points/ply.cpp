// PLY: a header of text, then a row of little-endian numbers for each vertex. http://paulbourke.net/dataformats/ply
#include "base/points/ply.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/files/table_text.hpp"
#include "base/points/writers.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

struct PlyType {
  std::array<std::string_view, 2> names;
  char kind;
  std::size_t bytes;
};
constexpr std::array ply_types{PlyType{{"char", "int8"}, 'i', 1},     PlyType{{"uchar", "uint8"}, 'u', 1},
                               PlyType{{"short", "int16"}, 'i', 2},   PlyType{{"ushort", "uint16"}, 'u', 2},
                               PlyType{{"int", "int32"}, 'i', 4},     PlyType{{"uint", "uint32"}, 'u', 4},
                               PlyType{{"float", "float32"}, 'f', 4}, PlyType{{"double", "float64"}, 'f', 8}};

/// Reads the lines of a header up to "end_header".
class PlyHeader {
 public:
  PlyHeader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  PlyLayout layout() {
    if (next().front() != "ply") refuse("the first line", "ply");
    for (std::vector<std::string_view> words = next(); words.front() != "end_header"; words = next()) take(words);
    if (!encoding_) refuse("a header without a line of its format", "format binary_little_endian 1.0");
    if (part_ == Part::before) refuse("a header without vertices", "element vertex N");
    if (layout_.fields.empty()) refuse("vertices without properties", "property float x");
    layout_.begin = at_;
    layout_.lines = line_;
    if (*encoding_ == Encoding::text) layout_.row_bytes = 0;
    return std::move(layout_);
  }

 private:
  std::vector<std::string_view> next() {
    const std::size_t end = text_.find('\n', at_);
    if (end == text_.npos) refuse("a header that does not end", "end_header");
    whole_ = trimmed(text_.substr(at_, end - at_));
    at_ = end + 1;
    ++line_;
    return split_text(whole_, ' ');
  }

  void take(const std::vector<std::string_view>& words) {
    const std::string_view word = words.front();
    if (word == "format" && words.size() == 3) {
      constexpr std::array<std::string_view, 3> names{"ascii", "binary_little_endian", "binary_big_endian"};
      const auto found = std::ranges::find(names, words[1]);
      if (found == names.end()) refuse("the format", "ascii, binary_little_endian or binary_big_endian");
      encoding_ = static_cast<Encoding>(found - names.begin());
    } else if (word == "element" && words.size() == 3) {
      const auto count = parse_integer(words[2]);
      if (!count || *count < 0) refuse("the number of elements", "a whole number of 0 or more");
      const bool is_vertex = words[1] == "vertex";
      if (part_ == Part::before && !is_vertex && *count > 0) refuse("elements before the vertices", "element vertex N");
      if (is_vertex) layout_.count = static_cast<std::size_t>(*count);
      part_ = is_vertex ? Part::vertices : part_ == Part::before ? Part::before : Part::behind;
    } else if (word == "property" && part_ == Part::vertices) {
      property(words);
    } else if (word != "comment" && word != "obj_info" && word != "property" && !word.empty()) {
      refuse("a line of the header", "format, comment, element, property or end_header");
    }
  }

  void property(const std::vector<std::string_view>& words) {
    const auto type = std::ranges::find_if(ply_types, [&](const PlyType& each) {
      return words.size() == 3 && std::ranges::count(each.names, words[1]) > 0;
    });
    if (type == ply_types.end()) refuse("a property of vertices", "a number: property float x");
    const std::endian order = encoding_ == Encoding::big_endian ? std::endian::big : std::endian::little;
    layout_.fields.push_back(
        {std::string(words[2]), {std::string(words[1]), type->kind, type->bytes, order}, layout_.row_bytes, 1});
    layout_.row_bytes += type->bytes;
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& expected) const {
    throw usage_error(what, std::string(whole_.substr(0, 2 * most_shown)), expected, TextPlace{name_, line_, 1}.text());
  }

  enum class Encoding { text, little_endian, big_endian };
  enum class Part { before, vertices, behind };  // position in the elements

  std::string_view text_, name_, whole_;
  std::size_t at_ = 0, line_ = 0;
  std::optional<Encoding> encoding_;
  Part part_ = Part::before;
  PlyLayout layout_;
};

}  // namespace

PlyLayout parse_ply_layout(std::string_view beginning, std::uint64_t bytes, std::string_view name) {
  PlyLayout layout = PlyHeader(beginning, name).layout();
  if (layout.row_bytes > 0 && layout.count > (bytes - layout.begin) / layout.row_bytes)
    throw usage_error("the vertices of the file", std::to_string(bytes - layout.begin) + " bytes",
                      std::to_string(layout.count) + " vertices of " + std::to_string(layout.row_bytes) + " bytes",
                      std::string(name));
  return layout;
}

void write_ply_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress) {
  std::string header = "ply\nformat binary_little_endian 1.0\ncomment time " + shortest(frame.time) +
                       "\ncomment step " + std::to_string(frame.step) + "\n";
  if (!frame.units.empty()) header += "comment units " + std::string(frame.units) + "\n";
  for (std::size_t k = 0; k < frame.kind_names.size(); ++k)
    header += "comment kind " + std::to_string(k) + " " + frame.kind_names[k] + "\n";
  header += "element vertex " + std::to_string(frame.count) + "\n";
  for (const PointColumn& column : frame.columns)
    header += (column.kinds != nullptr ? "property int " : "property double ") + column.name + "\n";
  header += "end_header\n";
  write_point_rows(out, frame.count, std::move(header), progress, [&](std::string& bytes, std::size_t i) {
    for (const PointColumn& column : frame.columns)
      column.kinds != nullptr ? append_little_endian(bytes, column.kinds[i]) : append_little_endian(bytes, column[i]);
  });
}

}  // namespace orrery
