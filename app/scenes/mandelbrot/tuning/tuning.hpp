/// The variants of the kernels that iterate, and the choice of one of them.
///
/// The digits of a picture depend on the pixels per work-item; work-group and unrolling do not change them, as the
/// checks of tune targets confirm.
#pragma once

#include "compute/tuning/tune_target.hpp"
#include "scenes/mandelbrot/model/kernels.hpp"

namespace orrery::mandelbrot {

/// The pixels that are iterated: adjacent pixels that escape at very different n, or pixels that all take the same
/// steps.
enum class TuneView { boundary, interior };

std::string tuned_kernel(Precision precision);
std::string_view tuned_problem(TuneView view);
/// True for plain iteration, without perturbation or a ladder.
bool is_direct(Precision precision);
/// Axes work-group, lanes (not for perturbation), unroll (for direct iteration).
TuneSpace tune_space(const DeviceInfo& device, const Variant& standard);

NamedTuneValues named_values(const Variant& variant);
TuneValues tune_values(const Variant& variant);
TuneSubject tune_subject(Precision precision, TuneView view);
/// `base` with those values.
Variant variant_of(const TuneValues& values, const Variant& base);
/// `variant` with the user's choices. Throws a usage Error for values that the device does not support.
Variant chosen_variant(const DeviceInfo& device, const Variant& variant, const NamedTuneValues& chosen);
/// `standard`, with the work-group and unrolling that tuning found best, if the digits stay the same.
Variant tuned_variant(const DeviceInfo& device, const Variant& standard);
/// standard_variant(), with the results of tuning where `work_group` is 0. The digits stay the same.
Variant choose_variant(const DeviceInfo& device, Precision precision, std::int64_t work_group,
                       Purpose purpose = Purpose::picture);
/// With the settings' work-group and variant, else as above; with `exact` kernels where data must be right at any cost,
/// and with details where these are wanted.
Variant choose_variant(const DeviceInfo& device, const PrecisionChoice& choice, const MandelbrotSettings& settings,
                       Purpose purpose, bool detail = false);

/// The publishing kernel: only its work-group can be tuned.
inline constexpr std::string_view tuned_publish = "mandelbrot publish";

}  // namespace orrery::mandelbrot
