/// Files of bodies: .csv with the header mass,x,y,z,vx,vy,vz and 17 significant digits, .npy of float64, N × 7, with
/// the same columns, and .tipsy in single precision. Any thread.
///
/// Tables of other programs are read too: texts (base/files/table_text.hpp) and NumPy's arrays of any numbers
/// (body_arrays.hpp), whose columns are recognised by name (body_columns.hpp) or by their number. A missing mass is 1,
/// any other missing value 0.
///
/// Tipsy is the binary format of the N-body shop's tools (tipsy, PKDGRAV, GASOLINE, ChaNGa): a header of 32 bytes —
/// time, number of bodies, of dimensions, of gas, dark and star particles, padding — then the particles in this order,
/// of 12, 9 and 11 floats. Standard files are big-endian, native ones often little-endian. Numbers are in single
/// precision, whatever program wrote them. The format is described at https://github.com/N-BodyShop/tipsy/wiki.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "base/matrix.hpp"
#include "base/points/point_frame.hpp"
#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// Judges by the extension; a .txt file, which may be anything, also by its beginning.
bool may_be_bodies(const std::filesystem::path& path);
/// The extension determines the format. Throws a usage Error that names the file, the place in it and the wrong value,
/// also where the path is no regular file, the file has more than 67,108,864 bodies or is changed while it is read. A
/// warning reports assumptions about files of other programs, and `understood` receives its text: "6 of 9 columns read;
/// mass missing: 1 each".
Bodies read_bodies(const std::filesystem::path& path, const FileProgress& progress = {},
                   std::string* understood = nullptr);
/// Writes the bodies of several files, one after another, to a new .npy file in that folder, and returns its path.
/// `assumed` receives "b.csv: mass missing: 1 each" for each file with assumptions.
std::filesystem::path merge_bodies(std::span<const std::filesystem::path> paths, const std::filesystem::path& folder,
                                   std::string& assumed, const FileProgress& progress = {});
/// Checks the extension, the size and the header without reading the rows. Returns the number of bodies if the header
/// has it; nothing for texts and archives. Throws as read_bodies() does.
std::optional<std::size_t> inspect_bodies(const std::filesystem::path& path);

/// Values that only some formats store, such as .tipsy.
struct BodyFileNotes {
  double time = 0;
  double softening = 0;
  std::string_view units = {};  ///< "AU, years, suns": a comment in front of a .csv file; empty: none
  std::int64_t step = 0;
};
/// The values to be written for bodies; borrows their numbers.
PointFrame frame_of(const Bodies& bodies, const BodyFileNotes& notes = {});
void write_bodies(const std::filesystem::path& path, const Bodies& bodies, const BodyFileNotes& notes = {},
                  const FileProgress& progress = {});
/// The extensions of files that are read: ".csv, .tsv, …".
std::string readable_bodies();
/// Throws a usage Error for an extension that no writer supports. Lets a command fail before it computes.
void check_bodies_extension(const std::filesystem::path& path);

/// The text of a .csv file.
std::string bodies_csv(const Bodies& bodies);
/// The same columns without a copy of the bodies; and the reverse, where messages call the matrix `name`.
Matrix matrix_of(std::shared_ptr<const Bodies> bodies);
Bodies bodies_of(const Matrix& matrix, const std::string& name);
/// The bytes of a file of that name.
Bodies parse_bodies(std::string_view bytes, const std::filesystem::path& name, std::string* understood = nullptr);
/// `name` is what messages call the text.
Bodies parse_bodies_csv(std::string_view text, std::string_view name, std::string* understood = nullptr);

// ---- Tipsy (tipsy.cpp)

/// The header of a Tipsy file, confirmed by the length of the file; 32 bytes.
class TipsyHeader {
 public:
  static constexpr std::size_t bytes = 32;
  /// Throws a usage Error for a header that contradicts the file or has no bodies.
  TipsyHeader(std::string_view beginning, std::uint64_t file_bytes, std::string_view name);
  std::size_t bodies() const { return counts_[0] + counts_[1] + counts_[2]; }
  /// The rows of one kind of particles, which have equal lengths.
  struct Rows {
    std::size_t first = 0, count = 0, bytes_each = 0;
  };
  std::array<Rows, 3> rows() const;
  /// The body of the bytes `row`, number `index`, at byte `at` of the file. Throws a usage Error if it is invalid.
  Body body(std::string_view row, std::size_t index, std::size_t at, std::string_view name) const;

 private:
  std::endian order_;
  std::array<std::size_t, 3> counts_{};  // gas, dark, stars
};

/// Reads either byte order. Every particle becomes a body, gas too: its mass counts, its pressure does not. `name`
/// stands for the bytes in messages. Throws a usage Error for a header that contradicts the file or an invalid body.
Bodies parse_tipsy(std::string_view bytes, std::string_view name);

}  // namespace orrery
