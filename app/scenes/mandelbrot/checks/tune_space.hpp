/// Names and axes that tuning the kernels of pictures shares.
#pragma once

#include "scenes/mandelbrot/checks/tuning.hpp"

namespace orrery::mandelbrot {

std::string tuned_kernel(Precision precision);
std::string_view tuned_problem(TuneView view);
/// Iterated as they are, neither by perturbation nor on the ladder.
bool is_direct(Precision precision);
/// Axes work-group, lanes (not of perturbation), unroll (of direct iteration).
TuneSpace tune_space(const DeviceInfo& device, const Variant& standard);

NamedTuneValues named_values(const Variant& variant);
TuneValues tune_values(const Variant& variant);
TuneSubject tune_subject(Precision precision, TuneView view);
/// `base` with those values.
Variant variant_of(const TuneValues& values, const Variant& base);
/// `variant` with the axes that a person has chosen. Throws a usage Error for what the device cannot do.
Variant chosen_variant(const DeviceInfo& device, const Variant& variant, const NamedTuneValues& chosen);

}  // namespace orrery::mandelbrot
