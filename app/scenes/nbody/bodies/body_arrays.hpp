/// Bodies in arrays: .npy files, the members of .npz archives, and what GSD and .vtp files have. Any thread.
///
/// An array of N × 7, 6, 4 or 3 numbers of any type has mass,x,y,z,vx,vy,vz without what is missing; the fields of a
/// structured array, and the arrays of an archive, have their meaning by their names, and may be vectors. An array
/// whose transpose could be bodies too is refused, except N × 7 and squares.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/archive.hpp"
#include "base/files/file.hpp"
#include "base/files/npy.hpp"
#include "scenes/nbody/bodies/body_columns.hpp"

namespace orrery {

/// A column of numbers of one type, which stand `stride` bytes apart.
struct NumberColumn {
  std::string name;
  NpyType type;
  std::size_t part = 0;  ///< the array that has it
  std::size_t offset = 0, stride = 0;
};

/// Which numbers of one or several arrays are the values of bodies.
class BodyArray {
 public:
  /// Takes the layout of a whole .npy file, which `name` stands for in messages. Throws a usage Error for arrays that
  /// are no bodies.
  BodyArray(const NpyLayout& layout, std::string name);
  BodyArray(std::vector<NumberColumn> columns, bool has_names, std::size_t rows, std::string name);

  std::size_t rows() const { return rows_; }
  /// The byte of the file at which the values begin.
  std::size_t begin() const { return begin_; }
  /// 0 where the values of a column lie together, not those of a row.
  std::size_t row_bytes() const { return row_bytes_; }
  const std::string& understood() const { return chosen_.understood; }
  /// All values of bodies are read, and there are no other columns.
  bool is_complete() const {
    return columns_.size() == body_values &&
           std::ranges::all_of(chosen_.of, [](const auto& of) { return of.has_value(); });
  }
  /// `parts`: the values of each array, of which `row` is one; it is the body at `index`. Throws a usage Error for a
  /// value that no body has.
  Body body(std::span<const char* const> parts, std::size_t row, std::size_t index) const;
  Bodies bodies(std::span<const char* const> parts) const;

 private:
  std::string name_;
  std::vector<NumberColumn> columns_;
  BodyColumns chosen_;
  bool is_own_ = false;  // as Orrery writes it
  std::size_t rows_ = 0, begin_ = 0, row_bytes_ = 0;
};

/// The bodies of a whole .npy file in memory.
Bodies parse_npy_bodies(std::string_view bytes, const std::string& name, std::string& understood);
/// Those of an archive: of arrays that are named pos, vel, mass, x, …, or of its only array.
Bodies read_npz_bodies(ByteSource source, const std::string& name, const FileProgress& progress,
                       std::string& understood);
/// Throws as read_npz_bodies() does where the names of the arrays do not tell.
void check_npz_bodies(ByteSource source, const std::string& name);

/// Those of a GSD or .vtp file; of a GSD file with several frames, the last ones.
Bodies read_point_bodies(const ByteSource& source, const std::string& name, const FileProgress& progress,
                         std::string& understood);
/// The number of these bodies, without their values. Throws as read_point_bodies() does.
std::size_t count_point_bodies(const ByteSource& source, const std::string& name);

}  // namespace orrery
