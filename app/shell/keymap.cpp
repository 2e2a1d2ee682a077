#include "shell/keymap.hpp"

#include <array>

namespace orrery::shell {

KeyBindings window_keys() {
  static const std::array keys{
      KeyBinding{Key::tab, {}, "Tab", "Next scene", command::NextScene{+1}},
      KeyBinding{Key::back_tab, {}, "Shift+Tab", "Previous scene", command::NextScene{-1}},
      KeyBinding{Key::f1, {}, "F1", "Show or hide keys, tours and the manual", command::ToggleHelp{}, true},
      KeyBinding{key('P'), with_control, "Ctrl+P", "Find a parameter, action, scene or device", command::ToggleSearch{},
                 true},
      KeyBinding{Key::f2, {}, "F2", "Show or hide the panels", command::TogglePanels{}, true},
      KeyBinding{key('='), with_control, "Ctrl and +, −", "Larger or smaller panels", command::ChangeScale{+1}, true,
                 "Larger panels"},
      KeyBinding{key('='), with_control_and_shift, "", "", command::ChangeScale{+1}, true},  // where + is
      KeyBinding{key('-'), with_control, "", "", command::ChangeScale{-1}, true, "Smaller panels"},
      KeyBinding{key('0'), with_control, "Ctrl+0", "Panels at their usual size", command::ChangeScale{0}, true},
      KeyBinding{key('I'), {}, "I", "Show or hide colours, scale and time in the picture", command::ToggleLegend{}},
      KeyBinding{.shown = "Right click, Ctrl+C", .help = "On a value in the panels: copy all its digits"},
      KeyBinding{
          Key::page_down, {}, "Page Down, Page Up", "Next or previous step of a guided tour", command::StepTour{+1}},
      KeyBinding{Key::page_up, {}, "", "", command::StepTour{-1}},
      KeyBinding{Key::f11, {}, "F11", "Full screen", command::ToggleFullScreen{}, true},
      KeyBinding{Key::f12, {}, "F12", "Save a screenshot among the pictures", command::SaveScreenshot{}, true},
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

}  // namespace orrery::shell
