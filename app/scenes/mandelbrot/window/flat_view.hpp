/// Finds out whether a finished picture shows nothing but one colour, from its values.
///
/// Window thread, with the GL context current; nothing waits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/work/background.hpp"
#include "render/late_read.hpp"
#include "scenes/mandelbrot/output/color_spread.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery {

class FlatView {
 public:
  /// Each frame. `finished` is null while the picture of the view is not complete.
  void follow(mandelbrot::PublishedPicture* finished, const mandelbrot::ColorSettings& colors);
  /// Of the finished picture; what was found last, until more is known of it.
  bool flat() const { return flat_; }
  /// The values of the picture, once they are known.
  const std::optional<mandelbrot::ValueRange>& range() const { return range_; }

 private:
  void ask(mandelbrot::PublishedPicture& picture);
  void judge(const mandelbrot::PublishedPicture& picture, const mandelbrot::ColorSettings& colors);

  gl::LateRead read_;
  std::uint64_t asked_ = 0;  // the serial number of the picture whose values were asked for last
  std::size_t pixels_ = 0;   // of it
  Background<mandelbrot::ValueRange> search_;
  std::optional<mandelbrot::ValueRange> range_;      // of it
  std::optional<mandelbrot::ColorSettings> judged_;  // the colours that flat_ is of
  bool flat_ = false;
};

}  // namespace orrery
