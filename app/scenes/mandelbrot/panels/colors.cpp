#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "scenes/mandelbrot/panels/panels.hpp"
#include "ui/parameter_widget.hpp"

namespace orrery::ui {
namespace {

/// In the order of their rows.
constexpr std::array<std::string_view, 10> color_parameters{"palette", "color-scale", "density", "offset",
                                                            "cycling", "interior",    "shading", "light-angle",
                                                            "relief",  "darkness"};

const ParameterView* find(const SceneSnapshot& scene, std::string_view name) {
  const auto found =
      std::ranges::find(scene.parameters, name, [](const ParameterView& parameter) { return parameter.info.name; });
  return found == scene.parameters.end() ? nullptr : &*found;
}

std::string text_of(const ParameterView* parameter) {
  const auto* text = parameter != nullptr ? std::get_if<std::string>(&parameter->value) : nullptr;
  return text != nullptr ? *text : std::string();
}

/// A bar of the palette's colours.
void draw_swatch(ImDrawList& list, const PaletteSwatch& palette, ImVec2 at, ImVec2 size) {
  const std::size_t count = palette.rgb.size() / 3;
  const auto color = [&](std::size_t i) {
    const std::uint8_t* rgb = &palette.rgb[3 * std::min(i, count - 1)];
    return IM_COL32(rgb[0], rgb[1], rgb[2], 255);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto edge = [&](std::size_t k) {
      return std::round(at.x + size.x * static_cast<float>(k) / static_cast<float>(count));
    };
    list.AddRectFilledMultiColor({edge(i), at.y}, {edge(i + 1), at.y + size.y}, color(i), color(i + 1), color(i + 1),
                                 color(i));
  }
}

/// A list of swatches behind the swatch of the present one.
void palette_row(const Panel& panel, const MandelbrotSnapshot& view, const ParameterView& parameter) {
  label_row(panel, parameter.info.label, parameter_help(parameter));
  const std::string present = text_of(&parameter);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight();
  const float bar = std::round(0.5F * width), inset = panel.px(6);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool open = begin_combo(panel, "##palette", title_of(parameter.info, present));
  static const std::vector<PaletteSwatch> none;
  const std::vector<PaletteSwatch>& all = view.palettes ? *view.palettes : none;
  const auto shown = std::ranges::find(all, present, &PaletteSwatch::name);
  if (shown != all.end())
    draw_swatch(list, *shown, {at.x + width - bar - height, at.y + inset}, {bar, height - 2 * inset});
  if (!open) return;
  for (const PaletteSwatch& palette : all) {
    const ImVec2 row = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const float line = ImGui::GetTextLineHeight() + panel.px(6);
    ImGui::PushID(palette.name.c_str());
    if (ImGui::Selectable("##row", palette.name == present, 0, {0, line}))
      panel.send(command::SetParameter{"palette", palette.name});
    if (palette.name == present) ImGui::SetItemDefaultFocus();
    ImGui::PopID();
    ImGui::GetWindowDrawList()->AddText({row.x + panel.px(4), row.y + panel.px(3)}, packed(palette::text),
                                        title_of(parameter.info, palette.name).c_str());
    draw_swatch(*ImGui::GetWindowDrawList(), palette, {row.x + room - bar, row.y + panel.px(4)},
                {bar - panel.px(4), line - panel.px(8)});
  }
  ImGui::EndCombo();
}

}  // namespace

bool is_color_parameter(std::string_view name) {
  return std::ranges::find(color_parameters, name) != color_parameters.end();
}

void colors_panel(const Panel& panel, const SceneSnapshot& scene, const MandelbrotSnapshot& view, bool open_at_first) {
  const ParameterView* palette = find(scene, "palette");
  if (palette == nullptr || !section(panel, "Colour", shown_value(palette->info, palette->value), open_at_first))
    return;
  palette_row(panel, view, *palette);
  const bool classic = text_of(palette) == "classic";
  const std::string shading = text_of(find(scene, "shading"));
  for (const std::string_view name : color_parameters) {
    const ParameterView* parameter = find(scene, name);
    const bool of_light = (name == "light-angle" || name == "relief") && shading != "slope" && shading != "both";
    const bool of_rim = name == "darkness" && shading != "distance" && shading != "both";
    if (parameter == nullptr || name == "palette" || of_light || of_rim || (classic && name == "color-scale")) continue;
    parameter_row(panel, *parameter);
  }
}

}  // namespace orrery::ui
