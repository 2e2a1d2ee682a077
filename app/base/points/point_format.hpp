/// The formats of points for other programs. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/points/point_frame.hpp"

namespace orrery {

struct PointFormat {
  std::string_view extension;  ///< ".xyz"
  std::string_view about;      ///< "extended XYZ, for OVITO"
  bool holds_frames = false;   ///< one file has all frames of a run (point_series.hpp)
  void (*write)(std::ostream& out, const PointFrame& frame, const FileProgress& progress) = nullptr;
};
std::span<const PointFormat> point_formats();
/// ".csv, .npy, …"
std::string point_extensions();
/// Finds a format by the extension in any case; null: none.
const PointFormat* find_point_format(const std::filesystem::path& path);
/// Writes a whole file. Throws a usage Error for an unknown extension.
void write_points(const std::filesystem::path& path, const PointFrame& frame, const FileProgress& progress = {});

/// A usage Error: a file to continue has no frame of a step before `begins`.
Error no_frames_before(const std::filesystem::path& path, std::int64_t begins);

}  // namespace orrery
