#include "compute/tuning/tune_catalog.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "compute/tuning/element_group.hpp"

namespace orrery {
namespace {

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

void TuneCatalog::check(const DeviceInfo& device, const TuneWork& work) const {
  const std::vector<std::string> known = kernels(device);
  if (std::ranges::find(known, work.kernel) != known.end()) return;
  throw usage_error("--precision", work.kernel, joined(known, ", "), device.name);
}

TuneQuestion element_question(const DeviceInfo& device, int dimensions, TuneSubject subject) {
  const TuneSpace space = element_space(device, dimensions);
  return {std::move(subject), space, element_values(space, standard_element_group(device))};
}

std::unique_ptr<TuneTarget> restricted(std::unique_ptr<TuneTarget> target, const TuneValues& values,
                                       const std::vector<std::string>& axes) {
  TuneSpace space = target->space().restricted(values, axes);
  return std::make_unique<Restricted>(std::move(target), std::move(space));
}

}  // namespace orrery
