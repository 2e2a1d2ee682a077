/// The pictures that are shown together: a base, finished or nearly so, and the latest, which refines over it. A third
/// surface is written meanwhile.
///
/// Window thread; nothing waits.
#pragma once

#include <array>

#include "scenes/mandelbrot/pictures/picture_phase.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery::mandelbrot {

/// Keeps the pictures that are shown. It owns their surfaces; an object that is assigned anew is empty.
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

}  // namespace orrery::mandelbrot
