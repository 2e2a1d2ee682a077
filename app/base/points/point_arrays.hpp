/// Points as files of other programs have them: an array for each quantity, with numbers of any type. Any thread.
///
/// These files are GSD, of which the last frame is read, and VTK's XML format of polygonal data (.vtp). The content of
/// a file tells which of the two it is.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/npy.hpp"

namespace orrery {

/// A quantity of all points, as "velocity".
struct PointArray {
  std::string name;
  NpyType type = {};
  std::size_t components = 1;
  std::size_t stride = 0;  ///< bytes from one point to the next; 0: all points have the same numbers
  std::string bytes = {};  ///< empty where the array was not wanted

  /// "velocity_x" where there are two or three components; "name.4" where there are more.
  std::string component(std::size_t index) const;
};

struct PointArrays {
  std::size_t count = 0;
  std::vector<PointArray> arrays;       ///< the first is "position", with two or three components
  std::vector<std::string> kind_names;  ///< of the numbers in the array "kind"; empty where the file has none
};

struct PointQuestion {
  std::size_t most_points = 0;                       ///< a file of more is refused
  std::function<bool(const PointArray&)> is_wanted;  ///< arrays of which the numbers are read
};
/// `name` stands for the file in messages. Arrays that are not numbers are never read. Throws a usage Error that names
/// the file, the place and the value where the bytes are no such file, or contradict themselves.
PointArrays read_point_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted);

// ---- formats

bool is_gsd(std::string_view beginning);
PointArrays read_gsd_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted);
PointArrays read_vtp_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted);

}  // namespace orrery
