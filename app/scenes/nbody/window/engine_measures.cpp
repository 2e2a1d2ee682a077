// What is found out about the running bodies besides their diagnostics.
#include "interop/copied_surface.hpp"
#include "scenes/nbody/window/engine.hpp"

namespace orrery {

// ---- what all accelerations are off by

void NbodyEngine::begin_survey() {
  NbodySurvey& survey = *running_->prepared.survey;
  const std::int64_t step = simulation().clock().step;
  if (survey.under_way() || (surveyed_step_ == step && survey.errors()() != nullptr)) return;
  survey.begin(context_->queue, simulation(), softening_);
  surveyed_step_ = step;
}

double NbodyEngine::survey_slice(double budget) {
  NbodySurvey& survey = *running_->prepared.survey;
  return surveys_ && survey.under_way() ? survey.enqueue_slice(context_->queue, budget) : 0;
}

// While the bodies stand still, too: what has become known of them since is published.
void NbodyEngine::go_on_surveying() {
  if (!surveys_ || !is_complete(slice_)) return;
  begin_survey();
  if (survey_slice(context_->slice_seconds) > 0) slice_ = context_->queue.marker();
  if (running_->prepared.survey->done() != surveyed_ && surfaces().back().idle()) publish(true, true);
  context_->queue.flush();
}

// ---- burst against transfer

SurfacePair& NbodyEngine::surfaces() {
  const bool copies = swept_ && !sweep_.shared() && running_->copies;
  return copies ? *running_->copies : running_->surfaces;
}

void NbodyEngine::measure_transfer(bool begin) {
  if (!begin || !running_) return sweep_.cancel();
  const SharingReport& sharing = context_->surfaces.report();
  if (sharing.shared && !running_->copies) {
    CopiedSurfaceFactory factory(context_->device, {});
    running_->copies.emplace(factory, simulation().bodies() * published_bytes, context_->queue);
  }
  sweep_.start(sharing.shared ? "" : sharing.reason);
}

// ---- one body in full

bool NbodyEngine::is_observed() const {
  if (!watched_ || *watched_ >= running_->prepared.simulation->bodies()) return true;
  return observation_ && observation_->index == *watched_ && observation_->field_known == !at_start_ &&
         observation_->clock.step == running_->prepared.simulation->clock().step;
}

void NbodyEngine::observe(bool field_known) {
  if (!watched_ || *watched_ >= simulation().bodies()) return;
  const double softening = softening_ >= 0 ? softening_ : settings_.softening;
  running_->prepared.observer->observe(context_->queue, simulation(), *watched_, softening, field_known);
  context_->queue.flush();
  observing_ = true;
}

void NbodyEngine::finish_observing() {
  if (!running_->prepared.observer->observed()) return;
  observation_ = running_->prepared.observer->observation();
  observing_ = false;
}

}  // namespace orrery
