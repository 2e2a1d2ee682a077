/// Pictures in surfaces for drawing: those that are shown together, and further samples of a finished one.
///
/// Window thread; nothing waits.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "interop/surface.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/pictures/picture_kernels.hpp"
#include "scenes/mandelbrot/pictures/picture_phase.hpp"

namespace orrery::mandelbrot {

/// ν of one view in a surface, a float a pixel a plane (see kernels/mandelbrot/mandelbrot_publish.cl).
struct PublishedPicture {
  std::unique_ptr<Surface> surface;
  View view;
  Size size;
  bool detail = false;       ///< a second plane follows: distances in pixels, periods inside
  std::uint32_t stride = 0;  ///< every pixel of that grid is known; 1: all; 0: none guaranteed
  std::uint32_t limit = 0;
  bool settled = false;      ///< points that have not escaped at the limit are interior, but for a few pixels
  bool undecided = false;    ///< no pixel has escaped yet, and a higher limit may follow
  bool flat = false;         ///< without visible detail yet: it is undecided, or its colours are to come
  int exponent = 0;          ///< values, and the limit, are in units of 2^exponent iterations
  std::uint64_t render = 0;  ///< number of its rendering
  std::uint64_t serial = 0;  ///< unique to each picture

  /// The identity of a picture for the histogram.
  PictureHistogram::Counted counted() const { return {view, limit, std::max(stride, 1U), serial}; }
  /// log₂ of the distance of known points in the plane.
  double log2_resolution() const;
};

/// Writes pictures into their surfaces, each under its own serial number.
class PictureWriter {
 public:
  /// Enqueues writing the renderer's picture so far into the picture's surface, which must be idle; makes the surface
  /// if there is none of that size. `histogram`, unless null, counts the values. `sample`: index of the sample. Throws
  /// Error where the device refuses.
  void write(PublishedPicture& picture, Renderer& renderer, ComputeContext& context, PictureHistogram* histogram,
             std::uint32_t sample = 0);

 private:
  std::uint64_t serial_ = 0;
};

/// Keeps the pictures that are shown together: a base, finished or nearly so, and the latest, which refines over it. A
/// third surface is written meanwhile. It owns their surfaces; a newly assigned object is empty.
class PublishedPictures {
 public:
  /// The pictures to draw; nullptr where there is none.
  PublishedPicture* base() { return at(base_); }
  const PublishedPicture* base() const { return base_ == none ? nullptr : &pictures_[index_of(base_)]; }
  PublishedPicture* latest() { return at(latest_); }
  const PublishedPicture* latest() const { return latest_ == none ? nullptr : &pictures_[index_of(latest_)]; }

  /// There are newer values than the last ones written.
  void change() { enter(PublicationEvent::change); }
  /// Values that wait to be written are not wanted.
  void drop() { enter(PublicationEvent::drop); }
  /// True while newer values wait, and no others are being written.
  bool due() const { return publication_ == Publication::due; }
  /// True where the newest values have arrived.
  bool settled() const { return publication_ == Publication::settled; }
  /// True shortly after values of that rendering have been written; times are in seconds.
  bool just_published(std::uint64_t render, double seconds) const;

  /// The picture into which due() values can be written; nullptr while it is still drawn from.
  PublishedPicture* vacant();
  /// The vacant() picture is being written, with values of that rendering.
  void begin_writing(std::uint64_t render, double seconds);
  /// Shows the written picture, once it has arrived, as the latest; a finished picture is the base, and of two
  /// unfinished ones the sharper one stays.
  void take_arrival();

 private:
  static constexpr int none = -1;
  static std::size_t index_of(int index) { return static_cast<std::size_t>(index); }
  PublishedPicture* at(int index) { return index == none ? nullptr : &pictures_[index_of(index)]; }
  int spare() const;
  void enter(PublicationEvent event);

  std::array<PublishedPicture, 3> pictures_;
  int base_ = none, latest_ = none;
  Publication publication_ = Publication::settled;
  std::uint64_t render_ = 0;  // rendering that was written last …
  double written_ = 0;        // … at this time, in seconds
};

/// Computes further samples of each pixel of one finished picture while the device has nothing else to do: several
/// together, so that the longest orbits of one sample do not leave the device empty, and two such stacks at a time:
/// while the host learns how many pixels of one stack are left, the device computes the other. A GPU computes the last
/// few orbits of further stacks beside them. A newly assigned object has no renderers and no surfaces.
class PictureSampler {
 public:
  /// The next samples in order that have arrived and are to be drawn. Valid until follow().
  std::vector<PublishedPicture*> arrived();
  bool any_arrived() const {
    return std::ranges::any_of(slots_, [&](const Slot& slot) { return has(slot, drawn_); });
  }
  /// `count` of them have been drawn; other samples may take their places.
  void take(std::size_t count);
  /// Only `left` samples remain, including the base: the others are computed again.
  void resume(int left);

  /// Once a frame, with the finished picture and its duration in seconds; nullptr: none. Another picture has no samples
  /// yet.
  void follow(const PublishedPicture* finished, double seconds);
  /// After follow(), while that picture is finished and `original` has computed it: enqueues as much as may be in
  /// flight, until `wanted` samples have been computed. Throws Error where the device refuses.
  void compute(const Renderer& original, int wanted, ComputeContext& context, PictureWriter& writer);

  /// Whether `wanted` samples of the picture have been computed, including the base.
  bool complete(int wanted) const { return written_ >= wanted; }
  /// Iterations of all samples that this object has computed.
  double iterations() const;

 private:
  /// The samples from `first` up to `end` are one stack.
  struct Lane {
    std::unique_ptr<Renderer> renderer;
    int first = 1, end = 1;
    double began = 0;  ///< seconds

    bool is_made() const { return renderer != nullptr; }
  };
  /// A sample on its way to the screen.
  struct Slot {
    PublishedPicture picture;
    SampleSurface phase = SampleSurface::vacant;
    int sample = 0;

    bool writable() const { return phase == SampleSurface::vacant && (!picture.surface || picture.surface->idle()); }
  };
  static void enter(Slot& slot, SampleEvent event);
  static bool has(const Slot& slot, int sample) {
    return slot.phase == SampleSurface::arrived && slot.sample == sample;
  }
  bool awaits(const Lane& lane) const { return written_ < lane.end; }
  bool has_room(const DeviceInfo& device) const;
  Lane& free_lane();
  void begin_at(int sample);
  void begin(Lane& lane, const Renderer& original, int wanted, ComputeContext& context);
  void compute(Lane& lane, int wanted, ComputeContext& context, PictureWriter& writer);
  void learn(double seconds, int samples);

  std::array<Lane, 4> lanes_;
  std::array<Slot, 8> slots_;  // for two frames: a slot drawn in this frame is free after the next
  std::uint64_t base_ = 0;     // the serial number of the picture that is sampled
  // Numbers of samples, including the base: drawn, …
  int drawn_ = 1;
  int written_ = 1;   // … written to a slot so far …
  int begun_ = 1;     // … and begun by a lane.
  int together_ = 1;  // samples of the next stack
};

}  // namespace orrery::mandelbrot
