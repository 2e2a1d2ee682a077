#include "ui/card_grid.hpp"

#include <algorithm>
#include <cmath>

#include "ui/format.hpp"

namespace orrery::ui {
namespace {

constexpr float least_width = 96, card_gap = 8;
constexpr float low_window = 480, least_width_in_low = 64;  // there, two rows of small cards are seen

void draw_cross(const Panel& panel, ImVec2 middle, float radius, Color ink) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float arm = panel.px(4);
  list.AddCircleFilled(middle, radius - panel.px(1), packed(palette::window, 0.8F));
  list.AddLine({middle.x - arm, middle.y - arm}, {middle.x + arm, middle.y + arm}, packed(ink), panel.px(2));
  list.AddLine({middle.x - arm, middle.y + arm}, {middle.x + arm, middle.y - arm}, packed(ink), panel.px(2));
}

constexpr const char* dragged_object = "object";

/// A card that is dragged goes along with the pointer.
void drag_source(const Panel& panel, const Card& shown, float width, float height) {
  if (!ImGui::BeginDragDropSource()) return;
  ImGui::SetDragDropPayload(dragged_object, shown.object.c_str(), shown.object.size() + 1);
  if (shown.texture != 0) ImGui::Image((ImTextureID)(std::intptr_t)shown.texture, {width, height});
  line_of_text(panel, "Add a " + shown.object, palette::text);
  ImGui::EndDragDropSource();
}

/// The cross of a card of one's own is seen while the mouse is over it, and asks once before it removes.
void card(const Panel& panel, const Card& shown, float width, CardAnswer& answer) {
  std::string& asked = panel.state.gallery.asked_to_remove;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = std::round(width * 9 / 16);
  const WithFont small(panel.fonts.small);
  ImGui::PushID(shown.id.c_str());
  const bool pressed = clickable("##card", {width, height + ImGui::GetTextLineHeight() + panel.px(4)});
  if (!shown.object.empty()) drag_source(panel, shown, width, height);
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 high{at.x + width, at.y + height}, mouse = ImGui::GetIO().MousePos;
  const float cross = panel.px(18);
  const bool on_cross = shown.own && hovered && mouse.x > high.x - cross && mouse.y < at.y + cross;
  if (asked == shown.id && !on_cross) asked.clear();
  const bool asks = asked == shown.id;
  list_control(panel, shown.title);
  if (shown.own) list_control(panel, "Remove " + shown.title, {high.x - cross, at.y, cross, cross});
  std::string help = shown.title + "\n" + shown.text;
  if (!shown.object.empty()) help += "\nDrag it into the picture to add a " + shown.object;
  hint(panel, asks ? "Press once more to remove " + shown.title + " for good" : help);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  list.AddRectFilled(at, high, packed(palette::field), rounding);
  if (shown.texture != 0)
    list.AddImageRounded((ImTextureID)(std::intptr_t)shown.texture, at, high, {0, 0}, {1, 1}, IM_COL32_WHITE, rounding);
  const Color ink = asks ? palette::error : palette::accent;
  if (hovered) list.AddRect(at, high, packed(ink), rounding, 0, panel.px(2));
  list.AddText({at.x, high.y + panel.px(2)},
               packed(asks      ? palette::error
                      : hovered ? palette::text
                                : palette::dim),
               fitted(asks ? "Remove? Press again" : shown.title, width).c_str());
  if (shown.own && hovered)
    draw_cross(panel, {high.x - cross / 2, at.y + cross / 2}, cross / 2, on_cross ? palette::error : palette::text);
  ImGui::PopID();
  if (!pressed) return;
  if (!on_cross)
    answer.chosen = &shown;
  else if (asks)
    answer.removed = &shown, asked.clear();
  else
    asked = shown.id;
}

}  // namespace

int card_columns(const Panel& panel) {
  const float room = ImGui::GetContentRegionAvail().x + panel.px(card_gap);
  const bool is_low = ImGui::GetIO().DisplaySize.y < panel.px(low_window);
  return std::max(1, static_cast<int>(room / panel.px((is_low ? least_width_in_low : least_width) + card_gap)));
}

std::string dropped_object() {
  const ImGuiPayload* const payload = ImGui::GetDragDropPayload();
  if (payload == nullptr || !payload->IsDataType(dragged_object) || !ImGui::IsMouseReleased(0)) return {};
  const auto any = ImGuiHoveredFlags_AnyWindow | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem;
  return ImGui::IsWindowHovered(any) ? std::string() : static_cast<const char*>(payload->Data);
}

CardAnswer card_grid(const Panel& panel, std::span<const Card> cards) {
  const int columns = card_columns(panel);
  const float gap = panel.px(card_gap), all = ImGui::GetContentRegionAvail().x;
  const float width = std::floor((all - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns));
  CardAnswer answer;
  int column = 0;
  for (const Card& each : cards) {
    if (column > 0) ImGui::SameLine(0, gap);
    card(panel, each, width, answer);
    column = (column + 1) % columns;
  }
  return answer;
}

}  // namespace orrery::ui
