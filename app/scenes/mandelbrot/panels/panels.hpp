/// The panels of the Mandelbrot scene.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/decimal.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"
#include "ui/scene_panels.hpp"

namespace orrery::ui {

/// A person fills it in for the picture and the film that are to be saved.
struct ExportForm {
  std::int64_t width = 3840, height = 2160, samples = 4;
  std::string picture_file = "mandelbrot.png";
  std::optional<Decimal> from_span;
  double seconds = 20, rate = 30;
  std::string film_file = "mandelbrot.mp4";
  bool was_busy = false;  ///< something was being saved in the last frame
};

/// State that the panels keep from frame to frame: text that is typed and not yet sent.
struct MandelbrotUi {
  std::string place;          ///< to fly to
  bool typing_place = false;  ///< the field of the place has the keyboard
  std::string place_file;     ///< to open or save
  std::string bookmark;
  ExportForm form;
};

class MandelbrotPanels final : public ScenePanels {
 public:
  explicit MandelbrotPanels(MandelbrotSnapshot seen,
                            std::shared_ptr<MandelbrotUi> ui = std::make_shared<MandelbrotUi>())
      : seen_(std::move(seen)), ui_(std::move(ui)) {}

  void buttons(const Panel& panel) const override;
  void first_sections(const Panel& panel, const SceneSnapshot& scene) const override;
  void in_picture(const Panel& panel, const Rect& picture) const override;
  PictureLegend legend() const override;
  void sections_after_parameters(const Panel& panel) const override;
  bool leaves_out(const SceneSnapshot& scene, std::string_view parameter) const override;
  std::optional<std::int64_t> in_use(std::string_view parameter) const override;
  void search_entries(SearchEntries& entries) const override;

 private:
  MandelbrotSnapshot seen_;
  std::shared_ptr<MandelbrotUi> ui_;
};

void colors_panel(const Panel& panel, const SceneSnapshot& scene, const MandelbrotSnapshot& view, bool open_at_first);
/// The colours' panel shows that parameter.
bool is_color_parameter(std::string_view name);
void bifurcation_panel(const Panel& panel, const SceneSnapshot& scene, const BifurcationSnapshot& seen,
                       bool open_at_first);
/// The bifurcation diagram's panel shows that parameter.
bool is_bifurcation_parameter(std::string_view name);
/// In the picture: the periods of the diagram's lines, and what it measures.
void bifurcation_labels(const Panel& panel, const BifurcationSnapshot& seen, const Rect& picture);
void places_panel(const Panel& panel, const MandelbrotSnapshot& view, MandelbrotUi& ui, bool open_at_first);
void export_panel(const Panel& panel, const MandelbrotSnapshot& view, ExportForm& form, bool open_at_first);
/// The search finds the actions of that panel's buttons by these.
void export_entries(SearchEntries& entries, const MandelbrotSnapshot& view, const ExportForm& form);

}  // namespace orrery::ui
