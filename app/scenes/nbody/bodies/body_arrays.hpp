/// Bodies in arrays: .npy files, the members of .npz archives, and what GSD and .vtp files have. Any thread.
///
/// An array of N × 7, 6, 4 or 3 numbers of any type has the columns usual_body_names(); the fields of a structured
/// array and the arrays of an archive are recognised by name and may be vectors. An array whose transpose could be
/// bodies too is refused, except N × 7 and squares.
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
  std::size_t part = 0;  ///< index of its array
  std::size_t offset = 0, stride = 0;
};

/// The mapping from numbers of one or several arrays to the values of bodies.
class BodyArray {
 public:
  /// Takes the layout of a whole .npy file, which `name` stands for in messages. Throws a usage Error for arrays that
  /// are no bodies.
  BodyArray(const NpyLayout& layout, std::string name);
  BodyArray(std::vector<NumberColumn> columns, bool has_names, std::size_t rows, std::string name);

  std::size_t rows() const { return rows_; }
  /// The byte of the file at which the values begin.
  std::size_t begin() const { return begin_; }
  /// 0 if the values are stored column by column.
  std::size_t row_bytes() const { return row_bytes_; }
  const std::string& understood() const { return chosen_.understood; }
  /// True if all values of bodies are present and there are no other columns.
  bool is_complete() const {
    return columns_.size() == body_values &&
           std::ranges::all_of(chosen_.of, [](const auto& of) { return of.has_value(); });
  }
  /// The body at `index`, from row `row` of `parts`, the values of each array. Throws a usage Error for an invalid
  /// value.
  Body body(std::span<const char* const> parts, std::size_t row, std::size_t index) const;
  Bodies bodies(std::span<const char* const> parts) const;

 private:
  std::string name_;
  std::vector<NumberColumn> columns_;
  BodyColumns chosen_;
  bool is_own_ = false;  // written by Orrery
  std::size_t rows_ = 0, begin_ = 0, row_bytes_ = 0;
};

/// The bodies of a whole .npy file in memory.
Bodies parse_npy_bodies(std::string_view bytes, const std::string& name, std::string& understood);
/// The bodies of an archive: from arrays that are named pos, vel, mass, x, …, or from its only array.
Bodies read_npz_bodies(ByteSource source, const std::string& name, const FileProgress& progress,
                       std::string& understood);
/// Throws as read_npz_bodies() does if the names of the arrays identify no columns.
void check_npz_bodies(ByteSource source, const std::string& name);

/// The bodies of a GSD or .vtp file; of a GSD file, those of the last frame.
Bodies read_point_bodies(const ByteSource& source, const std::string& name, const FileProgress& progress,
                         std::string& understood);
/// The number of these bodies, without their values. Throws as read_point_bodies() does.
std::size_t count_point_bodies(const ByteSource& source, const std::string& name);

}  // namespace orrery
