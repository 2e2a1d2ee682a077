/// The panels: draw what the snapshot says, append to `commands` what the user asks for.
///
/// One column at the left edge holds everything; collapsed, it is a slim handle. The timeline, when it is open, lies
/// below the picture, which has the rest of the window to itself: the shell asks picture_area() before it draws a frame
/// and gives that part to the scene. Only notices (faults, progress, help) lie over the picture.
///
/// Window thread, between ImGui::NewFrame() and ImGui::Render().
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "protocol/command.hpp"
#include "protocol/snapshot.hpp"
#include "ui/inks.hpp"
#include "ui/panels/editor_ui.hpp"
#include "ui/panels/timeline_ui.hpp"
#include "ui/theme.hpp"

namespace orrery::ui {

/// What to sweep, and how the tuner's chart shows it.
struct TunerUi {
  std::set<std::string, std::less<>> left_out;  ///< axes that are not swept
  int seconds = 60;
  bool ranking = false;      ///< bars, fastest first, in place of a map
  std::string across, down;  ///< axes of the map
};

/// A value that is being typed; sent when the user is done.
struct Edit {
  std::string name;  ///< of the parameter; empty when nothing is being typed
  std::string text;
  bool begins = false;  ///< its field is to take the keyboard
};

/// What the panels remember from frame to frame. The shell sets the first three from keys.
struct UiState {
  bool hidden = false;  ///< F2: nothing but faults and the picture
  bool help_open = false;
  bool collapsed = false;

  std::string notice;  ///< the passing notice on screen …
  double notice_since = 0;
  std::string dismissed_fault;
  bool fault_log_open = false;
  bool can_give_up = false;  ///< what is being built takes long: the notice of it offers to give it up
  bool silent = false;       ///< the device does not answer: the banner offers to abandon it
  float scene_pane = 0;      ///< height of the scene's pane below the picture at scale 1, 0 while there is none
  bool scrolls = false;      ///< the column is longer than the window
  Edit edit;
  TunerUi tuner;
  command::Compare compare;  ///< as it is being chosen
  TimelineUi timeline;       ///< T opens it
  Inks inks;
  EditorUi editor;
  std::map<std::string, std::int64_t> manual;  ///< last value of each automatic parameter before "auto"
  std::vector<double> scratch;                 ///< reused by plots
};

/// In ImGui's coordinates, origin top left.
struct Rect {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
};

/// The part of a window of this size that the column and the editor leave to the picture. `scale` as given to
/// apply_theme(); `device` is false when the snapshot names no device (the page that says so covers the window).
Rect picture_area(const UiState& state, float width, float height, float scale, bool device = true);

/// The part of the editor, or of the scene's pane, while it is open: beside the picture where the window is wide and
/// the text long, else below it.
Rect editor_area(const UiState& state, float width, float height, float scale);

void draw_ui(const WindowSnapshot& snapshot, UiState& state, const Fonts& fonts, command::Commands& commands);

}  // namespace orrery::ui
