/// GSD files of HOOMD-blue, version 2 of the format with the schema hoomd 1.4: single precision, many frames in a file.
///
/// A header of 256 bytes tells the place of an index and of a list of names; an entry of the index tells the frame, the
/// name, the type and the place of a block of numbers. A block equal to the first frame's is left out. Open space is
/// written as a cube with a power of two as its side. https://gsd.readthedocs.io/en/stable/file-layer.html
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/points/point_frame.hpp"

namespace orrery {

/// A file that grows under its final name: it keeps all complete frames after any end of the process. One thread.
class GsdFile {
 public:
  /// Replaces the file by one of this frame. Throws Error.
  GsdFile(const std::filesystem::path& path, const PointFrame& first);
  /// Continues a file of Orrery after its frames of steps before `begins`. Throws a usage Error for other files, and if
  /// there is no such frame.
  GsdFile(const std::filesystem::path& path, std::int64_t begins);
  /// Appends a frame, which must have the columns of the first one.
  void append(const PointFrame& frame);
  /// Throws an Error if the file is not on the disk.
  void finish();

 private:
  std::string read(std::uint64_t at, std::uint64_t count);
  void write(std::uint64_t at, const std::string& bytes);
  void move_index();

  std::filesystem::path path_;
  std::fstream file_;
  std::vector<std::string> constant_;  // checksums of the blocks of the first frame, by the index of their name
  std::string index_;                  // all entries
  std::uint64_t frames_ = 0, index_at_ = 0, allocated_ = 0, end_ = 0;
};

}  // namespace orrery
