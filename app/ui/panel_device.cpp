#include <array>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panel_list.hpp"

namespace orrery::ui {
namespace {

constexpr std::string_view kind_of(DeviceClass device_class) {
  switch (device_class) {
    case DeviceClass::gpu: return "GPU";
    case DeviceClass::accelerator: return "accelerator";
    case DeviceClass::cpu: break;
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
  const float arrow_width = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x;
  const std::string preview = fitted(snapshot.device_name, ImGui::GetContentRegionAvail().x - arrow_width);
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##devices", preview.c_str(), ImGuiComboFlags_HeightLarge)) return;
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
  if (!section(panel, "Device", snapshot.device_name, open_at_first)) return;
  device_combo(panel, snapshot);
  const DeviceInfo* device = present(snapshot);
  if (device != nullptr) {
    hint(panel, details(*device));
    line_of_text(panel, facts(*device), palette::dim);
  }
  const Stat copied{"Copied per frame", bytes_text(static_cast<double>(snapshot.scene.bytes_copied))};
  const float at = ImGui::GetCursorPosX();
  ImGui::TextColored(snapshot.shared ? palette::good : palette::text, snapshot.shared ? "Shared with OpenGL" : "Copied to OpenGL");
  ImGui::SameLine();
  const std::string amount = copied.value + " per frame";
  ImGui::SetCursorPosX(at + ImGui::GetContentRegionAvail().x + ImGui::GetCursorPosX() - at - ImGui::CalcTextSize(amount.c_str()).x);
  ImGui::TextColored(palette::dim, "%s", amount.c_str());
  const WithFont small(panel.fonts.small);
  wrapped_text(snapshot.sharing_reason, palette::dim);
}

}  // namespace orrery::ui
