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
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/timeline.hpp"
#include "protocol/command.hpp"
#include "protocol/snapshot.hpp"
#include "ui/file_choice.hpp"
#include "ui/inks.hpp"
#include "ui/plot_data.hpp"
#include "ui/theme.hpp"

namespace orrery::ui {

/// The state of a text that can be edited (code_text.hpp).
struct CodeState {
  int jump = 0;     ///< set: a line from 1, where the cursor goes next
  int cursor = -1;  ///< place of the cursor in bytes; −1 while nothing is typed
  int line = 1;     ///< line of the cursor, from 1
  int column = 1;
};

/// The kernel editor's pane: what is typed and not yet saved.
struct EditorUi {
  bool open = false;  ///< the pane takes its place
  bool save = false;  ///< set by the shell: Ctrl+S
  CodeState code;
  std::string file;                           ///< file of the text
  std::string text;                           ///< as typed
  std::uint64_t revision = 0;                 ///< revision of the saved text that it was made from
  bool elsewhere = false;                     ///< the saved text has been changed in another place meanwhile
  std::map<std::string, std::string> drafts;  ///< unsaved texts of other files
  std::string compared;                       ///< the text that `changed` is of
  std::vector<bool> changed;                  ///< lines that differ from the original's
};

/// The timeline's drawer.
struct TimelineUi {
  bool open = false;     ///< the drawer below the picture is shown; T
  bool paused = false;   ///< the view stays: by the button, or after zooming or dragging
  bool hovered = false;  ///< the view stays while the mouse is over the lanes
  bool whole = false;    ///< the next view is to be seen from end to end
  std::shared_ptr<const TimelineView> shown;
  double from = 0, length = 0;              ///< across the lanes; nanoseconds of the host's clock, as what follows
  double first = 0, last = 1, longest = 0;  ///< shown spans: begin, end, longest from queued to end
};

/// The camera path: its strip, and the menus of rows that follow it.
struct PathUi {
  std::vector<std::string> rows;    ///< parameters that follow the path
  std::optional<std::size_t> over;  ///< the keyframe that the mouse is over
  std::optional<std::size_t> held;  ///< the dragged keyframe
  bool moved = false;               ///< the dragged keyframe has been moved
  double length = 0;                ///< seconds that the strip shows: as they were when the hand took it
  std::size_t chosen = 0;           ///< the keyframe whose menu is open
};

/// The axes to sweep, and their display in the tuner's chart.
struct TunerUi {
  std::set<std::string, std::less<>> left_out;  ///< axes that are not swept
  int seconds = 60;
  bool ranking = false;      ///< bars, fastest first, in place of a map
  std::string across, down;  ///< axes of the map
};

/// A value that is being typed; sent when the user is done.
struct Edit {
  std::string name;  ///< name of the parameter; empty when nothing is being typed
  std::string text;
  bool begins = false;       ///< its field is to take the keyboard
  std::string refusal = {};  ///< why the text was refused; it stays to be corrected …
  bool left = false;         ///< … until a click elsewhere has ended, so that nothing moves under it
};

/// The search over the picture (ui/search.hpp).
struct SearchUi {
  bool open = false;  ///< Ctrl+P
  std::string text;
  int chosen = 0;  ///< index among the matching entries
};

/// The help shows the keys, or a page of the manual.
struct HelpUi {
  bool open = false;          ///< F1
  std::string page = "keys";  ///< name of the page
  std::string anchor;         ///< the heading that the page is to be scrolled to; empty: its beginning
  bool arrives = false;       ///< the page scrolls to the heading in this frame
  bool opens = true;          ///< in this frame: the page begins at its top
  std::string search;
};

/// In ImGui's coordinates, origin top left.
struct Rect {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
  bool operator==(const Rect&) const = default;
};

/// The plot that is shown large, over the picture.
struct LargePlot {
  std::string scene, title;
  KeptPlot plot = {};                        ///< the last state of the plot in its panel
  bool wanted = false;                       ///< the next frame that draws it makes a picture
  std::shared_ptr<ImDrawList> drawing = {};  ///< drawing of that picture, for the shell
  Rect area = {};                            ///< place of that picture
};

/// Where the controls of a frame are that can be seen: "View/Fly to", "N-body". For those who drive the window from
/// outside.
struct ControlList {
  bool wanted = false;
  std::string section;  ///< section being drawn; empty outside of the sections
  std::map<std::string, Rect> places;
  int clicks = 0;  ///< clicks of the left button that the panels have seen
};

/// The page of the column: parameters and results, or performance.
enum class Face { explore, measure };

/// The card of a tour, and the control that it points at.
struct TourUi {
  std::string look_at;                  ///< "Simulation/Steps/s", or the title of a section; empty: nothing
  int step = -1;                        ///< the step of the control
  bool arrives = false;                 ///< the control is to be unfolded and scrolled to
  std::set<std::string> unfolded = {};  ///< sections that the tour has unfolded, until it ends
  std::optional<Face> face = {};        ///< face of the column with the control, until the tour ends
  double prepared = 0;                  ///< last time without a preparation under way, seconds
  float height = 0;                     ///< height of the card; other notices lie above it
};

/// Animation of view changes.
enum class Motion { of_desktop, reduced, full };

/// Arrangement of the panels by the user, remembered from one run to the next.
struct Look {
  static constexpr float least_column = 260, most_column = 900;
  static constexpr std::size_t most_recent = 6;
  static constexpr float least_scale = 0.7F, most_scale = 3;

  float scale = 1;                   ///< scale of everything, relative to the display's
  std::optional<float> column = {};  ///< width of the column at scale 1; none: by the window's
  Face face = Face::explore;
  Theme theme = Theme::dark;
  Motion motion = Motion::of_desktop;
  bool scale_answered = false;           ///< the user has answered the offer of a larger scale
  bool legend = false;                   ///< the picture shows colours, scale and time
  std::vector<std::string> recent = {};  ///< chosen results of the search, the latest first (name_of in search.hpp)
  std::map<std::string, bool> unfolded = {};  ///< "nbody/Device": sections that were folded or unfolded by hand
};

/// State that the panels keep from frame to frame.
struct UiState {
  bool hidden = false;       ///< F2: nothing but faults and the picture
  bool first_start = false;  ///< nothing has been pressed since the first start ever: a card tells what can be
  bool collapsed = false;
  bool keyboard = false;  ///< F6: keys lead through the column, until it or Esc is pressed or the picture is clicked

  Look look;
  struct Sections {
    std::string scene;                        ///< scene of the sections being drawn
    Face face = Face::explore, shown = face;  ///< face of the section being drawn, and the shown face
    std::string revealed;                     ///< one that is to be unfolded and scrolled to; empty: none
    struct FirstFold {
      Face face;
      bool open;
    };
    std::map<std::string, FirstFold> first_folds;  ///< "nbody/Device": as they were when they first came
    std::optional<float> unfolded_at;  ///< top of the one that a click has unfolded in this frame, until its end
  } sections;
  struct Hint {
    float x = 0, y = 0;  ///< place of the item under the resting mouse
    double since = 0;
    int frame = -1;  ///< the last frame in which it was seen
  } hint;

  struct PassingNotice {
    std::string text;
    double since = 0;
    bool above_status = false;  ///< the status has been below it
  } notice;
  struct FaultBanner {
    std::string dismissed;  ///< the fault that is not shown any more
    bool log_open = false;
  } banner;
  /// Set by the shell in each frame.
  struct Offers {
    std::optional<float> larger_scale;  ///< scale to offer where text is small on the display
    bool give_up = false;               ///< offered for a build that takes long
    bool abandon = false;               ///< offered for a device that does not answer
  } offers;
  /// In the last frame.
  struct Measured {
    float column_edge = 0;     ///< pixels from the left of the window; 0: there is no column
    float scene_pane = 0;      ///< height of the scene's pane below the picture at scale 1, 0 while there is none
    bool pane_closes = false;  ///< Escape closes the pane
    float path_strip = 0;      ///< height of the camera path's strip at scale 1, 0 while there is none
    float legend_height = 0;   ///< height of the picture's legend with its margin, in pixels; 0 without one
    bool scrolls = false;      ///< the column is longer than the window
  } measured;
  Edit edit;
  bool value_clicked = false;  ///< the last click met a value: digits open no presets
  FileChoice choice;           ///< state of the file dialog
  struct Gallery {
    std::string preset_name;      ///< the typed name of a new preset
    std::string asked_to_remove;  ///< the card whose cross was pressed once
    bool whole = false;           ///< in a low window, all of its rows are shown
  } gallery;
  SearchUi search;
  HelpUi help;
  TunerUi tuner;
  command::Compare compare;  ///< the comparison being chosen
  TimelineUi timeline;       ///< T opens it
  PathUi path;
  std::optional<LargePlot> large_plot;
  Inks inks;
  EditorUi editor;
  std::map<std::string, std::int64_t> manual;  ///< last value of each automatic parameter before "auto"
  std::vector<double> scratch;                 ///< reused by plots
  ControlList controls;
  TourUi tour;
};

/// The part of a window of this size that the column and the editor leave to the picture. `scale` as given to
/// apply_theme(); `device` is false when the snapshot names no device (the page that says so covers the window).
Rect picture_area(const UiState& state, float width, float height, float scale, bool device = true);

/// The part of the editor, or of the scene's pane, while it is open: beside the picture where the window is wide and
/// the text long, else below it.
Rect editor_area(const UiState& state, float width, float height, float scale);

void draw_ui(const WindowSnapshot& snapshot, UiState& state, const Fonts& fonts, command::Commands& commands);

}  // namespace orrery::ui
