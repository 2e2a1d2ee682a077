#include "compute/tuning/device_tune_target.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"

namespace orrery {

const cl::Buffer& DeviceTuneTarget::add_output(std::string name, std::size_t bytes) {
  outputs_.emplace_back(device_, std::move(name), bytes);
  mirrors_.emplace_back(device_, queue_, outputs_.back().all_bytes());
  return outputs_.back().buffer();
}

void DeviceTuneTarget::arm() {
  for (const GuardedBuffer& each : outputs_) each.arm(queue_);
}

void DeviceTuneTarget::begin_check(const TuneValues& values) {
  values_ = values;
  reads_.clear();
  for (std::size_t k = 0; k < outputs_.size(); ++k) reads_.push_back(outputs_[k].read(queue_, mirrors_[k].data()));
  queue_.flush();
}

std::optional<std::string> DeviceTuneTarget::poll_check() {
  if (judging_.busy()) return judging_.poll();
  if (!std::ranges::all_of(reads_, is_complete)) return std::nullopt;
  judging_.start([this] { return judge_all(values_); });
  return std::nullopt;
}

void DeviceTuneTarget::end_check() {
  for (const cl::Event& read : reads_)
    if (read() != nullptr) clWaitForEvents(1, &read());  // the C call, because a destructor cannot handle an exception
  judging_ = {};
}

std::string DeviceTuneTarget::judge_all(const TuneValues& values) {
  std::span<const std::byte> first;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const auto read = mirrors_[k].as<std::byte>(outputs_[k].all_bytes());
    if (std::string damage = outputs_[k].damage(read); !damage.empty()) return damage;
    if (k == 0) first = outputs_[k].content(read);
  }
  return judge(values, first);
}

namespace {

class ElementRun : public TuneRun {
 public:
  ElementRun(ElementTarget& target, const ElementGroup& group) : target_(target), group_(group) {}

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
  return std::make_unique<ElementRun>(*this, group);
}

}  // namespace orrery
