/// OpenEXR pictures of 32-bit floats without compression, written row by row. Supports only float channels; the
/// format's library is a thousand times as large. https://openexr.com/en/latest/OpenEXRFileLayout.html
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "base/files/image.hpp"

namespace orrery {

class ExrStream {
 public:
  /// `channels`: their names, in alphabetical order. `texts` are attributes of the picture.
  ExrStream(std::ostream& out, std::uint32_t width, std::uint32_t height, std::vector<std::string> channels,
            const ImageTexts& texts = {});

  /// Appends the next row, from top to bottom: the values of one channel after those of another.
  void write_row(std::span<const float> values);

 private:
  std::ostream& out_;
  std::uint32_t row_ = 0;
};

}  // namespace orrery
