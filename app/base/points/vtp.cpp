// VTK's XML format of polygonal data, here only points, with their numbers in blocks after the text: 8 bytes of length,
// then the numbers. All points form one cell, because ParaView draws only cells.
// https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html
#include <string>
#include <vector>

#include "base/points/writers.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

/// A block of numbers, a row for each point.
struct VtpBlock {
  std::string type, name;
  std::vector<const PointColumn*> columns;  // none: the indices of the points
  std::size_t count = 0, bytes_each = sizeof(double);
  std::size_t bytes() const { return count * bytes_each * std::max<std::size_t>(columns.size(), 1); }
};

std::vector<VtpBlock> vtp_blocks(const PointFrame& frame) {
  const PointVector place = place_columns(frame), velocity = velocity_columns(frame);
  std::vector<VtpBlock> blocks{{"Float64", "Points", {place.begin(), place.end()}, frame.count},
                               {"Int64", "connectivity", {}, frame.count},
                               {"Float64", "velocity", {velocity.begin(), velocity.end()}, frame.count}};
  for (const PointColumn* column : scalar_columns(frame))
    blocks.push_back({"Float64", column->name, {column}, frame.count});
  if (const PointColumn* column = kind_column(frame))
    blocks.push_back({"Int32", column->name, {column}, frame.count, sizeof(std::int32_t)});
  return blocks;
}

std::string vtp_header(const PointFrame& frame, const std::vector<VtpBlock>& blocks) {
  std::vector<std::string> arrays;
  std::size_t offset = 0;
  for (const VtpBlock& block : blocks) {
    arrays.push_back("<DataArray type=\"" + block.type + "\" Name=\"" + block.name + "\" NumberOfComponents=\"" +
                     std::to_string(std::max<std::size_t>(block.columns.size(), 1)) +
                     "\" format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n");
    offset += sizeof(std::uint64_t) + block.bytes();
  }
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n";
  for (std::size_t k = 0; k < frame.kind_names.size(); ++k)
    text += "<!-- kind " + std::to_string(k) + ": " + frame.kind_names[k] + " -->\n";
  text +=
      "<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">" +
      shortest(frame.time) + "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(frame.count) +
      "\" NumberOfVerts=\"1\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n" + arrays[0] +
      "</Points>\n<Verts>\n" + arrays[1] + "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">" +
      std::to_string(frame.count) + "</DataArray>\n</Verts>\n<PointData Vectors=\"velocity\">\n";
  for (std::size_t k = 2; k < arrays.size(); ++k) text += arrays[k];
  return text + "</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
}

void append_row(std::string& bytes, const VtpBlock& block, std::size_t i) {
  if (block.columns.empty()) append_little_endian(bytes, static_cast<std::int64_t>(i));
  for (const PointColumn* column : block.columns)
    column->kinds != nullptr ? append_little_endian(bytes, column->kinds[i])
                             : append_little_endian(bytes, (*column)[i]);
}

}  // namespace

void write_vtp_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress) {
  const std::vector<VtpBlock> blocks = vtp_blocks(frame);
  std::string before = vtp_header(frame, blocks);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const VtpBlock& block = blocks[k];
    const FileProgress part = [&](double done) {
      if (progress) progress((static_cast<double>(k) + done) / static_cast<double>(blocks.size()));
    };
    append_little_endian(before, static_cast<std::uint64_t>(block.bytes()));
    write_point_rows(out, block.count, std::exchange(before, {}), part,
                     [&](std::string& bytes, std::size_t i) { append_row(bytes, block, i); });
  }
  out << "\n</AppendedData>\n</VTKFile>\n";
}

}  // namespace orrery
