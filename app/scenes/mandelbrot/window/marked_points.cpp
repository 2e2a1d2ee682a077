#include "scenes/mandelbrot/window/marked_points.hpp"

#include <cmath>

namespace orrery {

using namespace mandelbrot;

void MarkedPoints::search(const View& view, Size size, std::size_t most_steps) {
  finder_.begin(view, size, most_steps);
  gather();
}

void MarkedPoints::update(double frame) {
  left_ -= frame;
  if (!finder_.update()) return;
  show();
  gather();
}

void MarkedPoints::show() {
  constexpr double seconds = 3;
  left_ = seconds;
}

std::vector<glm::vec2> MarkedPoints::rings(const std::optional<AnchorInPicture>& near, const View& view,
                                           Size size) const {
  constexpr double seen_itself = 0.1;  // of the view, from which on a copy needs no ring
  std::vector<glm::vec2> rings;
  if (left_ <= 0) return rings;
  if (near) rings.emplace_back(near->x, near->y);
  const auto found = finder_.anchor();
  if (!found || ratio(copy()->copy.span, view.span) >= seen_itself) return rings;
  const AnchorInPicture there = placed_in(*found, view, size);
  if (std::isfinite(there.x) && std::isfinite(there.y)) rings.emplace_back(there.x, there.y);
  return rings;
}

void MarkedPoints::gather() {
  points_ = named_anchors();
  if (auto found = finder_.anchor()) points_.push_back(std::move(*found));
}

}  // namespace orrery
