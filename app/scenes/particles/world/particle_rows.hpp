/// The particles of a file that a world names. Any thread.
#pragma once

#include <filesystem>

#include "base/files/table_text.hpp"

namespace orrery::particles {

/// A table with a header: x, y, z, and any of vx, vy, vz, mass, charge, kind (a name); other columns are the particles'
/// own. Or an extended XYZ text, whose first frame is such a table; or the arrays of a GSD or .vtp file, without those
/// whose names a world cannot have. Throws a usage Error that names the file and the place.
void read_particle_rows(const std::filesystem::path& path, TableRows& rows);

}  // namespace orrery::particles
