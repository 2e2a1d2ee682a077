/// The file that a run goes on from: its settings, and the exact bits of a moment.
///
/// A line that tells the format's version, the length of the header and the name of the checksum; the header, TOML with
/// the tables [run] and [nbody]; then rows of numbers as the device has them, little-endian: positions and masses,
/// velocities, accelerations and potentials, in mixed precision the corrections of positions and of velocities, and
/// what the tree's accuracy follows from; and at the end a line with the checksum (XXH64) of all that is between the
/// two lines. A moment that a window has kept has no accelerations: the field is summed again.
///
/// This is version 4. Versions 2, and 3 of a window's moment, have no last line, and the first one has their checksum
/// (FNV-1a). Version 1 has no checksum: of its bytes, only the hash of the bodies proves some.
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

/// A moment that a window has kept tells this in place of its field.
struct WindowMoment {
  TreeMemory tree = {};
  std::string device = {};   ///< whose rounding the bits have: names, one a line
  bool interrupted = false;  ///< what follows, up to the next moment, cannot be computed again
};

struct NbodyRunState {
  StateSection settings;  ///< by the names of parameters(NbodySettings&)
  std::size_t bodies = 0;
  Precision precision = Precision::single;
  NbodyClock clock;
  StateHash hash = 0;
  double first_energy = 0;  ///< of the run's beginning
  NbodyExact exact;         ///< of a window's moment, the rows are rows_of() (simulation.hpp), and nothing else is set
  std::optional<WindowMoment> of_window = {};  ///< then there is no hash, no first energy, and no field
  bool is_proved = true;                       ///< by a checksum of the whole file, which version 1 lacks
};

/// Copies bytes of a row of the state, from `offset` on: of rows that are not in memory. It is called in order, by the
/// thread that writes; what it throws ends the writing without a trace of it.
using RowSource = std::function<void(std::size_t row, std::size_t offset, std::span<std::byte> into)>;
/// Written beside and renamed. `rows`: where it is not null, the state has no rows of its own. Throws Error.
void write_run_state(const std::filesystem::path& path, const NbodyRunState& state, const RowSource& rows = {});
void write_run_state(std::ostream& out, const NbodyRunState& state, const RowSource& rows = {});
/// Throws a usage Error for what is no such file, for a part of one, and for one with any bit changed.
NbodyRunState read_run_state(const std::filesystem::path& path);
/// Reads the bytes of such a file, which messages call `name`.
NbodyRunState parse_run_state(std::string_view bytes, const std::string& name);

/// In double precision, as far as that has the bits; any thread.
Bodies bodies_of(const NbodyRunState& state);

/// The header as text, and a state with that header, without rows.
std::string header_of(const NbodyRunState& state);
NbodyRunState state_with_header(const std::string& header, const std::string& name);
/// Gives the rows of such a state their sizes.
void allocate_rows(NbodyRunState& state);

}  // namespace orrery
