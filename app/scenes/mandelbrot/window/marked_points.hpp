/// The points that the wheel zooms into: the named locations, and the copy of the set that was found last. Rings show
/// them for a while after the hand has moved.
///
/// Window thread; never waits, but for the end of a search that is called off.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "scenes/mandelbrot/window/anchor.hpp"
#include "scenes/mandelbrot/window/finder.hpp"

namespace orrery {

class MarkedPoints {
 public:
  std::span<const Anchor> points() const { return points_; }
  /// The copy that was found last; null while there is none.
  const mandelbrot::FoundCopy* copy() const { return finder_.copy(); }
  CopySnapshot snapshot() const { return finder_.snapshot(); }

  /// Looks for the copy in that view; another search is called off.
  void search(const mandelbrot::View& view, mandelbrot::Size size, std::size_t most_steps);
  /// A frame of that many seconds.
  void update(double frame);
  /// The hand has moved.
  void show();
  /// In pixels of the view: around `near`, which is under the cursor, and around the copy while it is small.
  std::vector<glm::vec2> rings(const std::optional<AnchorInPicture>& near, const mandelbrot::View& view,
                               mandelbrot::Size size) const;

 private:
  void gather();

  CopyFinder finder_;
  std::vector<Anchor> points_ = named_anchors();
  double left_ = 0;  // seconds for which rings are shown
};

}  // namespace orrery
