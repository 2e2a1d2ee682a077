/// Bodies in files (DESIGN section 8): .csv with the header mass,x,y,z,vx,vy,vz and 17 significant digits, and .npy
/// of float64, N × 7, the same columns. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "model/nbody/body.hpp"

namespace orrery {

/// As the extension says. Throws a usage Error that names the file, line, column and value of what is wrong.
Bodies read_bodies(const std::filesystem::path& path);
void write_bodies(const std::filesystem::path& path, const Bodies& bodies);
/// Throws a usage Error when the extension is none that bodies are written in; for checking before computing.
void check_bodies_extension(const std::filesystem::path& path);

/// The text of a .csv file.
std::string bodies_csv(const Bodies& bodies);
/// `name` is what messages call the text.
Bodies parse_bodies_csv(std::string_view text, std::string_view name);

}  // namespace orrery
