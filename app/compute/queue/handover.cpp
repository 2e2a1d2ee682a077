#include "compute/queue/handover.hpp"

#include <memory>

#include "base/log.hpp"

namespace orrery {
namespace {

// Called on a thread of the driver. A failure is passed on, so that no queue waits for ever.
void CL_CALLBACK pass_on(cl_event, cl_int status, void* data) {
  const std::unique_ptr<cl::UserEvent> event(static_cast<cl::UserEvent*>(data));
  clSetUserEventStatus((*event)(), status < 0 ? status : CL_COMPLETE);
}

}  // namespace

cl::Event relayed(const cl::Event& event, const cl::Context& context) {
  try {
    if (event.getInfo<CL_EVENT_CONTEXT>()() == context()) return event;
    auto relay = std::make_unique<cl::UserEvent>(context);
    cl::Event result = *relay;
    cl::Event(event).setCallback(CL_COMPLETE, pass_on, relay.get());
    static_cast<void>(relay.release());
    return result;
  } catch (const cl::Error& error) {
    throw opencl_error(error, "passing an event from one context to another", {});
  }
}

namespace {

cl::Context context_of(const Queue& queue) { return queue.handle().getInfo<CL_QUEUE_CONTEXT>(); }

}  // namespace

Handover::Handover(const Device& sender, Queue& queue, std::size_t bytes, bool direct)
    : context_(sender.context()), queue_(queue.handle()) {
  if (!direct) memory_.emplace(sender, queue, bytes);
}

// The memory is released by its queue, which therefore waits first for possible readers.
Handover::~Handover() {
  if (!memory_ || written_.empty()) return;
  try {
    std::vector<cl::Event> events;
    for (const cl::Event& event : written_) events.push_back(relayed(event, context_));
    queue_.enqueueBarrierWithWaitList(&events);
  } catch (const std::exception& error) {
    log(Level::warning, std::string("releasing memory shared between devices: ") + as_error(error).what());
  }
}

void Handover::begin(Queue& sender, const cl::Buffer& from, const Region& region) {
  from_ = from;
  region_ = region;
  written_.clear();
  if (memory_) read_ = sender.read(from, memory_->data(), region);
}

void Handover::deliver(Queue& sender, Queue& receiver, const cl::Buffer& to) {
  if (!memory_) return receiver.after(sender.copy(from_, to, region_));
  receiver.after(relayed(read_, context_of(receiver)));
  written_.push_back(receiver.write(to, memory_->data(), region_));
}

}  // namespace orrery
