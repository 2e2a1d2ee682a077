#include "scenes/mandelbrot/tuning/tuning.hpp"

#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/tuning/tuned.hpp"
#include "compute/tuning/variant_text.hpp"

namespace orrery::mandelbrot {

std::string tuned_kernel(Precision precision) { return "mandelbrot, " + std::string(name_of(precision)); }

std::string_view tuned_problem(TuneView view) { return view == TuneView::boundary ? "boundary" : "interior"; }

bool is_direct(Precision precision) { return precision == Precision::single || precision == Precision::double_; }

// In perturbation each work-item has one orbit; only direct iteration tests for an escape less often than each step.
TuneSpace tune_space(const DeviceInfo& device, const Variant& standard) {
  const bool cpu = device.device_class == DeviceClass::cpu;
  TuneSpace space{{powers_of_two("work-group", cpu ? 1 : 32, cpu ? 128 : 1024, standard.work_group)}};
  if (standard.precision == Precision::perturbation) return space;
  space.axes.push_back(powers_of_two("lanes", 1, cpu ? 16 : 4, standard.lanes));
  if (is_direct(standard.precision))
    space.axes.push_back(powers_of_two("unroll", cpu ? 2 : 8, cpu ? 32 : 256, standard.unroll));
  return space;
}

NamedTuneValues named_values(const Variant& variant) {
  NamedTuneValues values{{"work-group", std::to_string(variant.work_group)}};
  if (variant.precision != Precision::perturbation) values["lanes"] = std::to_string(variant.lanes);
  if (is_direct(variant.precision)) values["unroll"] = std::to_string(variant.unroll);
  return values;
}

TuneValues tune_values(const Variant& variant) {
  TuneValues values{variant.work_group};
  if (variant.precision != Precision::perturbation) values.push_back(variant.lanes);
  if (is_direct(variant.precision)) values.push_back(variant.unroll);
  return values;
}

TuneSubject tune_subject(Precision precision, TuneView view) {
  TuneSubject subject{.kernel = tuned_kernel(precision),
                      .problem = std::string(tuned_problem(view)),
                      .files = {"mandelbrot.cl"},
                      .work = 0,
                      .unit = is_direct(precision) ? "iterations" : "steps"};
  if (is_ladder(precision)) subject.files = {"mandelbrot_ladder.cl"};
  if (precision == Precision::perturbation) subject.files = {"mandelbrot_perturbation.cl"};
  return subject;
}

Variant variant_of(const TuneValues& values, const Variant& base) {
  Variant variant = base;
  variant.work_group = static_cast<std::uint32_t>(values[0]);
  if (values.size() > 1) variant.lanes = static_cast<std::uint32_t>(values[1]);
  if (values.size() > 2) variant.unroll = static_cast<std::uint32_t>(values[2]);
  return variant;
}

Variant chosen_variant(const DeviceInfo& device, const Variant& base, const NamedTuneValues& chosen) {
  if (chosen.empty()) return base;
  const TuneValues values = tune_space(device, base).overlaid(tune_values(base), chosen);
  const Variant variant = variant_of(values, base);
  if (const std::string refusal = work_group_refusal(variant.work_group, device); !refusal.empty())
    throw usage_error("--variant: work-group " + std::to_string(variant.work_group) + ": " + refusal, {}, {},
                      device.name);
  return variant;
}

Variant tuned_variant(const DeviceInfo& device, const Variant& standard) {
  const auto found = tuned(device, tuned_kernel(standard.precision), tuned_problem(TuneView::boundary));
  const TuneSpace space = tune_space(device, standard);
  const auto values = found ? space.values(*found) : std::nullopt;
  if (!values) return standard;
  const Variant variant = variant_of(*values, standard);
  return variant.lanes == standard.lanes && work_group_refusal(variant.work_group, device).empty() ? variant : standard;
}

Variant choose_variant(const DeviceInfo& device, Precision precision, std::int64_t work_group, Purpose purpose) {
  const Variant variant = standard_variant(device, precision, work_group, purpose);
  return work_group == 0 ? tuned_variant(device, variant) : variant;
}

Variant choose_variant(const DeviceInfo& device, const PrecisionChoice& choice, const MandelbrotSettings& settings,
                       Purpose purpose, bool detail) {
  Variant variant = choose_variant(device, choice.precision, settings.work_group, purpose);
  variant = chosen_variant(device, variant, choice_for(settings.variant, name_of(choice.precision)));
  variant.publish = chosen_element_group(device, 2, tuned_publish, choice_for(settings.variant, launch::publish));
  variant.formula = choice.formula;
  variant.exact = choice.exact;
  variant.detail = detail;
  return variant;
}

}  // namespace orrery::mandelbrot
