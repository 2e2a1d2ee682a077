/// What a simulation is doing on its device (its phase), and where it is bound (its course): two life cycles, each with
/// one table of its legal transitions, and the rule for what comes next while the simulation rests. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace orrery::step {

/// A burst: the time steps between two pictures. A long one is computed in parts, so that backups fit in between.
struct Burst {
  std::int64_t before = 0;            ///< steps of the parts that are done
  std::int64_t steps = 0;             ///< of the present part; 0 evaluates forces only
  std::optional<std::int64_t> fixed;  ///< length of a burst that does not follow the settings, and has one part
  double work = 0;                    ///< of all parts so far, as the simulation counts it
  double part_began = 0;              ///< seconds

  std::int64_t done() const { return before + steps; }
  bool has_more(std::int64_t wanted) const { return !fixed && steps > 0 && done() < wanted; }
};

/// Why a moment is published.
enum class Sight {
  first,  ///< the simulation has just been prepared: its forces are not known yet
  burst,  ///< a burst has ended
  again   ///< the simulation stands still, and more has become known of the same moment
};

namespace phase {
struct Empty {};      ///< there is no device
struct Attached {};   ///< there is a device, on which nothing has been begun
struct Preparing {};  ///< the first simulation on this device is being prepared
struct Vacant {};     ///< nothing could be prepared; other settings may help
struct Resting {      ///< the simulation is at a whole step: everything before it has been enqueued
  std::optional<Burst> unfinished;
};
struct Computing {  ///< a part of a burst is in flight
  Burst burst;
};
struct Unseen {  ///< the simulation is at a moment that is published as soon as a surface is free
  Burst burst;
  Sight sight = Sight::burst;
};
struct Lent {};  ///< a worker thread has the simulation to itself
}  // namespace phase

using Phase = std::variant<phase::Empty, phase::Attached, phase::Preparing, phase::Vacant, phase::Resting,
                           phase::Computing, phase::Unseen, phase::Lent>;
/// The phases in the variant's order.
enum class PhaseName : std::size_t { empty, attached, preparing, vacant, resting, computing, unseen, lent };
inline PhaseName name_of(const Phase& phase) { return static_cast<PhaseName>(phase.index()); }

enum class Event {
  attach,       ///< a device is given
  prepare,      ///< the preparation of a simulation begins
  fail,         ///< the preparation has failed, and there is nothing else to try
  rest,         ///< a prepared simulation takes over, and rests
  show,         ///< a prepared simulation takes over, and is shown at once
  begin_burst,  ///< a part of a burst begins
  end_part,     ///< a part of a burst is complete, and more parts follow
  end_burst,    ///< the last part of a burst is done
  publish,      ///< the present moment has been handed to a surface
  show_again,   ///< more has become known of the present moment
  lend,         ///< a worker thread takes the simulation
  give_back,    ///< the worker thread has done its work
  interrupt,    ///< the device has refused a command: what is in flight is of no use
  leave         ///< the device is let go
};

/// The phase that the event leads to; nothing where the event is illegal in this phase.
std::optional<PhaseName> after(PhaseName phase, Event event);

/// Where a simulation is bound.
enum class Course {
  go_on,      ///< it goes on as it is
  renew,      ///< its present state is fetched, and everything is prepared anew from it
  hand_over,  ///< it stands still until its successor, which goes on from a state of it, is prepared
  replace,    ///< it goes on until its successor, which begins afresh, is prepared
  mend,       ///< it cannot go on; its successor is being prepared
  leave       ///< its present state is fetched, because its device is to be let go
};
enum class Turn {
  renew,      ///< everything has to be prepared anew
  hand_over,  ///< the preparation of a successor from a state begins
  replace,    ///< the preparation of a fresh successor begins
  mend,       ///< the preparation of a successor begins after a refusal of the device
  arrive,     ///< the successor takes over
  give_up,    ///< the successor is not wanted any more, or could not be prepared
  leave       ///< the device is to be let go
};

/// The course that the turn leads to; nothing where the turn is illegal on this course.
std::optional<Course> after(Course course, Turn turn);

/// What is known of a simulation that rests.
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
  rewind,     ///< the same from the last state that was finite
  watch,      ///< nothing is computed but what a paused simulation may be asked
  compute     ///< the next part of a burst begins
};
Next next_of(const AtRest& at_rest);

}  // namespace orrery::step
