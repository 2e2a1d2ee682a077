/// The file that keeps a run's past: exact states of some of its moments, from which every other moment can be computed
/// again with the same bits.
///
/// A line that names the format; then one state after another, each a line of 128 bytes and the packed bytes of a run
/// state (run_state.hpp), whose settings are in force from that moment on. The line has the step, the time, the number
/// of bytes before and after packing, and the checksum of line and bytes: "xxh64:" and XXH64; without that word,
/// FNV-1a, as earlier versions wrote it. States are only appended: however the writing process ended, all whole states
/// can be read. The word `edit` in place of `frame` says that other settings are in force from there on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/growing_file.hpp"
#include "scenes/nbody/files/run_state.hpp"

namespace orrery {

/// The bytes with which an archive begins.
inline constexpr std::string_view run_archive_signature = "orrery-archive ";
/// Judges by the content; false for a file that cannot be read.
bool is_run_archive(const std::filesystem::path& path);

enum class ArchivedAs { frame, edit };

/// A state of an archive, without its numbers.
struct ArchiveEntry {
  ArchivedAs as = ArchivedAs::frame;
  std::int64_t step = 0;
  double time = 0;
  std::uint64_t at = 0, bytes = 0, packed = 0;  ///< the place of its line, and the sizes of the state and its packing
  std::string checksum;

  std::uint64_t end() const;  ///< the offset of its end
};

/// One thread at a time.
class RunArchive {
 public:
  /// Reads the lines of all states. Omits an incomplete state at the end, with a warning. Throws a usage Error for a
  /// file that is no archive or has no complete state.
  explicit RunArchive(const std::filesystem::path& path);

  /// One or more; no step is before that of its predecessor.
  const std::vector<ArchiveEntry>& entries() const { return entries_; }
  /// The step that is nearest to a simulated time. Throws a usage Error for a time before the first state.
  std::int64_t step_at(double time);
  /// The last state at or before this step. Skips a damaged one with a warning if the state before it leads to the same
  /// bits; else throws an Error, as it does for a step before the first state. `entry`, unless null, receives its
  /// index.
  NbodyRunState state_before(std::int64_t step, std::size_t* entry = nullptr);
  /// Throws a usage Error if the state is damaged.
  NbodyRunState state(std::size_t entry);

 private:
  bool read_line(std::uint64_t at);

  std::string name_;
  InputFile file_;
  std::vector<ArchiveEntry> entries_;
};

/// A state for an archive, by its number.
using ArchivedState = std::function<std::pair<NbodyRunState, ArchivedAs>(std::size_t)>;
/// Writes this number of states to a file beside it, and renames that. Throws Error.
void write_run_archive(const std::filesystem::path& path, std::size_t states, const ArchivedState& state,
                       const FileProgress& progress = {});

/// One thread at a time.
class RunArchiveWriter {
 public:
  /// Replaces the file. Throws Error.
  explicit RunArchiveWriter(const std::filesystem::path& path);
  /// Continues the file after its complete states, which end at `whole`; removes the rest.
  RunArchiveWriter(const std::filesystem::path& path, std::uint64_t whole);

  /// Throws an Error, and appends nothing, where not all of it can be written.
  void append(const NbodyRunState& state, ArchivedAs as = ArchivedAs::frame);
  /// Throws an Error if the file could not be written to the disk.
  void finish() { file_.finish(); }

 private:
  GrowingFile file_;
};

}  // namespace orrery
