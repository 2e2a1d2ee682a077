/// Further samples of a picture that is finished, computed while the device has nothing else to do.
///
/// Window thread; nothing waits.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "scenes/mandelbrot/pictures/picture_phase.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery::mandelbrot {

/// Computes further samples of each pixel of one finished picture, two at a time: while the host learns how many pixels
/// of the one are left, the device computes the other. An object that is assigned anew has no renderers and no
/// surfaces.
class PictureSampler {
 public:
  /// The next sample, where it has arrived and is to be drawn; else nullptr.
  PublishedPicture* arrived() { return lane().phase.surface == SampleSurface::arrived ? &lane().picture : nullptr; }
  const PublishedPicture* arrived() const {
    return lane().phase.surface == SampleSurface::arrived ? &lane().picture : nullptr;
  }
  /// What has arrived() has been drawn; another sample may take its place.
  void take();
  /// Only so many samples are left, the base among them: the others are computed once more.
  void resume(int left);

  /// Once a frame, with the picture that is finished now; nullptr: none is. Another picture has no samples yet.
  void follow(const PublishedPicture* finished);
  /// After follow(), while that picture is finished and `original` has computed it: enqueues as much as may be in
  /// flight, until `wanted` samples have been computed. Throws Error where the device refuses.
  void compute(const Renderer& original, int wanted, ComputeContext& context, PictureWriter& writer);

  /// All of them have been computed for the picture that is sampled, the base among them.
  bool complete(int wanted) const {
    return std::ranges::all_of(lanes_, [=](const Lane& lane) { return lane.next >= wanted; });
  }
  /// Of all samples that this object has computed.
  double iterations() const;

 private:
  /// Every second sample, one at a time.
  struct Lane {
    std::unique_ptr<Renderer> renderer;
    PublishedPicture picture;
    SamplePhase phase;
    int next = 1;  ///< the index of the sample that is computed, or is to be computed next
  };
  static void enter(Lane& lane, SampleEvent event);
  void begin_at(int sample);
  void compute(Lane& lane, const Renderer& original, ComputeContext& context, PictureWriter& writer);
  Lane& lane() { return lanes_[static_cast<std::size_t>(drawn_) % lanes_.size()]; }
  const Lane& lane() const { return lanes_[static_cast<std::size_t>(drawn_) % lanes_.size()]; }

  std::array<Lane, 2> lanes_;
  std::uint64_t base_ = 0;  // the serial number of the picture that is sampled
  int drawn_ = 1;           // samples, the base among them
};

}  // namespace orrery::mandelbrot
