/// The activity of a simulation on its device (its phase) and its plan (its course): two life cycles, each with a table
/// of legal transitions, and the rule for the next action at rest. Also the measurements of step_runner.hpp: the length
/// of parts, the rate of steps, refusals of the device. Plain values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <variant>
#include <vector>

namespace orrery::step {

/// A burst: the time steps between two pictures. A long one is computed in parts, so that backups fit in between.
struct Burst {
  std::int64_t before = 0;            ///< steps of the parts that are done
  std::int64_t steps = 0;             ///< steps of the present part; 0 evaluates forces only
  std::optional<std::int64_t> fixed;  ///< length of a burst that does not follow the settings, and has one part
  double work = 0;                    ///< work of all parts so far, in the simulation's unit
  double part_began = 0;              ///< seconds

  std::int64_t done() const { return before + steps; }
  bool has_more(std::int64_t wanted) const { return !fixed && steps > 0 && done() < wanted; }
};

/// Why a moment is published.
enum class Sight {
  first,  ///< the simulation has just been prepared: its forces are not known yet
  burst,  ///< a burst has ended
  again   ///< the simulation is paused, and more is known of the same moment
};

namespace phase {
struct Empty {};      ///< there is no device
struct Attached {};   ///< there is a device without any work
struct Preparing {};  ///< the first simulation on this device is being prepared
struct Vacant {};     ///< the preparation failed; other settings may help
struct Resting {      ///< the simulation is at a whole step: everything before it has been enqueued
  std::optional<Burst> unfinished;
};
struct Computing {  ///< a part of a burst is in flight
  Burst burst;
};
struct Unseen {  ///< the present moment waits for a free surface
  Burst burst;
  Sight sight = Sight::burst;
};
struct Lent {};  ///< a worker thread owns the simulation
}  // namespace phase

using Phase = std::variant<phase::Empty, phase::Attached, phase::Preparing, phase::Vacant, phase::Resting,
                           phase::Computing, phase::Unseen, phase::Lent>;
/// The phases in the variant's order.
enum class PhaseName : std::size_t { empty, attached, preparing, vacant, resting, computing, unseen, lent };
inline PhaseName name_of(const Phase& phase) { return static_cast<PhaseName>(phase.index()); }

enum class Event {
  attach,       ///< a device is given
  prepare,      ///< the preparation of a simulation begins
  fail,         ///< the preparation has failed without an alternative
  rest,         ///< a prepared simulation takes over, and rests
  show,         ///< a prepared simulation takes over, and is shown at once
  begin_burst,  ///< a part of a burst begins
  end_part,     ///< a part of a burst is complete, and more parts follow
  end_burst,    ///< the last part of a burst is done
  publish,      ///< the present moment has been handed to a surface
  show_again,   ///< more has become known of the present moment
  lend,         ///< a worker thread takes the simulation
  give_back,    ///< the worker thread has done its work
  interrupt,    ///< the device has refused a command: work in flight is discarded
  leave         ///< the device is released
};

/// The phase that the event leads to; nothing where the event is illegal in this phase.
std::optional<PhaseName> after(PhaseName phase, Event event);

/// The plan of a simulation.
enum class Course {
  go_on,      ///< it goes on as it is
  renew,      ///< it fetches its state and prepares everything again from it
  hand_over,  ///< it waits for a successor that continues its state
  replace,    ///< it goes on until a fresh successor is prepared
  mend,       ///< it cannot continue; a successor is being prepared
  leave       ///< its present state is fetched before the device is released
};
enum class Turn {
  renew,      ///< everything has to be prepared anew
  hand_over,  ///< the preparation of a successor from a state begins
  replace,    ///< the preparation of a fresh successor begins
  mend,       ///< the preparation of a successor begins after a refusal of the device
  arrive,     ///< the successor takes over
  give_up,    ///< the successor was cancelled, or its preparation failed
  leave       ///< the device is to be released
};

/// The course that the turn leads to; nothing where the turn is illegal on this course.
std::optional<Course> after(Course course, Turn turn);

/// Conditions of a simulation at rest.
struct AtRest {
  Course course = Course::go_on;
  bool expendable = false;   ///< the present state is on the host, has a successor, or has not been computed
  bool diverged = false;     ///< the present state has numbers that are not finite
  bool steps_wanted = true;  ///< the simulation is not paused, or is in the middle of a burst
};
enum class Next {
  stand,      ///< nothing is computed
  fetch,      ///< a copy of the present state is begun, unless one is under way
  hand_over,  ///< the preparation from the present state, which is on the host, begins
  rewind,     ///< likewise, from the last finite state
  watch,      ///< only requests to a paused simulation are computed
  compute     ///< the next part of a burst begins
};
Next next_of(const AtRest& at_rest);

}  // namespace orrery::step

namespace orrery {

/// The number of steps that take about half a second, found by doubling and halving.
class PartLength {
 public:
  std::int64_t steps() const { return steps_; }
  /// Adapts to a part that took these seconds, in a burst of that many steps.
  void fit(double seconds, std::int64_t burst) {
    constexpr double brief = 0.3, lengthy = 0.7;  // seconds
    if (seconds < brief && steps_ < burst) steps_ *= 2;
    if (seconds > lengthy) steps_ = std::max<std::int64_t>(1, steps_ / 2);
  }

 private:
  std::int64_t steps_ = 1;
};

/// Rates of two quantities over the last seconds, from the times at which bursts ended.
class RateMeter {
 public:
  struct Rate {
    double steps = 0, work = 0;  ///< per second
  };

  static constexpr double longest = 5;  ///< seconds over which there can be a rate

  /// A burst has ended at `when`, in seconds.
  void add(double when, Rate amount) {
    bursts_.push_back({when, amount});
    while (bursts_.size() > 2 && when - bursts_.front().when > longest) bursts_.pop_front();
  }
  /// The rate over the last seconds, or over the last two bursts if these are longer; 0 until two bursts have ended.
  /// The interval begins with the end of its first burst, whose work is not counted.
  Rate rate(double seconds = 1) const {
    Rate sum;
    if (bursts_.size() < 2) return sum;
    const double end = bursts_.back().when;
    const auto lately = [&](const Ended& burst) { return end - burst.when <= seconds; };
    const auto first = std::min(std::ranges::find_if(bursts_, lately), bursts_.end() - 2);
    const double interval = end - first->when;
    for (auto burst = first + 1; burst != bursts_.end() && interval > 0; ++burst) {
      sum.steps += burst->amount.steps / interval;
      sum.work += burst->amount.work / interval;
    }
    return sum;
  }

 private:
  struct Ended {
    double when;
    Rate amount;
  };
  std::deque<Ended> bursts_;
};

/// Distinguishes a device that refuses occasionally from a failed one.
class Refusals {
 public:
  /// The device has refused a command at `now`, in seconds. True when it did so too often lately.
  bool add(double now) {
    constexpr std::size_t most = 3;
    constexpr double interval = 10;  // seconds
    std::erase_if(times_, [&](double when) { return now - when > interval; });
    times_.push_back(now);
    return times_.size() >= most;
  }

 private:
  std::vector<double> times_;
};

}  // namespace orrery
