/// The points that the wheel zooms into: the named locations, and the latest copy of the set found. Rings show them for
/// a while after the mouse has moved.
///
/// Window thread; never waits, except for the end of a cancelled search.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/work/background.hpp"
#include "scenes/mandelbrot/deep/nucleus.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"

namespace orrery {

/// A point that the wheel zooms into when the cursor is near it: to any depth, where mouse input alone would soon miss
/// it.
struct Anchor {
  std::string title;  ///< "Feigenbaum point"
  Decimal re, im;
  mandelbrot::Formula formula = {};  ///< of its plane
};

/// The named locations.
std::vector<Anchor> named_anchors();

/// Where an anchor lies in a picture, in pixels from the top left corner.
struct AnchorInPicture {
  std::string title;
  double x = 0, y = 0;
};

AnchorInPicture placed_in(const Anchor& anchor, const mandelbrot::View& view, mandelbrot::Size size);

/// The anchor nearest to (x, y), if it is within 12 pixels and its digits distinguish it from adjacent pixels.
std::optional<AnchorInPicture> anchor_near(std::span<const Anchor> anchors, const mandelbrot::View& view,
                                           mandelbrot::Size size, double x, double y);

/// All present anchors, and the rings around them. A search for a copy runs on a worker thread.
class MarkedPoints {
 public:
  MarkedPoints() = default;
  ~MarkedPoints() { stop_.request_stop(); }
  MarkedPoints(const MarkedPoints&) = delete;
  MarkedPoints& operator=(const MarkedPoints&) = delete;

  std::span<const Anchor> points() const { return points_; }
  /// The latest copy found; null while there is none.
  const mandelbrot::FoundCopy* copy() const { return std::get_if<mandelbrot::FoundCopy>(&result_); }
  CopySnapshot snapshot() const;

  /// Searches for the copy in that view; another search is cancelled.
  void search(const mandelbrot::View& view, mandelbrot::Size size, std::size_t most_steps);
  /// One frame of `frame` seconds.
  void update(double frame);
  /// Shows the rings after mouse motion.
  void show();
  /// Positions of rings, in pixels of the view: around `near`, under the cursor, and around the copy while it is small.
  std::vector<glm::vec2> rings(const std::optional<AnchorInPicture>& near, const mandelbrot::View& view,
                               mandelbrot::Size size) const;

 private:
  std::optional<Anchor> anchor_of_copy() const;
  void gather();

  struct NotAsked {};
  struct Nothing {};
  Background<std::optional<mandelbrot::FoundCopy>> search_;
  std::stop_source stop_;
  std::variant<NotAsked, Nothing, mandelbrot::FoundCopy> result_;
  std::vector<Anchor> points_ = named_anchors();
  double left_ = 0;  // seconds for which rings are shown
};

}  // namespace orrery
