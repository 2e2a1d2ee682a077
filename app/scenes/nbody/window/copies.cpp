#include "scenes/nbody/window/copies.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/work/abandon.hpp"

namespace orrery {
namespace {

constexpr double shortest_interval = 0.8;  // seconds between two copies …
constexpr double least_pause = 20;         // … and at least so many times what one takes

bool is_finite(const Body& b) {
  return std::isfinite(b.x) && std::isfinite(b.y) && std::isfinite(b.z) && std::isfinite(b.vx) && std::isfinite(b.vy) &&
         std::isfinite(b.vz);
}

NbodyCopy copy_of(const NbodyDownload& download) {
  const double began = now_seconds();
  NbodyState state{download.bodies(), download.clock()};
  const auto faulty = std::ranges::count_if(state.bodies, [](const Body& body) { return !is_finite(body); });
  return {std::make_shared<const NbodyState>(std::move(state)), static_cast<std::size_t>(faulty),
          download.seconds() + now_seconds() - began};
}

}  // namespace

void NbodyCopies::begin(const Device& device, Queue& queue, const NbodySimulation& simulation, double now) {
  if (busy()) return;
  if (!download_ || !download_->fits(simulation)) {
    download_.reset();
    download_ = std::make_unique<NbodyDownload>(device, queue, simulation.bodies(), simulation.precision());
    interval_ = shortest_interval;
  }
  begun_ = now;
  download_->begin(queue, simulation);
  reading_ = true;
  dropped_ = false;
}

void NbodyCopies::forget() {
  dropped_ = true;
  making_.forget();
}

// The one before is freed there, too.
void NbodyCopies::make() {
  reading_ = false;
  if (dropped_) return;
  making_.start([download = download_.get(), retired = std::move(retired_)]() mutable {
    retired.reset();
    return copy_of(*download);
  });
}

std::optional<NbodyCopy> NbodyCopies::poll() {
  if (reading_ && download_->complete()) make();
  std::optional<NbodyCopy> copy = making_.poll();
  if (!copy) return {};
  const double before = std::exchange(interval_, std::max(shortest_interval, least_pause * copy->seconds));
  if (interval_ > 2 * before)
    log(Level::warning, "a copy of " + std::to_string(copy->state->bodies.size()) + " bodies is made every " +
                            std::to_string(std::lround(interval_)) + " s: more often would slow them down");
  return copy;
}

std::optional<NbodyCopy> NbodyCopies::rescue() noexcept {
  try {
    if (reading_ && download_->arrived()) make();
    reading_ = false;
    while (making_.busy()) {
      if (auto copy = making_.poll()) return copy;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } catch (const std::exception& error) {
    log(Level::warning, as_error(error).what());
  }
  return {};
}

void NbodyCopies::abandon() { orrery::abandon(download_); }

}  // namespace orrery
