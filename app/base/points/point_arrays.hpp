/// Points in files of other programs: an array for each quantity, with numbers of any type. Any thread.
///
/// Reads the last frame of GSD files, and VTK's XML format of polygonal data (.vtp). The content decides the format.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/npy.hpp"

namespace orrery {

/// A quantity of all points, such as "velocity".
struct PointArray {
  std::string name;
  NpyType type = {};
  std::size_t components = 1;
  std::size_t stride = 0;  ///< bytes from one point to the next; 0: all points have the same numbers
  std::string bytes = {};  ///< empty: array not wanted

  /// "velocity_x" for two or three components; "name.4" for more.
  std::string component(std::size_t index) const;
};

struct PointArrays {
  std::size_t count = 0;
  std::vector<PointArray> arrays;       ///< the first is "position", with two or three components
  std::vector<std::string> kind_names;  ///< names of the numbers in the array "kind"; empty: none
};

struct PointQuestion {
  std::size_t most_points = 0;                       ///< larger files are refused
  std::function<bool(const PointArray&)> is_wanted;  ///< selects arrays whose numbers are read
};
/// `name` stands for the file in messages. Arrays that are not numbers are never read. Throws a usage Error that names
/// the file, the place and the value for an invalid or contradictory file.
PointArrays read_point_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted);

// ---- formats

bool is_gsd(std::string_view beginning);
PointArrays read_gsd_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted);
PointArrays read_vtp_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted);

}  // namespace orrery
