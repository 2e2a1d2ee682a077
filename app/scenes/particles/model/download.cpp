#include "compute/queue/event_time.hpp"
#include "scenes/particles/model/engine.hpp"
#include "scenes/particles/model/engine_state.hpp"

namespace orrery::particles {

Download::Download(const Device& device, Queue& queue, const Engine& engine)
    : count_(engine.size()),
      wide_(engine.state_->particles.wide()),
      positions_(device, queue, count_ * bytes_of_real4(wide_), HostMirror::Mapping::queued),
      velocities_(device, queue, positions_.size(), HostMirror::Mapping::queued) {}

bool Download::fits(const Engine& engine) const {
  return engine.size() == count_ && engine.state_->particles.wide() == wide_;
}

void Download::begin(Queue& queue, const Engine& engine) {
  const Engine::State& s = *engine.state_;
  clock_ = s.clock;
  force_exponent_ = s.force_exponent;
  reads_ = {queue.read(s.particles.positions, positions_.data_for(queue), positions_.size()),
            queue.read(s.particles.velocities, velocities_.data_for(queue), velocities_.size())};
}

bool Download::complete() const { return is_complete(reads_[0]) && is_complete(reads_[1]); }
bool Download::arrived() const { return has_succeeded(reads_[0]) && has_succeeded(reads_[1]); }

double Download::seconds() const {
  constexpr double bytes_per_second = 2e9;  // of slow hosts
  double seconds = 0;
  for (const cl::Event& read : reads_) {
    const auto times = times_of(read);
    seconds += times ? 1e-9 * static_cast<double>(times->end - times->start)
                     : static_cast<double>(positions_.size()) / bytes_per_second;
  }
  return seconds;
}

Snapshot Download::snapshot() const {
  return {clock_, DeviceParticles::vectors_from(positions_, count_, wide_),
          DeviceParticles::vectors_from(velocities_, count_, wide_), force_exponent_};
}

}  // namespace orrery::particles
