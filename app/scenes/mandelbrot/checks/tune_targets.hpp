/// Tune targets time the kernels of pictures and check their results: direct iteration is compared
/// with the host's wherever rounding does not decide; perturbation and the ladder at some pixels with orbits in many
/// bits.
#pragma once

#include <memory>

#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {

/// `programs` must outlive it. Throws Error for anything that the device cannot do or hold, and a usage Error for the
/// inside of the set unless computed by direct iteration.
std::unique_ptr<TuneTarget> tune_target(ProgramLibrary& programs, Precision precision, TuneView view);

TuneSubject publish_tune_subject();
std::unique_ptr<TuneTarget> publish_tune_target(ProgramLibrary& programs);
/// The same as tune_target(), for perturbation or the ladder.
std::unique_ptr<TuneTarget> deep_tune_target(ProgramLibrary& programs, Precision precision);

}  // namespace orrery::mandelbrot
