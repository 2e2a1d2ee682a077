/// Finds out from the values of a finished picture whether it shows nothing but one colour, and what its colours mean.
///
/// Window thread, with the GL context current; nothing waits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/work/background.hpp"
#include "render/late_read.hpp"
#include "scenes/mandelbrot/output/color_spread.hpp"
#include "scenes/mandelbrot/output/equalization.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery {

class FlatView {
 public:
  /// Each frame. `finished` is null while the picture of the view is not complete.
  void follow(mandelbrot::PublishedPicture* finished, const mandelbrot::ColorSettings& colors);
  /// Of the finished picture; what was found last, until more is known of it.
  bool flat() const { return flat_; }
  /// The legend tells these values of the colours; null while none are known.
  const std::shared_ptr<const ColoredValues>& colored() const { return colored_; }
  /// `shown` are the colours, with what moves of them, and `equalization` their histogram.
  void follow_colors(const mandelbrot::PublishedPicture& finished, const mandelbrot::ColorSettings& shown,
                     const mandelbrot::Equalization& equalization);

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
  std::shared_ptr<const ColoredValues> colored_;
  std::uint64_t colored_of_ = 0;          // the picture's serial number …
  mandelbrot::ColorSettings colored_in_;  // … and the colours
};

}  // namespace orrery
