/// Tunes direct iteration: its search space, and how results are checked.
///
/// The digits of a picture follow from the pixels that a work-item holds; work-group and unrolling leave them alone,
/// which the check makes sure of.
#pragma once

#include <memory>

#include "compute/tune_target.hpp"
#include "model/mandelbrot/kernels.hpp"

namespace orrery::mandelbrot {

/// What is iterated: pixels beside each other that escape at very different n, or pixels that all take the same steps.
enum class TuneView { boundary, interior };

/// `standard`, with the work-group and unrolling that tuning found best, where they are of the same digits.
Variant tuned_variant(const DeviceInfo& device, const Variant& standard);

/// Direct iteration, `precision` single or double. `programs` must outlive it. Throws Error for what the device cannot
/// do or hold.
std::unique_ptr<TuneTarget> tune_target(ProgramLibrary& programs, Precision precision, TuneView view);

}  // namespace orrery::mandelbrot
