/// The order of a sweep: candidates to build and candidates to time.
#include <algorithm>

#include "compute/tuning/sweep.hpp"

namespace orrery {

bool Sweep::must_stop() const {
  if (cancelled_) return true;
  return elapsed() >= settings_.seconds && standard().state != TuneState::waiting &&
         standard().seconds.size() >= fewest_runs;
}

// The standard and the best run beside each batch, so that all are measured under the same conditions.
std::set<std::size_t> Sweep::beside_batch() const {
  std::set<std::size_t> result{0};
  for (const bool keeping_bits : {false, true})
    if (const auto leader = index_of_best(keeping_bits)) result.insert(*leader);
  return result;
}

bool Sweep::must_build(std::size_t index) const {
  return !samples_[index].run && (entries_[index].state == TuneState::waiting || entries_[index].right());
}

void Sweep::begin_next(double budget) {
  activity_ = Activity::none;
  if (phase_ == Phase::done) return;
  if (phase_ == Phase::reference) {
    activity_ = Activity::reference;
    reference_.start([this] {
      target_.prepare_reference();
      return true;
    });
    return;
  }
  if (phase_ == Phase::confirming || must_stop()) return begin_confirming(budget);
  for (const std::size_t index : beside_batch())
    if (must_build(index)) return begin_building(index);
  if (const auto index = next_of_round(true)) return begin_run(*index, Activity::timed_run, budget);
  for (const std::size_t index : batch_)
    if (entries_[index].state == TuneState::waiting) return begin_building(index);
  if (const auto index = next_of_round(false)) return begin_run(*index, Activity::timed_run, budget);
  close_batch();
  if (!open_batch()) {
    complete_ = true;
    begin_confirming(budget);
  }
}

// Rounds in random order over the batch, the standard and the best. New candidates run as often as an interval needs
// before the next is built, so that building takes no time from promising ones.
std::optional<std::size_t> Sweep::next_of_round(bool only_new) {
  if (round_.empty()) begin_round(only_new);
  while (!round_.empty()) {
    const std::size_t index = round_.back();
    round_.pop_back();
    if (entries_[index].right() && entries_[index].state != TuneState::slower && samples_[index].run) return index;
  }
  return std::nullopt;
}

void Sweep::begin_round(bool only_new) {
  const auto is_open = [&](std::size_t index) {
    const TuneEntry& entry = entries_[index];
    return entry.state == TuneState::measuring && !is_settled(entry) &&
           (!only_new || entry.seconds.size() < fewest_runs);
  };
  std::set<std::size_t> alive = beside_batch();
  if (!is_open(0) && std::ranges::none_of(batch_, is_open)) return;
  for (const std::size_t index : batch_)
    if (!only_new || is_open(index)) alive.insert(index);
  round_.assign(alive.begin(), alive.end());
  std::ranges::shuffle(round_, random_);
}

void Sweep::close_batch() {
  const std::set<std::size_t> kept = beside_batch();
  for (const std::size_t index : batch_) {
    if (entries_[index].state == TuneState::measuring && is_settled(entries_[index]))
      entries_[index].state = TuneState::measured;
    if (!kept.contains(index)) samples_[index].run.reset();
  }
  batch_.clear();
}

bool Sweep::open_batch() {
  if (exhaustive_) {
    for (std::size_t k = 0; k < target_.space().points(); ++k)
      if (add(target_.canonical(target_.space().point(k)))) batch_.push_back(entries_.size() - 1);
    return !batch_.empty();
  }
  return open_line() || open_probes();
}

// Coordinate descent along the axes, until no axis improves.
bool Sweep::open_line() {
  const std::size_t axes = target_.space().axes.size();
  const TuneValues centre = best() != nullptr ? best()->values : standard().values;
  if (centre != line_of_) lines_without_gain_ = 0;
  line_of_ = centre;
  for (; lines_without_gain_ < axes && batch_.empty(); ++lines_without_gain_, axis_ = (axis_ + 1) % axes)
    for (const TuneValues& values : target_.space().line(centre, axis_))
      if (add(target_.canonical(values))) batch_.push_back(entries_.size() - 1);
  return !batch_.empty();
}

bool Sweep::open_probes() {
  std::uniform_int_distribution<std::size_t> any(0, target_.space().points() - 1);
  constexpr int most_draws = 4096;
  for (int draw = 0; draw < most_draws && batch_.size() < settings_.probes; ++draw)
    if (const TuneValues values = target_.canonical(target_.space().point(any(random_)));
        !seen_.contains(values) && target_.refuse(values).empty() && add(values))
      batch_.push_back(entries_.size() - 1);
  return !batch_.empty();
}

// The best candidate is checked again after its timed runs.
void Sweep::begin_confirming(double budget) {
  if (phase_ != Phase::confirming) close_batch();
  phase_ = Phase::confirming;
  const auto leader = index_of_best(false);
  if (!leader || cancelled_) return end(complete_);
  if (samples_[*leader].run) return begin_run(*leader, Activity::checked_run, budget);
  begin_building(*leader);
}

}  // namespace orrery
