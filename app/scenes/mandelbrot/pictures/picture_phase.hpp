/// The life cycles behind the pictures of a window: of the picture that was begun last, of its way to the screen, and
/// of its further samples. Each has one table of its legal transitions. Plain values: any thread, no device.
#pragma once

#include <optional>

namespace orrery::mandelbrot {

/// The work that the device does for the picture that was begun last.
enum class PicturePhase {
  resting,    ///< nothing: the picture is complete up to its limit, or it was given up, or there is none yet
  iterating,  ///< the picture is computed, or waits for its reference orbit; its time is being taken
  deepening,  ///< the picture is complete up to its limit, and continues to a higher one
  finished    ///< nothing, and nothing more is to come: the base shows all of the picture, in a view at rest
};
enum class PictureEvent {
  begin,   ///< another picture is begun
  raise,   ///< the picture is to continue to a higher limit
  rest,    ///< the renderer has nothing to do: its work is done, or it is a new renderer
  finish,  ///< the base shows all of the picture, and the view is at rest
  stir,    ///< a frame begins: it determines again whether the picture is finished
  doubt,   ///< a proof has found errors in the finished picture, which needs other numbers
  refuse   ///< the device has refused a command; the timing under way ends when the next renderer rests
};

/// The phase that the event leads to; nothing where the event is illegal in this phase.
std::optional<PicturePhase> after(PicturePhase phase, PictureEvent event);

/// The state of a picture's newest values on their way to the screen.
enum class Publication {
  settled,   ///< they have arrived in a surface, or there are none
  due,       ///< they wait to be written
  writing,   ///< they are being written to a surface
  overtaken  ///< older values are being written
};
enum class PublicationEvent {
  change,  ///< there are newer values
  write,   ///< the newest values are being written from now on
  arrive,  ///< the values being written have arrived
  drop     ///< values that wait are not to be written
};

/// The state that the event leads to; nothing where the event is illegal in this state.
std::optional<Publication> after(Publication phase, PublicationEvent event);

/// The state of a further sample on its way to the screen.
enum class SampleSurface {
  vacant,
  writing,   ///< a sample is being written to the surface
  unwanted,  ///< the sample that is being written is not wanted any more
  arrived    ///< a sample waits to be drawn
};
enum class SampleEvent {
  write,    ///< a sample is being written from now on
  arrive,   ///< the sample that was being written has arrived, and is to be drawn
  discard,  ///< the sample that was being written has arrived, and is of no use
  take,     ///< the sample has been drawn
  drop      ///< samples that have not been drawn are not wanted
};

/// The state that the event leads to; nothing where the event is illegal in this state.
std::optional<SampleSurface> after(SampleSurface phase, SampleEvent event);

}  // namespace orrery::mandelbrot
