#include "scenes/nbody/files/run_archive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/work/packing.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {
namespace {

constexpr FileKind run_archive_kind{"the archive of a run", std::uint64_t{1} << 42, false};
constexpr std::size_t line_bytes = 128;  // line of a state; the first line is shorter
constexpr std::string_view archive_line = "orrery-archive 1               \n";

std::string_view word_of(ArchivedAs as) { return as == ArchivedAs::edit ? "edit" : "frame"; }

// The line without the checksum, which also covers this text.
std::string told_of(const ArchiveEntry& entry) {
  return std::string(word_of(entry.as)) + " " + std::to_string(entry.step) + " " + digits17(entry.time) + " " +
         std::to_string(entry.bytes) + " " + std::to_string(entry.packed);
}

std::string line_of(const ArchiveEntry& entry) {
  std::string line = told_of(entry) + " " + entry.checksum;
  line.resize(line_bytes - 1, ' ');
  return line + "\n";
}

constexpr std::string_view archive_checksum = "xxh64:";

template <class Checksum>
std::string checksum_by(const ArchiveEntry& entry, std::string_view packed_bytes) {
  Checksum checksum;
  checksum.add(told_of(entry));
  checksum.add(packed_bytes);
  return checksum.text();
}

std::string checksum_of(const ArchiveEntry& entry, std::string_view packed_bytes) {
  return std::string(archive_checksum) + checksum_by<Xxh64>(entry, packed_bytes);
}

bool is_proved(const ArchiveEntry& entry, std::string_view packed_bytes) {
  const bool is_old = !entry.checksum.starts_with(archive_checksum);
  return entry.checksum == (is_old ? checksum_by<Fnv1a>(entry, packed_bytes) : checksum_of(entry, packed_bytes));
}

// Any difference from the line that would be written is an error.
std::optional<ArchiveEntry> parse_line(std::string_view line, std::uint64_t at) {
  std::istringstream words{std::string(line)};
  std::string as, step, time, bytes, packed_bytes;
  ArchiveEntry entry;
  words >> as >> step >> time >> bytes >> packed_bytes >> entry.checksum;
  entry.as = as == word_of(ArchivedAs::edit) ? ArchivedAs::edit : ArchivedAs::frame;
  entry.step = parse_integer(step).value_or(-1);
  entry.time = parse_real(time).value_or(std::numeric_limits<double>::quiet_NaN());
  const std::int64_t sizes[] = {parse_integer(bytes).value_or(-1), parse_integer(packed_bytes).value_or(-1)};
  if (entry.step < 0 || !std::isfinite(entry.time) || std::ranges::min(sizes) < 0) return std::nullopt;
  entry.at = at;
  entry.bytes = static_cast<std::uint64_t>(sizes[0]);
  entry.packed = static_cast<std::uint64_t>(sizes[1]);
  return line == line_of(entry) ? std::optional(entry) : std::nullopt;
}

}  // namespace

std::uint64_t ArchiveEntry::end() const { return at + line_bytes + packed; }

bool is_run_archive(const std::filesystem::path& path) {
  try {
    return read_beginning(path, run_archive_signature.size()) == run_archive_signature;
  } catch (const Error&) {
    return false;
  }
}

RunArchive::RunArchive(const std::filesystem::path& path) : name_(path.string()), file_(path, run_archive_kind) {
  const std::string first(file_.read(archive_line.size()));
  if (!first.starts_with(run_archive_signature))
    throw usage_error(name_ + " is not an archive of a run: its first line is wrong", {}, {});
  if (first != archive_line)
    throw usage_error(name_ + " is not an archive of a run: expected the format 1, got " + in_quotes(trimmed(first)),
                      {}, {});
  std::uint64_t at = archive_line.size();
  while (read_line(at)) at = entries_.back().end();
  if (entries_.empty())
    throw usage_error(name_ + " is not an archive of a run: it has no complete state in its " +
                          std::to_string(file_.bytes()) + " bytes",
                      {}, {});
  if (at != file_.bytes())
    log(Level::warning, "the last " + std::to_string(file_.bytes() - at) + " bytes of " + name_ +
                            " are an incomplete state; its states up to step " + std::to_string(entries_.back().step) +
                            " are used");
}

bool RunArchive::read_line(std::uint64_t at) {
  if (at >= file_.bytes()) return false;
  file_.seek(at);
  const auto entry = parse_line(file_.read(line_bytes), at);
  const std::uint64_t left = file_.bytes() - at;
  if (!entry || left < line_bytes || entry->packed > left - line_bytes) return false;
  if (!entries_.empty() && entry->step < entries_.back().step) return false;
  entries_.push_back(*entry);
  return true;
}

NbodyRunState RunArchive::state(std::size_t index) {
  const ArchiveEntry& entry = entries_.at(index);
  const std::string place = name_ + ", step " + std::to_string(entry.step);
  file_.seek(entry.at + line_bytes);
  const std::string_view packed_bytes = file_.read(entry.packed);
  if (!is_proved(entry, packed_bytes)) throw usage_error(place + " is damaged", {}, {});
  const auto bytes = unpacked(packed_bytes, entry.bytes);
  if (!bytes) throw usage_error(place + " cannot be unpacked", {}, {});
  NbodyRunState found = parse_run_state(*bytes, place);
  if (found.clock.step != entry.step || found.clock.time != entry.time)
    throw usage_error(place + " contains a state of another step or time", {}, {});
  return found;
}

NbodyRunState RunArchive::state_before(std::int64_t step, std::size_t* entry) {
  const auto behind = std::ranges::upper_bound(entries_, step, {}, &ArchiveEntry::step);
  if (behind == entries_.begin())
    throw usage_error("the step", std::to_string(step), std::to_string(entries_.front().step) + " or more", name_);
  for (auto index = static_cast<std::size_t>(behind - entries_.begin()) - 1;; --index) try {
      NbodyRunState found = state(index);
      if (entry != nullptr) *entry = index;
      return found;
    } catch (const Error& error) {
      if (index == 0 || entries_[index].as == ArchivedAs::edit) throw;
      log(Level::warning, std::string(error.what()) + "; the state before it is used, which leads to the same bits");
    }
}

std::int64_t RunArchive::step_at(double time) {
  const auto covers = [&](std::size_t k) {
    const double begin = entries_[k].time, end = entries_[k + 1].time;
    return std::min(begin, end) <= time && time <= std::max(begin, end) && begin != end;
  };
  std::size_t entry = 0;
  while (entry + 1 < entries_.size() && !covers(entry)) ++entry;
  NbodyRunState found = state_before(entries_[entry].step);
  NbodySettings settings;
  std::vector<Parameter> declared = parameters(settings, true);
  for (const auto& [name, value] : found.settings) find(declared, name)->assign(value);
  constexpr double most = 1e15;
  const double steps = std::round((time - found.clock.time) / settings.dt);
  const std::int64_t step = std::abs(steps) <= most ? found.clock.step + static_cast<std::int64_t>(steps) : -1;
  if (step < entries_.front().step)
    throw usage_error(
        "the time", shortest(time),
        "one from t = " + shortest(entries_.front().time) + " on, in time steps of " + shortest(settings.dt), name_);
  return step;
}

RunArchiveWriter::RunArchiveWriter(const std::filesystem::path& path) : file_(path, archive_line) {}

RunArchiveWriter::RunArchiveWriter(const std::filesystem::path& path, std::uint64_t whole)
    : file_(path, static_cast<std::int64_t>(whole)) {}

namespace {

std::string state_bytes(const NbodyRunState& state) {
  constexpr std::size_t lines_and_header = std::size_t{1} << 16;
  std::size_t expected = lines_and_header + state.exact.errors.size() * sizeof(float);
  for (const std::vector<std::byte>& row : state.exact.rows) expected += row.size();
  std::string room;  // reused, so that it need not grow
  room.reserve(expected);
  std::ostringstream out(std::move(room));
  write_run_state(out, state);
  return std::move(out).str();
}

struct Part {
  std::string line, packed_bytes;
};

Part part_of(const NbodyRunState& state, ArchivedAs as) {
  const std::string bytes = state_bytes(state);
  Part part{{}, packed(bytes)};
  ArchiveEntry entry{as, state.clock.step, state.clock.time, 0, bytes.size(), part.packed_bytes.size(), {}};
  entry.checksum = checksum_of(entry, part.packed_bytes);
  part.line = line_of(entry);
  return part;
}

}  // namespace

void RunArchiveWriter::append(const NbodyRunState& state, ArchivedAs as) {
  const Part part = part_of(state, as);
  file_.append(part.line + part.packed_bytes);
}

void write_run_archive(const std::filesystem::path& path, std::size_t states, const ArchivedState& state,
                       const FileProgress& progress) {
  write_file(path, [&](std::ostream& out) {
    out << archive_line;
    for (std::size_t k = 0; k < states; ++k) {
      const auto [moment, as] = state(k);
      const Part part = part_of(moment, as);
      out << part.line << part.packed_bytes;
      if (progress) progress(static_cast<double>(k + 1) / static_cast<double>(states));
    }
  });
}

}  // namespace orrery
