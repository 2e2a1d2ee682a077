#include "base/points/gsd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/platform/file.hpp"
#include "base/points/gsd_layout.hpp"
#include "base/points/point_format.hpp"
#include "base/points/writers.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t first_index_entries = 128;

/// Numbers of one name and type, in rows of equal length.
struct GsdBlock {
  std::string name;
  GsdType type = GsdType::real32;
  std::uint64_t rows = 1;
  std::uint32_t columns = 1;
  std::string bytes = {};
  /// True for a block that a frame can inherit from the first frame; logs are not inherited.
  bool may_be_left_out() const { return name != "configuration/step" && !name.starts_with("log/"); }
};

template <class T>
GsdBlock single_number(std::string name, GsdType type, T value) {
  GsdBlock block{std::move(name), type};
  append_little_endian(block.bytes, value);
  return block;
}

GsdBlock block_of_columns(std::string name, const std::vector<const PointColumn*>& columns, std::size_t count) {
  GsdBlock block{std::move(name), GsdType::real32, count, static_cast<std::uint32_t>(columns.size())};
  block.bytes.reserve(count * columns.size() * sizeof(float));
  for (std::size_t i = 0; i < count; ++i)
    for (const PointColumn* column : columns)
      append_little_endian(block.bytes, single_of((*column)[i], *column, i, ".gsd"));
  return block;
}

// The least power of two that holds all points.
double cube_around(const PointFrame& frame) {
  double largest = 0;
  for (const PointColumn* axis : place_columns(frame))
    for (std::size_t i = 0; i < frame.count; ++i) largest = std::max(largest, std::abs((*axis)[i]));
  return std::exp2(1 + std::ceil(std::log2(std::max(largest, 0x1p-64))));
}

GsdBlock block_of_box(const PointFrame& frame) {
  GsdBlock block{"configuration/box", GsdType::real32, 6};
  std::array<double, 3> lengths{};
  lengths.fill(frame.box ? 0 : cube_around(frame));
  for (const double length : frame.box.value_or(lengths)) append_little_endian(block.bytes, static_cast<float>(length));
  for (int tilt = 0; tilt < 3; ++tilt) append_little_endian(block.bytes, 0.0F);
  return block;
}

// Adds positions inside a periodic box, with each point's box index.
void add_places(const PointFrame& frame, std::vector<GsdBlock>& blocks) {
  const PointVector place = place_columns(frame);
  if (!frame.box)
    return blocks.push_back(block_of_columns("particles/position", {place.begin(), place.end()}, frame.count));
  GsdBlock inside{"particles/position", GsdType::real32, frame.count, 3};
  GsdBlock image{"particles/image", GsdType::int32, frame.count, 3};
  constexpr double farthest = 2e9;
  for (std::size_t i = 0; i < frame.count; ++i)
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      const double length = (*frame.box)[axis], x = (*place[axis])[i];
      const double turn = std::clamp(std::floor(x / length + 0.5), -farthest, farthest);
      append_little_endian(inside.bytes, single_of(x - turn * length, *place[axis], i, ".gsd"));
      append_little_endian(image.bytes, static_cast<std::int32_t>(turn));
    }
  blocks.push_back(std::move(inside));
  blocks.push_back(std::move(image));
}

void add_kinds(const PointFrame& frame, std::vector<GsdBlock>& blocks) {
  const PointColumn* const kind = kind_column(frame);
  if (kind == nullptr) return;
  std::size_t longest = 1;
  for (const std::string& name : frame.kind_names) longest = std::max(longest, name.size() + 1);
  GsdBlock names{"particles/types", GsdType::int8, frame.kind_names.size(), static_cast<std::uint32_t>(longest)};
  for (const std::string& name : frame.kind_names) names.bytes += name + std::string(longest - name.size(), '\0');
  blocks.push_back(std::move(names));
  GsdBlock of{"particles/typeid", GsdType::uint32, frame.count};
  for (std::size_t i = 0; i < frame.count; ++i) append_little_endian(of.bytes, kind->kinds[i]);
  blocks.push_back(std::move(of));
}

std::vector<GsdBlock> gsd_blocks(const PointFrame& frame) {
  std::vector<GsdBlock> blocks;
  blocks.push_back(single_number("configuration/step", GsdType::uint64, static_cast<std::uint64_t>(frame.step)));
  blocks.push_back(single_number("configuration/dimensions", GsdType::uint8, std::uint8_t{3}));
  blocks.push_back(block_of_box(frame));
  blocks.push_back(single_number("particles/N", GsdType::uint32, static_cast<std::uint32_t>(frame.count)));
  add_kinds(frame, blocks);
  add_places(frame, blocks);
  const PointVector velocity = velocity_columns(frame);
  blocks.push_back(block_of_columns("particles/velocity", {velocity.begin(), velocity.end()}, frame.count));
  blocks.push_back(single_number("log/time", GsdType::real64, frame.time));
  for (const PointColumn* column : scalar_columns(frame)) {
    const bool is_known = column->name == "mass" || column->name == "charge";
    blocks.push_back(
        block_of_columns((is_known ? "particles/" : "log/particles/") + column->name, {column}, frame.count));
  }
  return blocks;
}

std::string entry_of(const GsdBlock& block, std::uint64_t frame, std::uint64_t at, std::size_t name) {
  std::string bytes;
  append_little_endian(bytes, frame);
  append_little_endian(bytes, block.rows);
  append_little_endian(bytes, static_cast<std::int64_t>(at));
  append_little_endian(bytes, block.columns);
  append_little_endian(bytes, static_cast<std::uint16_t>(name));
  append_little_endian(bytes, static_cast<std::uint8_t>(block.type));
  append_little_endian(bytes, std::uint8_t{0});
  return bytes;
}

std::string padded(std::string text, std::size_t bytes) {
  text.resize(bytes, '\0');
  return text;
}

/// A file of one frame: the header, the index, the names, then the blocks.
struct GsdBeginning {
  std::string header, index, names;
  std::uint64_t end = 0;

  explicit GsdBeginning(const std::vector<GsdBlock>& blocks) {
    for (const GsdBlock& block : blocks) names += block.name + '\0';
    const std::uint64_t rows_of_names = names.size() / gsd_name_row_bytes + 1;
    names = padded(std::move(names), rows_of_names * gsd_name_row_bytes);
    const std::uint64_t names_at = gsd_header_bytes + first_index_entries * gsd_entry_bytes;
    end = names_at + names.size();
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      index += entry_of(blocks[k], 0, end, k);
      end += blocks[k].bytes.size();
    }
    for (const std::uint64_t word : {gsd_magic, gsd_header_bytes, first_index_entries, names_at, rows_of_names})
      append_little_endian(header, word);
    append_little_endian(header, std::uint32_t{1 << 16 | 4});  // version of the schema
    append_little_endian(header, std::uint32_t{2 << 16});      // version of the format
    header += padded("Orrery " ORRERY_VERSION, 64) + padded("hoomd", 64);
    header = padded(std::move(header), gsd_header_bytes);
  }
};

void write_gsd_blocks(std::ostream& out, const std::vector<GsdBlock>& blocks, const GsdBeginning& beginning) {
  out << beginning.header << padded(beginning.index, first_index_entries * gsd_entry_bytes) << beginning.names;
  for (const GsdBlock& block : blocks) out << block.bytes;
}

void check_gsd_size(const std::vector<GsdBlock>& blocks) {
  if (blocks.size() > first_index_entries)
    throw failure("a .gsd file of " + std::to_string(blocks.size()) + " columns", "write a .csv or .npy file");
}

}  // namespace

void write_gsd_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress) {
  const std::vector<GsdBlock> blocks = gsd_blocks(frame);
  check_gsd_size(blocks);
  write_gsd_blocks(out, blocks, GsdBeginning(blocks));
  if (progress) progress(1);
}

GsdFile::GsdFile(const std::filesystem::path& path, const PointFrame& first) : path_(path) {
  const std::vector<GsdBlock> blocks = gsd_blocks(first);
  check_gsd_size(blocks);
  GsdBeginning beginning(blocks);
  write_file(path, [&](std::ostream& out) { write_gsd_blocks(out, blocks, beginning); });
  for (const GsdBlock& block : blocks) constant_.push_back(fnv1a(block.bytes));
  index_ = std::move(beginning.index);
  frames_ = 1, index_at_ = gsd_header_bytes, allocated_ = first_index_entries, end_ = beginning.end;
  file_.open(path, std::ios::in | std::ios::out | std::ios::binary);
  if (!file_) throw Error(Fault::failure, {"cannot write", path.string(), {}, {}, "frames need a regular file", {}});
}

GsdFile::GsdFile(const std::filesystem::path& path, std::int64_t begins)
    : path_(path),
      file_(path, std::ios::in | std::ios::out | std::ios::binary),
      end_(std::filesystem::file_size(path)) {
  const std::string header = read(0, gsd_header_bytes), own = GsdBeginning({}).header;
  const std::string_view application = "Orrery ";
  index_at_ = little_endian_word(header, 8), allocated_ = little_endian_word(header, 16);
  const bool is_own = header.substr(0, 8) == own.substr(0, 8) && header.substr(40, 8) == own.substr(40, 8) &&
                      header.substr(48, application.size()) == application && allocated_ <= end_ / gsd_entry_bytes &&
                      index_at_ <= end_ - allocated_ * gsd_entry_bytes;
  const std::string index = is_own ? read(index_at_, allocated_ * gsd_entry_bytes) : std::string();
  for (std::size_t at = 0; at < index.size(); at += gsd_entry_bytes) {
    const GsdEntry entry(std::string_view(index).substr(at, gsd_entry_bytes));
    if (!entry.is_used()) break;
    const bool is_step = entry.name == 0;  // the first entry of a frame
    if (is_step && little_endian_word(read(entry.at, 8), 0) >= static_cast<std::uint64_t>(begins)) break;
    if (is_step) ++frames_;
    if (frames_ == 1) constant_.push_back(fnv1a(read(entry.at, entry.rows * entry.columns * gsd_bytes_of(entry.type))));
    index_ += index.substr(at, gsd_entry_bytes);
  }
  if (frames_ == 0) throw no_frames_before(path, begins);
  write(index_at_ + index_.size(), std::string(index.size() - index_.size(), '\0'));
}

// Writes the numbers before the index, so that readers only see complete frames.
void GsdFile::append(const PointFrame& frame) {
  const std::vector<GsdBlock> blocks = gsd_blocks(frame);
  if (blocks.size() != constant_.size())
    throw failure("the existing frames in " + path_.string() + " have different columns");
  std::string bytes, entries;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (blocks[k].may_be_left_out() && fnv1a(blocks[k].bytes) == constant_[k]) continue;
    entries += entry_of(blocks[k], frames_, end_ + bytes.size(), k);
    bytes += blocks[k].bytes;
  }
  write(end_, bytes);
  end_ += bytes.size();
  const std::uint64_t at = index_at_ + index_.size();
  index_ += entries;
  if (index_.size() > allocated_ * gsd_entry_bytes)
    move_index();
  else
    write(at, entries);
  ++frames_;
}

// Moves the index to the end of the file, with twice the size.
void GsdFile::move_index() {
  while (index_.size() > allocated_ * gsd_entry_bytes) allocated_ *= 2;
  write(end_, padded(index_, allocated_ * gsd_entry_bytes));
  index_at_ = end_;
  end_ += allocated_ * gsd_entry_bytes;
  std::string place;
  append_little_endian(place, index_at_);
  append_little_endian(place, allocated_);
  write(sizeof(std::uint64_t), place);
}

std::string GsdFile::read(std::uint64_t at, std::uint64_t count) {
  std::string bytes(at <= end_ && count <= end_ - at ? count : 0, '\0');
  file_.seekg(static_cast<std::streamoff>(at));
  if (bytes.size() < count || !file_.read(bytes.data(), static_cast<std::streamsize>(count)))
    throw usage_error("the file ends too early", {}, {}, path_.string());
  return bytes;
}

void GsdFile::write(std::uint64_t at, const std::string& bytes) {
  file_.seekp(static_cast<std::streamoff>(at));
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  if (!file_)
    throw Error(Fault::failure, {"cannot write", path_.string(), {}, {}, "the disk is full or was removed", {}});
}

void GsdFile::finish() {
  file_.close();
  const platform::Descriptor file = platform::open_to_append(path_);
  if (!file || !platform::flush_to_disk(file))
    throw Error(Fault::failure, {"cannot write", path_.string(), {}, {}, std::strerror(errno), {}});
}

}  // namespace orrery
