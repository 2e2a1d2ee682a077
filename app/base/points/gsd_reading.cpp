// The last frame of a GSD file of HOOMD-blue, of version 1 or 2. A missing block is taken from the first frame if both
// have equal numbers of particles, else from the schema's default.
// https://gsd.readthedocs.io/en/stable/schema-hoomd.html
#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "base/error.hpp"
#include "base/points/gsd_layout.hpp"
#include "base/points/point_arrays.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::string_view particles = "particles/", logged = "log/particles/";

std::string_view until_zero(std::string_view text) { return text.substr(0, text.find('\0')); }

NpyType number_type(GsdType type) {
  const bool is_real = type == GsdType::real32 || type == GsdType::real64;
  const char kind = is_real ? 'f' : type >= GsdType::int8 ? 'i' : 'u';
  return {"GSD " + std::to_string(static_cast<int>(type)), kind, gsd_bytes_of(type), std::endian::little};
}

/// The header, the names and the entries of the first and the last frame.
class GsdContent {
 public:
  GsdContent(const ByteSource& source, const std::string& name) : source_(source), name_(name) {
    const std::string header = bytes_at(0, gsd_header_bytes, "the header");
    constexpr std::size_t index = 8, names = 24, version = 44, schema = 112;
    const std::string_view written_for = until_zero(std::string_view(header).substr(schema, 64));
    if (written_for != "hoomd") throw usage_error("the schema", std::string(written_for), "hoomd", name_);
    const std::uint64_t major = little_endian_word(header, version, 4) >> 16;
    if (major != 1 && major != 2)
      throw usage_error("the version of the GSD format", std::to_string(major), "1 or 2", name_);
    read_names(little_endian_word(header, names), little_endian_word(header, names + 8), major == 1);
    read_index(little_endian_word(header, index), little_endian_word(header, index + 8));
  }

  const std::vector<std::string>& names() const { return names_; }
  /// Finds the block of the last frame, else of the first frame.
  const GsdEntry* find(std::string_view name) const {
    const GsdEntry* const own = find_in(last_, name);
    return own != nullptr ? own : find_in(first_, name);
  }
  /// A block with a row for each particle.
  const GsdEntry* find_of_particles(std::string_view name) const {
    if (const GsdEntry* const own = find_in(last_, name)) return own;
    return number(first_, "particles/N", 0) == number("particles/N", 0) ? find_in(first_, name) : nullptr;
  }
  /// The only number of that block.
  std::uint64_t number(std::string_view name, std::uint64_t otherwise) const {
    return number(find(name), name, otherwise);
  }
  std::string block(const GsdEntry& entry, std::string_view name) const {
    const std::uint64_t each = gsd_bytes_of(entry.type);
    const std::string what = "the block " + in_quotes(std::string(name));
    if (each == 0)
      throw usage_error("the type of " + what, std::to_string(static_cast<int>(entry.type)), "1 to 11", name_);
    if (entry.columns == 0 || entry.rows > source_.bytes / each / entry.columns)
      throw usage_error("the size of " + what, std::to_string(entry.rows) + " x " + std::to_string(entry.columns),
                        "numbers that lie in the file, which has " + std::to_string(source_.bytes) + " bytes", name_);
    return bytes_at(entry.at, entry.rows * entry.columns * each, what);
  }

 private:
  using Entries = std::map<std::string, GsdEntry, std::less<>>;  // keys: names of blocks

  std::string bytes_at(std::uint64_t at, std::uint64_t count, const std::string& what) const {
    const bool fits = at <= source_.bytes && count <= source_.bytes - at;
    std::string bytes(fits ? source_.read(at, static_cast<std::size_t>(count)) : std::string_view());
    if (!fits || bytes.size() < count)
      throw usage_error("the place of " + what, std::to_string(count) + " bytes from byte " + std::to_string(at),
                        "bytes of the file, which has " + std::to_string(source_.bytes), name_);
    return bytes;
  }

  // Rows of 64 bytes with a name each in version 1; consecutive names in version 2.
  void read_names(std::uint64_t at, std::uint64_t rows, bool are_rows) {
    rows = std::min(rows, source_.bytes);  // no product overflows
    const std::string all = bytes_at(at, rows * gsd_name_row_bytes, "the list of names");
    for (std::size_t begin = 0; begin < all.size() && all[begin] != '\0';) {
      names_.emplace_back(until_zero(std::string_view(all).substr(begin, are_rows ? gsd_name_row_bytes : all.npos)));
      begin += are_rows ? gsd_name_row_bytes : names_.back().size() + 1;
    }
  }

  void read_index(std::uint64_t at, std::uint64_t entries) {
    constexpr std::uint64_t entries_of_a_piece = 1 << 15;
    entries = std::min(entries, source_.bytes);
    if (entries == 0 || entries * gsd_entry_bytes > source_.bytes)
      throw usage_error("the number of entries of the index", std::to_string(entries),
                        "entries of 32 bytes that lie in the file", name_);
    for (std::uint64_t done = 0; done < entries; done += entries_of_a_piece) {
      const std::uint64_t count = std::min(entries_of_a_piece, entries - done);
      const std::string piece = bytes_at(at + done * gsd_entry_bytes, count * gsd_entry_bytes, "the index");
      for (std::size_t begin = 0; begin < piece.size(); begin += gsd_entry_bytes) {
        const GsdEntry entry(std::string_view(piece).substr(begin, gsd_entry_bytes));
        if (!entry.is_used()) return;
        take(entry, done + begin / gsd_entry_bytes);
      }
    }
  }
  void take(const GsdEntry& entry, std::uint64_t index) {
    const std::string place = "entry " + std::to_string(index) + " of the index";
    if (entry.frame < frame_)
      throw usage_error("the frame of " + place, std::to_string(entry.frame), std::to_string(frame_) + " or more",
                        name_);
    if (entry.name >= names_.size())
      throw usage_error("the name of " + place, std::to_string(entry.name),
                        "the number of one of " + std::to_string(names_.size()) + " names", name_);
    if (entry.frame > frame_) last_.clear();
    frame_ = entry.frame;
    last_.try_emplace(names_[entry.name], entry);
    if (entry.frame == 0) first_.try_emplace(names_[entry.name], entry);
  }

  static const GsdEntry* find_in(const Entries& entries, std::string_view name) {
    const auto found = entries.find(name);
    return found == entries.end() ? nullptr : &found->second;
  }
  std::uint64_t number(const Entries& entries, std::string_view name, std::uint64_t otherwise) const {
    return number(find_in(entries, name), name, otherwise);
  }
  std::uint64_t number(const GsdEntry* entry, std::string_view name, std::uint64_t otherwise) const {
    if (entry == nullptr) return otherwise;
    if (entry->rows != 1 || entry->columns != 1 || entry->type >= GsdType::real32)
      throw usage_error("the block " + in_quotes(std::string(name)),
                        std::to_string(entry->rows) + " x " + std::to_string(entry->columns), "one whole number",
                        name_);
    const std::string bytes = block(*entry, name);
    return little_endian_word(bytes, 0, bytes.size());
  }

  const ByteSource& source_;
  const std::string& name_;
  std::vector<std::string> names_;
  Entries first_, last_;
  std::uint64_t frame_ = 0;  // number of the frame of last_
};

struct KnownBlock {
  std::string_view name, as;  // "velocity" of "particles/velocity", and the name of its array
  std::uint32_t columns;
};
constexpr std::array known_blocks{KnownBlock{"position", "position", 3}, KnownBlock{"velocity", "velocity", 3},
                                  KnownBlock{"mass", "mass", 1},         KnownBlock{"charge", "charge", 1},
                                  KnownBlock{"diameter", "diameter", 1}, KnownBlock{"typeid", "kind", 1}};

/// Makes arrays of the blocks.
class GsdArrays {
 public:
  GsdArrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted)
      : content_(source, name),
        name_(name),
        wanted_(wanted),
        axes_(content_.number("configuration/dimensions", 3) == 2 ? 2 : 3) {
    const std::uint64_t count = content_.number("particles/N", 0);
    if (count > wanted.most_points)
      throw usage_error("the number of particles", std::to_string(count),
                        "at most " + std::to_string(wanted.most_points), name_);
    points_.count = static_cast<std::size_t>(count);
    if (content_.find_of_particles("particles/position") == nullptr) add_places_of_schema(source.bytes);
  }

  PointArrays take() {
    for (const KnownBlock& known : known_blocks)
      if (const auto* entry = content_.find_of_particles(std::string(particles) + std::string(known.name)))
        add(std::string(particles) + std::string(known.name), *entry, known);
    for (const std::string& block : content_.names()) add_other(block);
    take_kind_names();
    return std::move(points_);
  }

 private:
  // The default of the schema: all points at the origin. A short file does not describe many of these.
  void add_places_of_schema(std::uint64_t file_bytes) {
    if (points_.count > file_bytes)
      throw usage_error("the number of particles without positions", std::to_string(points_.count),
                        "at most one for each byte of the file", name_);
    points_.arrays.push_back(
        {"position", number_type(GsdType::real32), axes_, 0, std::string(3 * sizeof(float), '\0')});
  }

  void add(const std::string& block, const GsdEntry& entry, const KnownBlock& known) {
    if (entry.rows != points_.count || (known.columns != 0 && entry.columns != known.columns))
      throw usage_error("the size of the block " + in_quotes(block),
                        std::to_string(entry.rows) + " x " + std::to_string(entry.columns),
                        std::to_string(points_.count) + " x " + std::to_string(std::max(known.columns, 1U)), name_);
    PointArray array{std::string(known.as), number_type(entry.type),
                     known.columns == 3 ? axes_ : std::size_t{entry.columns}};
    array.stride = array.type.bytes * entry.columns;
    if (wanted_.is_wanted(array)) array.bytes = content_.block(entry, block);
    points_.arrays.push_back(std::move(array));
  }

  // Reads numbers added by programs; other blocks of the schema are only named.
  void add_other(const std::string& block) {
    constexpr std::size_t most_columns = 1000;
    const bool is_logged = block.starts_with(logged);
    if (!is_logged && !block.starts_with(particles)) return;
    const std::string name = block.substr(is_logged ? logged.size() : particles.size());
    const bool is_known = !is_logged && std::ranges::find(known_blocks, name, &KnownBlock::name) != known_blocks.end();
    const GsdEntry* const entry = content_.find_of_particles(block);
    if (is_known || entry == nullptr || entry->rows != points_.count || entry->columns - 1 >= most_columns) return;
    if (is_logged)
      add(block, *entry, {name, name, 0});
    else if (name != "N" && name != "types" && name != "type_shapes")
      points_.arrays.push_back({.name = name});
  }

  void take_kind_names() {
    constexpr std::uint64_t longest = 1 << 20;
    const GsdEntry* const entry = content_.find("particles/types");
    if (entry == nullptr || !wanted_.is_wanted({.name = "kind"})) return;
    if (gsd_bytes_of(entry->type) != 1 || entry->rows > longest || entry->columns > longest)
      throw usage_error("the block \"particles/types\"",
                        std::to_string(entry->rows) + " x " + std::to_string(entry->columns), "names of at most 1 MiB",
                        name_);
    const std::string names = content_.block(*entry, "particles/types");
    for (std::size_t begin = 0; begin < names.size(); begin += entry->columns)
      points_.kind_names.emplace_back(until_zero(std::string_view(names).substr(begin, entry->columns)));
  }

  GsdContent content_;
  const std::string& name_;
  const PointQuestion& wanted_;
  PointArrays points_;
  std::size_t axes_;  // 2: z is left out
};

}  // namespace

std::size_t gsd_bytes_of(GsdType type) {
  constexpr std::array<std::size_t, 12> bytes{0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};
  const auto index = static_cast<std::size_t>(type);
  return index < bytes.size() ? bytes[index] : 0;
}

bool is_gsd(std::string_view beginning) {
  return beginning.size() >= sizeof gsd_magic && little_endian_word(beginning, 0) == gsd_magic;
}

PointArrays read_gsd_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted) {
  return GsdArrays(source, name, wanted).take();
}

}  // namespace orrery
