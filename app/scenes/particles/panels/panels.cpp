// The particles scene: its buttons, the world, and what is measured of it.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.hpp"
#include "scenes/particles/panels/command.hpp"
#include "scenes/particles/panels/panels.hpp"
#include "ui/format.hpp"
#include "ui/plot.hpp"

namespace orrery::ui {
namespace {

constexpr const char* units = "units of the world";

/// Its title; of a file its name.
std::string title_of_world(const ParticlesSnapshot& view) {
  const auto known = std::ranges::find(view.worlds, view.world, &NamedEntry::name);
  return known != view.worlds.end() ? known->title : std::filesystem::path(view.world).filename().string();
}

void world_row(const Panel& panel, const ParticlesSnapshot& view) {
  label_row(panel, "World",
            view.about.empty() ? "Particles and laws; each world is a file in assets/worlds" : view.about);
  if (!begin_combo(panel, "##world", title_of_world(view))) return;
  for (const NamedEntry& world : view.worlds) {
    if (list_entry(panel, world.title, world.name == view.world)) panel.send_to_scene(command::OpenWorld{world.name});
    hint(panel, world.about);
  }
  ImGui::EndCombo();
}

void color_legend(const Panel& panel, const ParticlesSnapshot& view) {
  const ColorScale& colors = view.colors;
  if (colors.by == "kind") return color_names(panel, {}, view.kinds, Swatch::dot);
  color_ramp(panel, colors.ramp, colors.by + " " + number(colors.low, 3), number(colors.high, 3));
}

/// Where it is largest.
std::string peak_of(std::span<const double> x, std::span<const double> values) {
  if (values.empty()) return {};
  const auto peak = std::ranges::max_element(values) - values.begin();
  return "peak " + number(x[static_cast<std::size_t>(peak)], 3);
}

std::string kinetic_help(const ParticlesMeasures& seen) {
  return "Kinetic energy per particle. Equipartition gives " + number(seen.expected_kinetic, 5) + " ± " +
         number(seen.kinetic_error, 2) + " (five standard errors) at the temperature " +
         number(seen.wanted_temperature, 4);
}

void world_panel(const Panel& panel, const ParticlesSnapshot& view, bool open_at_first) {
  if (!section(panel, "World", title_of_world(view) + ", " + grouped(view.particles), open_at_first)) return;
  world_row(panel, view);
  if (!view.about.empty()) {
    const WithFont small(panel.fonts.small);
    wrapped_text(view.about, palette::dim);
  }
  stat_grid(panel, {{"Particles", grouped(view.particles)},
                    {"Steps/s", {metric(view.steps_per_second), view.steps_per_second}},
                    {"Time", {number(view.time), view.time}},
                    {"Particle-steps/s", metric(view.steps_per_second * static_cast<double>(view.particles))},
                    {"Step", grouped(view.step)},
                    {"Box", view.box}});
  if (!view.minimized.empty()) {
    const WithFont small(panel.fonts.small);
    line_of_text(panel, "minimised: " + view.minimized, palette::dim);
  }
  if (!view.range_note.empty()) {
    const WithFont small(panel.fonts.small);
    wrapped_text(view.range_note, palette::dim);
  }
  if (const auto& followed = view.followed) {
    const WithFont small(panel.fonts.small);
    const std::string kind = followed->kind.empty() ? "" : ", " + followed->kind;
    line_of_text(panel, "following " + grouped(followed->number) + kind, palette::text);
    if (!followed->text.empty()) line_of_text(panel, followed->text, palette::dim);
  }
  color_legend(panel, view);
}

// A harmonic oscillation of angular frequency ω lacks the part (ω dt)²/4.
std::string shortfall_text(const ParticlesMeasures& seen) {
  return "The kinetic energy is " + percent(seen.kinetic_shortfall) +
         " below equipartition, as with a time step too long for the fastest oscillation (ω·dt would be " +
         number(2 * std::sqrt(seen.kinetic_shortfall), 2) + "). Try a shorter time step.";
}

void numbers(const Panel& panel, const ParticlesMeasures& seen) {
  const bool agrees = std::abs(seen.mean_kinetic - seen.expected_kinetic) <= seen.kinetic_error;
  const std::string help = kinetic_help(seen);
  stat_grid(
      panel,
      {{.label = "Temperature",
        .value = {number(seen.temperature), seen.temperature},
        .help = "2 K / (degrees of freedom · k)"},
       {.label = "Target",
        .value = {number(seen.wanted_temperature), seen.wanted_temperature},
        .help = "Temperature of the thermostat"},
       {.label = "Kinetic",
        .value = {number(seen.mean_kinetic, 5), seen.mean_kinetic},
        .color = agrees ? palette::good : palette::text,
        .help = help.c_str()},
       {.label = "3/2 kT", .value = {number(seen.expected_kinetic, 5), seen.expected_kinetic}, .help = help.c_str()},
       {.label = "Potential",
        .value = {number(seen.energy), seen.energy},
        .help = "Potential energy per particle under all laws"},
       {.label = "Total",
        .value = {number(last_of(seen.history.total), 5), last_of(seen.history.total)},
        .help = "Potential and kinetic energy per particle; constant without a thermostat"},
       {.label = "Pressure",
        .value = seen.pressure ? Shown(number(*seen.pressure), *seen.pressure) : Shown("n/a"),
        .help = "Pressure from the virial, with constraints; not defined in open space"}});
  if (seen.kinetic_shortfall <= 0) return;
  const WithFont small(panel.fonts.small);
  wrapped_text(shortfall_text(seen), palette::warning);
}

void distributions(const Panel& panel, const ParticlesMeasures& seen) {
  plot(panel, {.title = "Speeds",
               .x = {.name = "Speed", .unit = units, .low = 0},
               .y = {.name = "Density", .low = 0},
               .at = seen.speed,
               .series = {{"Maxwell–Boltzmann", seen.maxwell_density, palette::total},
                          {"Measured", seen.speed_density, palette::kinetic}},
               .height = 72,
               .note = peak_of(seen.speed, seen.maxwell_density)});
  if (!seen.distance.empty())
    plot(panel, {.title = "Pair distribution g(r)",
                 .x = {.name = "r", .unit = units, .low = 0},
                 .y = {.name = "g(r)", .low = 0},
                 .at = seen.distance,
                 .series = {{"g(r)", seen.pair_distribution, palette::potential}},
                 .height = 72,
                 .reference = 1,
                 .note = peak_of(seen.distance, seen.pair_distribution)});
}

void courses(const Panel& panel, const ParticlesMeasures& seen) {
  const ParticlesHistory& history = seen.history;
  const auto over_time = [&](const char* title, const char* unit, const char* name, std::span<const double> values,
                             Color color, double reference) {
    plot(panel, {.title = title,
                 .x = {.name = "Time", .unit = units},
                 .y = {.name = name, .unit = unit},
                 .at = history.time,
                 .series = {{name, values, color}},
                 .height = 50,
                 .reference = reference});
  };
  over_time("Potential energy per particle", units, "Potential", history.energy, palette::potential, unknown_number);
  over_time("Total energy per particle", units, "Total", history.total, palette::total, unknown_number);
  over_time("Temperature", units, "T", history.temperature, palette::kinetic, seen.wanted_temperature);
  if (seen.pressure) over_time("Pressure", units, "P", history.pressure, palette::residual, unknown_number);
}

void measures_panel(const Panel& panel, const ParticlesSnapshot& view, bool open_at_first) {
  const auto& seen = view.measured;
  if (!section(panel, "Measured", "T " + number(seen ? seen->temperature : 0, 3), open_at_first)) return;
  if (!seen) return line_of_text(panel, "measuring …", palette::dim);
  numbers(panel, *seen);
  distributions(panel, *seen);
  if (!view.laws.empty()) courses(panel, *seen);  // nothing else changes
}

/// Each thermostat has a number of its own.
bool is_of_other_thermostat(const SceneSnapshot& scene, std::string_view name) {
  if (name != "friction" && name != "relaxation") return false;
  const std::string_view wanted = name == "friction" ? "langevin" : "berendsen";
  for (const ParameterView& parameter : scene.parameters)
    if (const auto* text = std::get_if<std::string>(&parameter.value);
        text != nullptr && parameter.info.name == "thermostat")
      return *text != wanted;
  return false;
}

constexpr float law_height = 252;  // a law has few lines

}  // namespace

void ParticlesPanels::buttons(const Panel& panel) const {
  const ParticlesSnapshot& view = seen_;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - 3 * gap) / 4);
  if (toggle(panel, view.paused ? "Continue" : "Pause", view.paused, width, "Space"))
    panel.send(command::SetPaused{!view.paused});
  ImGui::SameLine(0, gap);
  if (button(panel, "Step", width, "One burst, then pause   (N or .)")) panel.send(command::StepOnce{});
  ImGui::SameLine(0, gap);
  const std::string help =
      "Move to a state of lower energy by steepest descent" + (view.minimized.empty() ? "" : "\n" + view.minimized);
  if (button(panel, "Minimise", width, help, !view.minimizing)) panel.send_to_scene(command::Minimize{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Restart", -FLT_MIN, "Return to the initial world with the present laws   (R)"))
    panel.send(command::Reset{});
}

void ParticlesPanels::first_sections(const Panel& panel, const SceneSnapshot&) const {
  world_panel(panel, seen_, true);
  laws_panel(panel, seen_, *ui_, true);
}

void ParticlesPanels::sections_after_parameters(const Panel& panel) const { measures_panel(panel, seen_, true); }

PictureLegend ParticlesPanels::legend() const {
  PictureLegend legend{
      .moment = "Time " + number(seen_.time), .log_height = std::log10(seen_.picture_height), .unit = "length units"};
  if (seen_.colors.by == "kind") {
    for (const NamedColor& kind : seen_.kinds) legend.kinds.push_back({kind.name, color_of(kind.rgb)});
    return legend;
  }
  legend.colors = seen_.colors;
  legend.colors.by = capitalised(seen_.colors.by) + " (" + units + ")";
  return legend;
}

bool ParticlesPanels::leaves_out(const SceneSnapshot& scene, std::string_view parameter) const {
  return parameter == "world" || is_of_other_thermostat(scene, parameter);
}

void ParticlesPanels::search_entries(SearchEntries& entries) const {
  for (const NamedEntry& world : seen_.worlds)
    entries.push_back({.kind = "World",
                       .title = world.title,
                       .detail = world.name == seen_.world ? "shown" : "",
                       .command = command::of_scene(command::OpenWorld{world.name})});
  entries.push_back({.kind = "Action", .title = "Add an empty law", .command = command::of_scene(command::AddLaw{})});
  for (const NamedEntry& law : seen_.ready_laws)
    entries.push_back({.kind = "Action",
                       .title = "Add the law " + law.title,
                       .command = command::of_scene(command::AddLaw{law.name})});
  entries.push_back(
      {.kind = "Action", .title = "Minimise the energy", .command = command::of_scene(command::Minimize{})});
}

float ParticlesPanels::pane_height() const { return ui_->open ? law_height : 0; }

void ParticlesPanels::pane(const Panel& panel, const Rect& area) const { law_pane(panel, seen_, *ui_, area); }

}  // namespace orrery::ui
