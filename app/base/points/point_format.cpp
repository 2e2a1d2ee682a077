#include "base/points/point_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/points/writers.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::array all_point_formats{
    PointFormat{".csv", "a table", false, write_csv_points},
    PointFormat{".npy", "a NumPy array", false, write_npy_points},
    PointFormat{".tipsy", "Tipsy, in single precision", false, write_tipsy_points},
    PointFormat{".xyz", "extended XYZ, for OVITO and ASE", true, write_xyz_points},
    PointFormat{".gsd", "GSD, for OVITO and HOOMD-blue, in single precision", true, write_gsd_points},
    PointFormat{".ply", "PLY, for Blender", false, write_ply_points},
    PointFormat{".vtp", "VTK, for ParaView", false, write_vtp_points},
};

}  // namespace

std::span<const PointFormat> point_formats() { return all_point_formats; }

std::string point_extensions() { return joined(all_point_formats, ", ", &PointFormat::extension); }

const PointFormat* find_point_format(const std::filesystem::path& path) {
  const auto found =
      std::ranges::find(all_point_formats, lower_case(path.extension().string()), &PointFormat::extension);
  return found == all_point_formats.end() ? nullptr : &*found;
}

void write_points(const std::filesystem::path& path, const PointFrame& frame, const FileProgress& progress) {
  const PointFormat* const format = find_point_format(path);
  if (format == nullptr) throw usage_error("the file of points", path.string(), "a file named " + point_extensions());
  write_file(path, [&](std::ostream& out) { format->write(out, frame, progress); });
}

Error no_frames_before(const std::filesystem::path& path, std::int64_t begins) {
  return usage_error("--out: " + in_quotes(path.string()) + " exists and has no frame before step " +
                         std::to_string(begins) + ", from which the run continues",
                     {}, "choose another file for the frames");
}

float single_of(double value, const PointColumn& column, std::size_t point, std::string_view extension) {
  if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max())))
    throw failure(column.name + " of point " + std::to_string(point + 1) + " is " + shortest(value) +
                      ", which the single precision of a " + std::string(extension) + " file cannot hold",
                  "write a .csv, .npy or .xyz file");
  return static_cast<float>(value);
}

}  // namespace orrery
