#include "scene/step_phase.hpp"

#include "base/transition_table.hpp"

namespace orrery::step {
namespace {

using P = PhaseName;
using E = Event;
constexpr std::array phases = std::to_array<Transition<PhaseName, Event>>({
    {P::empty, E::attach, P::attached},
    {P::attached, E::prepare, P::preparing},
    {P::preparing, E::prepare, P::preparing},
    {P::vacant, E::prepare, P::preparing},
    {P::preparing, E::fail, P::vacant},
    {P::preparing, E::rest, P::resting},
    {P::preparing, E::show, P::unseen},
    // A successor takes over in any phase but lent.
    {P::resting, E::rest, P::resting},
    {P::resting, E::show, P::unseen},
    {P::computing, E::rest, P::resting},
    {P::computing, E::show, P::unseen},
    {P::unseen, E::rest, P::resting},
    {P::unseen, E::show, P::unseen},
    {P::resting, E::begin_burst, P::computing},
    {P::computing, E::end_part, P::resting},
    {P::computing, E::end_burst, P::unseen},
    {P::resting, E::show_again, P::unseen},
    {P::unseen, E::publish, P::resting},
    {P::resting, E::lend, P::lent},
    {P::lent, E::give_back, P::resting},
    {P::resting, E::interrupt, P::resting},
    {P::computing, E::interrupt, P::resting},
    {P::unseen, E::interrupt, P::resting},
    {P::attached, E::leave, P::empty},
    {P::preparing, E::leave, P::empty},
    {P::vacant, E::leave, P::empty},
    {P::resting, E::leave, P::empty},
    {P::computing, E::leave, P::empty},
    {P::unseen, E::leave, P::empty},
    {P::lent, E::leave, P::empty},
});

using C = Course;
using T = Turn;
constexpr std::array courses = std::to_array<Transition<Course, Turn>>({
    {C::go_on, T::renew, C::renew},
    {C::go_on, T::hand_over, C::hand_over},
    {C::go_on, T::replace, C::replace},
    {C::go_on, T::mend, C::mend},
    {C::go_on, T::arrive, C::go_on},
    {C::go_on, T::give_up, C::go_on},
    {C::go_on, T::leave, C::leave},
    {C::renew, T::renew, C::renew},
    {C::renew, T::hand_over, C::hand_over},
    {C::renew, T::replace, C::replace},
    {C::renew, T::mend, C::mend},
    {C::renew, T::arrive, C::renew},  // the request came after the preparation had begun
    {C::renew, T::give_up, C::go_on},
    {C::renew, T::leave, C::leave},
    {C::hand_over, T::renew, C::renew},
    {C::hand_over, T::hand_over, C::hand_over},
    {C::hand_over, T::replace, C::replace},
    {C::hand_over, T::mend, C::mend},
    {C::hand_over, T::arrive, C::go_on},
    {C::hand_over, T::give_up, C::go_on},
    {C::hand_over, T::leave, C::leave},
    {C::replace, T::renew, C::renew},
    {C::replace, T::hand_over, C::hand_over},
    {C::replace, T::replace, C::replace},
    {C::replace, T::mend, C::mend},
    {C::replace, T::arrive, C::go_on},
    {C::replace, T::give_up, C::go_on},
    {C::replace, T::leave, C::leave},
    // A simulation that is being mended must not continue, whichever successor replaces it.
    {C::mend, T::hand_over, C::mend},
    {C::mend, T::replace, C::mend},
    {C::mend, T::mend, C::mend},
    {C::mend, T::arrive, C::go_on},
    {C::mend, T::leave, C::leave},
    // Only a detached device ends this course; a successor in preparation still arrives.
    {C::leave, T::renew, C::leave},
    {C::leave, T::hand_over, C::leave},
    {C::leave, T::replace, C::leave},
    {C::leave, T::mend, C::leave},
    {C::leave, T::arrive, C::leave},
    {C::leave, T::give_up, C::leave},
    {C::leave, T::leave, C::leave},
});

}  // namespace

std::optional<PhaseName> after(PhaseName phase, Event event) { return looked_up(phases, phase, event); }
std::optional<Course> after(Course course, Turn turn) { return looked_up(courses, course, turn); }

Next next_of(const AtRest& at_rest) {
  switch (at_rest.course) {
    case Course::go_on:
    case Course::replace:
      return at_rest.steps_wanted ? Next::compute : Next::watch;
    case Course::renew:
      if (at_rest.diverged) return Next::rewind;
      return at_rest.expendable ? Next::hand_over : Next::fetch;
    case Course::leave:
      return at_rest.expendable || at_rest.diverged ? Next::stand : Next::fetch;
    case Course::hand_over:
    case Course::mend:
      break;
  }
  return Next::stand;
}

}  // namespace orrery::step
