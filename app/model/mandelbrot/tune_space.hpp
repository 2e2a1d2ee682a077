/// Names and axes that tuning direct iteration shares.
#pragma once

#include "model/mandelbrot/tuning.hpp"

namespace orrery::mandelbrot {

std::string tuned_kernel(Precision precision);
std::string_view tuned_problem(TuneView view);
/// Axes work-group, lanes, unroll.
TuneSpace tune_space(const DeviceInfo& device, const Variant& standard);

NamedTuneValues named_values(const Variant& variant);
TuneValues tune_values(const Variant& variant);
TuneSubject tune_subject(Precision precision, TuneView view);
/// `base` with those values.
Variant variant_of(const TuneValues& values, const Variant& base);
/// `variant` with the axes that a person has chosen. Throws a usage Error for what the device cannot do.
Variant chosen_variant(const DeviceInfo& device, const Variant& variant, const NamedTuneValues& chosen);

}  // namespace orrery::mandelbrot
