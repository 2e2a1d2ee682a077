#include "compute/queue/relay.hpp"

#include <memory>

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

}  // namespace orrery
