#include "scene/orbit_view.hpp"

namespace orrery {
namespace {

constexpr float click_slack = 4;  // pixels at scale 1 that the pointer may move
                                  // between press and release of a click

}  // namespace

void OrbitView::fit(const Viewport& viewport) {
  size_ = viewport.size;
  scale_ = viewport.scale;
}

void OrbitView::pointer(const PointerEvent& event) {
  const bool clicked = hand_.follow(camera_, event, size_.y, click_slack * scale_);
  if (clicked) pick_ = Pick{(event.position - middle()) * glm::vec2(1, -1), reach_ * scale_};
}

void OrbitView::scroll(const ScrollEvent& event, bool follows) {
  camera_.zoom(event.steps, follows ? glm::vec2(0) : event.position - middle(), size_.y);
}

bool OrbitView::wants_home(const std::string& objects) {
  if (std::exchange(home_of_, objects) == objects) return false;
  return std::exchange(placement_, Placement::own) == Placement::own;
}

void OrbitView::go_home(const Camera& home) {
  const double field_of_view = camera_.field_of_view;
  camera_ = home;
  camera_.field_of_view = field_of_view;
}

}  // namespace orrery
