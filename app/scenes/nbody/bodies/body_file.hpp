/// Files of bodies: .csv with the header mass,x,y,z,vx,vy,vz and 17 significant digits, .npy of float64, N × 7, with
/// the same columns, and .tipsy in single precision (tipsy.hpp). Any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "base/matrix.hpp"
#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// The extension tells the format. Throws a usage Error that names the file, the place in it and the wrong value, also
/// where the path is no regular file, the file has more than 67,108,864 bodies or is changed while it is read.
Bodies read_bodies(const std::filesystem::path& path, const FileProgress& progress = {});
/// Confirms what can be told without reading the rows: the extension, the size and the header. Returns the number of
/// bodies where the header tells it; nothing for .csv. Throws as read_bodies() does.
std::optional<std::size_t> inspect_bodies(const std::filesystem::path& path);

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
/// The same columns, without a copy of the bodies; and bodies of such a matrix, which `name` stands for in messages.
Matrix matrix_of(std::shared_ptr<const Bodies> bodies);
Bodies bodies_of(const Matrix& matrix, const std::string& name);
/// The bytes of a file of that name.
Bodies parse_bodies(std::string_view bytes, const std::filesystem::path& name);
/// `name` is what messages call the text.
Bodies parse_bodies_csv(std::string_view text, std::string_view name);

}  // namespace orrery
