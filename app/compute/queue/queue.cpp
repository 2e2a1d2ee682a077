#include "compute/queue/queue.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "compute/device/refusal.hpp"
#include "compute/queue/answering.hpp"

namespace orrery {
namespace {

std::array<std::uint32_t, 2> sizes_of(const cl::NDRange& range) {
  std::array<std::uint32_t, 2> sizes{};
  for (std::size_t k = 0; k < std::min<std::size_t>(range.dimensions(), 2); ++k)
    sizes[k] = static_cast<std::uint32_t>(range.get()[k]);
  return sizes;
}

std::size_t items_of(const cl::NDRange& local) {
  std::size_t items = 1;
  for (std::size_t k = 0; k < local.dimensions(); ++k) items *= local.get()[k];
  return items;
}

}  // namespace

Queue::Queue(const Device& device, Profiler profiler, std::shared_ptr<Shared> shared)
    : info_(device.info()), profiler_(std::move(profiler)), kept_(device.info()), shared_(std::move(shared)) {
  const DriverCall watched(info_);
  try {
    queue_ = std::make_shared<cl::CommandQueue>(device.context(), device.handle(),
                                                asks_for_times() ? CL_QUEUE_PROFILING_ENABLE : 0);
  } catch (const cl::Error& error) {
    throw opencl_error(error, "creating a command queue", info_.name);
  }
  std::erase_if(shared_->queues, [](const auto& queue) { return queue.expired(); });
  shared_->queues.push_back(queue_);
}

void Queue::launch(std::string_view name, const cl::Kernel& kernel, const Range& range, const Work& work) {
  const bool first = known_.insert(kernel()).second;
  compiles_ = compiles_ || first;
  const DriverCall watched(info_, first ? DriverCall::Kind::build : DriverCall::Kind::quick);
  cl::Event event;
  const bool noted = collected_ != nullptr || profiler_.samples(name);
  cl::Event* const wanted = noted ? &event : kept_.wanted(event);
  Asked asked;
  if (profiler_.tracing()) asked = {now_nanoseconds(), sizes_of(range.global), sizes_of(range.local)};
  try {
    queue_->enqueueNDRangeKernel(kernel, range.offset, range.global, range.local, nullptr, wanted);
    kept_.keep(event);
  } catch (const cl::Error& error) {
    const auto device = queue_->getInfo<CL_QUEUE_DEVICE>();
    throw launch_error(error, std::string(name), kernel, items_of(range.local), device);
  }
  if (noted)
    profiler_.record(name, event, work, asked);
  else
    profiler_.skip(name, work);
  note_program(name, kernel);
  if (collected_ != nullptr) collected_->push_back(event);
}

void Queue::note_program(std::string_view name, const cl::Kernel& kernel) {
  cl_program program = nullptr;
  clGetKernelInfo(kernel(), CL_KERNEL_PROGRAM, sizeof program, &program,
                  nullptr);  // a failure only loses a name in a panel
  const auto known = shared_->programs.find(name);
  if (known == shared_->programs.end())
    shared_->programs.emplace(name, program);
  else
    known->second = program;
}

cl_program Queue::program_of(std::string_view name) const {
  const auto known = shared_->programs.find(name);
  return known == shared_->programs.end() ? nullptr : known->second;
}

std::vector<std::string> Queue::launched() const {
  std::vector<std::string> names;
  for (const auto& [name, program] : shared_->programs) names.push_back(name);
  return names;
}

cl::Event Queue::copy(const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes, std::size_t from_offset,
                      std::size_t to_offset) {
  return recorded(copying::copy, "copying a buffer", bytes, [&](cl::Event* event) {
    queue_->enqueueCopyBuffer(from, to, from_offset, to_offset, bytes, nullptr, event);
  });
}

cl::Event Queue::read(const cl::Buffer& from, void* to, std::size_t bytes, std::size_t from_offset) {
  return recorded(copying::read, "reading a buffer", bytes, [&](cl::Event* event) {
    queue_->enqueueReadBuffer(from, CL_FALSE, from_offset, bytes, to, nullptr, event);
  });
}

cl::Event Queue::write(const cl::Buffer& to, const void* from, std::size_t bytes, std::size_t to_offset) {
  return recorded(copying::write, "writing a buffer", bytes, [&](cl::Event* event) {
    queue_->enqueueWriteBuffer(to, CL_FALSE, to_offset, bytes, from, nullptr, event);
  });
}

namespace {

using Triple = std::array<cl::size_type, 3>;

Triple origin_of(const Region& region) { return {region.offset % region.pitch, region.offset / region.pitch, 0}; }

}  // namespace

cl::Event Queue::read(const cl::Buffer& from, void* to, const Region& region) {
  if (region.rows == 1) return read(from, to, region.bytes, region.offset);
  return recorded(copying::read, "reading a buffer", region.size(), [&](cl::Event* event) {
    queue_->enqueueReadBufferRect(from, CL_FALSE, origin_of(region), Triple{}, {region.bytes, region.rows, 1},
                                  region.pitch, 0, region.bytes, 0, to, nullptr, event);
  });
}

cl::Event Queue::write(const cl::Buffer& to, const void* from, const Region& region) {
  if (region.rows == 1) return write(to, from, region.bytes, region.offset);
  return recorded(copying::write, "writing a buffer", region.size(), [&](cl::Event* event) {
    queue_->enqueueWriteBufferRect(to, CL_FALSE, origin_of(region), Triple{}, {region.bytes, region.rows, 1},
                                   region.pitch, 0, region.bytes, 0, from, nullptr, event);
  });
}

cl::Event Queue::copy(const cl::Buffer& from, const cl::Buffer& to, const Region& region) {
  if (region.rows == 1) return copy(from, to, region.bytes, region.offset, region.offset);
  return recorded(copying::copy, "copying a buffer", region.size(), [&](cl::Event* event) {
    queue_->enqueueCopyBufferRect(from, to, origin_of(region), origin_of(region), {region.bytes, region.rows, 1},
                                  region.pitch, 0, region.pitch, 0, nullptr, event);
  });
}

void Queue::after(const cl::Event& event) {
  checked("waiting for another queue", [&] {
    const std::vector<cl::Event> events{event};
    cl::Event barrier;
    queue_->enqueueBarrierWithWaitList(&events, kept_.wanted(barrier));
    kept_.keep(barrier);
  });
}

cl::Event Queue::marker() {
  return checked("enqueueing a marker", [&] {
    cl::Event event;
    queue_->enqueueMarkerWithWaitList(nullptr, &event);
    kept_.keep(event);
    return event;
  });
}

std::vector<cl::Event> Queue::markers() {
  return checked("enqueueing a marker", [&] {
    std::vector<cl::Event> events;
    for (const auto& each : shared_->queues)
      if (const std::shared_ptr<cl::CommandQueue> queue = each.lock()) {
        queue->enqueueMarkerWithWaitList(nullptr, &events.emplace_back());
        kept_.keep(events.back());
        queue->flush();
      }
    return events;
  });
}

cl::Event Queue::acquire_gl(const cl::Memory& object) {
  const std::vector<cl::Memory> objects{object};
  return recorded("acquire", "acquiring a shared buffer", 0,
                  [&](cl::Event* event) { queue_->enqueueAcquireGLObjects(&objects, nullptr, event); });
}

cl::Event Queue::release_gl(const cl::Memory& object) {
  const std::vector<cl::Memory> objects{object};
  return recorded("release", "releasing a shared buffer", 0,
                  [&](cl::Event* event) { queue_->enqueueReleaseGLObjects(&objects, nullptr, event); });
}

void Queue::flush() {
  checked("flushing the queue", [&] { queue_->flush(); });
}

void Queue::finish() {
  wait_for_answer(*this);
  checked("waiting for the device", [&] { queue_->finish(); });
  harvest();
  check_available(queue_->getInfo<CL_QUEUE_DEVICE>(), info_);
}

void Queue::wait_until(const std::function<bool()>& reached) {
  wait_for_answer(*this, reached);
  harvest();
}

void Queue::harvest() {
  const std::optional<cl_int> fault = checked("asking for an event's status", [&] { return profiler_.harvest(); });
  if (fault) throw opencl_error(cl::Error(*fault), "a command on the device", info_.name);
}

void Queue::write_bytes_blocking(const cl::Buffer& to, const void* data, std::size_t bytes, std::size_t to_offset) {
  if (bytes == 0) return;
  wait_for_answer(*this);
  // Waits for the event, because a blocking write may return early: a command of another queue would overtake it.
  checked("writing a buffer", [&] {
    queue_->enqueueWriteBuffer(to, CL_TRUE, to_offset, bytes, data);
    queue_->finish();
  });
}

void Queue::read_into(const cl::Buffer& from, std::span<std::byte> data, std::size_t from_offset) {
  if (data.empty()) return;
  wait_for_answer(*this);
  checked("reading a buffer", [&] { queue_->enqueueReadBuffer(from, CL_TRUE, from_offset, data.size(), data.data()); });
  check_available(queue_->getInfo<CL_QUEUE_DEVICE>(), info_);
}

namespace {

// A command whose status cannot be read has failed.
cl_int status_of(const cl::Event& event) {
  cl_int status = CL_QUEUED;
  const cl_int code = clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return code == CL_SUCCESS ? status : code;
}

}  // namespace

bool is_complete(const cl::Event& event) { return event() == nullptr || status_of(event) <= CL_COMPLETE; }

bool has_succeeded(const cl::Event& event) { return event() == nullptr || status_of(event) == CL_COMPLETE; }

void KeptEvents::keep(const cl::Event& event) {
  if (!needed_ || event() == nullptr) return;
  events_.push_back(event);
  while (!events_.empty() && has_succeeded(events_.front())) events_.pop_front();
}

KeptEvents::~KeptEvents() {
  for (const cl::Event& event : events_)
    if (!has_succeeded(event)) clRetainEvent(event());
}

}  // namespace orrery
