#include "shell/devices/device_session.hpp"

#include <algorithm>
#include <thread>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "compute/queue/answering.hpp"

namespace orrery::shell {
namespace {

using namespace device_phase;
using namespace device_event;

// Seconds before the user is warned. A processor may merely be busy with other programs.
double longest_silence(const DeviceInfos& devices) {
  const bool processor = std::ranges::any_of(devices, is_cpu);
  return patience(processor ? 6 : 2);
}

const double copy_timeout = patience(10);    // seconds, for the copy to the host before devices are left
const double answer_timeout = patience(10);  // seconds, for an answer of lost devices
constexpr double exit_timeout = 10;          // seconds, for the copy to the host before the program ends
constexpr double error_timeout = 0.5;        // seconds, for unfinished work of failed devices
constexpr std::chrono::milliseconds poll_interval{1};

// A driver may wait for ever for the server of such a device, in any call: the window's thread opens it after it has
// answered another thread.
bool has_to_answer(const Opening& opening) {
  return !opening.answer && std::ranges::any_of(opening.devices, is_remote);
}

template <class Condition>
bool wait_for(Condition&& condition, double timeout) {
  for (const double began = now_seconds(); !condition(); std::this_thread::sleep_for(poll_interval))
    if (now_seconds() - began >= timeout) return false;
  return true;
}

}  // namespace

bool DeviceCatalog::take_list() {
  auto result = search_.poll();
  if (!result) return false;
  platforms_ = std::move(*result);
  return true;
}

void DeviceCatalog::set_aside(const DeviceInfo& set, const std::string& reason) {
  if (ranked_devices(platforms_).size() < 2) return;
  for (PlatformInfo& platform : platforms_)
    for (DeviceInfo& device : platform.devices)
      if (device.id == set.id) device.fault = reason;
}

std::vector<DeviceInfo> DeviceCatalog::remembered(const WindowOptions& options) const {
  try {
    if (!options.devices_hint.empty()) return choose_devices(platforms_, options.devices_hint);
    for (const DeviceInfo& device : ranked_devices(platforms_))
      if (!options.device_hint.empty() && device.name == options.device_hint)
        return split_device(device, options.split > 0 ? options.split : options.split_hint);
  } catch (const Error& error) {  // the file comes from another machine
    if (options.split > 0) throw;
    log(Level::info, error.what());
  }
  return {};
}

std::vector<DeviceInfo> DeviceCatalog::choose(const WindowOptions& options, const GlShareProperties& properties) const {
  const std::int64_t split = std::max<std::int64_t>(1, options.split);
  if (!options.device.empty()) return choose_devices(platforms_, options.device, split);
  if (auto devices = remembered(options); !devices.empty()) return devices;
  for (const DeviceInfo& device : ranked_devices(platforms_))
    if (options.interop && ask_sharing(device, properties).shared) return split_device(device, split);
  return split_device(choose_device(platforms_, {}), split);
}

std::vector<DeviceInfo> DeviceCatalog::at(const command::SelectDevices& selection) const {
  std::vector<DeviceInfo> devices;
  for (const DeviceId id : selection.ids) devices.push_back(choose_device(platforms_, text_of(id)));
  if (devices.empty()) throw failure("no device was chosen");
  return devices.size() == 1 ? split_device(devices.front(), selection.split) : devices;
}

void DeviceSession::follow(const GlShareProperties& window, double now) {
  take_list(window, now);
  recover(now);
  watch_silence(now);
  leave(now);
  open(window);
}

void DeviceSession::choose(const command::SelectDevices& selection) {
  apply(Chosen{catalog_.at(selection), now_seconds()});
}

command::SelectDevices DeviceSession::chosen() const {
  DeviceInfos devices = devices_ ? devices_->devices() : DeviceInfos();
  if (const auto* opening = std::get_if<Opening>(&phase_)) devices = opening->devices;
  if (const auto* leaving = std::get_if<Leaving>(&phase_)) devices = leaving->next;
  return selection_of(devices);
}

command::SelectDevices selection_of(std::span<const DeviceInfo> devices) {
  command::SelectDevices choice;
  for (const DeviceInfo& device : devices)
    if (std::ranges::find(choice.ids, device.id) == choice.ids.end()) choice.ids.push_back(device.id);
  if (!devices.empty()) choice.split = devices.front().parts;
  return choice;
}

void DeviceSession::choose_next() {
  const std::vector<DeviceInfo> usable = ranked_devices(catalog_.platforms());
  if (usable.empty() || !devices_) return;
  const auto here = std::ranges::find(usable, chosen().ids.front(), &DeviceInfo::id);
  const auto next = here == usable.end() ? 0 : static_cast<std::size_t>(here - usable.begin()) + 1;
  choose({{usable[next % usable.size()].id}});
}

void DeviceSession::fail(const Error& error) {
  log(Level::error, error.what());
  notices_.set_device_fault(error.what(), error.details().log);
  users_.withdraw_edits("withdrawn: the device failed");
  if (!devices_) return apply(Refused{});
  apply(Failed{{devices_->devices(), error.what()}});
  const auto* recovering = std::get_if<Recovering>(&phase_);
  if (recovering == nullptr) return;
  asking_.start([lost = recovering->loss.devices] {
    DeviceInfos rest = answering(lost, answer_timeout);
    if (rest.size() == lost.size()) rest.resize(1);  // each device may work alone after all have failed together
    return rest;
  });
}

bool DeviceSession::copy_to_host() {
  HostCopy copy = HostCopy::under_way;
  try {
    const auto done = [&] {
      watch_silence(now_seconds());
      copy = !devices_ || is_silent() ? HostCopy::released : users_.copy_to_host();
      return copy != HostCopy::under_way;
    };
    (void)wait_for(done, exit_timeout);
  } catch (const std::exception& error) {
    log(Level::error, as_error(error).what());
    apply(FellSilent{});
  }
  if (is_silent()) close();
  return copy == HostCopy::released;
}

void DeviceSession::fill(WindowSnapshot& s) const {
  if (devices_) {
    s.members = devices_->devices();
    s.device_name = names_of(s.members);
    s.shared = devices_->sharing().shared;
    s.sharing_reason = devices_->sharing().reason;
  } else if (const std::string text = activity(); !text.empty()) {
    s.device_name = text + " …";
    s.scene.status = text;
  }
  if (is_silent()) {
    s.scene.fault_title = "The device does not respond";
    s.scene.fault =
        silence() +
        ". A kernel may never end: abandon the device, choose another one, or quit. The last backup is kept";
  }
  if (notices_.device_fault().empty()) return;
  s.scene.fault_title = "The device failed";
  s.scene.fault = notices_.device_fault();
  s.scene.fault_log = notices_.device_details();
}

std::string DeviceSession::silence() const {
  return names_of(devices_->devices()) + " has not answered for " + brief(longest_silence(devices_->devices())) + " s";
}

// The activity while no device is open; empty: none.
std::string DeviceSession::activity() const {
  if (std::holds_alternative<Recovering>(phase_)) return "asking which devices still answer";
  if (const auto* opening = std::get_if<Opening>(&phase_); opening != nullptr && has_to_answer(*opening))
    return "asking whether " + names_of(opening->devices) + (opening->devices.size() > 1 ? " answer" : " answers");
  return catalog_.searching() ? "looking for OpenCL devices" : "";
}

// ---- transitions and their effects

void DeviceSession::apply(DeviceEvent event) {
  Transition next = transition(std::move(phase_), std::move(event));
  phase_ = std::move(next.phase);
  end(next.ending);
  const auto* opening = std::get_if<Opening>(&phase_);
  if (opening == nullptr) return;
  if (has_to_answer(*opening))
    asking_.start([devices = opening->devices] { return answering(devices, answer_timeout); });
  else
    asking_.forget();
}

void DeviceSession::end(DeviceEnding ending) {
  switch (ending) {
    case DeviceEnding::none:
      return;
    case DeviceEnding::release:
      return release();
    case DeviceEnding::after_error:
      return release_after_error();
    case DeviceEnding::abandon_silent:
      abandon();
      return users_.withdraw_edits("withdrawn: the device did not answer");
    case DeviceEnding::abandon:
      return abandon();
  }
}

void DeviceSession::release() {
  users_.release();
  if (!abandoned::working()) return devices_.reset();
  orrery::abandon(devices_);  // released when the abandoned work that uses them has ended
  abandoned::close([] { return true; });
}

// A read may still be under way into memory that release() frees.
void DeviceSession::release_after_error() {
  try {
    const cl::Event last = devices_->queue().marker();
    devices_->queue().flush();
    if (wait_for([&last] { return is_complete(last); }, error_timeout)) return release();
  } catch (const Error&) {  // the queue takes no marker: the end of the read is unknown
  }
  abandon();
}

void DeviceSession::abandon() {
  users_.abandon();
  OpenDevices* const devices = devices_.get();
  orrery::abandon(devices_);
  abandoned::close([devices] { return devices->ask_after_all(); });
}

// ---- steps of a frame

void DeviceSession::take_list(const GlShareProperties& window, double now) {
  if (!catalog_.take_list()) return;
  if (!catalog_.has_usable_device()) return apply(Refused{});  // the page about installing one explains it
  try {
    apply(Chosen{catalog_.choose(options_, window), now});
  } catch (const Error& error) {
    if (error.fault() == Fault::usage) throw;
    fail(error);
  }
}

// A kernel that never ends blocks its device, but not the window.
void DeviceSession::watch_silence(double now) {
  if (!devices_) return;
  try {
    const bool silent = devices_->measure_silence(now) > longest_silence(devices_->devices());
    if (silent == is_silent()) return;
    if (silent) log(Level::warning, silence());
    apply(silent ? DeviceEvent(FellSilent{}) : DeviceEvent(Answered{}));
  } catch (const Error& error) {
    fail(error);
  }
}

void DeviceSession::leave(double now) {
  const auto* leaving = std::get_if<Leaving>(&phase_);
  if (leaving == nullptr) return;
  if (now - leaving->since > copy_timeout) return apply(TimedOut{});
  try {
    if (users_.copy_to_host() == HostCopy::released) apply(Copied{});
  } catch (const std::exception& error) {  // the scenes continue from their last copy
    log(Level::error, as_error(error).what());
    apply(Failed{});
  }
}

// The scenes continue from their last copy on the host, on the same device or on the remaining ones. A device that
// fails repeatedly is set aside.
void DeviceSession::recover(double now) {
  const auto rest = asking_.poll();
  if (rest && std::holds_alternative<Opening>(phase_)) return greet(*rest);
  const auto* recovering = std::get_if<Recovering>(&phase_);
  if (!rest || recovering == nullptr) return;
  const DeviceLoss& loss = recovering->loss;
  if (loss.devices.size() > 1) return apply(Survived{*rest});
  const DeviceInfo device = loss.devices.front();
  const bool too_often = losses_.note(device.id, now);
  if (!rest->empty() && !too_often) return apply(Survived{*rest});
  const std::string reason = (rest->empty() ? "it no longer answers: " : "it failed three times: ") + loss.cause;
  losses_.forget(device.id);
  catalog_.set_aside(device, reason);
  notices_.set_device_fault(names_of(loss.devices) + " is set aside because " + reason);
  log(Level::error, notices_.device_fault());
  apply(Survived{});
}

void DeviceSession::greet(const DeviceInfos& answering) {
  const DeviceInfos silent = without(std::get<Opening>(phase_).devices, answering);
  if (silent.empty()) return apply(Answered{});
  for (const DeviceInfo& device : silent) catalog_.set_aside(device, "it does not answer");
  notices_.set_device_fault(names_of(silent) + (silent.size() > 1 ? " do not answer" : " does not answer"));
  log(Level::error, notices_.device_fault());
  apply(Refused{});
}

void DeviceSession::open(const GlShareProperties& window) {
  const auto* opening = std::get_if<Opening>(&phase_);
  if (opening == nullptr || has_to_answer(*opening)) return;
  const auto after = opening->after;
  try {
    devices_ = std::make_unique<OpenDevices>(opening->devices, window, options_.interop);
    apply(Opened{});
    users_.attach(*devices_);
  } catch (const Error& error) {
    return fail(error);
  }
  notices_.set_device_fault({});
  if (!after) return;
  const std::string names = names_of(devices_->devices());
  const bool fewer = devices_->devices().size() < after->devices.size();
  notices_.set_device_fault(
      (fewer ? "The scene continues on " + names + " alone: " : names + " continues from a backup: ") + after->cause);
}

}  // namespace orrery::shell
