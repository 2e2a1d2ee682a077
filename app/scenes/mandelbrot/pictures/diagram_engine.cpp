#include "scenes/mandelbrot/pictures/diagram_engine.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/work/abandon.hpp"
#include "compute/device/refusal.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr double settles = 0.15;  // seconds in which a difference falls to 1/e
constexpr double near_enough = 1e-3;

}  // namespace

void DiagramEngine::detach() {
  stop_.request_stop();
  orrery::leave(search_);
  searched_.reset();
  orrery::leave(building_);
  diagram_.reset();
  kernels_.reset();
  refusal_.clear();
  shown_ = {};
  next_ = {};
  slice_ = {};
  context_ = nullptr;
}

void DiagramEngine::abandon() {
  orrery::abandon(building_);
  orrery::abandon(diagram_);
  orrery::abandon(kernels_);
  orrery::abandon(shown_);
  orrery::abandon(next_);
  detach();
}

void DiagramEngine::reload() {
  building_.forget();
  diagram_.reset();
  kernels_.reset();
  refusal_.clear();
}

void DiagramEngine::update(const View& view, std::uint32_t columns, std::uint32_t rows, double frame, bool at_once) {
  follow_cascade(view, columns);
  if (!cascade_) return;
  glide(view, columns, rows, frame, at_once);
  if (context_ == nullptr) return;
  try_to([&] {
    if (!follow_kernels(view.formula)) return;
    take_arrival();
    begin_wanted();
    go_on();
  });
}

void DiagramEngine::feed() {
  if (context_ != nullptr) try_to([&] { go_on(); });
}

// Without support by the device, or its compiler, there is no diagram; a failed device is handled by the session.
void DiagramEngine::try_to(const std::function<void()>& work) {
  if (!refusal_.empty()) return;
  try {
    work();
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    refusal_ = error.what();
  }
}

bool DiagramEngine::follow_kernels(Formula formula) try {
  if (auto built = building_.poll()) kernels_ = std::move(*built);
  if (kernels_ && !(kernels_->formula == formula)) {
    diagram_.reset();
    kernels_.reset();
  }
  if (!kernels_ && !building_.busy())
    building_.start(
        [&programs = context_->programs, formula] { return std::make_shared<DiagramKernels>(programs, formula); });
  return kernels_ != nullptr;
} catch (const Error& error) {  // from a build
  refusal_ = error.what();
  return false;
}

// One search at a time: a moving view uses the last result.
void DiagramEngine::follow_cascade(const View& view, std::uint32_t columns) {
  if (auto found = search_.poll(); found && *found) cascade_ = std::make_shared<const RealCascade>(std::move(**found));
  if (cascade_ && !(cascade_->view.formula == view.formula)) cascade_.reset();
  if (search_.busy() || (searched_ && *searched_ == on_axis(view))) return;
  const Depth depth = cascade_ ? Depth::points : Depth::scales;  // scales are found sooner
  if (depth == Depth::points) searched_ = on_axis(view);
  stop_ = {};
  search_.start(
      [view, columns, depth, stop = stop_.get_token()] { return find_cascade(view, columns, depth, {.stop = stop}); });
}

// Changes towards another copy of the set are smooth.
void DiagramEngine::glide(const View& view, std::uint32_t columns, std::uint32_t rows, double frame, bool at_once) {
  DiagramFrame there = diagram_frame(view, columns, rows, cascade_);
  const double stretch = std::log(there.half_height) - std::log(whole_half_height_of(view.formula, view.span));
  if (!stretch_ || at_once || !(wanted_.view.formula == view.formula) || wanted_.columns != columns ||
      wanted_.rows != rows) {
    stretch_ = stretch;
    wanted_ = std::move(there);
    return;
  }
  const double part = 1 - std::exp(-frame / settles);
  const double left = stretch - *stretch_,
               half = std::exp(*stretch_ + part * left) * whole_half_height_of(view.formula, view.span);
  const double away = there.middle - wanted_.middle;
  if (std::abs(left) > near_enough) there.half_height = half;
  if (std::abs(away) > near_enough * there.half_height) there.middle = wanted_.middle + part * away;
  stretch_ = std::log(there.half_height) - std::log(whole_half_height_of(view.formula, view.span));
  wanted_ = std::move(there);
}

bool DiagramEngine::under_way() const { return slice_() != nullptr && !is_complete(slice_); }

// A diagram that differs only by invisible digits is kept.
void DiagramEngine::begin_wanted() {
  if (under_way() || writing()) return;
  if (diagram_ && diagram_->frame() == wanted_) return;
  if (!diagram_) diagram_ = std::make_unique<Diagram>(context_->device, kernels_);
  // Deep in the plane there is a diagram only once its orbit is found.
  DiagramFrame found = wanted_;
  found.view = cascade_->view;
  if (diagram_->begin(context_->queue, wanted_) || diagram_->frame() == found) return;
  if (!diagram_->begin(context_->queue, found)) diagram_.reset();
}

void DiagramEngine::go_on() {
  if (!diagram_ || under_way() || context_->yields) return;
  Queue& queue = context_->queue;
  diagram_->enqueue(queue, context_->slice_seconds);
  if (!writing() && diagram_->news() && (!next_.surface || next_.surface->idle())) {
    const std::size_t bytes = std::size_t{diagram_->frame().columns} * diagram_->frame().rows * sizeof(float);
    if (!next_.surface || next_.surface->bytes() != bytes) next_.surface = context_->surfaces.make(bytes, queue);
    const Surface::Lease lease = next_.surface->lease(queue);
    diagram_->publish(queue, lease.buffer());
    next_.frame = diagram_->frame();
    next_.serial = shown_.serial + 1;
  }
  slice_ = queue.marker();
  queue.flush();
}

void DiagramEngine::take_arrival() {
  if (writing() && next_.surface->arrived()) std::swap(shown_, next_);
}

bool DiagramEngine::complete() const {
  if (!refusal_.empty()) return true;
  if (search_.busy() || !searched_ || !(*searched_ == on_axis(wanted_.view)) || !kernels_) return false;
  if (!diagram_) return true;  // not available so deep
  return diagram_->frame() == wanted_ && diagram_->complete() && !diagram_->news() && !writing();
}

}  // namespace orrery::mandelbrot
