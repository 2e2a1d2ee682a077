#include "shell/devices/device_phase.hpp"

#include <utility>

namespace orrery::shell {
namespace {

using namespace device_phase;
using namespace device_event;

// One line per transition; the last overload keeps the phase.
struct Table {
  using To = Transition;

  To operator()(Listing&, Chosen& e) const { return {Opening{std::move(e.devices), {}}}; }
  To operator()(Listing&, Refused&) const { return {Closed{}}; }
  To operator()(Listing&, Ended&) const { return {Closed{}}; }

  To operator()(Closed&, Chosen& e) const { return {Opening{std::move(e.devices), {}}}; }

  To operator()(Opening&, Chosen& e) const { return {Opening{std::move(e.devices), {}}}; }
  To operator()(Opening& from, Answered&) const {
    return {Opening{std::move(from.devices), std::move(from.after), true}};
  }
  To operator()(Opening&, Opened&) const { return {Open{}}; }
  To operator()(Opening&, Refused&) const { return {Closed{}}; }
  To operator()(Opening&, Ended&) const { return {Closed{}}; }

  To operator()(Open&, Chosen& e) const { return {Leaving{std::move(e.devices), e.now}}; }
  To operator()(Open&, Failed& e) const { return {Recovering{std::move(e.loss)}, DeviceEnding::after_error}; }
  To operator()(Open&, FellSilent&) const { return {Silent{}}; }
  To operator()(Open&, Ended&) const { return {Closed{}, DeviceEnding::release}; }

  To operator()(Silent&, Chosen& e) const { return {Leaving{std::move(e.devices), e.now}}; }
  To operator()(Silent&, Failed& e) const { return {Recovering{std::move(e.loss)}, DeviceEnding::after_error}; }
  To operator()(Silent&, Answered&) const { return {Open{}}; }
  To operator()(Silent&, Ended&) const { return {Closed{}, DeviceEnding::abandon_silent}; }

  To operator()(Leaving& from, Chosen& e) const { return {Leaving{std::move(e.devices), from.since}}; }
  To operator()(Leaving& from, Failed&) const { return {Opening{std::move(from.next), {}}, DeviceEnding::after_error}; }
  To operator()(Leaving& from, FellSilent&) const {
    return {Opening{std::move(from.next), {}}, DeviceEnding::abandon_silent};
  }
  To operator()(Leaving& from, Copied&) const { return {Opening{std::move(from.next), {}}, DeviceEnding::release}; }
  To operator()(Leaving& from, TimedOut&) const { return {Opening{std::move(from.next), {}}, DeviceEnding::abandon}; }
  To operator()(Leaving&, Ended&) const { return {Closed{}, DeviceEnding::release}; }

  To operator()(Recovering&, Chosen& e) const { return {Opening{std::move(e.devices), {}}}; }
  To operator()(Recovering& from, Survived& e) const {
    if (e.devices.empty()) return {Closed{}};
    return {Opening{std::move(e.devices), std::move(from.loss), true}};
  }
  To operator()(Recovering&, Ended&) const { return {Closed{}}; }

  template <class Phase, class Event>
  To operator()(Phase& phase, Event&) const {
    return {std::move(phase)};
  }
};

}  // namespace

Transition transition(DevicePhase phase, DeviceEvent event) { return std::visit(Table(), phase, event); }

bool is_open(const DevicePhase& phase) {
  return std::holds_alternative<Open>(phase) || std::holds_alternative<Silent>(phase) ||
         std::holds_alternative<Leaving>(phase);
}

bool DeviceLosses::note(const DeviceId& device, double now) {
  constexpr std::size_t most = 3;
  constexpr double interval = 600;  // seconds
  std::vector<double>& times = times_[text_of(device)];
  std::erase_if(times, [now](double when) { return now - when > interval; });
  times.push_back(now);
  return times.size() >= most;
}

void DeviceLosses::forget(const DeviceId& device) { times_.erase(text_of(device)); }

}  // namespace orrery::shell
