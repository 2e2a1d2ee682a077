#include "compute/tuning/element_target.hpp"

#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"

namespace orrery {
namespace {

class Run : public TuneRun {
 public:
  Run(ElementTarget& target, const ElementGroup& group) : target_(target), group_(group) {}

  void begin() override { target_.restore(); }
  bool enqueue(double) override {
    target_.timer().time([&] { target_.launch(group_); });
    return true;
  }
  std::optional<Times> poll() override { return target_.timer().poll(); }

 private:
  ElementTarget& target_;
  ElementGroup group_;
};

}  // namespace

std::string ElementTarget::refuse(const TuneValues& values) const {
  return work_group_refusal(element_group(values).items(), device().info());
}

std::unique_ptr<TuneRun> ElementTarget::prepare(const TuneValues& values) {
  const ElementGroup group = element_group(values);
  check_compiled(work_group_limits(kernel(), device(), subject_.kernel, group.items()), device().info());
  return std::make_unique<Run>(*this, group);
}

}  // namespace orrery
