#include <imgui.h>

#include <algorithm>

#include "ui/card_grid.hpp"
#include "ui/panels/list.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr std::size_t longest_name = 80;  // bytes
constexpr std::size_t rows_at_first = 2;  // in a low window, so that the parameters are seen below

/// Why a preset cannot have that name; empty where it can.
std::string refusal_of(const std::string& name, std::span<const Card> own) {
  const auto is_bad = [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' '; };
  if (std::ranges::any_of(name, is_bad) || name.starts_with('.'))
    return "A file name cannot begin with a dot or contain / or \\";
  if (name.size() > longest_name) return "The name is too long: at most " + std::to_string(longest_name) + " bytes";
  if (std::ranges::find(own, name, &Card::title) != own.end()) return "A preset with this name exists";
  return {};
}

void keep_row(const Panel& panel, std::span<const Card> own) {
  std::string& name = panel.state.gallery.preset_name;
  const std::string refused = refusal_of(name, own);
  label_row(panel, "Save as", "Name of a new preset of the present scene");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = panel.px(54);
  ImGui::SetNextItemWidth(-(width + gap));
  const bool entered = text_input("##keep", name, {.flags = ImGuiInputTextFlags_EnterReturnsTrue, .hint = "name"});
  ImGui::SameLine(0, gap);
  const bool fits = !name.empty() && refused.empty();
  if ((button(panel, "Save", -FLT_MIN, "Save the present scene as a preset with a picture", fits) || entered) && fits) {
    panel.send(command::KeepPreset{name});
    name.clear();
  }
  if (!refused.empty()) refusal(panel, refused);
}

void grid_of_presets(const Panel& panel, std::span<const Card> cards) {
  const CardAnswer answer = card_grid(panel, cards);
  if (answer.chosen != nullptr) panel.send(command::OpenFile{answer.chosen->id});
  if (answer.removed != nullptr) panel.send(command::RemovePreset{answer.removed->id});
}

}  // namespace

void gallery_panel(const Panel& panel, std::span<const Card> presets, bool open_at_first) {
  if (presets.empty()) return;
  if (std::string object = dropped_object(); !object.empty()) panel.send(command::DropObject{std::move(object)});
  const std::string summary = std::to_string(presets.size()) + (presets.size() == 1 ? " preset" : " presets");
  if (!section(panel, "Gallery", summary, open_at_first)) return;
  const auto shipped = static_cast<std::size_t>(std::ranges::find_if(presets, &Card::own) - presets.begin());
  const std::span<const Card> own = presets.subspan(shipped);
  const std::size_t at_first = rows_at_first * static_cast<std::size_t>(card_columns(panel));
  const bool folds = !is_roomy(panel) && shipped > at_first;
  const bool folded = folds && !panel.state.gallery.whole;
  grid_of_presets(panel, presets.first(folded ? at_first : shipped));
  if (folds && button(panel, folded ? ("Show all " + std::to_string(shipped)).c_str() : "Show fewer", -FLT_MIN, {}))
    panel.state.gallery.whole = folded;
  if (!own.empty()) {
    line_of_text(panel, "Yours", palette::dim);
    grid_of_presets(panel, own);
  }
  keep_row(panel, own);
}

}  // namespace orrery::ui
