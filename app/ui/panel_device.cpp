#include <array>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panel_list.hpp"

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
  text += "\n" + facts(device) + " · " + std::to_string(device.clock_mhz) + " MHz";
  text += "\nLocal memory " + bytes_text(static_cast<double>(device.local_bytes));
  text += "\nLargest work-group " + grouped(static_cast<std::int64_t>(device.max_work_group));
  return text + (device.fp64 ? "\nDouble precision" : "\nNo double precision");
}

/// Name above, facts or fault below.
void candidate(const Panel& panel, const DeviceInfo& device, bool chosen) {
  const bool usable = device.fault.empty();
  ImGui::PushID(device.id.platform * 1000 + device.id.device);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float line = ImGui::GetTextLineHeight();
  const ImGuiSelectableFlags flags = usable ? 0 : ImGuiSelectableFlags_Disabled;
  if (ImGui::Selectable("##device", chosen, flags, {0, 2 * line + panel.px(4)}) && !chosen)
    panel.send(command::SelectDevice{device.id});
  hint(panel, usable ? details(device) : device.fault);
  const std::string name = fitted(device.name, width);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({at.x, at.y + panel.px(1)}, packed(usable ? palette::text : palette::dim), name.c_str());
  const WithFont small(panel.fonts.small);
  const std::string below = fitted(usable ? facts(device) : device.fault, width);
  list.AddText({at.x, at.y + line + panel.px(3)}, packed(usable ? palette::dim : palette::warning), below.c_str());
  ImGui::PopID();
}

const DeviceInfo* present(const WindowSnapshot& snapshot) {
  for (const PlatformInfo& platform : snapshot.platforms)
    for (const DeviceInfo& device : platform.devices)
      if (device.id == snapshot.device) return &device;
  return nullptr;
}

void device_combo(const Panel& panel, const WindowSnapshot& snapshot) {
  const DeviceInfo* chosen = present(snapshot);
  const bool open = begin_combo(panel, "##devices", snapshot.device_name);
  if (!open) return hint(panel, chosen != nullptr ? details(*chosen) : std::string());
  for (const PlatformInfo& platform : snapshot.platforms) {
    {
      const WithFont small(panel.fonts.small);
      line_of_text(panel, platform.name, palette::dim);
      if (!platform.fault.empty()) line_of_text(panel, platform.fault, palette::warning);
    }
    for (const DeviceInfo& device : platform.devices) candidate(panel, device, device.id == snapshot.device);
  }
  ImGui::EndCombo();
}

}  // namespace

void device_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first) {
  const std::string_view form = snapshot.shared ? "shared" : "copied";
  if (!section(panel, "Device", snapshot.device_name + " · " + std::string(form), open_at_first)) return;
  device_combo(panel, snapshot);
  const DeviceInfo* device = present(snapshot);
  const bool roomy = is_roomy(panel);
  if (roomy && device != nullptr) line_of_text(panel, facts(*device), palette::dim);
  const std::string bytes = bytes_text(static_cast<double>(snapshot.scene.bytes_copied)) + " per frame";
  const Color ink = snapshot.shared ? palette::good : palette::text;
  split_line(panel, snapshot.shared ? "Shared with OpenGL" : "Copied to OpenGL", ink, bytes, palette::dim);
  hint(panel, snapshot.sharing_reason);
  if (!roomy) return;
  const WithFont small(panel.fonts.small);
  wrapped_text(snapshot.sharing_reason, palette::dim);
}

}  // namespace orrery::ui
