#include "shell/scene_commands.hpp"

#include <algorithm>
#include <iterator>

namespace orrery::shell {
namespace {

// For a scene that tells no limits of its kernels: the powers of two that the device allows. "auto" counts as 64.
WorkGroupLimits work_groups_of(const DeviceInfo& device, std::int64_t chosen) {
  WorkGroupLimits limits;
  limits.in_use = chosen > 0 ? static_cast<std::size_t>(chosen) : 64;
  limits.legal.push_back(1);
  while (2 * limits.legal.back() <= device.max_work_group) limits.legal.push_back(2 * limits.legal.back());
  return limits;
}

}  // namespace

void change_work_group(Scene* scene, const OpenDevices* devices, int direction) {
  if (scene == nullptr || devices == nullptr) return;
  const SceneSnapshot seen = scene->snapshot();
  const auto parameter = std::ranges::find(seen.parameters, work_group_parameter,
                                           [](const ParameterView& each) { return each.info.name; });
  if (parameter == seen.parameters.end()) return;
  WorkGroupLimits limits = seen.work_group;
  if (limits.legal.empty()) limits = work_groups_of(devices->device(), std::get<std::int64_t>(parameter->value));
  const auto& legal = limits.legal;
  const auto above = std::ranges::upper_bound(legal, limits.in_use);
  const auto at = above == legal.begin() ? 0 : above - legal.begin() - 1;
  const auto wanted = std::clamp<std::ptrdiff_t>(at + direction, 0, std::ssize(legal) - 1);
  scene->apply(command::SetParameter{std::string(work_group_parameter),
                                     static_cast<std::int64_t>(legal[static_cast<std::size_t>(wanted)])});
}

void toggle_parameter(Scene* scene, const std::string& name) {
  if (scene == nullptr) return;
  for (const ParameterView& each : scene->snapshot().parameters)
    if (each.info.name == name) scene->apply(command::SetParameter{name, !std::get<bool>(each.value)});
}

}  // namespace orrery::shell
