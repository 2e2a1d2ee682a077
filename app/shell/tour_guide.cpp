#include "shell/tour_guide.hpp"

#include <algorithm>
#include <utility>

namespace orrery::shell {

void TourGuide::begin(Tour tour, Before before, double now) {
  if (auto* walk = std::get_if<Walk>(&phase_)) before = std::move(walk->before);
  phase_ = Walk{std::move(tour), std::move(before), 0, now};
}

const TourStep* TourGuide::go(int direction, double now) {
  auto* walk = std::get_if<Walk>(&phase_);
  if (walk == nullptr) return nullptr;
  const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(walk->at) + direction;
  if (to < 0 || to >= std::ssize(walk->tour.steps)) return nullptr;
  walk->at = static_cast<std::size_t>(to);
  walk->since = now;
  return &walk->tour.steps[walk->at];
}

void TourGuide::touched(double now) {
  if (auto* walk = std::get_if<Walk>(&phase_)) walk->since = now;
}

bool TourGuide::due(double now) const {
  const auto* walk = std::get_if<Walk>(&phase_);
  if (walk == nullptr || walk->at + 1 >= walk->tour.steps.size()) return false;
  const double seconds = walk->tour.steps[walk->at].seconds;
  return seconds > 0 && now - walk->since >= seconds;
}

void TourGuide::close() {
  auto* walk = std::get_if<Walk>(&phase_);
  if (walk == nullptr) return;
  phase_ = Left{std::move(walk->before), walk->tour.steps.back().state};
}

std::optional<std::pair<StateTables, std::string>> TourGuide::leave(bool back) {
  const auto* left = std::get_if<Left>(&phase_);
  if (left == nullptr) return std::nullopt;
  const Left end = *left;
  phase_ = {};
  if (!back || !end.before.state) return std::nullopt;
  StateTables state = end.before.state();
  std::erase_if(state, [&](const auto& table) { return !end.changed.contains(table.first); });
  return std::pair(std::move(state), end.before.scene);
}

TourSnapshot TourGuide::snapshot(double now) const {
  TourSnapshot seen;
  seen.left = offers();
  const auto* walk = std::get_if<Walk>(&phase_);
  if (walk == nullptr) return seen;
  const TourStep& step = walk->tour.steps[walk->at];
  seen.title = walk->tour.title;
  seen.caption = step.caption;
  seen.step = walk->at;
  seen.steps = walk->tour.steps.size();
  seen.look_at = step.look_at;
  const bool last = walk->at + 1 == walk->tour.steps.size();
  if (step.seconds > 0 && !last) seen.wait = std::clamp((now - walk->since) / step.seconds, 0.0, 1.0);
  return seen;
}

}  // namespace orrery::shell
