#include "base/points/point_arrays.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace orrery {

std::string PointArray::component(std::size_t index) const {
  if (components == 1) return name;
  return components <= 3 ? name + "_" + std::string(1, "xyz"[index]) : name + "." + std::to_string(index + 1);
}

PointArrays read_point_arrays(const ByteSource& source, const std::string& name, const PointQuestion& wanted) {
  constexpr std::size_t enough = 64;
  const std::string beginning(source.read(0, enough));
  if (is_gsd(beginning)) return read_gsd_arrays(source, name, wanted);
  const std::size_t first = beginning.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first < beginning.size() && beginning[first] == '<') return read_vtp_arrays(source, name, wanted);
  throw usage_error("the beginning of the file", beginning.substr(0, 16), "that of a GSD file, or <VTKFile", name);
}

}  // namespace orrery
