#include <imgui.h>

#include <span>

#include "base/files/path.hpp"
#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "ui/card_grid.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

void file_row(const Panel& panel, MandelbrotUi& ui) {
  label_row(
      panel, "File",
      "A .toml, a .kfr, or a .png by Orrery; or drop the file on the window. A name without a folder is read from " +
          pictures_folder().string());
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = panel.px(46), browse = ImGui::GetFrameHeight();
  std::string& path = ui.place_file;
  ImGui::SetNextItemWidth(-2 * (width + gap) - browse - gap);
  text_input("##file", path, {.hint = "name"});
  ImGui::SameLine(0, gap);
  const FileQuestion places{.id = "place",
                            .title = "Open a place",
                            .verb = "Open",
                            .extensions = {".toml", ".kfr", ".txt", ".png"},
                            .kinds = "Places: .toml, .kfr, .txt, or a .png by Orrery"};
  const auto chosen = browse_button(panel, places, browse);
  if (chosen) path = *chosen;
  ImGui::SameLine(0, gap);
  if (button(panel, "Open", width, "Fly to the location in this file", !path.empty()) || chosen)
    panel.send_to_scene(command::OpenView{path});
  ImGui::SameLine(0, gap);
  if (button(panel, "Save", -FLT_MIN, "Save the present view as .toml", !path.empty()))
    panel.send_to_scene(command::SaveView{path});
}

void bookmark_row(const Panel& panel, MandelbrotUi& ui) {
  label_row(panel, "Bookmark", "Name of the bookmark; by default the centre of the view");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = panel.px(46);
  std::string& title = ui.bookmark;
  ImGui::SetNextItemWidth(-(width + gap));
  const bool entered = text_input("##title", title, {.flags = ImGuiInputTextFlags_EnterReturnsTrue, .hint = "name"});
  ImGui::SameLine(0, gap);
  if (!button(panel, "Add", -FLT_MIN, "Save the present view in Places   (B)") && !entered) return;
  panel.send_to_scene(command::AddBookmark{title});
  title.clear();
}

}  // namespace

void places_panel(const Panel& panel, const MandelbrotSnapshot& view, MandelbrotUi& ui, bool open_at_first) {
  if (!view.places) return;
  if (!section(panel, "Places", std::to_string(view.places->size()), open_at_first)) return;
  const std::span<const Card> places(*view.places);
  const std::size_t at_first = 2 * static_cast<std::size_t>(card_columns(panel));
  const bool folds = !is_roomy(panel) && places.size() > at_first;
  const bool folded = folds && !panel.state.gallery.whole;
  const CardAnswer answer = card_grid(panel, places.first(folded ? at_first : places.size()));
  if (answer.removed != nullptr) panel.send_to_scene(command::RemoveBookmark{answer.removed->id});
  if (answer.chosen != nullptr) panel.send_to_scene(command::FlyToPlace{answer.chosen->id});
  if (folds &&
      button(panel, folded ? ("Show all " + std::to_string(places.size())).c_str() : "Show fewer", -FLT_MIN, {}))
    panel.state.gallery.whole = folded;
  bookmark_row(panel, ui);
  file_row(panel, ui);
}

}  // namespace orrery::ui
