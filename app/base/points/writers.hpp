/// Parts of the writers of points; used by this folder only. Any thread.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>

#include "base/files/file.hpp"
#include "base/little_endian.hpp"
#include "base/points/point_frame.hpp"

namespace orrery {

/// `append(bytes, index)` adds a row, after `header`. Rows are written in pieces of 4 MiB.
template <class Append>
void write_point_rows(std::ostream& out, std::size_t count, std::string header, const FileProgress& progress,
                      const Append& append) {
  constexpr std::size_t piece_bytes = std::size_t{4} << 20;
  std::string piece = std::move(header);
  piece.reserve(piece_bytes + piece_bytes / 8);
  const auto write_piece = [&](std::size_t done) {
    out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    piece.clear();
    if (progress && count > 0) progress(static_cast<double>(done) / static_cast<double>(count));
  };
  for (std::size_t i = 0; i < count && out; ++i) {
    append(piece, i);
    if (piece.size() >= piece_bytes) write_piece(i + 1);
  }
  write_piece(count);
}

/// The number in single precision. Throws a failure if it is out of range.
float single_of(double value, const PointColumn& column, std::size_t point, std::string_view extension);

void write_csv_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress);
void write_npy_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress);
void write_xyz_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress);
void write_gsd_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress);
void write_ply_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress);
void write_tipsy_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress);
void write_vtp_points(std::ostream& out, const PointFrame& frame, const FileProgress& progress);

}  // namespace orrery
