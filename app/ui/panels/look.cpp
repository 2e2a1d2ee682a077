#include <array>
#include <cmath>
#include <utility>

#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {

void look_panel(const Panel& panel, bool open_at_first) {
  Look& look = panel.state.look;
  if (!section(panel, "Appearance", percent(look.scale), open_at_first)) return;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  label_row(panel, "Theme", "Colours of the panels");
  const float half = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
  if (toggle(panel, "Dark", look.theme == Theme::dark, half, {})) look.theme = Theme::dark;
  ImGui::SameLine(0, gap);
  if (toggle(panel, "Light", look.theme == Theme::light, -FLT_MIN, {})) look.theme = Theme::light;
  label_row(panel, "Motion", "Animation of view changes");
  constexpr std::array motions{std::pair(Motion::of_desktop, "Desktop setting"),
                               std::pair(Motion::reduced, "Reduced: no flights"), std::pair(Motion::full, "Full")};
  if (begin_combo(panel, "##motion", motions.at(static_cast<std::size_t>(look.motion)).second)) {
    for (const auto& [motion, title] : motions)
      if (list_entry(panel, title, motion == look.motion)) look.motion = motion;
    ImGui::EndCombo();
  }
  label_row(panel, "Legend",
            "Colours, scale and time in the picture   (I)\nScreenshots include it, even without the panels");
  ImGui::Checkbox("##legend", &look.legend);
  label_row(panel, "Scale", "Size of the panels and their text");
  const float step = panel.px(40);
  const float middle = ImGui::GetContentRegionAvail().x - 2 * (step + gap);
  if (button(panel, "−##smaller", step, "Smaller   (Ctrl and −)", look.scale > Look::least_scale))
    panel.send(command::ChangeScale{-1});
  ImGui::SameLine(0, gap);
  if (button(panel, (percent(look.scale) + "##usual").c_str(), middle, "Back to 100 %   (Ctrl+0)"))
    panel.send(command::ChangeScale{0});
  ImGui::SameLine(0, gap);
  if (button(panel, "+##larger", step, "Larger   (Ctrl and +)", look.scale < Look::most_scale))
    panel.send(command::ChangeScale{+1});
}

}  // namespace orrery::ui
