/// The formats in which points are written for other programs. Any thread.
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
/// By the extension in any case; null where there is none.
const PointFormat* find_point_format(const std::filesystem::path& path);
/// Writes a whole file. Throws a usage Error for an extension that none of the formats has.
void write_points(const std::filesystem::path& path, const PointFrame& frame, const FileProgress& progress = {});

/// A usage Error: a file that would be continued has no frame of a step before `begins`.
Error no_frames_before(const std::filesystem::path& path, std::int64_t begins);

}  // namespace orrery
