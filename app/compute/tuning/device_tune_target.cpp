#include "compute/tuning/device_tune_target.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/device/work_group.hpp"

namespace orrery {
namespace {

std::optional<double> device_seconds(const cl::Event& event) {
  try {
    return orrery::device_seconds(event.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
                                  event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
  } catch (const cl::Error&) {
    return std::nullopt;
  }
}

constexpr cl_uchar untouched = 0xa5;
constexpr cl_uchar unwritten = 0xff;  // bytes of a NaN that no kernel returns

// Sub-buffers need the alignment of the device.
std::size_t margin_of(const Device& device) {
  const std::size_t alignment = device.handle().getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
  return round_up(GuardedBuffer::zone, std::max<std::size_t>(alignment, 1));
}

}  // namespace

std::optional<double> device_seconds(cl_ulong start, cl_ulong end) {
  constexpr double nanosecond = 1e-9;
  if (start == 0 || end == 0 || start >= end) return std::nullopt;
  return static_cast<double>(end - start) * nanosecond;
}

void TuneTimer::time(const std::function<void()>& enqueue) {
  events_.clear();
  // Every candidate is cut into the same launches: by the assumed speed of the device, not by the last candidate's
  // times.
  queue_.profiler().clear();
  queue_.collect_into(&events_);
  began_ = now_seconds();
  enqueue();
  queue_.collect_into(nullptr);
  queue_.flush();
}

std::optional<TuneRun::Times> TuneTimer::poll() {
  if (!events_.empty() && !is_complete(events_.back())) return std::nullopt;
  TuneRun::Times times{0.0, now_seconds() - began_};
  for (const cl::Event& event : events_) {
    if (!is_complete(event)) return std::nullopt;
    if (const auto status = event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>(); status < 0)
      throw opencl_error(cl::Error(status), "a launch", queue_.device().name);
    const auto seconds = device_seconds(event);
    times.device = times.device && seconds ? std::optional(*times.device + *seconds) : std::nullopt;
  }
  events_.clear();
  return times;
}

GuardedBuffer::GuardedBuffer(const Device& device, std::string name, std::size_t bytes)
    : name_(std::move(name)), bytes_(bytes), margin_(margin_of(device)), whole_(device.buffer(all_bytes())) {
  try {
    const cl_buffer_region region{margin_, bytes_};
    inner_ = whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  } catch (const cl::Error& error) {
    throw opencl_error(error, "dividing a buffer", device.info().name);
  }
}

void GuardedBuffer::arm(Queue& queue) const {
  queue.fill(whole_, untouched, all_bytes());
  queue.fill(inner_, unwritten, bytes_);
}

cl::Event GuardedBuffer::read(Queue& queue, void* memory) const { return queue.read(whole_, memory, all_bytes()); }

std::string GuardedBuffer::damage(std::span<const std::byte> read) const {
  const auto touched = [](std::byte byte) { return byte != std::byte{untouched}; };
  const auto before = read.first(margin_), after = read.last(margin_);
  if (const auto at = std::ranges::find_if(after, touched); at != after.end())
    return "writes " + std::to_string(at - after.begin()) + " bytes beyond the end of " + name_;
  if (const auto at = std::find_if(before.rbegin(), before.rend(), touched); at != before.rend())
    return "writes " + std::to_string(at - before.rbegin() + 1) + " bytes before the beginning of " + name_;
  return {};
}

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
