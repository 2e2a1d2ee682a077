/// Names and axes that tuning direct iteration shares.
#pragma once

#include "model/mandelbrot/tuning.hpp"

namespace orrery::mandelbrot {

std::string tuned_kernel(Precision precision);
std::string_view tuned_problem(TuneView view);
/// Axes work-group, lanes, unroll.
TuneSpace tune_space(const DeviceInfo& device, const Variant& standard);

}  // namespace orrery::mandelbrot
