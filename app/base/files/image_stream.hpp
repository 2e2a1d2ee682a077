/// Pictures written row by row, so that they need not fit into memory.
#pragma once

#include <memory>
#include <ostream>
#include <span>

#include "base/files/image.hpp"

namespace orrery {

/// An 8-bit RGB .png with its texts in front. finish() ends the file; without it there is none worth keeping.
class PngStream {
 public:
  PngStream(std::ostream& out, std::uint32_t width, std::uint32_t height, const ImageTexts& texts = {});
  ~PngStream();
  PngStream(const PngStream&) = delete;
  PngStream& operator=(const PngStream&) = delete;

  /// Whole rows, from top to bottom, three bytes a pixel. Throws Error.
  void write(std::span<const std::uint8_t> rows);
  void finish();

 private:
  struct Png;
  std::unique_ptr<Png> png_;
};

/// What stands in front of the rows of a binary .ppm (P6).
std::string ppm_header(std::uint32_t width, std::uint32_t height);

}  // namespace orrery
