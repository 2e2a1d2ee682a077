/// Further samples of a picture that is finished, computed while the device has nothing else to do.
///
/// Window thread; nothing waits.
#pragma once

#include <memory>

#include "scenes/mandelbrot/pictures/picture_phase.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery::mandelbrot {

/// Computes further samples of each pixel of one finished picture. It owns a renderer and a surface of its own; an
/// object that is assigned anew has neither.
class PictureSampler {
 public:
  /// A sample that has just arrived, to be drawn; nullptr where there is none.
  PublishedPicture* arrived() { return phase_.surface == SampleSurface::arrived ? &picture_ : nullptr; }
  const PublishedPicture* arrived() const { return phase_.surface == SampleSurface::arrived ? &picture_ : nullptr; }
  /// What has arrived() has been drawn; the next sample may take its place.
  void take() { enter(SampleEvent::take); }
  /// Only so many samples are left, the base among them: the others are computed once more.
  void resume(int left);

  /// Once a frame, with the picture that is finished now; nullptr: none is. Another picture has no samples yet.
  void follow(const PublishedPicture* finished);
  /// After follow(), while that picture is finished and `original` has computed it: enqueues as much as may be in
  /// flight, until `wanted` samples have been computed. Throws Error where the device refuses.
  void compute(const Renderer& original, int wanted, ComputeContext& context, PictureWriter& writer);

  /// All of them have been computed for the picture that is sampled, the base among them.
  bool complete(int wanted) const { return next_ >= wanted; }
  /// Of all samples that this object has computed.
  double iterations() const { return renderer_ ? renderer_->iterations() : 0; }

 private:
  void enter(SampleEvent event);

  std::unique_ptr<Renderer> renderer_;
  PublishedPicture picture_;
  SamplePhase phase_;
  std::uint64_t base_ = 0;  // the serial number of the picture that is sampled
  int next_ = 1;            // the index of the sample that is computed, or is to be computed next
};

}  // namespace orrery::mandelbrot
