/// The panels of the n-body scene.
#pragma once

#include <memory>

#include "scenes/nbody/panels/snapshot.hpp"
#include "ui/scene_panels.hpp"

namespace orrery::ui {

/// State that the panels keep from frame to frame.
struct NbodyUi {
  std::string bodies_path;  ///< the typed path
  bool past = true;         ///< the past is shown
  struct PastHand {         ///< the mouse on the line of the past
    bool other_branch = false;
    std::int64_t step = -1;  ///< told last
    double moved = 0;        ///< time of the last move, in ImGui's seconds
    bool arrived = true;     ///< nothing is left to tell
  } hand;
};

class NbodyPanels final : public ScenePanels {
 public:
  explicit NbodyPanels(NbodySnapshot seen, std::shared_ptr<NbodyUi> ui = std::make_shared<NbodyUi>())
      : seen_(std::move(seen)), ui_(std::move(ui)) {}

  void buttons(const Panel& panel) const override;
  void sections_after_parameters(const Panel& panel) const override;
  void tuning_sections(const Panel& panel) const override;
  std::string without_effect(std::string_view parameter) const override;
  std::optional<std::int64_t> in_use(std::string_view parameter) const override;
  void parameter_rows(const Panel& panel) const override;
  std::string share_of_device(std::size_t k) const override;
  PictureLegend legend() const override;
  void in_picture(const Panel& panel, const Rect& picture) const override;
  float pane_height() const override;
  bool pane_closes() const override { return false; }
  void pane(const Panel& panel, const Rect& area) const override;

 private:
  void followed_body(const Panel& panel, const Rect& picture) const;

  NbodySnapshot seen_;
  std::shared_ptr<NbodyUi> ui_;
};

}  // namespace orrery::ui
