#include "scenes/nbody/window/measures.hpp"

namespace orrery {

BodyWatch::BodyWatch(const Device& device, Queue& queue)
    : row_(device, queue, bytes_of_real4(Precision::double_), HostMirror::Mapping::queued) {}

bool BodyWatch::is_seen(const NbodySimulation& simulation) const {
  if (!is_there(simulation)) return true;
  return seen_ && seen_->body == *body_ && seen_->step == simulation.clock().step;
}

void BodyWatch::begin(Queue& queue, const NbodySimulation& simulation) {
  if (!is_there(simulation)) return;
  precision_ = simulation.precision();
  const std::size_t bytes = bytes_of_real4(precision_);
  read_ = queue.read(simulation.buffers().positions, row_.data_for(queue), bytes, bytes * *body_);
  queue.flush();
  coming_ = Seen{*body_, simulation.clock().step, {}};
}

void BodyWatch::collect() {
  if (!under_way() || !arrived()) return;
  for (std::size_t axis = 0; axis < 3; ++axis)
    coming_->place[axis] =
        precision_ == Precision::double_ ? row_.as<double>(4)[axis] : double{row_.as<float>(4)[axis]};
  seen_ = std::exchange(coming_, {});
}

void ForceErrorMapping::begin(ForceErrorMap& map, Queue& queue, const NbodySimulation& simulation, double softening) {
  const std::int64_t step = simulation.clock().step;
  if (map.under_way() || (step_ == step && map.errors()() != nullptr)) return;
  map.begin(queue, simulation, softening);
  step_ = step;
}

double ForceErrorMapping::enqueue_slice(ForceErrorMap& map, Queue& queue, double budget) const {
  return wanted_ && map.under_way() ? map.enqueue_slice(queue, budget) : 0;
}

}  // namespace orrery
