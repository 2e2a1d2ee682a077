#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/panels/panels.hpp"
#include "ui/format.hpp"
#include "ui/plot.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

using Forces = NbodySnapshot::Forces;

/// |E − E₀| / |E₀|, of every row, in the scratch vector.
std::span<const double> energy_error(const Panel& panel, const DiagnosticsHistory& history) {
  std::vector<double>& error = panel.state.scratch;
  error.clear();
  for (double total : history.total) error.push_back(std::abs((total - history.initial_total) / history.initial_total));
  return error;
}

bool is_of_tree(std::string_view quantity) { return quantity == "depth" || quantity == "cost"; }

/// "0.5 years", or "0.5" where units have no names.
std::string with_unit(const UnitNames& units, std::string value, const std::string& unit) {
  return units.named ? value + " " + unit : value;
}

/// "Time ≈ 0.5 years, 2000-07-01 15:00"
std::string moment_of(const NbodySnapshot& nbody) {
  std::string text =
      (nbody.past.is_near ? "Time ≈ " : "Time ") + with_unit(nbody.units, number(nbody.time), nbody.units.time);
  if (!nbody.date.empty()) text += ", " + nbody.date;
  return text + (nbody.backwards ? ", backwards" : "");
}

/// "Cost (interactions per body)", with the unit.
std::string quantity_title(const std::string& quantity, const UnitNames& units) {
  if (quantity == "depth") return "Cell depth (levels of an octree)";
  if (quantity == "cost") return "Cost (interactions per body)";
  if (quantity == "level") return "Step level (k of the steps dt/2^k)";
  if (quantity == "error") return capitalised(quantity);  // relative
  if (quantity == "age") return "Age (" + units.time + ")";
  const std::string& unit = quantity == "speed"          ? units.speed
                            : quantity == "acceleration" ? units.acceleration
                            : quantity == "potential"    ? units.potential
                                                         : units.mass;
  return capitalised(quantity) + " (" + unit + ")";
}

/// Why the picture lacks requested colours or cells; else empty.
std::string missing(const NbodySnapshot& nbody) {
  if (nbody.colors.by == "origin" && nbody.parts.empty())
    return "One colour: bodies that are all alike or come from a file have no known origin.";
  if (nbody.colors.by == "age" && !(nbody.colors.low < nbody.colors.high))
    return "One colour: all bodies are as old as the run. Bodies added by hand (H) are younger.";
  if (nbody.colors.by == "level" && !nbody.individual)
    return "No step level: all bodies take the same time steps. Set Time steps to Each its own for levels.";
  const bool colors = is_of_tree(nbody.colors.by);
  if (nbody.forces != Forces::of_all_pairs || !(colors || nbody.cells.wanted)) return {};
  const std::string what = nbody.cells.wanted ? "cells" : "cell depth or cost";
  return "No " + what + ": forces are summed over all pairs. The key F switches to a tree.";
}

std::string undrawn_cells(const NbodySnapshot::Cells& cells) {
  if (!cells.wanted || cells.drawable == cells.finest) return {};
  const std::string first = std::to_string(cells.drawable + 1), last = std::to_string(cells.finest);
  if (first == last) return "Level " + last + " of the tree has more than 8,192 cells and is not drawn.";
  return "Levels " + first + " to " + last + " of the tree have more than 8,192 cells each and are not drawn.";
}

/// Shortly, beside the palette.
std::string ramp_end(const NbodySnapshot& nbody, double value) {
  return nbody.colors.by == "cost" ? metric(value) : number(value, 3);
}

/// A row with the meaning of the bodies' colours.
void colors_row(const Panel& panel, const NbodySnapshot& nbody) {
  if (nbody.colors.by == "origin") return color_names(panel, "Origin", nbody.parts, Swatch::square);
  color_ramp(panel, nbody.colors.ramp, nbody.colors.by + " " + ramp_end(nbody, nbody.colors.low),
             ramp_end(nbody, nbody.colors.high));
}

constexpr const char* state_help = "Checksum of the bodies' exact bits";

std::string drawn_portion(double share) {
  if (share >= 1) return "All bodies are drawn.";
  const std::string portion = share <= 0.5 ? "1 in " + grouped(std::llround(1 / share)) + " bodies is drawn"
                                           : percent(share) + " of the bodies are drawn";
  return portion + ", to keep frames short. A still picture accumulates all bodies.";
}

void simulation_panel(const Panel& panel, const NbodySnapshot& nbody) {
  const std::string bodies = grouped(nbody.bodies) + " bodies";
  if (!section(panel, "Simulation", bodies, true)) return;
  const bool by_tree = nbody.forces == Forces::of_tree;
  const std::string hash = nbody.state_hash == 0 ? "n/a" : std::to_string(nbody.state_hash);
  const double interactions = nbody.interactions_per_second;
  const double bodies_moved = nbody.steps_per_second * static_cast<double>(nbody.bodies);
  stat_grid(panel, {{"Bodies", grouped(nbody.bodies)},
                    {"Steps/s", {metric(nbody.steps_per_second), nbody.steps_per_second}},
                    {nbody.backwards ? "Time, backwards" : "Time",
                     {with_unit(nbody.units, number(nbody.time), nbody.units.time), nbody.time}},
                    by_tree ? Stat{"Bodies/s", {metric(bodies_moved), bodies_moved}}
                            : Stat{"Interactions/s", {metric(interactions), interactions}},
                    {"Step", grouped(nbody.step)},
                    {"Burst done", percent(nbody.burst_progress)},
                    {"State", hash, palette::text, panel.fonts.mono, state_help},
                    {"Forces", by_tree ? "tree" : "all pairs"}});
  colors_row(panel, nbody);
  color_names(panel, "Cells of level", nbody.cells.levels, Swatch::square);
  const WithFont small(panel.fonts.small);
  const std::string lacking = missing(nbody), undrawn = undrawn_cells(nbody.cells);
  if (!lacking.empty()) wrapped_text(lacking, palette::warning);
  if (!undrawn.empty()) wrapped_text(undrawn, palette::dim);
  if (const std::int64_t gone = nbody.contacts.merged; gone > 0)
    wrapped_text(grouped(gone) + " bodies have merged into others; " + grouped(nbody.bodies - gone) + " remain.",
                 palette::dim);
  if (nbody.drawn_share > 0) wrapped_text(drawn_portion(nbody.drawn_share), palette::dim);
}

/// A note that mergers or bounces dissipate energy; else empty.
std::string taken_by(const NbodySnapshot::Contacts& contacts) {
  if (contacts.keep_energy && contacts.merged == 0) return {};
  return contacts.bounce ? "Bounces dissipate energy; the error includes it."
                         : "Mergers dissipate energy; the error includes it.";
}

void conservation_panel(const Panel& panel, const NbodySnapshot& nbody) {
  const DiagnosticsHistory& history = nbody.diagnostics;
  const std::span<const double> error = energy_error(panel, history);
  const double now = error.empty() ? std::numeric_limits<double>::quiet_NaN() : error.back();
  if (!section(panel, "Conservation", "energy error " + number(now, 2), is_roomy(panel))) return;
  const UnitNames& units = nbody.units;
  const PlotAxis time{.name = "Time", .unit = units.time};
  plot(panel, {.title = "Energy",
               .x = time,
               .y = {.name = "Energy", .unit = units.energy},
               .at = history.time,
               .series = {{"Kinetic", history.kinetic, palette::kinetic},
                          {"Potential", history.potential, palette::potential},
                          {"Total", history.total, palette::total}},
               .height = 84,
               .marks = history.long_steps});
  if (nbody.forces == Forces::of_tree) {
    const WithFont small(panel.fonts.small);
    wrapped_text("The potential is computed with the tree, like the forces.", palette::dim);
  }
  if (const std::string taken = taken_by(nbody.contacts); !taken.empty()) {
    const WithFont small(panel.fonts.small);
    wrapped_text(taken, palette::dim);
  }
  if (!history.step_warning.empty()) {
    const WithFont small(panel.fonts.small);
    wrapped_text(history.step_warning, palette::warning);
  }
  plot(panel, {.title = "Relative energy error",
               .x = time,
               .y = {.name = "Error", .logarithmic = true},
               .at = history.time,
               .series = {{"|E − E₀| / |E₀|", error, palette::residual}},
               .height = 56,
               .marks = history.long_steps});
  const auto conserved = [&](const char* title, const char* symbol, const std::string& unit,
                             std::span<const double> values, Color color) {
    Plot shown{.title = title,
               .x = time,
               .y = {.name = symbol, .unit = unit},
               .at = history.time,
               .series = {{symbol, values, color}},
               .height = 44};
    if (values.data() == history.virial.data()) shown.reference = 1;  // in equilibrium
    plot(panel, shown);
  };
  conserved("Momentum |p|", "|p|", units.momentum, history.momentum, palette::residual);
  conserved("Angular momentum |L|", "|L|", units.angular_momentum, history.angular_momentum, palette::kernel);
  conserved("Virial ratio 2K/|W|", "2K/|W|", "", history.virial, palette::kinetic);
}

// ---- force error

constexpr const char* percentiles_help =
    "Relative errors of the accelerations of the last 4,096 randomly sampled bodies, 256 per frame, compared with "
    "sums in double precision";
constexpr const char* cost_help =
    "Time one step of the present bodies for several force errors of the tree and for all pairs; the simulation waits";

/// The error below which a percentage of the bodies lies.
Stat percentile(const char* label, double error, Color color = palette::text) {
  return {label, {number(error, 2), error}, color, nullptr, percentiles_help};
}

Color color_of_error(const ForceErrorView& errors) {
  constexpr double by_chance = 1.33;  // of the 99th percentile of a thousand bodies
  const bool kept = errors.asked == 0 || !(errors.percentiles.p99 > by_chance * errors.asked);
  return kept ? palette::text : palette::warning;
}

void cost_plot(const Panel& panel, const ForceErrorView& view) {
  const AccuracyCosts& costs = view.costs;
  const std::string label = costs.running ? "Cancel   " + percent(costs.progress) : "Measure error against cost";
  if (toggle(panel, (label + "###accuracy").c_str(), costs.running, -FLT_MIN, cost_help))
    panel.send_to_scene(command::MeasureAccuracy{!costs.running});
  if (!costs.fault.empty()) wrapped_text(costs.fault, palette::warning);
  if (costs.errors.empty()) return;
  const std::array asked{view.asked};
  plot(panel, {.title = "Error against cost",
               .x = {.name = "Force error", .logarithmic = true},
               .y = {.name = "Step", .unit = "ms", .logarithmic = true},
               .at = costs.errors,
               .series = {{"Quadrupole", costs.quadrupole, palette::kernel},
                          {"Monopole", costs.monopole, palette::kinetic},
                          {"All pairs", costs.all_pairs, palette::dim}},
               .height = 96,
               .marks = std::span(asked).first(view.asked > 0 ? 1 : 0)});
}

void force_error_panel(const Panel& panel, const ForceErrorView& view, const UnitNames& units) {
  const ErrorPercentiles& found = view.percentiles;
  if (!section(panel, "Force error", "99 % below " + number(found.p99, 2), is_roomy(panel))) return;
  stat_grid(panel, {percentile("Median", found.median),
                    percentile("90 % below", found.p90),
                    percentile("99 % below", found.p99, color_of_error(view)),
                    percentile("99.9 % below", found.p999),
                    percentile("Largest", found.largest),
                    {"Target (99 %)", view.asked > 0 ? number(view.asked, 2) : "none"}});
  plot(panel,
       {.title = "Relative force error",
        .x = {.name = "Time", .unit = units.time},
        .y = {.name = "Error", .logarithmic = true},
        .at = view.history.time,
        .series = {{"Median", view.history.median, palette::residual}, {"p99", view.history.p99, palette::kinetic}},
        .height = 56});
  cost_plot(panel, view);
}

// ---- steps vs. transfer cost

constexpr const char* transfer_help =
    "Measure steps per second by device time for bursts from 1 to 256. In short bursts the copy to "
    "OpenGL costs a share of each frame; in long bursts it costs almost nothing";

double best_of(std::span<const double> rates) {
  double best = 0;
  for (const double rate : rates)
    if (std::isfinite(rate)) best = std::max(best, rate);
  return best;
}

std::string summary_of(const TransferSweep& sweep) {
  if (sweep.running) return percent(sweep.progress);
  const double best = std::max(best_of(sweep.shared), best_of(sweep.copied));
  return best > 0 ? "up to " + metric(best) + " steps/s" : "not measured";
}

/// Speed of bursts of 1 step, relative to the best.
std::string at_first(const TransferSweep& sweep, std::span<const double> rates) {
  const double best = best_of(rates);
  if (rates.empty() || !(best > 0) || !std::isfinite(rates.front())) return sweep.running ? "pending" : "n/a";
  return "burst 1: " + percent(rates.front() / best) + " of " + metric(best) + " steps/s";
}

void transfer_panel(const Panel& panel, const NbodySnapshot& nbody, bool open_at_first) {
  const TransferSweep& sweep = nbody.transfer;
  if (!section(panel, "Steps vs. transfer cost", summary_of(sweep), open_at_first)) return;
  const std::string label = sweep.running ? "Cancel   " + percent(sweep.progress) : "Measure";
  if (toggle(panel, (label + "###measure").c_str(), sweep.running, -FLT_MIN,
             nbody.paused ? "Available while the simulation runs" : transfer_help))
    panel.send_to_scene(command::MeasureTransfer{!sweep.running});
  if (!sweep.fault.empty()) wrapped_text(sweep.fault, palette::warning);
  if (sweep.bursts.empty()) return;
  plot(panel, {.title = "Speed by burst",
               .x = {.name = "Burst", .unit = "steps", .logarithmic = true},
               .y = {.name = "Speed", .unit = "steps/s"},
               .at = sweep.bursts,
               .series = {{"Shared", sweep.shared, palette::good}, {"Copied", sweep.copied, palette::kinetic}},
               .height = 96});
  const WithFont small(panel.fonts.small);
  split_line(panel, "Shared", palette::good, sweep.no_sharing.empty() ? at_first(sweep, sweep.shared) : "not available",
             palette::text);
  hint(panel, sweep.no_sharing);
  split_line(panel, "Copied", palette::kinetic, at_first(sweep, sweep.copied), palette::text);
}

}  // namespace

PictureLegend NbodyPanels::legend() const {
  PictureLegend legend{
      .moment = moment_of(seen_), .log_height = std::log10(seen_.picture_height), .unit = seen_.units.length};
  if (const std::string lacking = missing(seen_); !lacking.empty()) legend.kinds.push_back({lacking, palette::warning});
  for (const NamedColor& level : seen_.cells.levels)
    legend.kinds.push_back({(legend.kinds.empty() ? "Cells of level " : "") + level.name, color_of(level.rgb)});
  for (const NamedColor& part : seen_.parts) legend.kinds.push_back({part.name, color_of(part.rgb)});
  const ColorScale& colors = seen_.colors;
  if (colors.by == "origin" || !(colors.low < colors.high)) return legend;
  legend.colors = colors;
  legend.colors.by = quantity_title(colors.by, seen_.units);
  legend.logarithmic = colors.by != "depth" && colors.by != "age";
  return legend;
}

void NbodyPanels::parameter_rows(const Panel& panel) const {
  const std::string files = "Bodies: " + std::string(seen_.readable);
  std::vector<std::string> extensions;
  for (const std::string_view extension : split_text(seen_.readable, ',')) extensions.emplace_back(trimmed(extension));
  label_row(panel, "Bodies file", "File to load: columns x, y and any of mass, z, vx, vy, vz. " + files);
  const float width = panel.px(54), browse = ImGui::GetFrameHeight();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(-width - browse - 2 * gap);
  std::string& path = ui_->bodies_path;
  const bool entered = text_input("##path", path, {.flags = ImGuiInputTextFlags_EnterReturnsTrue, .hint = "path"});
  ImGui::SameLine(0, gap);
  const auto chosen = browse_button(
      panel,
      {.id = "bodies", .title = "Open bodies", .verb = "Open", .extensions = std::move(extensions), .kinds = files},
      browse);
  if (chosen) path = *chosen;
  ImGui::SameLine(0, gap);
  const bool pressed = button(panel, "Load", width, "Start from the bodies in this file", !path.empty());
  if ((pressed || entered || chosen) && !path.empty()) panel.send(command::OpenFile{path});
}

void NbodyPanels::buttons(const Panel& panel) const {
  const NbodySnapshot& nbody = seen_;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - 4 * gap) / 5);
  const float wider = std::floor(0.22F * width);  // the longest title's, at the expense of the shortest
  if (toggle(panel, nbody.paused ? "Continue" : "Pause", nbody.paused, width + wider, "Space"))
    panel.send(command::SetPaused{!nbody.paused});
  ImGui::SameLine(0, gap);
  if (button(panel, "Step", width - wider, "One burst, then pause   (N or .)")) panel.send(command::StepOnce{});
  ImGui::SameLine(0, gap);
  if (toggle(panel, "Reverse", nbody.backwards, width,
             nbody.backwards ? "Let time run forwards   (B)" : "Let time run backwards   (B)"))
    panel.send_to_scene(command::ReverseTime{});
  ImGui::SameLine(0, gap);
  if (toggle(panel, "Hands", nbody.hands.on, width, "Add, throw and grab bodies with the left button   (H)"))
    panel.send_to_scene(command::ToggleHands{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Restart", -FLT_MIN, "Return to the initial condition   (R)")) panel.send(command::Reset{});
}

void NbodyPanels::sections_after_parameters(const Panel& panel) const {
  simulation_panel(panel, seen_);
  conservation_panel(panel, seen_);
}

void NbodyPanels::tuning_sections(const Panel& panel) const {
  transfer_panel(panel, seen_, false);
  force_error_panel(panel, seen_.force_errors, seen_.units);
}

std::optional<std::int64_t> NbodyPanels::in_use(std::string_view parameter) const {
  if (parameter == "bodies" && seen_.bodies > 0) return seen_.bodies;
  if (parameter == "cell-level" && seen_.cells.drawn > 0) return seen_.cells.drawn;
  return std::nullopt;
}

std::string NbodyPanels::without_effect(std::string_view parameter) const {
  constexpr std::array of_tree{"force-error", "opening-angle", "order", "cells", "cell-level"};
  if (parameter == "date" && seen_.date.empty()) return "Has no effect: these bodies have no date.";
  if (parameter == "radius" && !seen_.contacts.touch) return "Has no effect: bodies pass through each other.";
  if (parameter == "step-accuracy" && !seen_.individual) return "Has no effect: all bodies take the same time steps.";
  if (parameter == "restitution" && !seen_.contacts.bounce) return "Has no effect: bodies do not bounce.";
  if (parameter == "ghost" && seen_.past.other_branch.empty()) return "Has no effect: the past has one branch.";
  if (seen_.forces != Forces::of_all_pairs || std::ranges::find(of_tree, parameter) == of_tree.end()) return {};
  return "Has no effect: forces are summed over all pairs. The key F switches to a tree.";
}

std::string NbodyPanels::share_of_device(std::size_t k) const {
  if (k >= seen_.members.size()) return {};
  const NbodyMemberShare& member = seen_.members[k];
  const std::string speed = member.measured_speed > 0 ? " · " + metric(member.measured_speed) + "/s" : "";
  return grouped(member.bodies) + " bodies" + speed;
}

}  // namespace orrery::ui
