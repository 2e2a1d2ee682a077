/// The few building blocks that every panel is made of. All of them keep to one grid: a label column at the left, a
/// field column that reaches the right edge, numbers right-aligned.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ui/file_choice.hpp"
#include "ui/panels.hpp"

namespace orrery::ui {

/// State, fonts and commands that a panel draws with.
struct Panel {
  UiState& state;
  const Fonts& fonts;
  command::Commands& commands;

  /// Pixels of a length at scale 1.
  float px(float units) const { return std::round(units * fonts.scale); }
  template <class Command>
  void send(Command command) const {
    commands.emplace_back(std::move(command));
  }
  /// A command that only the scene knows.
  template <class Own>
  void send_to_scene(Own command) const {
    commands.push_back(command::of_scene(std::move(command)));
  }
};

/// Whether the window is so tall that every panel can unfold and explain itself in full.
bool is_roomy(const Panel& panel);

/// Explains the item before it, when the mouse rests on it.
void hint(const Panel& panel, std::string_view text);

/// The same above the item before it, around this place, at once and within the window: for a strip below the picture.
void hint_above(const Panel& panel, float x, const std::string& text);

/// A right click, or Ctrl+C, on what lies there copies `text`, which is all of a value that is shown shortened; `name`
/// tells what was copied. The other form: on the item before it.
void offer_copy(const Panel& panel, std::string_view name, std::string_view text, const Rect& place);
void offer_copy(const Panel& panel, std::string_view name, std::string_view text);

/// Adds the item before it to the list of controls, where it can be seen; the other form, what lies at that place.
void list_control(const Panel& panel, std::string_view label);
void list_control(const Panel& panel, std::string_view label, const Rect& place);

/// The key goes down in this frame, or repeats while it is held, where that counts.
bool is_pressed(ImGuiKey key, bool repeats = true);
/// Enter goes down in this frame, also that of the keypad. Held, it does not answer the next question as well.
bool enter_pressed();
/// Esc goes down in this frame: a field that ends with it is not to be taken.
inline bool escape_pressed() { return is_pressed(ImGuiKey_Escape); }

/// Where a window lies that can be neither moved nor resized, and how it looks.
struct StillWindowLook {
  ImVec2 at;
  ImVec2 size{0, 0};   ///< a side of 0 is as long as the contents need it
  ImVec2 pivot{0, 0};  ///< the part of the window that lies there
  std::optional<Color> color = {};
  std::optional<ImVec2> padding = {};
  bool rounded = true;
  float opacity = 1;
  ImGuiWindowFlags flags = 0;  ///< further ones
};
/// The flags of a window over the picture, and of one beside it.
inline constexpr ImGuiWindowFlags over_picture = ImGuiWindowFlags_NoFocusOnAppearing,
                                  beside_picture =
                                      ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
/// A window of that look, for a scope; false if it is not visible.
class StillWindow {
 public:
  StillWindow(const char* id, const StillWindowLook& look);
  ~StillWindow();
  StillWindow(const StillWindow&) = delete;
  StillWindow& operator=(const StillWindow&) = delete;
  explicit operator bool() const { return visible_; }

 private:
  int colors_ = 0, lengths_ = 1;  // of the style, that it has pushed
  bool visible_ = false;
};

/// Keys lead through the window that is being drawn, from where they were last.
void take_keyboard();

/// Covers the window behind what is drawn after it, in this colour, and takes every click; true when clicked.
bool shade(Color color, const char* id = "##shade");

/// An item that answers to the mouse, where nothing is drawn; at least a pixel wide and high, less would end the
/// process.
bool clickable(const char* id, ImVec2 size);

/// Returns −1 or 1 where keys lead from item to item and an arrow to the left or right has met the item before it,
/// which the keys then do not leave; else 0.
int take_arrows();
/// The item before it is held down by Enter or Space.
bool pressed_by_key();

/// A heading that folds what follows; true while unfolded. Folded, it shows `summary` in its place. False while the
/// column shows its other face.
bool section(const Panel& panel, const char* title, std::string_view summary, bool open_at_first);
/// The same, where something else knows whether it is unfolded: what it is now.
bool heading(const Panel& panel, const char* title, std::string_view summary, bool open);

/// The last section ends here. One that a click has just unfolded is scrolled to, as far as its heading stays in sight.
void end_section(const Panel& panel);

/// Puts `label` into the label column, and the next item into the field column, over its whole width.
void label_row(const Panel& panel, std::string_view label, std::string_view help);

/// A value as it is shown, and all of it, to be copied.
struct Shown {
  std::string text, exact;
  Shown(std::string shown) : text(std::move(shown)), exact(text) {}  // NOLINT: a text is all of itself
  Shown(const char* shown) : Shown(std::string(shown)) {}            // NOLINT
  Shown(std::string shown, double value);
};

struct Stat {
  const char* label;
  Shown value;
  Color color = palette::text;
  ImFont* font = nullptr;      ///< font of the value; null: the present one
  const char* help = nullptr;  ///< tooltip
};
/// Labelled numbers, two in a row.
void stat_grid(const Panel& panel, std::initializer_list<Stat> stats);

/// One text at the left edge, one at the right.
void split_line(const Panel& panel, std::string_view left, Color left_color, std::string_view right, Color right_color);

/// One line, cut to the width, or to `most`, with "…"; whole in a tooltip when cut.
void line_of_text(const Panel& panel, std::string_view text, Color color = palette::text, float most = FLT_MAX);
void wrapped_text(std::string_view text, Color color = palette::text);
/// Below a field: why its text is refused. The column scrolls to it once.
void refusal(const Panel& panel, std::string_view text);
/// A paragraph with a coloured edge.
void notice(const Panel& panel, std::string_view text, Color color);

/// A palette from `low` to `high`; `rgb` is its triples.
void color_ramp(const Panel& panel, std::span<const std::uint8_t> rgb, std::string_view low, std::string_view high);

bool button(const Panel& panel, const char* label, float width, std::string_view help, bool enabled = true);
/// A label that is too long for the button is written smaller, and cut only where that is not enough. With a width of 0
/// the button is as wide as its label needs.
bool fitted_button(const Panel& panel, const char* label, ImVec2 size);
/// Reads as pressed while `on`.
bool toggle(const Panel& panel, const char* label, bool on, float width, std::string_view help);

/// ImGui::BeginCombo over the whole width, with a quiet arrow.
bool begin_combo(const Panel& panel, const char* id, const std::string& preview);

/// A button "…" that asks for a file in the file dialog; the path, once one has been chosen there.
std::optional<std::string> browse_button(const Panel& panel, FileQuestion question, float width);

/// One line of an open drop-down; true when it is chosen.
bool list_entry(const Panel& panel, const std::string& text, bool chosen);

/// A button of a drawn arrow head; direction is ImGuiDir_Left or so.
bool arrow(const Panel& panel, const char* id, ImGuiDir direction, ImVec2 size, std::string_view help);
void draw_arrow(ImDrawList& list, ImVec2 center, float radius, ImGuiDir direction, Color color);

}  // namespace orrery::ui
