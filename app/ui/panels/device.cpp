#include <algorithm>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/scene_panels.hpp"

namespace orrery::ui {
namespace {

constexpr std::string_view kind_of(DeviceClass device_class) {
  switch (device_class) {
    case DeviceClass::gpu:
      return "GPU";
    case DeviceClass::accelerator:
      return "accelerator";
    case DeviceClass::cpu:
      break;
  }
  return "CPU";
}

std::string facts(const DeviceInfo& device) {
  std::string text(kind_of(device.device_class));
  text += " · " + std::to_string(device.compute_units) + (device.compute_units == 1 ? " unit" : " units");
  return text + " · " + bytes_text(static_cast<double>(device.global_bytes));
}

std::string details(const DeviceInfo& device) {
  std::string text = device.name + "\n" + device.version + ", driver " + device.driver;
  text +=
      "\n" + facts(device) + (device.clock_mhz > 0 ? " · " + std::to_string(device.clock_mhz) + " MHz" : std::string());
  text += "\nLocal memory " + bytes_text(static_cast<double>(device.local_bytes));
  text += "\nLargest work-group " + grouped(static_cast<std::int64_t>(device.max_work_group));
  text += device.fp64 ? "\nDouble precision" : "\nNo double precision";
  return device.notice.empty() ? text : text + "\nNote: " + device.notice;
}

std::vector<DeviceId> ids_of(std::span<const DeviceInfo> devices) {
  std::vector<DeviceId> ids;
  for (const DeviceInfo& device : devices)
    if (std::ranges::find(ids, device.id) == ids.end()) ids.push_back(device.id);
  return ids;
}

/// Whether it computes together with the others; the last one stays.
void membership(const Panel& panel, const DeviceInfo& device, std::vector<DeviceId> members) {
  const auto at = std::ranges::find(members, device.id);
  bool member = at != members.end();
  ImGui::BeginDisabled(!device.fault.empty() || (member && members.size() == 1));
  if (ImGui::Checkbox("##member", &member)) {
    member ? members.push_back(device.id) : static_cast<void>(members.erase(at));
    panel.send(command::SelectDevices{members});
  }
  ImGui::EndDisabled();
  hint(panel, "Share the bodies among all ticked devices; the result is bit-identical");
}

/// Name above, facts or fault below.
void candidate(const Panel& panel, const DeviceInfo& device, const std::vector<DeviceId>& members, bool several) {
  const bool usable = device.fault.empty(), chosen = std::ranges::find(members, device.id) != members.end();
  ImGui::PushID(device.id.platform * 1000 + device.id.device);
  const float line = ImGui::GetTextLineHeight();
  if (several) {
    const float top = ImGui::GetCursorPosY();
    ImGui::SetCursorPosY(top + (2 * line + panel.px(4) - ImGui::GetFrameHeight()) / 2);
    membership(panel, device, members);
    ImGui::SameLine();
    ImGui::SetCursorPosY(top);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImGuiSelectableFlags flags = usable ? 0 : ImGuiSelectableFlags_Disabled;
  if (ImGui::Selectable("##device", chosen, flags, {0, 2 * line + panel.px(4)}) && !(chosen && members.size() == 1))
    panel.send(command::SelectDevices{{device.id}});
  hint(panel, usable ? details(device) : device.fault);
  const std::string name = fitted(device.name, width);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({at.x, at.y + panel.px(1)}, packed(usable ? palette::text : palette::dim), name.c_str());
  const WithFont small(panel.fonts.small);
  const std::string below = fitted(usable ? facts(device) : device.fault, width);
  list.AddText({at.x, at.y + line + panel.px(3)}, packed(usable ? palette::dim : palette::warning), below.c_str());
  ImGui::PopID();
}

/// The first of those in use, whole.
const DeviceInfo* present(const WindowSnapshot& snapshot) {
  for (const PlatformInfo& platform : snapshot.platforms)
    for (const DeviceInfo& device : platform.devices)
      if (!snapshot.members.empty() && device.id == snapshot.members.front().id) return &device;
  return nullptr;
}

std::size_t usable_devices(const WindowSnapshot& snapshot) {
  std::size_t count = 0;
  for (const PlatformInfo& platform : snapshot.platforms)
    for (const DeviceInfo& device : platform.devices) count += device.fault.empty() ? 1 : 0;
  return count;
}

void device_combo(const Panel& panel, const WindowSnapshot& snapshot) {
  const DeviceInfo* chosen = present(snapshot);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  list_control(panel, "Device", {at.x, at.y, ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()});
  const bool open = begin_combo(panel, "##devices", snapshot.device_name);
  if (!open) offer_copy(panel, "Device", snapshot.device_name);
  if (!open) return hint(panel, chosen != nullptr ? details(*chosen) : std::string());
  const std::vector<DeviceId> members = ids_of(snapshot.members);
  const bool several = usable_devices(snapshot) > 1;
  for (const PlatformInfo& platform : snapshot.platforms) {
    {
      const WithFont small(panel.fonts.small);
      line_of_text(panel, platform.name, palette::dim);
      if (!platform.fault.empty()) line_of_text(panel, platform.fault, palette::warning);
    }
    for (const DeviceInfo& device : platform.devices) candidate(panel, device, members, several);
  }
  ImGui::EndCombo();
}

/// 1, 2, 4 … and the most.
std::vector<std::uint32_t> divisions(std::uint32_t most) {
  std::vector<std::uint32_t> counts;
  for (std::uint32_t count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

void split_row(const Panel& panel, const WindowSnapshot& snapshot, const DeviceInfo& device) {
  if (device.max_parts < 2 || ids_of(snapshot.members).size() > 1) return;
  label_row(panel, "Split", "Sub-devices that share the bodies; the result is bit-identical");
  const auto now = static_cast<std::uint32_t>(snapshot.members.size());
  const std::uint32_t parts = snapshot.members.front().parts;
  const std::string of_all = now < parts ? " of " + std::to_string(parts) : "";  // others have failed
  if (!begin_combo(panel, "##split", parts > 1 ? std::to_string(now) + of_all + " parts" : "whole")) return;
  for (const std::uint32_t count : divisions(device.max_parts))
    if (list_entry(panel, count > 1 ? std::to_string(count) + " parts" : "whole", count == parts) &&
        (count != parts || now < parts))
      panel.send(command::SelectDevices{{device.id}, count});
  ImGui::EndCombo();
}

/// The share of each of several devices.
void member_rows(const Panel& panel, const WindowSnapshot& snapshot) {
  if (snapshot.members.size() < 2) return;
  const WithFont small(panel.fonts.small);
  for (std::size_t k = 0; k < snapshot.members.size(); ++k) {
    const DeviceInfo& device = snapshot.members[k];
    const std::string name = device.parts > 1 ? "Part " + std::to_string(device.part + 1) + " · " +
                                                    std::to_string(device.compute_units) +
                                                    (device.compute_units == 1 ? " unit" : " units")
                                              : text_of(device.id) + " " + device.name;
    split_line(panel, name, palette::dim, panels_of(snapshot.scene).share_of_device(k), palette::text);
    hint(panel, "Share of the work and measured speed of the device; faster devices get more");
  }
}

}  // namespace

void device_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first) {
  const std::string_view form = snapshot.shared ? "shared" : "copied";
  if (!section(panel, "Device", snapshot.device_name + " · " + std::string(form), open_at_first)) return;
  device_combo(panel, snapshot);
  const DeviceInfo* device = present(snapshot);
  const bool roomy = is_roomy(panel);
  if (roomy && device != nullptr) line_of_text(panel, facts(*device), palette::dim);
  if (device != nullptr) split_row(panel, snapshot, *device);
  member_rows(panel, snapshot);
  const std::string bytes = bytes_text(static_cast<double>(snapshot.scene.bytes_copied)) + " per frame";
  const Color ink = snapshot.shared ? palette::good : palette::text;
  split_line(panel, snapshot.shared ? "Shared with OpenGL" : "Copied to OpenGL", ink, bytes, palette::dim);
  hint(panel, snapshot.sharing_reason);
  if (!roomy) return;
  const WithFont small(panel.fonts.small);
  wrapped_text(snapshot.sharing_reason, palette::dim);
}

}  // namespace orrery::ui
