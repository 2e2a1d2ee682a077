/// The panels that a scene draws around its picture. A scene makes them with each snapshot: plain values, and state
/// that is kept from frame to frame. Panels answer only by commands.
///
/// Window thread, between ImGui::NewFrame() and ImGui::Render().
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/picture_colors.hpp"
#include "ui/search.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {

/// The meaning of colours, lengths and the moment in the picture. Plain values.
struct PictureLegend {
  std::string moment = {};  ///< "Time 12.3", "Magnification 1.2e6"
  std::string turn = {};    ///< "rotated by 30°"; empty where it is level
  ColorScale colors = {};   ///< scale of a quantity, named with its unit
  bool logarithmic = false;
  int exponent = 0;  ///< the values of `colors` are in units of 2^exponent
  struct Kind {
    std::string name;
    Color color;
  };
  std::vector<Kind> kinds = {};  ///< with a colour each, in place of a quantity
  /// log₁₀ of the length that is as wide as the picture is high, at the point that is looked at; no number: unknown.
  double log_height = std::numeric_limits<double>::quiet_NaN();
  std::string unit = {};  ///< unit of lengths
};

class ScenePanels {
 public:
  virtual ~ScenePanels() = default;

  /// One row under the tabs.
  virtual void buttons(const Panel&) const {}
  /// Sections of the column: what a person changes, above the parameters; what is computed, below them; and what tells
  /// of speed and errors, on the face that measures.
  virtual void first_sections(const Panel&, const SceneSnapshot&) const {}
  virtual void sections_after_parameters(const Panel&) const {}
  virtual void tuning_sections(const Panel&) const {}

  /// True for a parameter that is not listed among the others: one of the scene's own sections shows it, or it has no
  /// effect at present.
  virtual bool leaves_out(const SceneSnapshot&, std::string_view) const { return false; }
  /// Why the parameter has no effect at present, one sentence; its row is grey then. Empty where it has one.
  virtual std::string without_effect(std::string_view) const { return {}; }
  /// The value in use for "auto", if known.
  virtual std::optional<std::int64_t> in_use(std::string_view) const { return std::nullopt; }
  /// Rows below the parameters.
  virtual void parameter_rows(const Panel&) const {}
  /// The share of the k-th of several devices.
  virtual std::string share_of_device(std::size_t k) const { return k == 0 ? "computes" : ""; }

  /// Draws over the picture, below all panels and notices.
  virtual void in_picture(const Panel&, const Rect&) const {}
  /// The legend of the picture, drawn if the user wants it.
  virtual PictureLegend legend() const { return {}; }
  /// Adds what the search finds of the scene, besides its parameters and keys.
  virtual void search_entries(SearchEntries&) const {}

  /// A pane below the picture: its height at scale 1, 0 while there is none.
  virtual float pane_height() const { return 0; }
  /// Escape closes it.
  virtual bool pane_closes() const { return true; }
  virtual void pane(const Panel&, const Rect&) const {}
};

/// The panels of the scene; panels without contents if it has none.
const ScenePanels& panels_of(const SceneSnapshot& scene);

}  // namespace orrery::ui
