#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "ui/format.hpp"
#include "ui/parameter_widget.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr double most_shown = 0x1p62;
constexpr std::array<std::string_view, 6> number_parameters{"center-re",     "center-im",  "span",
                                                            "magnification", "iterations", "power"};

bool is_number_parameter(std::string_view name) {
  return std::ranges::find(number_parameters, name) != number_parameters.end();
}

std::optional<std::int64_t> in_use_of(const MandelbrotSnapshot& view, std::string_view parameter) {
  if (parameter != "iterations") return std::nullopt;
  return static_cast<std::int64_t>(std::min(view.limit, most_shown));
}

/// In place of the field, so that no row moves when a flight begins or ends.
void flight_row(const Panel& panel, const MandelbrotSnapshot& view) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = panel.px(64);
  ImGui::AlignTextToFramePadding();
  line_of_text(panel, "arriving in " + number(std::ceil(view.flight_seconds)) + " s", palette::dim);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x - 2 * width - gap + ImGui::GetStyle().WindowPadding.x);
  if (button(panel, "Stay", width, "Stop the flight here   (Space)")) panel.send_to_scene(command::EndFlight{false});
  ImGui::SameLine(0, gap);
  if (button(panel, "Skip", -FLT_MIN, "Jump to the end of the flight   (End)"))
    panel.send_to_scene(command::EndFlight{true});
}

void fly_row(const Panel& panel, const MandelbrotSnapshot& view, MandelbrotUi& ui) {
  if (view.flight_seconds > 0 && ui.place.empty() && !ui.typing_place) return flight_row(panel, view);
  label_row(panel, "Fly to",
            "Paste a location of any length and press Enter:\nRE IM SPAN, or the text of a .kfr or .toml file");
  std::string& place = ui.place;
  const bool entered =
      text_input("##place", place, {.flags = ImGuiInputTextFlags_EnterReturnsTrue, .hint = "paste a location"});
  ui.typing_place = ImGui::IsItemActive();
  if (entered && !place.empty()) {
    panel.send_to_scene(command::FlyTo{place});
    place.clear();
  }
}

/// Says why the view shows nothing, and offers ways out.
void lack_rows(const Panel& panel, const MandelbrotSnapshot& view) {
  using Lack = MandelbrotSnapshot::Lack;
  constexpr double farther = 16;
  if (view.lack == Lack::none) return;
  notice(panel,
         view.lack == Lack::all_inside
             ? "All of this view lies inside the set. Go back, or zoom out and find a copy at its edge."
             : "This view has only one colour: all of its points escape after almost the same number of "
               "iterations. Go back, or zoom out and find a copy.",
         palette::dim);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
  if (button(panel, "Go back", width, "Previous view   (Alt+Left, Backspace)", view.can_go_back))
    panel.send_to_scene(command::ViewBack{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Zoom out", -FLT_MIN, "Show 16 times as much around the middle   (-)"))
    panel.send_to_scene(command::ZoomBy{farther});
}

void copy_rows(const Panel& panel, const MandelbrotSnapshot& view) {
  using What = CopySnapshot::What;
  const CopySnapshot& copy = view.copy;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  lack_rows(panel, view);
  if (copy.what == What::searching) line_of_text(panel, "searching …", palette::dim);
  if (copy.what == What::nothing) line_of_text(panel, "No copy was found in that view.", palette::dim);
  if (copy.what != What::copy) return;
  line_of_text(panel, "Found: period " + std::to_string(copy.period) + ", size " + copy.size, palette::text);
  const float width = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
  if (button(panel, "Fly to it", width, "Fly to the copy   (G)"))
    panel.send_to_scene(command::FlyToCopy{command::FlyToCopy::Where::copy});
  ImGui::SameLine(0, gap);
  if (button(panel, "Embedded Julia", -FLT_MIN,
             "Fly to the Julia set embedded around the copy, at half the exponent of its zoom"))
    panel.send_to_scene(command::FlyToCopy{command::FlyToCopy::Where::embedded_julia});
}

void place_buttons(const Panel& panel, const SceneSnapshot& scene, bool searching) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - 3 * gap) / 4);
  if (button(panel, "Copy", width, "Copy the location   (Ctrl+C)")) panel.send_to_scene(command::CopyPlace{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Bookmark", width, "Save this view in Places   (B)")) panel.send_to_scene(command::AddBookmark{{}});
  ImGui::SameLine(0, gap);
  if (button(panel, "Find", width, "Find the copy of the set with the lowest period in this view   (F)", !searching))
    panel.send_to_scene(command::FindCopy{});
  ImGui::SameLine(0, gap);
  for (const ParameterView& parameter : scene.parameters) {
    if (parameter.info.name != "julia") continue;
    const bool on = std::get<bool>(parameter.value);
    if (toggle(panel, "Julia", on, -FLT_MIN, "Show the Julia set of the point under the cursor   (J)"))
      panel.send(command::SetParameter{"julia", !on});
  }
}

constexpr std::array<std::string_view, 3> turn_parameters{"rotation", "stretch", "stretch-angle"};

bool is_turn_parameter(std::string_view name) {
  return std::ranges::find(turn_parameters, name) != turn_parameters.end();
}

/// The axis of a stretch is shown only where there is a stretch.
void turn_rows(const Panel& panel, const SceneSnapshot& scene, bool level) {
  const auto stretch = std::ranges::find(scene.parameters, std::string_view("stretch"),
                                         [](const ParameterView& each) { return each.info.name; });
  const bool stretched = stretch != scene.parameters.end() && std::get<double>(stretch->value) != 1;
  for (const ParameterView& parameter : scene.parameters)
    if (is_turn_parameter(parameter.info.name) && (stretched || parameter.info.name != "stretch-angle"))
      parameter_row(panel, parameter);
  if (!level && button(panel, "Level the view", -FLT_MIN, "Turn the view back to level   (Ctrl+R)"))
    panel.send_to_scene(command::LevelView{});
}

/// Errors of some pixels, found by recomputing them in many bits.
void proof_rows(const Panel& panel, const MandelbrotSnapshot::Proof& proof) {
  const bool known = proof.checked > 0;
  const auto shown = [&](const std::string& text) { return known ? text : std::string(proof.under_way ? "…" : "–"); };
  const std::string of_all = proof.left_out > 0 ? " of " + std::to_string(proof.checked + proof.left_out) : "";
  const Color ink = known && proof.fails ? palette::warning : palette::text;
  stat_grid(panel, {{.label = "Checked pixels",
                     .value = shown(std::to_string(proof.checked) + of_all),
                     .help = "Random pixels of the finished picture, recomputed in many bits"},
                    {.label = "Median error",
                     .value = {shown(number(proof.median_error, 2)), proof.median_error},
                     .help = "Median error of ν over those pixels"},
                    {.label = "Misclassified",
                     .value = shown(std::to_string(proof.wrong_kind)),
                     .color = ink,
                     .help = "Interior pixels shown as escaping, or escaping ones shown as interior"},
                    {.label = "Largest error",
                     .value = {shown(number(proof.largest_error, 2)), proof.largest_error},
                     .color = ink,
                     .help = "Largest error of ν beyond 1/16 pixel; above 0.001 the picture is computed again"}});
}

/// Computing first, then sampling.
void progress_line(const Panel& panel, const MandelbrotSnapshot& view) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.px(3)};
  ImGui::Dummy(size);
  const bool sampling = view.progress >= 1 && view.samples_wanted > 1;
  const double part = sampling ? static_cast<double>(view.samples) / view.samples_wanted : view.progress;
  const float share = std::isfinite(part) ? std::clamp(static_cast<float>(part), 0.0F, 1.0F) : 0.0F;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(palette::field), size.y / 2);
  const Color ink = view.progress < 1 ? palette::accent : palette::kernel;
  if (share > 0) list.AddRectFilled(at, {at.x + size.x * share, at.y + size.y}, packed(ink), size.y / 2);
}

void view_panel(const Panel& panel, const SceneSnapshot& scene, const MandelbrotSnapshot& view, MandelbrotUi& ui,
                bool open_at_first) {
  if (!section(panel, "View", "span " + view.span, open_at_first)) return;
  if (!view.warning.empty()) notice(panel, view.warning, palette::warning);
  fly_row(panel, view, ui);
  for (const std::string_view name : number_parameters)
    for (const ParameterView& parameter : scene.parameters)
      if (parameter.info.name == name) parameter_row(panel, parameter, in_use_of(view, name));
  turn_rows(panel, scene, view.level);
  place_buttons(panel, scene, view.copy.what == CopySnapshot::What::searching);
  copy_rows(panel, view);
  const std::string samples = std::to_string(view.samples) + " of " + std::to_string(view.samples_wanted);
  const bool sampling = view.progress >= 1 && view.samples_wanted > 1;
  stat_grid(panel, {{view.precision == "renormalised" ? "Steps/s" : "Iterations/s",
                     {metric(view.iterations_per_second), view.iterations_per_second}},
                    {"Precision", capitalised(view.precision)},
                    {sampling ? "Samples" : "Progress", sampling ? samples : percent(view.progress)}});
  proof_rows(panel, view.proof);
  progress_line(panel, view);
  const WithFont small(panel.fonts.small);
  if (!view.precision_reason.empty()) wrapped_text("Precision: " + view.precision_reason, palette::dim);
  line_of_text(panel, view.cursor.empty() ? " " : view.cursor, palette::dim);
}

}  // namespace

void MandelbrotPanels::buttons(const Panel& panel) const {
  const MandelbrotSnapshot& view = seen_;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - 2 * gap) / 3);
  if (button(panel, "← Back", width, "Previous view   (Alt+Left, Backspace)", view.can_go_back))
    panel.send_to_scene(command::ViewBack{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Forward →", width, "Next view   (Alt+Right)", view.can_go_forward))
    panel.send_to_scene(command::ViewForward{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Default view", -FLT_MIN, "Home")) panel.send(command::Reset{});
}

void MandelbrotPanels::first_sections(const Panel& panel, const SceneSnapshot& scene) const {
  places_panel(panel, seen_, *ui_, true);
  view_panel(panel, scene, seen_, *ui_, true);
  colors_panel(panel, scene, seen_, true);
  bifurcation_panel(panel, scene, seen_.bifurcation, false);
}

void MandelbrotPanels::sections_after_parameters(const Panel& panel) const {
  export_panel(panel, seen_, ui_->form, false);
}

void MandelbrotPanels::in_picture(const Panel& panel, const Rect& picture) const {
  bifurcation_labels(panel, seen_.bifurcation, picture);
}

PictureLegend MandelbrotPanels::legend() const {
  PictureLegend legend{.moment = "Magnification " + seen_.magnification, .log_height = seen_.log_height};
  legend.unit = "in c";
  if (!seen_.level) legend.turn = "rotated by " + number(seen_.rotation) + "°";
  if (!seen_.colored) return legend;
  legend.colors = {"Iterations ν, smooth", seen_.colored->lowest, seen_.colored->highest, seen_.colored->rgb};
  legend.exponent = seen_.colored->exponent;
  legend.logarithmic = true;
  return legend;
}

bool MandelbrotPanels::leaves_out(const SceneSnapshot&, std::string_view parameter) const {
  return is_color_parameter(parameter) || is_turn_parameter(parameter) || is_number_parameter(parameter) ||
         is_bifurcation_parameter(parameter) || parameter == "julia";
}

void MandelbrotPanels::search_entries(SearchEntries& entries) const {
  export_entries(entries, seen_, ui_->form);
  if (!seen_.places) return;
  for (const Card& place : *seen_.places)
    entries.push_back({.kind = "Place",
                       .title = place.title,
                       .detail = place.own ? "bookmark" : "",
                       .command = command::of_scene(command::FlyToPlace{place.id})});
}

std::optional<std::int64_t> MandelbrotPanels::in_use(std::string_view parameter) const {
  return in_use_of(seen_, parameter);
}

}  // namespace orrery::ui
