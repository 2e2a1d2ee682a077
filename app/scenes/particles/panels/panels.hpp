/// The panels of the particles scene.
#pragma once

#include <memory>

#include "scenes/particles/panels/snapshot.hpp"
#include "ui/panels.hpp"
#include "ui/scene_panels.hpp"

namespace orrery::ui {

/// State that the panels keep from frame to frame: the law that is being typed.
struct ParticlesUi {
  bool open = false;  ///< a law is shown below the picture
  std::string law;
  std::string text;            ///< the typed text
  std::string sent;            ///< the last text sent
  std::uint64_t revision = 0;  ///< revision of the laws that the text belongs to
  double typed_at = 0;         ///< seconds; when the text changed last
  CodeState code;

  /// Shows the text of that law, which is new, and gives it the keyboard.
  void begin(const std::string& name);
};

class ParticlesPanels final : public ScenePanels {
 public:
  explicit ParticlesPanels(ParticlesSnapshot seen, std::shared_ptr<ParticlesUi> ui = std::make_shared<ParticlesUi>())
      : seen_(std::move(seen)), ui_(std::move(ui)) {}
  const ParticlesSnapshot& seen() const { return seen_; }

  void buttons(const Panel& panel) const override;
  void first_sections(const Panel& panel, const SceneSnapshot& scene) const override;
  void sections_after_parameters(const Panel& panel) const override;
  bool leaves_out(const SceneSnapshot& scene, std::string_view parameter) const override;
  PictureLegend legend() const override;
  void search_entries(SearchEntries& entries) const override;
  float pane_height() const override;
  void pane(const Panel& panel, const Rect& area) const override;

 private:
  ParticlesSnapshot seen_;
  std::shared_ptr<ParticlesUi> ui_;
};

void laws_panel(const Panel& panel, const ParticlesSnapshot& view, ParticlesUi& ui, bool open_at_first);
/// The text of a law, below the picture.
void law_pane(const Panel& panel, const ParticlesSnapshot& view, ParticlesUi& ui, const Rect& area);

}  // namespace orrery::ui
