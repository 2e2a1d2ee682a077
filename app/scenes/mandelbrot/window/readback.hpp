/// Values that the window reads back from its pictures: the value under the cursor, the range of all values, and rows
/// whose pixels are proved.
///
/// Window thread, with the GL context current. Nothing waits: values arrive a frame or two later.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/work/background.hpp"
#include "render/late_read.hpp"
#include "scenes/mandelbrot/checks/proof.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/output/equalization.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"
#include "scenes/mandelbrot/pictures/engine.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery {

/// value · 2^exponent with that many digits, without overflow.
std::string scaled_text(double value, int exponent, int digits);

/// The place of the cursor in the plane, and the smooth value of the pixel under it.
class CursorReadout {
 public:
  /// Each frame. `picture` is the shown one, or null; `cursor` is in pixels of the view from its top left corner.
  void follow(mandelbrot::PublishedPicture* picture, const mandelbrot::View& view, mandelbrot::Size size,
              glm::vec2 cursor);
  /// The place, or the title of a marked point there, and the value if known.
  std::string text(const std::string& title);

 private:
  void ask(mandelbrot::PublishedPicture& picture, const mandelbrot::View& view, mandelbrot::Size size, double x,
           double y);

  gl::LateRead read_;
  glm::vec2 cursor_{-1, -1};
  mandelbrot::View view_;
  std::uint64_t serial_ = 0;  // of the picture
  int exponent_ = 0;          // of its values
  mandelbrot::Complex point_;
  std::string place_, value_;
};

/// Determines from the values of a finished picture whether it shows only one colour, and the meaning of its colours.
class FlatView {
 public:
  /// Each frame. `finished` is null while the picture of the view is not complete.
  void follow(mandelbrot::PublishedPicture* finished, const mandelbrot::ColorSettings& colors);
  /// The finished picture shows only one colour; the last answer until it is known.
  bool flat() const { return flat_; }
  /// The values for the colours in the legend; null while unknown.
  const std::shared_ptr<const ColoredValues>& colored() const { return colored_; }
  /// `shown` are the colours, with their animation, and `equalization` their histogram.
  void follow_colors(const mandelbrot::PublishedPicture& finished, const mandelbrot::ColorSettings& shown,
                     const mandelbrot::Equalization& equalization);

 private:
  void ask(mandelbrot::PublishedPicture& picture);
  void judge(const mandelbrot::PublishedPicture& picture, const mandelbrot::ColorSettings& colors);

  gl::LateRead read_;
  std::uint64_t asked_ = 0;  // the serial number of the picture whose values were requested last
  std::size_t pixels_ = 0;   // of that picture
  Background<mandelbrot::ValueRange> search_;
  std::optional<mandelbrot::ValueRange> range_;      // of that picture
  std::optional<mandelbrot::ColorSettings> judged_;  // the colours for which flat_ was determined
  bool flat_ = false;
  std::shared_ptr<const ColoredValues> colored_;
  std::uint64_t colored_of_ = 0;          // the picture's serial number …
  mandelbrot::ColorSettings colored_in_;  // … and the colours
};

/// The view that proves itself: some rows of each finished picture are read back, and pixels of them, on both sides of
/// the edge, in the middle of interior and at random, are computed again in many bits. A change of the picture cancels
/// its proof.
class MandelbrotProof {
 public:
  /// Once a frame. A failed proof makes the engine compute more exactly.
  void follow(mandelbrot::PictureEngine& engine);
  const MandelbrotSnapshot::Proof& summary() const { return summary_; }
  /// The proof of the finished picture with that serial number has ended.
  bool done_with(std::uint64_t serial) const { return serial == serial_ && !summary_.under_way; }

 private:
  void begin(mandelbrot::PublishedPicture& picture, const mandelbrot::Frame& frame);
  bool take_values();

  gl::LateRead values_;
  mandelbrot::ProofRows rows_;  // rows being read back
  mandelbrot::ProofRequest request_;
  mandelbrot::Prover prover_;
  std::uint64_t serial_ = 0;  // of the picture whose proof is under way or done; 0: none
  MandelbrotSnapshot::Proof summary_;
};

}  // namespace orrery
