#include "scenes/mandelbrot/pictures/picture_kernels.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/work/abandon.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

Variant variant_of(ComputeContext& context, const KernelWish& wish) {
  return choose_variant(context.device.info(), {.precision = wish.precision, .formula = wish.formula}, wish.settings,
                        Purpose::picture, wish.detail);
}

}  // namespace

PictureKernels::Arrival PictureKernels::collect() {
  try {
    const std::optional<Built> built = building_.poll();
    if (!built) return Arrival::none;
    const bool first = std::ranges::all_of(kernels_, [](const Built& kept) { return !kept; });
    const Variant& variant = (*built)->variant;
    kernels_[index_of(variant.precision, variant.detail)] = *built;
    building_for_.reset();
    return first ? Arrival::first_of_source : Arrival::kernels;
  } catch (const Error&) {
    building_for_.reset();
    throw;
  }
}

void PictureKernels::build_missing(ComputeContext& context, const KernelWish& wish) {
  if (building_.busy()) return;
  if (given_up_ && *given_up_ == variant_of(context, wish)) return;
  given_up_.reset();
  if (lacks(context, wish)) return build(context, wish);
  good_ = wish.settings;
  // Others are built before the view needs them.
  if (wish.settings.precision != "auto") return;
  using enum Precision;
  for (const Precision each : {single, double_, perturbation, ladder}) {  // kernels of passages are rarely needed
    const KernelWish other{each, wish.formula, wish.detail, wish.settings};
    if (each == ladder && !wish.formula.quadratic()) continue;
    if ((each != double_ || context.device.info().fp64) && lacks(context, other)) return build(context, other);
  }
}

bool PictureKernels::lacks(ComputeContext& context, const KernelWish& wish) const {
  const Built kept = built(wish);
  return !kept || !(kept->variant == variant_of(context, wish));
}

void PictureKernels::build(ComputeContext& context, const KernelWish& wish) {
  const Variant variant = variant_of(context, wish);
  building_for_ = wish.precision;
  plan_ = std::make_shared<Announced<ProgramPlan>>();
  building_.start([&programs = context.programs, variant, plan = plan_] {
    const std::vector<ProgramSpec> specs = Kernels::programs(programs.device(), variant);
    plan->tell(std::make_shared<const ProgramPlan>(ProgramPlan::parts(programs, specs)));
    return std::make_shared<Kernels>(programs, variant, Kernels::Warm::yes);
  });
}

std::string PictureKernels::status(Precision precision) const {
  if (!is_building(precision)) return {};
  const std::shared_ptr<const ProgramPlan> plan = plan_->told();
  const std::string building = plan != nullptr ? plan->status() : std::string();
  return building.empty() ? "starting the kernels" : building;
}

void PictureKernels::reload() {
  kernels_ = {};
  building_.forget();  // it may be of the older source
  building_for_.reset();
}

void PictureKernels::give_up(ComputeContext& context, const KernelWish& wish) {
  orrery::abandon(building_);
  building_for_.reset();
  given_up_ = variant_of(context, wish);
}

void PictureKernels::leave() {
  orrery::leave(building_);
  building_for_.reset();
  kernels_ = {};
}

void PictureKernels::abandon() {
  orrery::abandon(building_);
  orrery::abandon(kernels_);
  leave();
}

// ---- the histogram

void PictureHistogram::set_wanted(bool wanted) {
  wanted_ = wanted;
  if (!wanted) forget_kernels();
}

void PictureHistogram::forget_kernels() {
  equalizer_.reset();
  counting_.reset();
}

bool PictureHistogram::take_kernels() {
  auto built = building_.poll();
  if (!built) return false;
  equalizer_ = *built;
  return wanted_;
}

void PictureHistogram::build_missing(ProgramLibrary& programs) {
  if (!equalizer_ && !building_.busy()) building_.start([&programs] { return std::make_shared<Equalizer>(programs); });
}

void PictureHistogram::count(Queue& queue, const cl::Buffer& values, std::size_t pixels, const Counted& picture) {
  if (!wanted_ || !equalizer_ || picture.stride == 0 || (picture.stride > 1 && !lacks(picture.view))) return;
  if (equalizer_->enqueue(queue, values, pixels)) counting_ = picture;
}

bool PictureHistogram::collect() {
  auto counted = equalizer_ ? equalizer_->collect() : std::nullopt;
  if (!counted) return false;
  equalization_ = std::move(*counted);
  counted_ = std::exchange(counting_, std::nullopt);
  return true;
}

bool PictureHistogram::lacks(const View& view) const {
  return wanted_ && (equalizer_ || building_.busy()) && !(counted_ && alike(counted_->view, view));
}

bool PictureHistogram::lacks(const Counted& picture) const {
  if (!wanted_ || !(equalizer_ || building_.busy())) return false;
  if (!counted_ || !alike(counted_->view, picture.view)) return true;
  if (picture.stride == 1) return counted_->serial != picture.serial;
  return counted_->limit != picture.limit || counted_->stride > picture.stride;
}

void PictureHistogram::reload() {
  building_.forget();
  forget_kernels();
}

void PictureHistogram::leave() {
  orrery::leave(building_);
  forget_kernels();
}

void PictureHistogram::abandon() {
  orrery::abandon(building_);
  orrery::abandon(equalizer_);
  leave();
}

}  // namespace orrery::mandelbrot
