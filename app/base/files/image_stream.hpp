/// Pictures written row by row, so that they need not fit in memory.
#pragma once

#include <memory>
#include <ostream>
#include <span>

#include "base/files/image.hpp"

namespace orrery {

/// An 8-bit RGB .png with texts before the picture and an attachment behind it, compressed on all cores. Without
/// finish() the file is incomplete.
class PngStream {
 public:
  PngStream(std::ostream& out, std::uint32_t width, std::uint32_t height, const ImageTexts& texts = {},
            std::string attachment = {});
  ~PngStream();
  PngStream(const PngStream&) = delete;
  PngStream& operator=(const PngStream&) = delete;

  /// Appends whole rows, from top to bottom, three bytes per pixel. Throws Error.
  void write(std::span<const std::uint8_t> rows);
  void finish();

 private:
  struct Png;
  std::unique_ptr<Png> png_;
};

/// The header of a binary .ppm (P6).
std::string ppm_header(std::uint32_t width, std::uint32_t height);

}  // namespace orrery
