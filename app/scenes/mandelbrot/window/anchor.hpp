/// Points of the plane that the wheel zooms into when the cursor is near one: to any depth, where the hand alone would
/// soon be beside it.
///
/// Plain values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {

struct Anchor {
  std::string title;  ///< "Feigenbaum point"
  mandelbrot::Decimal re, im;
};

/// The named locations.
std::vector<Anchor> named_anchors();

/// Where an anchor lies in a picture, in pixels from the top left corner.
struct AnchorInPicture {
  std::string title;
  double x = 0, y = 0;
};

AnchorInPicture placed_in(const Anchor& anchor, const mandelbrot::View& view, mandelbrot::Size size);

/// The one that is nearest to (x, y), if it is within 12 pixels and has digits enough to be told from the pixels beside
/// it.
std::optional<AnchorInPicture> anchor_near(std::span<const Anchor> anchors, const mandelbrot::View& view,
                                           mandelbrot::Size size, double x, double y);

}  // namespace orrery
