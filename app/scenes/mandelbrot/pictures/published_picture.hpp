/// Pictures in surfaces, as they are drawn: those that are shown together, and further samples of a finished one.
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
  std::uint32_t stride = 0;  ///< every pixel of that grid is known; 1: all; 0: none need be
  std::uint32_t limit = 0;
  bool settled = false;      ///< what has not escaped at the limit is interior, but for a few pixels
  bool undecided = false;    ///< nothing of it has escaped yet, and a higher limit may follow
  bool flat = false;         ///< there is nothing to see of it yet: it is undecided, or its colours are to come
  int exponent = 0;          ///< values, and the limit, are in units of 2^exponent iterations
  std::uint64_t render = 0;  ///< which rendering it belongs to
  std::uint64_t serial = 0;  ///< no two pictures have the same

  /// The histogram tells pictures apart by this.
  PictureHistogram::Counted counted() const { return {view, limit, std::max(stride, 1U), serial}; }
  /// log₂ of the distance of known points in the plane.
  double log2_resolution() const;
};

/// Writes pictures into their surfaces, each under a serial number of its own.
class PictureWriter {
 public:
  /// Enqueues what the renderer has computed so far into the picture's surface, which must be idle; makes the surface
  /// where there is none of that size. `histogram` counts the values; nullptr: nothing does. `sample`: which one of
  /// several. Throws Error where the device refuses.
  void write(PublishedPicture& picture, Renderer& renderer, ComputeContext& context, PictureHistogram* histogram,
             std::uint32_t sample = 0);

 private:
  std::uint64_t serial_ = 0;
};

/// Keeps the pictures that are shown together: a base, finished or nearly so, and the latest, which refines over it. A
/// third surface is written meanwhile. It owns their surfaces; an object that is assigned anew is empty.
class PublishedPictures {
 public:
  /// What to draw; nullptr where there is none.
  PublishedPicture* base() { return at(base_); }
  const PublishedPicture* base() const { return base_ == none ? nullptr : &pictures_[index_of(base_)]; }
  PublishedPicture* latest() { return at(latest_); }
  const PublishedPicture* latest() const { return latest_ == none ? nullptr : &pictures_[index_of(latest_)]; }

  /// There are newer values than those that were written last.
  void change() { enter(PublicationEvent::change); }
  /// Values that wait to be written are not wanted.
  void drop() { enter(PublicationEvent::drop); }
  /// True while newer values wait, and no others are being written.
  bool due() const { return publication_ == Publication::due; }
  /// True where the newest values have arrived.
  bool settled() const { return publication_ == Publication::settled; }
  /// True for a moment after values of that rendering have been written; times are in seconds.
  bool just_published(std::uint64_t render, double seconds) const;

  /// Where due() values can be written now; nullptr while that picture is still drawn from.
  PublishedPicture* vacant();
  /// The vacant() picture is being written, with values of that rendering.
  void begin_writing(std::uint64_t render, double seconds);
  /// Shows what was being written, once it has arrived. What arrives is the latest; a finished picture is the base, and
  /// of two that are not finished the sharper one stays.
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
  std::uint64_t render_ = 0;  // that was written last …
  double written_ = 0;        // … at this time, in seconds
};

/// Computes further samples of each pixel of one finished picture while the device has nothing else to do: several
/// together, so that the longest orbits of the one do not leave the device empty, and two such stacks at a time: while
/// the host learns how many pixels of the one are left, the device computes the other. A GPU computes the last few
/// orbits of further stacks beside them. An object that is assigned anew has no renderers and no surfaces.
class PictureSampler {
 public:
  /// The next samples, in their order, that have arrived and are to be drawn. Valid until follow().
  std::vector<PublishedPicture*> arrived();
  bool any_arrived() const {
    return std::ranges::any_of(slots_, [&](const Slot& slot) { return has(slot, drawn_); });
  }
  /// So many of them have been drawn; other samples may take their places.
  void take(std::size_t count);
  /// Only so many samples are left, the base among them: the others are computed once more.
  void resume(int left);

  /// Once a frame, with the picture that is finished now, and the seconds that it took; nullptr: none is. Another
  /// picture has no samples yet.
  void follow(const PublishedPicture* finished, double seconds);
  /// After follow(), while that picture is finished and `original` has computed it: enqueues as much as may be in
  /// flight, until `wanted` samples have been computed. Throws Error where the device refuses.
  void compute(const Renderer& original, int wanted, ComputeContext& context, PictureWriter& writer);

  /// All of them have been computed for the picture that is sampled, the base among them.
  bool complete(int wanted) const { return written_ >= wanted; }
  /// Of all samples that this object has computed.
  double iterations() const;

 private:
  /// The samples from `first` up to `end` are one stack.
  struct Lane {
    std::unique_ptr<Renderer> renderer;
    int first = 1, end = 1;
    double began = 0;  ///< seconds

    bool is_made() const { return renderer != nullptr; }
  };
  /// On its way to the screen.
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
  std::array<Slot, 8> slots_;  // those of two frames: what is drawn in this one is free after the next
  std::uint64_t base_ = 0;     // the serial number of the picture that is sampled
  // Samples, the base among them: those that have been drawn, …
  int drawn_ = 1;
  int written_ = 1;   // … those that are in a slot, or have been …
  int begun_ = 1;     // … and those that a lane computes, or has computed.
  int together_ = 1;  // so many samples are the next stack
};

}  // namespace orrery::mandelbrot
