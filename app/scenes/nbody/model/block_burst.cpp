#include "scenes/nbody/model/block_burst.hpp"

#include <algorithm>

namespace orrery {

// moment_after in nbody_blocks.cl
cl_uint NbodyBlockForecast::moment_after() const {
  std::size_t deepest = block_levels - 1;
  while (deepest > 0 && counts_[deepest] == 0) --deepest;
  return moment_ + (block_ticks >> deepest);
}

NbodyBlockForecast::Act NbodyBlockForecast::next() const {
  if (moment_ == block_ticks) return Act::open;
  return moment_after() < block_ticks ? Act::substep : Act::last_substep;
}

// An act that does not come next does nothing, as on the device.
void NbodyBlockForecast::apply(Act act) {
  if (act != next()) return;
  moment_ = act == Act::open ? 0 : std::min(moment_after(), block_ticks);
  if (act == Act::last_substep) ++steps_;
}

void NbodyBlockForecast::note(Act act) {
  acts_.push_back(act);
  apply(act);
}

// Between two steps there are no levels: those of the step before are the best guess.
void NbodyBlockForecast::correct(const NbodyBlockClock& clock) {
  acts_.erase(acts_.begin(), acts_.begin() + static_cast<std::ptrdiff_t>(reported_acts_));
  known_steps_ = steps_ = clock.steps;
  moment_ = clock.moment();
  if (moment_ != block_ticks) counts_ = clock.counts;
  for (const Act act : acts_) apply(act);
}

cl_uint NbodyBlockForecast::most_steps() const {
  return known_steps_ + static_cast<cl_uint>(std::ranges::count(acts_, Act::last_substep));
}

bool NbodyBlockForecast::knows_levels() const {
  return std::ranges::any_of(counts_, [](cl_uint count) { return count > 0; });
}

double NbodyBlockForecast::part() const {
  return moment_ == block_ticks ? 0 : static_cast<double>(moment_) / block_ticks;
}

cl_uint NbodyBlockForecast::ending() const {
  cl_uint sum = 0;
  for (std::size_t level = 0; level < block_levels; ++level)
    if (moment_after() % (block_ticks >> level) == 0) sum += counts_[level];
  return sum;
}

void NbodyBlockBurst::begin(const Terms& terms) {
  terms_ = terms;
  begun_at_ = forecast_.steps();
  stage_ = Stage::foresee;
}

double NbodyBlockBurst::enqueue(Queue& queue, NbodyCrew& crew, std::size_t present, double budget) {
  take_report(crew);
  if (stage_ == Stage::foresee || stage_ == Stage::awaits_clock) return enqueue_next(queue, crew, present);
  if (stage_ == Stage::listed) return enqueue_listed(queue, crew, present, budget);
  if (stage_ == Stage::field) return enqueue_field(queue, crew, present, budget);
  const double seconds = crew.enqueue_control(queue, {1 - present, pull(), budget});
  return crew.control_complete() ? seconds + end_substep(queue, crew, present) : seconds;
}

double NbodyBlockBurst::enqueue_listed(Queue& queue, NbodyCrew& crew, std::size_t present, double budget) {
  const NbodyMember& member = crew.first();
  const auto all = static_cast<double>(member.bodies());
  const double share = substep_ == NbodySubstep::shared ? static_cast<double>(member.worked_for()) / all : 1;
  const double expected = member.seconds_per_body(queue) * forecast_.ending() * share;
  constexpr double longest = 1;  // seconds of a launch if all bodies were listed
  const NbodyFieldTerms terms{1 - present, pull(), expected > budget ? budget : longest};
  const double seconds = crew.enqueue_listed(queue, terms, substep_);
  return crew.force_complete() ? seconds + expected + end_substep(queue, crew, present) : seconds;
}

double NbodyBlockBurst::enqueue_field(Queue& queue, NbodyCrew& crew, std::size_t present, double budget) {
  const double seconds = crew.enqueue_force(queue, {1 - present, pull(), budget});
  if (!crew.force_complete()) return seconds;
  crew.end_field(queue);
  const std::int64_t step = terms_.first + forecast_.steps() - begun_at_;
  if (!crew.holds_error() || step % TreeControl::interval != 0) return seconds + end_substep(queue, crew, present);
  crew.begin_control(step / TreeControl::interval);
  stage_ = Stage::control;
  return seconds;
}

double NbodyBlockBurst::enqueue_next(Queue& queue, NbodyCrew& crew, std::size_t present) {
  const NbodyBlockForecast::Act act = forecast_.next();
  const bool last = act == NbodyBlockForecast::Act::last_substep;
  if (awaits_clock(queue, crew, last)) {
    stage_ = Stage::awaits_clock;
    return 0;
  }
  stage_ = Stage::foresee;
  if (act == NbodyBlockForecast::Act::open) {
    crew.each(queue, [&](NbodyMember& member, Queue& own) { member.open_step(own, present, terms_.step); });
    forecast_.note(act);
    return launch_seconds;
  }
  // Where few bodies' steps end, their field takes less time than its exchange.
  constexpr std::size_t worth_sharing = 8;  // a part of all bodies
  const bool shared = !crew.alone() && worth_sharing * forecast_.ending() >= crew.first().bodies();
  substep_ = last ? NbodySubstep::last : shared ? NbodySubstep::shared : NbodySubstep::unshared;
  crew.each(queue, [&](NbodyMember& member, Queue& own) { member.begin_substep(own, present, terms_.step, substep_); });
  if (last) crew.begin_force(terms_.step.by_potential() || (terms_.potential && ends_burst()), false);
  stage_ = last ? Stage::field : Stage::listed;
  return launch_seconds;
}

double NbodyBlockBurst::end_substep(Queue& queue, NbodyCrew& crew, std::size_t present) {
  const bool last = substep_ == NbodySubstep::last, ends = last && ends_burst();  // before note() counts this step
  crew.each(queue, [&](NbodyMember& member, Queue& own) { member.end_substep(own, present, terms_.step, substep_); });
  forecast_.note(last ? NbodyBlockForecast::Act::last_substep : NbodyBlockForecast::Act::substep);
  stage_ = ends ? Stage::done : Stage::foresee;
  return launch_seconds;
}

// A field of all bodies that comes too early is wasted. Only the last field of a burst needs the potential.
bool NbodyBlockBurst::awaits_clock(Queue& queue, const NbodyCrew& crew, bool last) const {
  if (forecast_.certain()) return false;
  constexpr std::size_t worth_asking = 32;  // substeps that may do nothing; waiting leaves the devices idle
  if (!crew.alone()) return last || forecast_.acts() >= worth_asking;
  if (!last) return false;
  const NbodyMember& member = crew.first();
  const bool tree = member.kernels().variant.forces == Forces::tree;
  constexpr double worth_waiting = 5e-4;
  const double seconds = member.seconds_per_body(queue) * static_cast<double>(member.worked_for());
  return ends_burst() || tree || seconds > worth_waiting || !forecast_.knows_levels();
}

void NbodyBlockBurst::take_report(const NbodyCrew& crew) {
  if (!reading_ || !crew.first().blocks().reported()) return;
  reading_ = false;
  if (stage_ == Stage::awaits_clock) stage_ = Stage::foresee;
  clock_ = crew.first().blocks().clock();
  if (clock_.moment() != block_ticks) levels_ = clock_.counts;
  forecast_.correct(clock_);
}

// With several devices only where nothing else can be enqueued: a clock that arrives later or earlier must not change
// what they enqueue.
void NbodyBlockBurst::end_slice(Queue& queue, const NbodyCrew& crew) {
  if (reading_ || forecast_.certain()) return;
  if (!crew.alone() && stage_ != Stage::awaits_clock) return;
  crew.first().blocks().report(queue);
  forecast_.note_report();
  reading_ = true;
}

std::int64_t NbodyBlockBurst::shorten() {
  const auto begun = static_cast<std::int64_t>(forecast_.most_steps() - begun_at_);
  const bool in_last_field = stage_ == Stage::field || stage_ == Stage::control;
  terms_.steps = std::min(terms_.steps, begun + (in_last_field ? 2 : 1));
  return terms_.steps;
}

double NbodyBlockBurst::evaluations_per_step() const {
  return clock_.steps > 0 ? static_cast<double>(clock_.evaluations) / clock_.steps : 0;
}

double NbodyBlockBurst::progress() const {
  if (done() || terms_.steps == 0) return 1;
  return std::min(1.0, (forecast_.steps() - begun_at_ + forecast_.part()) / static_cast<double>(terms_.steps));
}

}  // namespace orrery
