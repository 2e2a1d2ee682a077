#include "scenes/tune_catalog.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "scenes/mandelbrot/checks/tune_space.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/tuning.hpp"

namespace orrery {
namespace {

void check(const DeviceInfo& device, const TuneWork& work) {
  const std::vector<std::string> known = tunable_kernels(work.scene, device);
  if (known.empty()) throw usage_error("cannot tune", work.scene, "known: nbody | mandelbrot");
  if (std::ranges::find(known, work.kernel) != known.end()) return;
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  throw usage_error("--precision cannot be", work.kernel, "the device allows: " + names, device.name);
}

std::size_t bodies_of(const DeviceInfo& device, const TuneWork& work) {
  return static_cast<std::size_t>(work.bodies > 0 ? work.bodies : automatic_bodies("plummer", device.device_class));
}

Precision nbody_precision(const TuneWork& work) {
  return work.kernel == "double" ? Precision::double_ : Precision::single;
}

mandelbrot::Precision mandelbrot_precision(const TuneWork& work) {
  using enum mandelbrot::Precision;
  for (const mandelbrot::Precision each : {double_, ladder, perturbation})
    if (work.kernel == name_of(each)) return each;
  return single;
}

bool is_advance(const TuneWork& work) { return work.scene == "nbody" && work.kernel == nbody_launch::advance; }
bool is_publish(const TuneWork& work) {
  return work.scene == "mandelbrot" && work.kernel == mandelbrot::launch::publish;
}

TuneQuestion element_question(const DeviceInfo& device, int dimensions, TuneSubject subject) {
  const TuneSpace space = element_space(device, dimensions);
  return {std::move(subject), space, element_values(space, standard_element_group(device))};
}

mandelbrot::TuneView view_of(const TuneWork& work) {
  return work.view == "interior" ? mandelbrot::TuneView::interior : mandelbrot::TuneView::boundary;
}

class Restricted : public TuneTarget {
 public:
  Restricted(std::unique_ptr<TuneTarget> target, TuneSpace space)
      : target_(std::move(target)), space_(std::move(space)) {}
  const TuneSubject& subject() const override { return target_->subject(); }
  const TuneSpace& space() const override { return space_; }
  TuneValues standard() const override { return target_->standard(); }
  TuneValues canonical(TuneValues values) const override { return target_->canonical(std::move(values)); }
  bool keeps_bits(const TuneValues& values) const override { return target_->keeps_bits(values); }
  std::string refuse(const TuneValues& values) const override { return target_->refuse(values); }
  void prepare_reference() override { target_->prepare_reference(); }
  std::unique_ptr<TuneRun> prepare(const TuneValues& values) override { return target_->prepare(values); }
  void arm() override { target_->arm(); }
  void begin_check(const TuneValues& values) override { target_->begin_check(values); }
  std::optional<std::string> poll_check() override { return target_->poll_check(); }

 private:
  std::unique_ptr<TuneTarget> target_;
  TuneSpace space_;
};

}  // namespace

std::vector<std::string> tunable_kernels(std::string_view scene, const DeviceInfo& device) {
  if (scene != "nbody" && scene != "mandelbrot") return {};
  std::vector<std::string> kernels{"single"};
  if (device.fp64) kernels.push_back("double");
  if (scene == "mandelbrot")
    for (const mandelbrot::Precision each : {mandelbrot::Precision::ladder, mandelbrot::Precision::perturbation})
      kernels.emplace_back(name_of(each));
  kernels.emplace_back(scene == "nbody" ? nbody_launch::advance : mandelbrot::launch::publish);
  return kernels;
}

TuneQuestion question_of(const DeviceInfo& device, const TuneWork& work) {
  check(device, work);
  if (is_advance(work)) return element_question(device, 1, advance_tune_subject());
  if (is_publish(work)) return element_question(device, 2, mandelbrot::publish_tune_subject());
  if (work.scene == "nbody") {
    const std::size_t bodies = bodies_of(device, work);
    const NbodyVariant standard = nbody_tune_standard(device, nbody_precision(work), bodies);
    const TuneSpace space = nbody_tune_space(device, standard);
    return {nbody_tune_subject(nbody_precision(work), bodies), space, nbody_tune_values(space, standard)};
  }
  const mandelbrot::Variant standard = standard_variant(device, mandelbrot_precision(work), 0);
  return {mandelbrot::tune_subject(mandelbrot_precision(work), view_of(work)), mandelbrot::tune_space(device, standard),
          mandelbrot::tune_values(standard)};
}

TuneValues element_values_in_use(const DeviceInfo& device, const TuneWork& work, const NamedTuneValues& chosen) {
  const bool advance = is_advance(work);
  if (!advance && !is_publish(work)) return {};
  const int dimensions = advance ? 1 : 2;
  const std::string_view kernel = advance ? tuned_advance : mandelbrot::tuned_publish;
  return element_values(element_space(device, dimensions), chosen_element_group(device, dimensions, kernel, chosen));
}

Work work_of(const DeviceInfo& device, const TuneWork& work, const TuneSpace& space, const TuneValues& values,
             double units) {
  if (is_advance(work)) return {units, advance_cost(Precision::single, 1), false};
  if (is_publish(work)) return {units, mandelbrot::published_pixel_cost, false};
  if (work.scene == "mandelbrot") {
    const mandelbrot::Variant variant = standard_variant(device, mandelbrot_precision(work), 0);
    return {units, step_cost(variant), variant.doubles()};
  }
  const NbodyVariant standard = nbody_tune_standard(device, nbody_precision(work), bodies_of(device, work));
  return {units, interaction_cost(device, nbody_variant_of(space, values, standard)), work.kernel == "double"};
}

std::unique_ptr<TuneTarget> tune_target(ProgramLibrary& programs, const TuneWork& work) {
  const DeviceInfo& device = programs.device().info();
  check(device, work);
  if (is_advance(work)) return advance_tune_target(programs);
  if (is_publish(work)) return mandelbrot::publish_tune_target(programs);
  if (work.scene == "nbody") return nbody_tune_target(programs, nbody_precision(work), bodies_of(device, work));
  return mandelbrot::tune_target(programs, mandelbrot_precision(work), view_of(work));
}

std::unique_ptr<TuneTarget> restricted(std::unique_ptr<TuneTarget> target, const TuneValues& values,
                                       const std::vector<std::string>& axes) {
  TuneSpace space = target->space().restricted(values, axes);
  return std::make_unique<Restricted>(std::move(target), std::move(space));
}

}  // namespace orrery
