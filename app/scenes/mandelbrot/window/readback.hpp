/// What the window reads back of the pictures that it shows: the value under the cursor, the range of all values, and
/// rows whose pixels are proved.
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

/// value · 2^exponent in so many digits, however large.
std::string scaled_text(double value, int exponent, int digits);

/// Tells where the cursor is in the plane, and the smooth value of the pixel under it.
class CursorReadout {
 public:
  /// Each frame. `picture` is the one that is shown, or null; `cursor` is in pixels of the view from its top left
  /// corner.
  void follow(mandelbrot::PublishedPicture* picture, const mandelbrot::View& view, mandelbrot::Size size,
              glm::vec2 cursor);
  /// The place, or the title of what is marked there, and the value that is known.
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

/// Finds out from the values of a finished picture whether it shows nothing but one colour, and what its colours mean.
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

/// The self-proving view: some rows of each finished picture are read back, and pixels of them, on both sides of the
/// edge, in the middle of interior and at random, are computed again in many bits. A picture that moves on calls its
/// proof off.
class MandelbrotProof {
 public:
  /// Once a frame. A proof that fails makes the engine compute more exactly.
  void follow(mandelbrot::PictureEngine& engine);
  const MandelbrotSnapshot::Proof& summary() const { return summary_; }
  /// The finished picture of that serial number has been proved, as far as its proof goes.
  bool done_with(std::uint64_t serial) const { return serial == serial_ && !summary_.under_way; }

 private:
  void begin(mandelbrot::PublishedPicture& picture, const mandelbrot::Frame& frame);
  bool take_values();

  gl::LateRead values_;
  mandelbrot::ProofRows rows_;  // whose values are read back
  mandelbrot::ProofRequest request_;
  mandelbrot::Prover prover_;
  std::uint64_t serial_ = 0;  // of the picture whose proof is under way or done; 0: none
  MandelbrotSnapshot::Proof summary_;
};

}  // namespace orrery
