/// The variants of the kernels that iterate, and how one of them is chosen.
///
/// The digits of a picture follow from the pixels that a work-item holds; work-group and unrolling leave them alone,
/// which the checks of tune targets make sure of.
#pragma once

#include "compute/tuning/tune_target.hpp"
#include "scenes/mandelbrot/model/kernels.hpp"

namespace orrery::mandelbrot {

/// The pixels that are iterated: pixels beside each other that escape at very different n, or pixels that all take the
/// same steps.
enum class TuneView { boundary, interior };

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
/// `standard`, with the work-group and unrolling that tuning found best, where they are of the same digits.
Variant tuned_variant(const DeviceInfo& device, const Variant& standard);
/// standard_variant(), with what tuning has found to be faster where `work_group` is 0. The digits stay the same.
Variant choose_variant(const DeviceInfo& device, Precision precision, std::int64_t work_group,
                       Purpose purpose = Purpose::picture);
/// With the settings' work-group and variant, else likewise; with `exact` kernels where data are to be right
/// whatever they take, and with details where they are wanted.
Variant choose_variant(const DeviceInfo& device, const PrecisionChoice& choice, const MandelbrotSettings& settings,
                       Purpose purpose, bool detail = false);

/// The kernel that publishes: only its work-group can be tuned.
inline constexpr std::string_view tuned_publish = "mandelbrot publish";

}  // namespace orrery::mandelbrot
