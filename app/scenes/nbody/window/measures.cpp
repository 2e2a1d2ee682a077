#include "scenes/nbody/window/measures.hpp"

namespace orrery {

bool BodyWatch::is_seen(const NbodySimulation& simulation, bool field_known) const {
  if (!is_there(simulation)) return true;
  return seen_ && seen_->index == *body_ && seen_->field_known == field_known &&
         seen_->clock.step == simulation.clock().step;
}

void BodyWatch::begin(NbodyObserver& observer, Queue& queue, const NbodySimulation& simulation, double softening,
                      bool field_known) {
  if (!is_there(simulation)) return;
  observer.observe(queue, simulation, *body_, softening, field_known);
  queue.flush();
  read_ = Read::under_way;
}

void BodyWatch::collect(const NbodyObserver& observer) {
  if (!under_way() || !observer.observed()) return;
  seen_ = observer.observation();
  forget();
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
