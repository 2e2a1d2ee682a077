/// Files of bodies: .csv with the header mass,x,y,z,vx,vy,vz and 17 significant digits, .npy of float64, N × 7, with
/// the same columns, and .tipsy in single precision (tipsy.hpp). Any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// Told the share that is done, now and then; what it throws ends the reading, or the writing without a trace of it.
using FileProgress = std::function<void(double)>;

/// The extension tells the format. Throws a usage Error that names the file, the place in it and the wrong value, also
/// where the path is no regular file or the file has more than 67,108,864 bodies.
Bodies read_bodies(const std::filesystem::path& path, const FileProgress& progress = {});

/// Values that only some formats store: .tipsy does.
struct BodyFileNotes {
  double time = 0;
  double softening = 0;
};
void write_bodies(const std::filesystem::path& path, const Bodies& bodies, const BodyFileNotes& notes = {},
                  const FileProgress& progress = {});
/// Throws a usage Error for an extension that no writer supports. Lets a command fail before it computes.
void check_bodies_extension(const std::filesystem::path& path);

/// The text of a .csv file.
std::string bodies_csv(const Bodies& bodies);
/// The bytes of a file of that name.
Bodies parse_bodies(std::string_view bytes, const std::filesystem::path& name);
/// `name` is what messages call the text.
Bodies parse_bodies_csv(std::string_view text, std::string_view name);

}  // namespace orrery
