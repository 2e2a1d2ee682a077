#include "shell/devices/open_devices.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "compute/device/device_list.hpp"
#include "compute/queue/answering.hpp"

namespace orrery::shell {
namespace {

// Devices of one context exchange bodies without the host. The first device stays apart: its context belongs to the
// window's OpenGL context.
std::vector<Device> open_others(std::span<const DeviceInfo> devices) {
  return devices.size() < 2 ? std::vector<Device>() : open_devices(devices.subspan(1));
}

}  // namespace

OpenDevices::OpenDevices(std::vector<DeviceInfo> devices, const GlShareProperties& properties, bool interop)
    : infos_(std::move(devices)),
      opened_(open_for_window(infos_.front(), properties, interop)),
      queue_(opened_.device),
      programs_(opened_.device),
      others_(open_others(infos_)),
      surfaces_(make_surface_factory(opened_.device, opened_.sharing)),
      context_{opened_.device, queue_, programs_, *surfaces_, {}} {
  contexts_.add(opened_.device);
  for (const Device& device : others_) contexts_.add(device);
  members_.push_back(&programs_);
  for (const Device& device : others_) members_.push_back(&other_programs_.emplace_back(device));
  context_.members = members_;
}

// A processor's launches yield to drawing by themselves, and slow it down.
void OpenDevices::presented(double frame, double refresh) {
  const bool processor = is_cpu(device());
  constexpr double frames_ahead = 1.5;
  uneven_launches_.presented(frame, refresh);
  context_.launch_seconds = processor ? 0.008 : 0.002;
  context_.uneven_seconds = processor ? 0.008 : uneven_launches_.seconds();
  context_.ahead_seconds = processor ? 0.05 : frames_ahead * refresh;
  if (!sharing().shared) return;
  slices_.presented(frame, refresh);
  context_.slice_seconds = slices_.seconds();
}

double OpenDevices::measure_silence(double now) {
  constexpr double interval = 0.25;
  for (const ProgramLibrary* member : members_) check_available(member->device().handle(), member->device().info());
  if (!has_answered()) return now - asked_;
  if (now - asked_ < interval) return 0;
  answers_ = queue_.markers();
  asked_ = now;
  return 0;
}

bool OpenDevices::has_answered() const { return std::ranges::all_of(answers_, is_complete); }

bool OpenDevices::ask_after_all() {
  if (last_question_ == LastQuestion::refused || !has_answered()) return false;
  if (last_question_ == LastQuestion::asked) return true;
  try {  // more may have been enqueued since the last question
    answers_ = queue_.markers();
    last_question_ = LastQuestion::asked;
  } catch (const Error& error) {
    log(Level::info, error.what());
    last_question_ = LastQuestion::refused;
  }
  return false;
}

}  // namespace orrery::shell
