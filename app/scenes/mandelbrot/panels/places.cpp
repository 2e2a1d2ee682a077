#include <imgui.h>
#include <imgui_stdlib.h>

#include <cmath>

#include "base/files/path.hpp"
#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "ui/format.hpp"

namespace orrery::ui {
namespace {

constexpr int columns = 2;

/// A small picture with its title below; a bookmark has a cross to remove it by, while the mouse is over it.
void card(const Panel& panel, const PlaceCard& place, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = std::round(width * 9 / 16);
  const WithFont small(panel.fonts.small);
  const ImVec2 size{width, height + ImGui::GetTextLineHeight() + panel.px(4)};
  ImGui::PushID(place.id.c_str());
  const bool pressed = clickable("##card", size);
  const bool hovered = ImGui::IsItemHovered();
  hint(panel, place.title + "\n" + place.text);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = at, high{at.x + width, at.y + height};
  const float rounding = ImGui::GetStyle().FrameRounding;
  list.AddRectFilled(low, high, packed(palette::field), rounding);
  if (place.texture != 0)
    list.AddImageRounded((ImTextureID)(std::intptr_t)place.texture, low, high, {0, 0}, {1, 1}, IM_COL32_WHITE,
                         rounding);
  if (hovered) list.AddRect(low, high, packed(palette::accent), rounding, 0, panel.px(2));
  list.AddText({at.x, at.y + height + panel.px(2)}, packed(hovered ? palette::text : palette::dim),
               fitted(place.title, width).c_str());
  const float cross = panel.px(18);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool on_cross = place.bookmark && hovered && mouse.x > high.x - cross && mouse.y < low.y + cross;
  if (place.bookmark && hovered) {
    const ImVec2 middle{high.x - cross / 2, low.y + cross / 2};
    const float arm = panel.px(4);
    list.AddCircleFilled(middle, cross / 2 - panel.px(1), packed(palette::window, 0.8F));
    const ImU32 ink = packed(on_cross ? palette::error : palette::text);
    list.AddLine({middle.x - arm, middle.y - arm}, {middle.x + arm, middle.y + arm}, ink, panel.px(2));
    list.AddLine({middle.x - arm, middle.y + arm}, {middle.x + arm, middle.y - arm}, ink, panel.px(2));
  }
  if (pressed && on_cross) {
    panel.send_to_scene(command::RemoveBookmark{place.id});
  } else if (pressed) {
    panel.send_to_scene(command::FlyToPlace{place.id});
  }
  ImGui::PopID();
}

void file_row(const Panel& panel, MandelbrotUi& ui) {
  label_row(panel, "File",
            "A .toml, a .kfr, or a .png by Orrery; or drop the file on the window. A name without a folder is in " +
                pictures_folder().string());
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = panel.px(46), browse = ImGui::GetFrameHeight();
  std::string& path = ui.place_file;
  ImGui::SetNextItemWidth(-2 * (width + gap) - browse - gap);
  ImGui::InputTextWithHint("##file", "place.toml", &path);
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
  const bool entered = ImGui::InputTextWithHint("##title", "name", &title, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine(0, gap);
  if (!button(panel, "Add", -FLT_MIN, "Save the present view in Places   (B)") && !entered) return;
  panel.send_to_scene(command::AddBookmark{title});
  title.clear();
}

}  // namespace

void places_panel(const Panel& panel, const MandelbrotSnapshot& view, MandelbrotUi& ui, bool open_at_first) {
  if (!view.places) return;
  if (!section(panel, "Places", std::to_string(view.places->size()), open_at_first)) return;
  bookmark_row(panel, ui);
  file_row(panel, ui);
  const float gap = panel.px(10);
  const float width = std::floor((ImGui::GetContentRegionAvail().x - (columns - 1) * gap) / columns);
  int column = 0;
  for (const PlaceCard& place : *view.places) {
    if (column > 0) ImGui::SameLine(0, gap);
    card(panel, place, width);
    column = (column + 1) % columns;
  }
}

}  // namespace orrery::ui
