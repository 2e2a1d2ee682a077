#include "model/mandelbrot/tuning.hpp"

#include "base/error.hpp"
#include "compute/kernel_limits.hpp"
#include "compute/tuned.hpp"
#include "model/mandelbrot/tune_space.hpp"

namespace orrery::mandelbrot {

std::string tuned_kernel(Precision precision) { return "mandelbrot, " + std::string(name_of(precision)); }

std::string_view tuned_problem(TuneView view) { return view == TuneView::boundary ? "boundary" : "interior"; }

TuneSpace tune_space(const DeviceInfo& device, const Variant& standard) {
  const bool cpu = device.device_class == DeviceClass::cpu;
  return {{powers_of_two("work-group", cpu ? 1 : 32, cpu ? 128 : 1024, standard.work_group),
           powers_of_two("lanes", 1, cpu ? 16 : 4, standard.lanes),
           powers_of_two("unroll", cpu ? 2 : 8, cpu ? 32 : 256, standard.unroll)}};
}

NamedTuneValues named_values(const Variant& variant) {
  return {{"work-group", std::to_string(variant.work_group)},
          {"lanes", std::to_string(variant.lanes)},
          {"unroll", std::to_string(variant.unroll)}};
}

TuneValues tune_values(const Variant& variant) { return {variant.work_group, variant.lanes, variant.unroll}; }

TuneSubject tune_subject(Precision precision, TuneView view) {
  return {.kernel = tuned_kernel(precision),
          .problem = std::string(tuned_problem(view)),
          .files = {"mandelbrot.cl"},
          .work = 0,
          .unit = "iterations"};
}

Variant variant_of(const TuneValues& values, const Variant& base) {
  Variant variant = base;
  variant.work_group = static_cast<std::uint32_t>(values[0]);
  variant.lanes = static_cast<std::uint32_t>(values[1]);
  variant.unroll = static_cast<std::uint32_t>(values[2]);
  return variant;
}

Variant chosen_variant(const DeviceInfo& device, const Variant& base, const NamedTuneValues& chosen) {
  if (chosen.empty()) return base;
  const TuneValues values = tune_space(device, base).overlaid(tune_values(base), chosen);
  const Variant variant = variant_of(values, base);
  if (const std::string refusal = work_group_refusal(variant.work_group, device); !refusal.empty())
    throw usage_error("--variant cannot be", "work-group " + std::to_string(variant.work_group), refusal, device.name);
  return variant;
}

Variant tuned_variant(const DeviceInfo& device, const Variant& standard) {
  if (standard.precision != Precision::single && standard.precision != Precision::double_) return standard;
  const auto found = tuned(device, tuned_kernel(standard.precision), tuned_problem(TuneView::boundary));
  const TuneSpace space = tune_space(device, standard);
  const auto values = found ? space.values(*found) : std::nullopt;
  if (!values || space.get(*values, "lanes") != standard.lanes) return standard;
  Variant variant = standard;
  variant.work_group = static_cast<std::uint32_t>(space.get(*values, "work-group"));
  variant.unroll = static_cast<std::uint32_t>(space.get(*values, "unroll"));
  return work_group_refusal(variant.work_group, device).empty() ? variant : standard;
}

}  // namespace orrery::mandelbrot
