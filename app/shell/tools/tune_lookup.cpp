#include "shell/tools/tune_lookup.hpp"

#include <algorithm>

#include "compute/tuning/tuned.hpp"
#include "compute/tuning/variant_text.hpp"

namespace orrery::shell {

TuneLookup::Change TuneLookup::follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices,
                                      bool fixed) {
  running_.catalog = scene.tuning;
  running_.variant = scene.running;
  for (const ParameterView& parameter : scene.parameters)
    if (parameter.info.name == variant_parameter) running_.choices = std::get<std::string>(parameter.value);
  const bool other_device = device_.name != device.name || device_.driver != device.driver;
  device_ = device;
  unavailable_ = devices > 1 ? "Several devices share the work: choose one of them to tune it" : "";
  if (scene.tuning == nullptr) unavailable_ = "This scene has no kernel that can be tuned";
  if (fixed || !unavailable_.empty()) return Change::none;
  TuneWork work{.catalog = scene.tuning, .size = scene.tune_size};
  const std::vector<std::string> known = scene.tuning->kernels(device_);
  const auto has = [&](const std::string& kernel) { return std::ranges::find(known, kernel) != known.end(); };
  work.kernel = has(preferred_) ? preferred_ : has(running_.variant.kernel) ? running_.variant.kernel : "single";
  unavailable_ = scene.untunable;
  if (work == work_ && !other_device && asked_) return Change::none;
  work_ = work;
  scene_ = scene.name;
  if (!unavailable_.empty()) return Change::problem;
  const bool same_kernel = asked_ && asked_->catalog == work.catalog && asked_->kernel == work.kernel;
  ask();
  return same_kernel ? Change::problem : Change::kernel;
}

void TuneLookup::ask() {
  asked_ = work_;
  looking_.start([work = work_, device = device_, keeper = result_ ? result_->keeper : nullptr] {
    Result result{keeper, work, work.catalog->question(device, work), {}, {}};
    if (!result.keeper) result.keeper = std::make_shared<TuneKeeper>(result.messages);
    result.identity =
        identity_of(device, result.question.subject, source_hash(*kernel_sources(), result.question.subject.files));
    return result;
  });
}

TuneLookup::Finding TuneLookup::poll() {
  auto result = looking_.poll();
  if (!result) return Finding::none;
  const bool other_source = result_ && result->identity.source != result_->identity.source;
  result_ = std::move(*result);
  return other_source ? Finding::other_source : Finding::known;
}

TuneValues TuneLookup::in_use(const Result& result) const {
  if (running_.catalog != result.work.catalog) return {};
  if (running_.variant.kernel == result.work.kernel)
    return result.question.space.values(running_.variant.values).value_or(TuneValues());
  return result.work.catalog->element_values_in_use(device_, result.work,
                                                    choice_for(running_.choices, result.work.kernel));
}

}  // namespace orrery::shell
