#include "shell/scene_commands.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace orrery::shell {
namespace {

// Limits for a scene without its own: the powers of two that the device allows. "auto" counts as 64.
WorkGroupLimits work_groups_of(const DeviceInfo& device, std::int64_t chosen) {
  WorkGroupLimits limits;
  limits.in_use = chosen > 0 ? static_cast<std::size_t>(chosen) : 64;
  limits.legal.push_back(1);
  while (2 * limits.legal.back() <= device.max_work_group) limits.legal.push_back(2 * limits.legal.back());
  return limits;
}

}  // namespace

KeyBindings window_keys() {
  static const std::array keys{
      KeyBinding{Key::tab, {}, "Tab", "Next scene", command::NextScene{+1}},
      KeyBinding{Key::back_tab, {}, "Shift+Tab", "Previous scene", command::NextScene{-1}},
      KeyBinding{Key::f1, {}, "F1", "Show or hide keys, tours and the manual", command::ToggleHelp{}, true},
      KeyBinding{key('P'), with_control, "Ctrl+P", "Find a parameter, action, scene or device", command::ToggleSearch{},
                 true},
      KeyBinding{Key::f2, {}, "F2", "Show or hide the panels", command::TogglePanels{}, true},
      KeyBinding{
          Key::f6, {}, "F6", "Panels by keyboard: Tab, arrows, Enter; Esc ends it", command::ToggleKeyboard{}, true},
      KeyBinding{key('='), with_control, "Ctrl and +, −", "Larger or smaller panels", command::ChangeScale{+1}, true,
                 "Larger panels"},
      KeyBinding{key('='), with_control_and_shift, "", "", command::ChangeScale{+1}, true},  // the key of "+"
      KeyBinding{key('-'), with_control, "", "", command::ChangeScale{-1}, true, "Smaller panels"},
      KeyBinding{key('0'), with_control, "Ctrl+0", "Reset the size of the panels", command::ChangeScale{0}, true},
      KeyBinding{key('I'), {}, "I", "Show or hide colours, scale and time in the picture", command::ToggleLegend{}},
      KeyBinding{.shown = "Right click, Ctrl+C", .help = "On a value in the panels: copy all its digits"},
      KeyBinding{
          Key::page_down, {}, "Page Down, Page Up", "Next or previous step of a guided tour", command::StepTour{+1}},
      KeyBinding{Key::page_up, {}, "", "", command::StepTour{-1}},
      KeyBinding{Key::f11, {}, "F11", "Full screen", command::ToggleFullScreen{}, true},
      KeyBinding{Key::f9, {}, "F9", "Start or stop recording a film of the picture", command::ToggleRecording{}, true},
      KeyBinding{Key::f12, {}, "F12", "Save the picture in your pictures folder", command::SaveScreenshot{}, true},
      KeyBinding{Key::f12, with_shift, "Shift+F12", "Save the window, with its panels", command::SaveScreenshot{true},
                 true},
      KeyBinding{Key::f12, with_control, "", "", command::SaveScreenshot{}, true},
      KeyBinding{key('O'), with_control, "Ctrl+O", "Open a file", command::AskToOpen{}, true},
      KeyBinding{key('S'), with_control, "Ctrl+S", "Save the state, or the kernel in the editor and run it",
                 command::Save{}, true},
      KeyBinding{key('S'), with_control_and_shift, "Ctrl+Shift+S", "Save the state under another name",
                 command::AskToSave{}, true},
      KeyBinding{key('Z'), with_control, "Ctrl+Z", "Undo the last change or the opening of a file", command::Undo{}},
      KeyBinding{key('Z'), with_control_and_shift, "Ctrl+Shift+Z, Ctrl+Y", "Redo it", command::Redo{}, false,
                 "Redo what was undone"},
      KeyBinding{key('Y'), with_control, "", "", command::Redo{}},
      KeyBinding{key('C'), with_control_and_shift, "Ctrl+Shift+C", "Copy what is shown as a command line",
                 command::CopyCommandLine{}},
      KeyBinding{key('['),
                 {},
                 "[ and ]",
                 "Smaller or larger work-group",
                 command::ChangeWorkGroup{-1},
                 false,
                 "Smaller work-group"},
      KeyBinding{key(']'), {}, "", "", command::ChangeWorkGroup{+1}, false, "Larger work-group"},
      KeyBinding{key('D'), {}, "D", "Next device", command::NextDevice{}},
      KeyBinding{key('T'), {}, "T", "Show or hide the timeline", command::ToggleTimeline{}},
      KeyBinding{key('E'), {}, "E", "Edit the running kernel", command::ToggleEditor{}},
      KeyBinding{.shown = "Drop a file", .help = "Open its bodies, state, picture, view or world"},
      KeyBinding{Key::escape, {}, "Esc", "Close what is open, leave full screen", command::Escape{}, true},
      KeyBinding{key('Q'), with_control, "Ctrl+Q", "Quit", command::Quit{}, true},
  };
  return keys;
}

void change_work_group(Scene* scene, const OpenDevices* devices, int direction) {
  if (scene == nullptr || devices == nullptr) return;
  const SceneSnapshot seen = scene->snapshot();
  const auto parameter = std::ranges::find(seen.parameters, work_group_parameter,
                                           [](const ParameterView& each) { return each.info.name; });
  if (parameter == seen.parameters.end()) return;
  WorkGroupLimits limits = seen.work_group;
  const auto chosen = std::get<std::int64_t>(parameter->value);
  if (limits.legal.empty()) limits = work_groups_of(devices->device(), chosen);
  const auto& legal = limits.legal;
  // The size chosen by the last key may not be in use yet.
  const auto above = std::ranges::upper_bound(legal, chosen > 0 ? static_cast<std::size_t>(chosen) : limits.in_use);
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
