/// The file from which a run continues: its settings, and the exact bits of a moment.
///
/// A line with the format's version, the length of the header and the name of the checksum; the header, TOML with the
/// tables [run] and [nbody]; then rows of numbers as the device has them, little-endian: positions and masses,
/// velocities, accelerations and potentials, in mixed precision the corrections of positions and of velocities, and the
/// errors that determine the tree's accuracy; at the end a line with the checksum (XXH64) of the bytes between the two
/// lines. A moment kept by a window has no accelerations: the field is summed again.
///
/// This is version 4. Versions 2, and 3 of a window's moment, have no last line; their first line has the checksum
/// (FNV-1a). Version 1 has no checksum; only the hash of the bodies confirms a part of its bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/files/state_text.hpp"
#include "compute/program/precision.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/exact.hpp"

namespace orrery {

/// The values that a moment kept by a window has in place of its field.
struct WindowMoment {
  TreeMemory tree = {};
  std::string device = {};   ///< names of the devices that computed the bits, one per line
  bool interrupted = false;  ///< the steps up to the next moment cannot be computed again
};

struct NbodyRunState {
  StateSection settings;  ///< keys: names of parameters(NbodySettings&)
  std::size_t bodies = 0;
  Precision precision = Precision::single;
  NbodyClock clock;
  StateHash hash = 0;
  double first_energy = 0;                     ///< energy at the start of the run
  NbodyExact exact;                            ///< a window's moment sets only the rows: rows_of() (simulation.hpp)
  std::optional<WindowMoment> of_window = {};  ///< if set, there is no hash, no first energy, and no field
  bool is_proved = true;                       ///< confirmed by a checksum of the whole file, which version 1 lacks
};

/// Copies bytes of a row that is not in memory, from `offset` on. Called in order by the writing thread; an exception
/// ends the writing and leaves no file.
using RowSource = std::function<void(std::size_t row, std::size_t offset, std::span<std::byte> into)>;
/// Writes to a file beside it and renames that. `rows`: unless null, replaces the rows of the state. Throws Error.
void write_run_state(const std::filesystem::path& path, const NbodyRunState& state, const RowSource& rows = {});
void write_run_state(std::ostream& out, const NbodyRunState& state, const RowSource& rows = {});
/// Throws a usage Error for a file that is no state, is incomplete, or has any bit changed.
NbodyRunState read_run_state(const std::filesystem::path& path);
/// Reads the bytes of such a file, which messages call `name`.
NbodyRunState parse_run_state(std::string_view bytes, const std::string& name);

/// The bodies, rounded to double precision; any thread.
Bodies bodies_of(const NbodyRunState& state);

/// The header as text, and a state with that header, without rows.
std::string header_of(const NbodyRunState& state);
NbodyRunState state_with_header(const std::string& header, const std::string& name);
/// Gives the rows of such a state their sizes.
void allocate_rows(NbodyRunState& state);

}  // namespace orrery
