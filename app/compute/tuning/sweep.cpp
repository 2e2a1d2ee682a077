#include "compute/tuning/sweep.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace orrery {

Sweep::Sweep(TuneTarget& target, SweepSettings settings, const KnownEntries& known)
    : target_(target),
      settings_(std::move(settings)),
      random_(settings_.seed),
      began_(settings_.now()),
      host_times_(known.host_times) {
  add(target_.canonical(target_.standard()));
  for (const TuneEntry& entry : known.entries) take_up(entry);
  const TuneSpace& space = target_.space();
  std::set<TuneValues> legal;
  for (std::size_t k = 0; k < space.points() && legal.size() <= settings_.exhaustive; ++k) {
    TuneValues values = target_.canonical(space.point(k));
    if (target_.refuse(values).empty()) legal.insert(std::move(values));
  }
  exhaustive_ = legal.size() <= settings_.exhaustive;
}

// The standard and unfinished candidates are built and checked again.
void Sweep::take_up(const TuneEntry& entry) {
  const bool is_standard = entry.values == standard().values;
  if (!is_standard && !add(entry.values)) return;
  const std::size_t index = is_standard ? 0 : entries_.size() - 1;
  (host_times_ ? samples_[index].host : samples_[index].device) = entry.seconds;
  const bool finished = entry.state != TuneState::waiting && entry.state != TuneState::measuring;
  if (!is_standard && finished) {
    entries_[index].state = entry.state;
    entries_[index].reason = entry.reason;
  } else if (!is_standard) {
    batch_.push_back(index);
  }
  summarise(index);
}

bool Sweep::add(const TuneValues& values) {
  if (!seen_.insert(values).second) return false;
  entries_.push_back({.values = values, .keeps_bits = target_.keeps_bits(values)});
  samples_.emplace_back();
  if (std::string reason = target_.refuse(values); !reason.empty()) {
    entries_.back().state = TuneState::rejected;
    entries_.back().reason = std::move(reason);
    return false;
  }
  return true;
}

bool Sweep::step(double budget) {
  if (phase_ == Phase::done) return false;
  if (activity_ == Activity::none || progressed(budget)) begin_next(budget);
  return phase_ != Phase::done;
}

// ---- running work

bool Sweep::progressed(double budget) {
  try {
    switch (activity_) {
      case Activity::reference:
        if (!reference_.poll()) return false;
        phase_ = Phase::trying;
        break;
      case Activity::building:
        return poll_building(budget);
      case Activity::checked_run:
      case Activity::timed_run:
        return poll_run(budget);
      case Activity::checking:
        return poll_check();
      case Activity::none:
        break;
    }
  } catch (const std::exception& error) {
    if (activity_ == Activity::reference) {
      fault_ = std::string("no reference result: ") + error.what();
      end(false);
    } else {
      give_up(current_, activity_ == Activity::building ? TuneState::rejected : TuneState::failed, error.what());
    }
  }
  activity_ = Activity::none;
  return true;
}

void Sweep::begin_building(std::size_t index) {
  current_ = index;
  activity_ = Activity::building;
  building_.start([this, values = entries_[index].values] { return target_.prepare(values); });
}

bool Sweep::poll_building(double budget) {
  auto built = building_.poll();
  if (!built) return false;
  samples_[current_].run = std::move(*built);
  begin_run(current_, Activity::checked_run, budget);
  return false;
}

void Sweep::begin_run(std::size_t index, Activity activity, double budget) {
  current_ = index;
  activity_ = activity;
  times_ = {0.0, 0.0};
  try {
    if (activity == Activity::checked_run) target_.arm();
    samples_[index].run->begin();
    enqueue_slice(budget);
  } catch (const std::exception& error) {
    give_up(index, TuneState::failed, error.what());
    activity_ = Activity::none;
  }
}

void Sweep::enqueue_slice(double budget) {
  slice_ = Slice::due;
  if (budget <= 0) return;
  asked_ = budget;
  const bool whole = samples_[current_].run->enqueue(budget * samples_[current_].pace);
  slice_ = whole ? Slice::last : Slice::enqueued;
}

bool Sweep::poll_run(double budget) {
  constexpr double tolerable = 2;  // multiple of the requested time
  if (slice_ != Slice::due) {
    const auto slice = samples_[current_].run->poll();
    if (!slice) return false;
    times_.host += slice->host;
    times_.device = times_.device && slice->device ? std::optional(*times_.device + *slice->device) : std::nullopt;
    // Measured in the checked run, so that all timed runs are cut alike.
    const double took = slice->device.value_or(slice->host);
    if (activity_ == Activity::checked_run && took > tolerable * asked_) samples_[current_].pace *= asked_ / took;
  }
  if (slice_ != Slice::last) {
    enqueue_slice(budget);
    return false;
  }
  if (activity_ == Activity::checked_run) {  // also the warm-up: not timed
    activity_ = Activity::checking;
    target_.begin_check(entries_[current_].values);
    return false;
  }
  account();
  activity_ = Activity::none;
  return true;
}

bool Sweep::poll_check() {
  const auto error = target_.poll_check();
  if (!error) return false;
  if (!error->empty()) {
    give_up(current_, TuneState::wrong, *error);
  } else if (phase_ == Phase::confirming) {
    end(complete_);
  } else if (entries_[current_].state == TuneState::waiting) {
    entries_[current_].state = TuneState::measuring;
  }
  activity_ = Activity::none;
  return true;
}

void Sweep::give_up(std::size_t index, TuneState state, std::string reason) {
  TuneEntry& entry = entries_[index];
  entry.state = state;
  entry.reason = std::move(reason);
  samples_[index].run.reset();
  if (index != 0) return;
  fault_ = std::string(name_of(state)) + ": " + entry.reason;
  end(false);
}

std::string Sweep::give_up_running(std::string reason) {
  TuneEntry& entry = entries_[current_];
  entry.state = TuneState::failed;
  entry.reason = std::move(reason);
  phase_ = Phase::done;
  return target_.space().text(entry.values) + ": " + entry.reason;
}

namespace {

void keep_last(std::vector<double>& sample, double value, std::size_t most) {
  if (sample.size() >= most) sample.erase(sample.begin());
  sample.push_back(value);
}

}  // namespace

void Sweep::account() {
  Samples& samples = samples_[current_];
  keep_last(samples.host, times_.host, settings_.most_runs);
  keep_last(samples.device, times_.device.value_or(0), settings_.most_runs);
  if (times_.device || host_times_) {
    summarise(current_);
  } else {
    host_times_ = true;
    for (std::size_t k = 0; k < entries_.size(); ++k) summarise(k);
  }
  drop_slow_ones();
}

void Sweep::summarise(std::size_t index) {
  TuneEntry& entry = entries_[index];
  entry.seconds = host_times_ ? samples_[index].host : samples_[index].device;
  entry.summarise();
  if (!entry.seconds.empty() || (entry.state != TuneState::measured && entry.state != TuneState::slower)) return;
  entry.state = TuneState::waiting;  // its times come from another clock
  batch_.push_back(index);
}

// ---- choice of candidates to measure

bool Sweep::is_settled(const TuneEntry& entry) const {
  if (entry.state != TuneState::measuring || entry.seconds.size() >= settings_.most_runs) return true;
  return entry.seconds.size() >= fewest_runs &&
         entry.interval.upper - entry.interval.lower <= 2 * settings_.spread * entry.median;
}

// Clearly slower: the intervals are disjoint. A candidate whose fastest run takes twice as long as another's slowest
// needs no interval. Bit-identical candidates are compared with each other, because auto chooses one of them.
void Sweep::drop_slow_ones() {
  for (const std::size_t index : batch_) {
    TuneEntry& entry = entries_[index];
    const auto leader = index_of_best(entry.keeps_bits);
    if (entry.state != TuneState::measuring || index == leader || index == 0 || entry.seconds.size() < 2) continue;
    const bool slower =
        entries_[*leader].seconds.size() >= fewest_runs && entry.interval.lower > entries_[*leader].interval.upper;
    if (!slower && std::ranges::min(entry.seconds) <= 2 * bound_of_others(entry.keeps_bits)) continue;
    entry.state = TuneState::slower;
    samples_[index].run.reset();
  }
}

double Sweep::bound_of_others(bool keeping_bits) const {
  double bound = std::numeric_limits<double>::infinity();
  for (const TuneEntry& entry : entries_)
    if (entry.right() && entry.seconds.size() >= 2 && (entry.keeps_bits || !keeping_bits))
      bound = std::min(bound, std::ranges::max(entry.seconds));
  return bound;
}

std::optional<std::size_t> Sweep::index_of_best(bool keeping_bits) const {
  std::optional<std::size_t> found;
  const auto well_known = [&](const TuneEntry& entry) { return entry.seconds.size() >= fewest_runs; };
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const TuneEntry& entry = entries_[k];
    if (!entry.right() || entry.seconds.empty() || (keeping_bits && !entry.keeps_bits)) continue;
    if (!found || (well_known(entry) == well_known(entries_[*found]) ? entry.median < entries_[*found].median
                                                                     : well_known(entry)))
      found = k;
  }
  return found;
}

const TuneEntry* Sweep::best() const {
  const auto index = index_of_best(false);
  return index ? &entries_[*index] : nullptr;
}

const TuneEntry* Sweep::choice() const {
  const auto index = index_of_best(true);
  return index ? &entries_[*index] : nullptr;
}

void Sweep::end(bool complete) {
  complete_ = complete;
  phase_ = Phase::done;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    samples_[k].run.reset();
    if (entries_[k].state == TuneState::measuring && is_settled(entries_[k])) entries_[k].state = TuneState::measured;
  }
}

double Sweep::progress() const { return done() ? 1 : std::min(1.0, elapsed() / settings_.seconds); }

std::string Sweep::activity() const {
  if (activity_ == Activity::none) return {};
  if (activity_ == Activity::reference) return "computing the reference";
  const char* doing = activity_ == Activity::building    ? "building "
                      : activity_ == Activity::timed_run ? "timing "
                                                         : "checking ";
  return doing + target_.space().text(entries_[current_].values);
}

}  // namespace orrery
