#include <algorithm>

#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

constexpr std::string_view default_hints =
    "NVIDIA: install the proprietary driver; it brings OpenCL.\n"
    "AMD: install ROCm's OpenCL runtime, or Mesa's (mesa-opencl-icd).\n"
    "Intel: install intel-opencl-icd.\n"
    "Any CPU: install PoCL (pocl-opencl-icd).";

void list_faults(const std::vector<PlatformInfo>& platforms) {
  for (const PlatformInfo& platform : platforms) {
    if (!platform.fault.empty()) wrapped_text(platform.name + ": " + platform.fault, palette::warning);
    for (const DeviceInfo& device : platform.devices)
      if (!device.fault.empty()) wrapped_text(device.name + ": " + device.fault, palette::warning);
  }
}

/// Devices that look usable although none is in use: the last one chosen has failed.
void list_usable(const Panel& panel, const std::vector<PlatformInfo>& platforms) {
  for (const PlatformInfo& platform : platforms)
    for (const DeviceInfo& device : platform.devices) {
      if (!device.fault.empty()) continue;
      ImGui::PushID(device.id.platform * 1000 + device.id.device);
      if (button(panel, "Use", panel.px(88), device.version)) panel.send(command::SelectDevices{{device.id}});
      ImGui::PopID();
      ImGui::SameLine();
      line_of_text(panel, device.name);
    }
}

bool any_usable(const std::vector<PlatformInfo>& platforms) {
  for (const PlatformInfo& platform : platforms)
    for (const DeviceInfo& device : platform.devices)
      if (device.fault.empty()) return true;
  return false;
}

void title(const Panel& panel, const char* text) {
  const WithFont font(panel.fonts.title);
  wrapped_text(text);
}

void installation(const Panel& panel, const WindowSnapshot& snapshot) {
  title(panel, "No OpenCL device to compute on");
  ImGui::Dummy({1, panel.px(2)});
  wrapped_text(
      "Orrery runs its kernels on a GPU or a CPU through OpenCL. This machine has no working "
      "OpenCL device. Install a driver, then start Orrery again.",
      palette::dim);
  ImGui::Dummy({1, panel.px(8)});
  const std::string_view hints = snapshot.installation_hints.empty() ? default_hints : snapshot.installation_hints;
  notice(panel, hints, palette::accent);
  ImGui::Dummy({1, panel.px(2)});
  if (button(panel, "Copy", panel.px(88), "Copy these lines")) ImGui::SetClipboardText(std::string(hints).c_str());
}

void choice_of_another(const Panel& panel, const WindowSnapshot& snapshot) {
  title(panel, "No device in use");
  ImGui::Dummy({1, panel.px(2)});
  wrapped_text("Choose a device to continue.", palette::dim);
  ImGui::Dummy({1, panel.px(8)});
  list_usable(panel, snapshot.platforms);
}

}  // namespace

void no_device_page(const Panel& panel, const WindowSnapshot& snapshot) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(display);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoBringToFrontOnFocus;
  const float margin = std::max(panel.px(16), (display.x - panel.px(640)) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, std::max(panel.px(16), display.y * 0.16F)});
  if (ImGui::Begin("##no device", nullptr, flags)) {
    any_usable(snapshot.platforms) ? choice_of_another(panel, snapshot) : installation(panel, snapshot);
    ImGui::Dummy({1, panel.px(8)});
    if (!snapshot.scene.fault.empty()) notice(panel, snapshot.scene.fault, palette::error);
    list_faults(snapshot.platforms);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace orrery::ui
