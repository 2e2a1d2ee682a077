/// The file that a run goes on from: its settings, and the exact bits of a moment.
///
/// A line that tells the format's version, the length of the header and the checksum of all that follows it; the
/// header, TOML with the tables [run] and [nbody]; then rows of numbers as the device has them, little-endian:
/// positions and masses, velocities, accelerations and potentials, in mixed precision the corrections of positions and
/// of velocities, and what the tree's accuracy follows from. Version 1 has no checksum: of its bytes, only the hash of
/// the bodies proves some. Version 3 is of a moment that a window has kept: it has no accelerations, and the field is
/// summed again.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
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

/// Written beside and renamed. Throws Error.
void write_run_state(const std::filesystem::path& path, const NbodyRunState& state);
void write_run_state(std::ostream& out, const NbodyRunState& state);
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
