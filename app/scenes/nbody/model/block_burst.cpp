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

double NbodyBlockBurst::enqueue(Queue& queue, NbodyMember& member, std::size_t present, double budget) {
  take_report(member);
  const double softening = terms_.step.softening;
  double seconds = 0;
  if (stage_ == Stage::foresee || stage_ == Stage::awaits_clock) return enqueue_next(queue, member, present);
  if (stage_ == Stage::listed) {
    const double expected = member.seconds_per_body(queue) * forecast_.ending();
    constexpr double longest = 1;  // seconds of a launch if all bodies were listed
    seconds = member.enqueue_listed(queue, present, softening, expected > budget ? budget : longest);
    if (!member.force_complete()) return seconds;
    member.end_substep(queue, present, terms_.step, false);
    forecast_.note(NbodyBlockForecast::Act::substep);
    stage_ = Stage::foresee;
    return seconds + expected;
  }
  if (stage_ == Stage::field) {
    seconds = member.enqueue_force(queue, 1 - present, softening, budget);
    if (!member.force_complete()) return seconds;
    member.end_field(queue);
    const std::int64_t step = terms_.first + forecast_.steps() - begun_at_;
    if (!member.holds_error() || step % TreeControl::interval != 0) return seconds + end_last(queue, member, present);
    member.begin_control(step / TreeControl::interval);
    stage_ = Stage::control;
    return seconds;
  }
  seconds = member.enqueue_control(queue, 1 - present, softening, budget);
  return member.control_complete() ? seconds + end_last(queue, member, present) : seconds;
}

double NbodyBlockBurst::enqueue_next(Queue& queue, NbodyMember& member, std::size_t present) {
  const NbodyBlockForecast::Act act = forecast_.next();
  if (act == NbodyBlockForecast::Act::open) {
    member.open_step(queue, present, terms_.step);
    forecast_.note(act);
    stage_ = Stage::foresee;
    return launch_seconds;
  }
  const bool last = act == NbodyBlockForecast::Act::last_substep;
  if (last && !forecast_.certain() && must_be_certain(queue, member)) {
    stage_ = Stage::awaits_clock;
    return 0;
  }
  member.begin_substep(queue, present, terms_.step, last);
  if (last) member.begin_force(terms_.step.by_potential() || (terms_.potential && ends_burst()), false);
  stage_ = last ? Stage::field : Stage::listed;
  return launch_seconds;
}

double NbodyBlockBurst::end_last(Queue& queue, NbodyMember& member, std::size_t present) {
  const bool ends = ends_burst();  // before note() counts this step
  member.end_substep(queue, present, terms_.step, true);
  forecast_.note(NbodyBlockForecast::Act::last_substep);
  stage_ = ends ? Stage::done : Stage::foresee;
  return launch_seconds;
}

// A field of all bodies that comes too early is wasted. Only the last field of a burst needs the potential.
bool NbodyBlockBurst::must_be_certain(Queue& queue, NbodyMember& member) const {
  constexpr double worth_waiting = 5e-4;
  const double seconds = member.seconds_per_body(queue) * static_cast<double>(member.worked_for());
  return ends_burst() || member.moves_all() || seconds > worth_waiting || !forecast_.knows_levels();
}

void NbodyBlockBurst::take_report(NbodyMember& member) {
  if (!reading_ || !member.blocks().reported()) return;
  reading_ = false;
  if (stage_ == Stage::awaits_clock) stage_ = Stage::foresee;
  clock_ = member.blocks().clock();
  if (clock_.moment() != block_ticks) levels_ = clock_.counts;
  forecast_.correct(clock_);
}

void NbodyBlockBurst::end_slice(Queue& queue, NbodyMember& member) {
  if (reading_ || forecast_.certain()) return;
  member.blocks().report(queue);
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
