// Points and their numbers from VTK's XML format of polygonal data, as written by VTK and ParaView: text, base64 or raw
// bytes, in the tag of an array or after all tags, optionally compressed by zlib.
// https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/points/point_arrays.hpp"
#include "base/points/vtk_data.hpp"
#include "base/points/xml_tags.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::string_view appended_tag = "<AppendedData";

struct VtpType {
  std::string_view name;
  char kind;
  std::size_t bytes;
};
constexpr std::array vtp_types{VtpType{"Int8", 'i', 1},   VtpType{"UInt8", 'u', 1},  VtpType{"Int16", 'i', 2},
                               VtpType{"UInt16", 'u', 2}, VtpType{"Int32", 'i', 4},  VtpType{"UInt32", 'u', 4},
                               VtpType{"Int64", 'i', 8},  VtpType{"UInt64", 'u', 8}, VtpType{"Float32", 'f', 4},
                               VtpType{"Float64", 'f', 8}};

/// A DataArray of a piece.
struct VtpArray {
  PointArray array;  // without its numbers
  enum class Form { text, base64, appended } form = Form::text;
  std::string_view text = {};  // text in its tag
  std::uint64_t offset = 0;    // offset in the appended data
};
struct VtpPiece {
  std::uint64_t points = 0;
  std::vector<VtpArray> arrays = {};  // positions first
};

/// Reads all tags of a file.
class VtpTags {
 public:
  VtpTags(std::string_view text, const std::string& name, std::size_t most_points)
      : text_(text), tags_(text, name), most_points_(most_points) {
    XmlTag tag = tags_.next();
    while (tag.form == XmlTag::Form::comment) tag = tags_.next();
    begin_file(tag);
    while (!appended_ && (tag.form != XmlTag::Form::closes || tag.name != "VTKFile")) {
      tag = tags_.next();
      take(tag);
    }
  }

  const VtkEncoding& encoding() const { return encoding_; }
  const std::vector<std::string>& kind_names() const { return kind_names_; }
  bool is_appended_base64() const { return is_appended_base64_; }
  /// The byte at which the appended data begin; nothing: no such data.
  std::optional<std::size_t> appended() const { return appended_; }
  std::vector<VtpPiece> take_pieces() { return std::move(pieces_); }

 private:
  /// One of the values of an attribute, or "" if it may be absent.
  std::size_t choice(const XmlTag& tag, std::string_view key, std::span<const std::string_view> values) const {
    const std::string value = tag.attribute(key);
    const auto found = std::ranges::find(values, value);
    if (found == values.end()) {
      std::vector<std::string> known(values.begin(), values.end());
      std::erase(known, "");
      tags_.refuse(tag.begin, std::string(key), value, joined(known, " or "));
    }
    return static_cast<std::size_t>(found - values.begin());
  }
  std::uint64_t number(const XmlTag& tag, std::string_view key, std::int64_t otherwise, std::int64_t most) const {
    const std::string value = tag.attribute(key);
    if (value.empty() && otherwise >= 0) return static_cast<std::uint64_t>(otherwise);
    const auto parsed = parse_integer(value);
    if (!parsed || *parsed < 0 || *parsed > most)
      tags_.refuse(tag.begin, std::string(key), value, "a whole number from 0 to " + std::to_string(most));
    return static_cast<std::uint64_t>(*parsed);
  }

  void begin_file(const XmlTag& tag) {
    if (!tag.opens("VTKFile")) tags_.refuse(tag.begin, "the first tag", std::string(tag.name), "VTKFile");
    constexpr std::array<std::string_view, 1> types{"PolyData"};
    constexpr std::array<std::string_view, 3> orders{"", "LittleEndian", "BigEndian"}, words{"", "UInt32", "UInt64"};
    constexpr std::array<std::string_view, 2> compressors{"", "vtkZLibDataCompressor"};
    (void)choice(tag, "type", types);
    if (choice(tag, "byte_order", orders) == 2) encoding_.order = std::endian::big;
    if (choice(tag, "header_type", words) == 2) encoding_.word_bytes = sizeof(std::uint64_t);
    encoding_.is_compressed = choice(tag, "compressor", compressors) == 1;
  }

  void take(const XmlTag& tag) {
    if (tag.form == XmlTag::Form::comment) return take_kind_name(tag);
    if (tag.opens("Piece"))
      pieces_.push_back({number(tag, "NumberOfPoints", -1, static_cast<std::int64_t>(most_points_))});
    if (tag.name == "Points" || tag.name == "PointData")
      section_ = tag.form == XmlTag::Form::opens ? tag.name : std::string_view();
    if (tag.opens("AppendedData")) take_appended(tag);
    if (tag.opens("DataArray") && !section_.empty() && !pieces_.empty()) take_array(tag);
  }

  // Takes a name from Orrery's comments <!-- kind 0: Na -->.
  void take_kind_name(const XmlTag& tag) {
    const std::string mark = "kind " + std::to_string(kind_names_.size()) + ": ";
    const std::string_view text = trimmed(tag.name);
    if (text.starts_with(mark)) kind_names_.emplace_back(text.substr(mark.size()));
  }

  void take_array(const XmlTag& tag) {
    constexpr std::int64_t most_components = 1000, any = std::int64_t{1} << 60;
    constexpr std::array<std::string_view, 4> forms{"ascii", "binary", "appended", ""};
    const bool are_places = section_ == "Points";
    VtpArray found;
    PointArray& array = found.array;
    array.name = are_places ? "position" : tag.attribute("Name");
    array.components = static_cast<std::size_t>(number(tag, "NumberOfComponents", 1, most_components));
    found.form = static_cast<VtpArray::Form>(choice(tag, "format", forms) % 3);
    const auto type = std::ranges::find(vtp_types, tag.attribute("type"), &VtpType::name);
    if (type != vtp_types.end()) array.type = {std::string(type->name), type->kind, type->bytes, encoding_.order};
    if (found.form == VtpArray::Form::text && array.type.is_number())
      array.type = {array.type.text, 'f', sizeof(double), std::endian::native};
    if (are_places && (array.components != 3 || !array.type.is_number()))
      tags_.refuse(tag.begin, "the array of the points",
                   tag.attribute("type") + " x " + std::to_string(array.components), "numbers, with 3 components");
    if (found.form == VtpArray::Form::appended) found.offset = number(tag, "offset", -1, any);
    found.text = tags_.text_of(tag);
    std::vector<VtpArray>& arrays = pieces_.back().arrays;
    arrays.insert(are_places ? arrays.begin() : arrays.end(), std::move(found));
  }

  void take_appended(const XmlTag& tag) {
    constexpr std::array<std::string_view, 2> encodings{"raw", "base64"};
    is_appended_base64_ = choice(tag, "encoding", encodings) == 1;
    appended_ = std::min(text_.find('_', tag.end), text_.size() - 1) + 1;
  }

  std::string_view text_;
  XmlTags tags_;
  std::size_t most_points_;
  VtkEncoding encoding_;
  std::string_view section_;  // section of a piece that contains the present tag
  std::vector<VtpPiece> pieces_;
  std::vector<std::string> kind_names_;
  std::optional<std::size_t> appended_;
  bool is_appended_base64_ = false;
};

// The text before the appended data, including the underscore; without such data, the whole file.
std::string text_of(const ByteSource& source) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20, longest_gap = 1 << 12;
  std::string text;
  while (text.size() < source.bytes) {
    const std::size_t seen = text.size() - std::min(text.size(), appended_tag.size());
    const std::string_view piece = source.read(text.size(), piece_bytes);
    if (piece.empty()) break;
    text += piece;
    const std::size_t found = text.find(appended_tag, seen);
    if (found == text.npos) continue;
    text.resize(std::min(text.size(), found));
    text += source.read(found, longest_gap);
    break;
  }
  return text;
}

/// Reads the arrays of the pieces.
class VtpArrays {
 public:
  VtpArrays(const ByteSource& source, const std::string& name, std::size_t most_points)
      : source_(source),
        name_(name),
        text_(text_of(source)),
        tags_(text_, name_, most_points),
        pieces_(tags_.take_pieces()) {
    std::erase_if(pieces_, [](const VtpPiece& piece) { return piece.points == 0; });
    for (const VtpPiece& piece : pieces_)
      if (piece.arrays.empty() || piece.arrays.front().array.name != "position")
        throw usage_error("a piece of " + std::to_string(piece.points) + " points has no array in <Points>", {}, {},
                          name_);
  }

  PointArrays read(const PointQuestion& wanted) const {
    PointArrays points;
    points.kind_names = tags_.kind_names();
    for (const VtpPiece& piece : pieces_) points.count += static_cast<std::size_t>(piece.points);
    if (pieces_.empty()) return points;
    for (const VtpArray& first : pieces_.front().arrays) {
      PointArray array = first.array;
      array.stride = array.components * array.type.bytes;
      if (array.type.is_number() && array.components > 0 && wanted.is_wanted(array))
        for (const VtpPiece& piece : pieces_) array.bytes += numbers(piece, array);
      points.arrays.push_back(std::move(array));
    }
    return points;
  }

 private:
  std::string numbers(const VtpPiece& piece, const PointArray& like) const {
    const std::string place = name_ + ", the array " + in_quotes(like.name);
    const auto found = std::ranges::find_if(piece.arrays, [&](const VtpArray& each) {
      return each.array.name == like.name && each.array.components == like.components &&
             each.array.type.text == like.type.text && each.array.type.bytes == like.type.bytes;
    });
    if (found == piece.arrays.end())
      throw usage_error("a piece has no such array of the type " + like.type.text, {}, {}, place);
    const std::uint64_t count = piece.points * like.components;
    if (found->form == VtpArray::Form::text) return read_vtk_text(found->text, count, place);
    const ByteSource inside = byte_source(found->text);
    const bool is_appended = found->form == VtpArray::Form::appended;
    if (is_appended && !tags_.appended()) throw usage_error("the file has no appended data", {}, {}, place);
    const VtkPlace data{is_appended ? source_ : inside, is_appended ? *tags_.appended() + found->offset : 0,
                        !is_appended || tags_.is_appended_base64()};
    return read_vtk_block(data, tags_.encoding(), count * like.type.bytes, place);
  }

  const ByteSource& source_;
  const std::string& name_;
  std::string text_;
  VtpTags tags_;
  std::vector<VtpPiece> pieces_;
};

}  // namespace

PointArrays read_vtp_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted) {
  return VtpArrays(source, name, wanted.most_points).read(wanted);
}

}  // namespace orrery
