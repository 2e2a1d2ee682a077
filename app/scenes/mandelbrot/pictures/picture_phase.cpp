#include "scenes/mandelbrot/pictures/picture_phase.hpp"

#include "base/transition_table.hpp"

namespace orrery::mandelbrot {
namespace {

using P = PicturePhase;
using E = PictureEvent;
constexpr std::array pictures = std::to_array<Transition<P, E>>({
    {P::resting, E::begin, P::iterating},
    {P::iterating, E::begin, P::iterating},
    {P::deepening, E::begin, P::iterating},
    {P::finished, E::begin, P::iterating},
    {P::resting, E::raise, P::deepening},
    {P::iterating, E::raise, P::iterating},  // after a refusal the previous picture continues
    {P::deepening, E::raise, P::deepening},
    {P::resting, E::rest, P::resting},
    {P::iterating, E::rest, P::resting},
    {P::deepening, E::rest, P::resting},
    {P::resting, E::finish, P::finished},
    {P::resting, E::stir, P::resting},
    {P::iterating, E::stir, P::iterating},
    {P::deepening, E::stir, P::deepening},
    {P::finished, E::stir, P::resting},
    {P::finished, E::doubt, P::resting},
    {P::resting, E::refuse, P::resting},
    {P::iterating, E::refuse, P::iterating},
    {P::deepening, E::refuse, P::deepening},
    {P::finished, E::refuse, P::resting},
});

using W = Publication;
using V = PublicationEvent;
constexpr std::array publications = std::to_array<Transition<W, V>>({
    {W::settled, V::change, W::due},
    {W::due, V::change, W::due},
    {W::writing, V::change, W::overtaken},
    {W::overtaken, V::change, W::overtaken},
    {W::due, V::write, W::writing},
    {W::writing, V::arrive, W::settled},
    {W::overtaken, V::arrive, W::due},
    {W::settled, V::drop, W::settled},
    {W::due, V::drop, W::settled},
    {W::writing, V::drop, W::writing},
    {W::overtaken, V::drop, W::writing},
});

using S = SampleSurface;
using T = SampleEvent;
constexpr std::array surfaces = std::to_array<Transition<S, T>>({
    {S::vacant, T::write, S::writing},
    {S::writing, T::arrive, S::arrived},
    {S::writing, T::discard, S::vacant},
    {S::unwanted, T::discard, S::vacant},
    {S::arrived, T::take, S::vacant},
    {S::vacant, T::drop, S::vacant},
    {S::writing, T::drop, S::unwanted},
    {S::unwanted, T::drop, S::unwanted},
    {S::arrived, T::drop, S::vacant},
});

}  // namespace

std::optional<PicturePhase> after(PicturePhase phase, PictureEvent event) { return looked_up(pictures, phase, event); }

std::optional<Publication> after(Publication phase, PublicationEvent event) {
  return looked_up(publications, phase, event);
}

std::optional<SampleSurface> after(SampleSurface phase, SampleEvent event) { return looked_up(surfaces, phase, event); }

}  // namespace orrery::mandelbrot
