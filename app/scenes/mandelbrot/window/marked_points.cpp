#include "scenes/mandelbrot/window/marked_points.hpp"

#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr double reach = 12;  // pixels

// 0 is exact.
bool has_digits(const Decimal& number, double log10_pixel) {
  const std::string& text = number.text();
  const std::size_t point = text.find('.');
  if (number.is_zero() || text.find_first_of("eE") != std::string::npos) return number.is_zero();
  const double decimals = point == std::string::npos ? 0 : static_cast<double>(text.size() - point - 1);
  return -decimals < log10_pixel;
}

}  // namespace

std::vector<Anchor> named_anchors() {
  std::vector<Anchor> anchors;
  for (const Location& location : locations()) {
    const View& view = location.view;
    anchors.push_back({location.title, view.re, view.im, view.formula});
  }
  return anchors;
}

AnchorInPicture placed_in(const Anchor& anchor, const View& view, Size size) {
  const Placement away = placement(view, {anchor.re, anchor.im, view.span});
  const Offset at = inverse_of(view.turn) * Offset{away.x, away.y};
  return {anchor.title, (0.5 + at.x) * size.width, 0.5 * size.height - at.y * size.width};
}

std::optional<AnchorInPicture> anchor_near(std::span<const Anchor> anchors, const View& view, Size size, double x,
                                           double y) {
  std::optional<AnchorInPicture> nearest;
  double least = reach;
  const double log10_pixel = log2_spacing(view, size) * std::log10(2.0);
  for (const Anchor& anchor : anchors) {
    if (!(anchor.formula == view.formula)) continue;
    AnchorInPicture there = placed_in(anchor, view, size);
    const double distance = std::hypot(there.x - x, there.y - y);
    if (!(distance <= least) || !has_digits(anchor.re, log10_pixel) || !has_digits(anchor.im, log10_pixel)) continue;
    least = distance;
    nearest = std::move(there);
  }
  return nearest;
}

// ---- the copy of the set

void MarkedPoints::search(const View& view, Size size, std::size_t most_steps) {
  stop_.request_stop();
  stop_ = {};
  result_ = NotAsked{};
  search_.start([=, stop = stop_.get_token()] { return find_copy(view, size, most_steps, {stop}); });
  gather();
}

void MarkedPoints::update(double frame) {
  left_ -= frame;
  auto done = search_.poll();
  if (!done) return;
  if (*done)
    result_ = std::move(**done);
  else
    result_ = Nothing{};
  show();
  gather();
}

std::optional<Anchor> MarkedPoints::anchor_of_copy() const {
  const FoundCopy* found = copy();
  if (found == nullptr) return std::nullopt;
  return Anchor{"nucleus of period " + std::to_string(found->period), found->re, found->im, found->copy.formula};
}

CopySnapshot MarkedPoints::snapshot() const {
  if (search_.busy()) return {.what = CopySnapshot::What::searching};
  if (std::holds_alternative<Nothing>(result_)) return {.what = CopySnapshot::What::nothing};
  const FoundCopy* found = copy();
  if (found == nullptr) return {};
  const double power = std::floor(found->log10_size);
  const std::string size = brief(std::pow(10, found->log10_size - power), 3) + "e" + brief(power, 9);
  return {.what = CopySnapshot::What::copy, .period = found->period, .size = size};
}

// ---- rings

void MarkedPoints::show() {
  constexpr double seconds = 3;
  left_ = seconds;
}

std::vector<glm::vec2> MarkedPoints::rings(const std::optional<AnchorInPicture>& near, const View& view,
                                           Size size) const {
  constexpr double seen_itself = 0.1;  // relative to the view: a larger copy needs no ring
  std::vector<glm::vec2> rings;
  if (left_ <= 0) return rings;
  if (near) rings.emplace_back(near->x, near->y);
  const std::optional<Anchor> nucleus = anchor_of_copy();
  if (!nucleus || !(nucleus->formula == view.formula) || ratio(copy()->copy.span, view.span) >= seen_itself)
    return rings;
  const AnchorInPicture there = placed_in(*nucleus, view, size);
  if (std::isfinite(there.x) && std::isfinite(there.y)) rings.emplace_back(there.x, there.y);
  return rings;
}

void MarkedPoints::gather() {
  points_ = named_anchors();
  if (auto nucleus = anchor_of_copy()) points_.push_back(std::move(*nucleus));
}

}  // namespace orrery
