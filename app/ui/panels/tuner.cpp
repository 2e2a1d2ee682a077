#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/panels/tuner_chart.hpp"
#include "ui/plot.hpp"

namespace orrery::ui {
namespace {

std::string summary(const TunerSnapshot& tuner) {
  if (tuner.running) return percent(tuner.progress);
  if (tuner.stale) return "stale";
  return tuner.entries.empty() ? "not measured" : "measured";
}

void kernel_row(const Panel& panel, const TunerSnapshot& tuner) {
  label_row(panel, "Kernel", "Kernel of the running scene");
  if (!begin_combo(panel, "##kernel", in_words(tuner.kernel))) return;
  for (const std::string& kernel : tuner.kernels)
    if (list_entry(panel, in_words(kernel), kernel == tuner.kernel)) panel.send(command::LookAtKernel{kernel});
  ImGui::EndCombo();
}

void axes_row(const Panel& panel, const TunerSnapshot& tuner) {
  auto& left_out = panel.state.tuner.left_out;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, room = ImGui::GetContentRegionAvail().x;
  float used = 0;
  for (const TuneAxis& axis : tuner.space.axes) {
    const std::string title = capitalised(axis.name);
    const float width = ImGui::CalcTextSize(title.c_str()).x + panel.px(14);
    if (used > 0 && used + gap + width <= room)
      ImGui::SameLine(0, gap);
    else
      used = 0;
    used += width + gap;
    const bool swept = !left_out.contains(axis.name);
    const auto is_swept = [&](const TuneAxis& each) { return !left_out.contains(each.name); };
    const bool last = swept && std::ranges::count_if(tuner.space.axes, is_swept) == 1;
    if (toggle(panel, title.c_str(), swept, width, "Vary this axis; otherwise it keeps its default") &&
        !tuner.running && !last)
      swept ? void(left_out.insert(axis.name)) : void(left_out.erase(axis.name));
  }
}

void time_row(const Panel& panel) {
  label_row(panel, "Time limit", "Duration of the sweep; its results are saved, and the next sweep continues");
  constexpr std::array<std::pair<int, const char*>, 3> offered{{{15, "15 s"}, {60, "1 min"}, {300, "5 min"}}};
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  for (const auto& [seconds, label] : offered) {
    if (toggle(panel, label, panel.state.tuner.seconds == seconds, width, {})) panel.state.tuner.seconds = seconds;
    if (seconds != offered.back().first) ImGui::SameLine(0, gap);
  }
}

void start(const Panel& panel, const TunerSnapshot& tuner, bool again) {
  command::StartTuning start{
      .kernel = tuner.kernel, .axes = {}, .seconds = 1.0 * panel.state.tuner.seconds, .again = again};
  for (const TuneAxis& axis : tuner.space.axes)
    if (!panel.state.tuner.left_out.contains(axis.name)) start.axes.push_back(axis.name);
  panel.send(std::move(start));
}

void start_row(const Panel& panel, const TunerSnapshot& tuner) {
  if (tuner.running) {
    const std::string label = tuner.silent ? "Abandon"
                              : tuner.ending || tuner.progress >= 1
                                  ? "Ending …  stop at once"
                                  : "Cancel   " + number(std::ceil(tuner.seconds_left)) + " s left";
    if (button(panel, (label + "###start").c_str(), -FLT_MIN, "The results so far are saved"))
      panel.send(command::CancelTuning{});
    const WithFont small(panel.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ImVec4(palette::accent));
    ImGui::ProgressBar(static_cast<float>(tuner.progress), {-FLT_MIN, panel.px(4)}, "");
    ImGui::PopStyleColor();
    line_of_text(panel, tuner.activity.empty() ? " " : tuner.activity, palette::dim);
    if (tuner.silent)
      notice(panel, "The candidate has not ended for 2 s; the scene continues without it", palette::warning);
    return;
  }
  const bool known = !tuner.entries.empty() && !tuner.stale;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = known ? (ImGui::GetContentRegionAvail().x - gap) / 2 : -FLT_MIN;
  const char* label = !known ? "Start###start" : tuner.complete ? "Complete###start" : "Continue###start";
  if (button(panel, label, width, "Check and time the candidates beside the running scene", !known || !tuner.complete))
    start(panel, tuner, false);
  if (!known) return;
  ImGui::SameLine(0, gap);
  if (button(panel, "Again", -FLT_MIN, "Measure everything again")) start(panel, tuner, true);
}

std::vector<std::size_t> axes_of(const TunerSnapshot& tuner, const TunerUi& ui) {
  std::vector<std::size_t> axes;
  for (std::size_t k = 0; k < tuner.space.axes.size(); ++k)
    if (!ui.left_out.contains(tuner.space.axes[k].name) && tuner.space.axes[k].values.size() > 1) axes.push_back(k);
  return axes;
}

/// The default but for that axis.
bool lies_on(const TunerSnapshot& tuner, const TuneEntry& entry, std::size_t axis) {
  TuneValues values = entry.values;
  values[axis] = tuner.standard[axis];
  return values == tuner.standard;
}

/// Along that axis; without one all, the fastest first.
std::vector<const TuneEntry*> ranked(const TunerSnapshot& tuner, std::optional<std::size_t> axis) {
  std::vector<const TuneEntry*> entries;
  for (const TuneEntry& entry : tuner.entries)
    if ((entry.state == TuneState::wrong || (entry.right() && entry.median > 0)) &&
        (!axis || lies_on(tuner, entry, *axis)))
      entries.push_back(&entry);
  std::ranges::stable_sort(entries, {}, [&](const TuneEntry* e) {
    if (axis) return static_cast<double>(e->values[*axis]);
    return e->state == TuneState::wrong ? std::numeric_limits<double>::infinity() : e->median;
  });
  return entries;
}

void axis_choice(const Panel& panel, const TunerSnapshot& tuner, const char* id, std::span<const std::size_t> axes,
                 std::string& chosen) {
  if (!begin_combo(panel, id, capitalised(chosen))) return;
  for (const std::size_t axis : axes)
    if (const std::string& name = tuner.space.axes[axis].name; list_entry(panel, capitalised(name), name == chosen))
      chosen = name;
  ImGui::EndCombo();
}

const TuneEntry* map(const Panel& panel, const TunerSnapshot& tuner, std::span<const std::size_t> axes) {
  TunerUi& ui = panel.state.tuner;
  const auto place = [&](const std::string& name) {
    return std::ranges::find(axes, name, [&](std::size_t k) { return tuner.space.axes[k].name; });
  };
  if (place(ui.across) == axes.end()) ui.across = tuner.space.axes[axes[0]].name;
  if (place(ui.down) == axes.end() || ui.down == ui.across)
    ui.down = tuner.space.axes[place(ui.across) == axes.begin() ? axes[1] : axes[0]].name;
  if (axes.size() > 2) {
    label_row(panel, "Across", "Axis of the map; each cell shows its fastest candidate, in per cent of the best");
    axis_choice(panel, tuner, "##across", axes, ui.across);
    label_row(panel, "Down", "Axis of the map; each cell shows its fastest candidate, in per cent of the best");
    axis_choice(panel, tuner, "##down", axes, ui.down);
    if (ui.across == ui.down) return nullptr;
  }
  return tuner_map(panel, tuner, *place(ui.across), *place(ui.down));
}

/// All that is known of each candidate that was timed, a row each.
std::string table(const TunerSnapshot& tuner, std::span<const TuneEntry* const> entries) {
  std::string text;
  for (const TuneAxis& axis : tuner.space.axes) text += quoted(axis.name) + ",";
  text += "median (s),lower 95 % (s),upper 95 % (s),runs,limit (s),result\n";
  const auto cell = [](double value) { return std::isfinite(value) && value > 0 ? shortest(value) : std::string(); };
  for (const TuneEntry* entry : entries) {
    for (std::size_t k = 0; k < tuner.space.axes.size(); ++k)
      text += quoted(tuner.space.axes[k].text(entry->values[k])) + ",";
    text += cell(entry->median) + "," + cell(entry->interval.lower) + "," + cell(entry->interval.upper) + "," +
            std::to_string(entry->seconds.size()) + "," + cell(limit_of(tuner, entry->values)) + "," +
            quoted(entry->state == TuneState::wrong ? "wrong: " + entry->reason
                   : entry->keeps_bits              ? "same bits"
                                                    : "other last bits") +
            "\n";
  }
  return text;
}

/// Offers the times of the candidates, which the bars show as speeds; gathers them only while they are shown.
void enlarged(const Panel& panel, const TunerSnapshot& tuner, std::optional<std::size_t> axis) {
  const std::string title = "Times of the candidates";
  if (!enlarge_button(panel, title)) return;
  const std::vector<const TuneEntry*> all = ranked(tuner, axis);
  std::vector<double> at, median, lower, upper, limit;
  for (const TuneEntry* entry : all) {
    if (!entry->right()) continue;
    const double known = limit_of(tuner, entry->values);
    at.push_back(axis ? static_cast<double>(entry->values[*axis]) : static_cast<double>(at.size() + 1));
    median.push_back(1e6 * entry->median);
    lower.push_back(std::isfinite(entry->interval.upper) ? 1e6 * entry->interval.lower : unknown_number);
    upper.push_back(std::isfinite(entry->interval.upper) ? 1e6 * entry->interval.upper : unknown_number);
    limit.push_back(known > 0 ? 1e6 * known : unknown_number);
  }
  Plot plot{.title = title,
            .x = {axis ? capitalised(tuner.space.axes[*axis].name) : "Candidates, the fastest first"},
            .y = {"Time of a run", "µs", false, 0},
            .at = at,
            .series = {{"Median", median, palette::kernel},
                       {"95 % confidence: lower", lower, palette::dim},
                       {"upper", upper, palette::dim}},
            .table = table(tuner, all)};
  if (std::ranges::any_of(limit, [](double each) { return std::isfinite(each); }))
    plot.series.push_back({"Limit", limit, palette::warning});
  show_large(panel, plot);
}

/// `axis` is the only one that is varied.
const TuneEntry* chart(const Panel& panel, const TunerSnapshot& tuner, std::span<const std::size_t> axes,
                       std::optional<std::size_t> axis) {
  TunerUi& ui = panel.state.tuner;
  if (axes.size() >= 2) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x - gap) / 2;
    if (toggle(panel, "Map", !ui.ranking, width, "Show a map of two axes")) ui.ranking = false;
    ImGui::SameLine(0, gap);
    if (toggle(panel, "Ranking", ui.ranking, width, "List all candidates, fastest first")) ui.ranking = true;
    if (!ui.ranking) return map(panel, tuner, axes);
  }
  return tuner_bars(panel, tuner, ranked(tuner, axis), axis, panel.px(110));
}

void choose(const Panel& panel, const TunerSnapshot& tuner, const TuneEntry& entry) {
  panel.send(command::ChooseVariant{tuner.scene, tuner.kernel, tuner.space.named(entry.values)});
}

void best_line(const Panel& panel, const TunerSnapshot& tuner) {
  const auto best = std::ranges::find(tuner.entries, tuner.best, &TuneEntry::values);
  if (best == tuner.entries.end() || !(best->median > 0)) return;
  const double limit = limit_of(tuner, best->values), part = limit / best->median;
  const bool known = limit > 0 && part < 1.05;  // beyond that the ceilings were measured on a busy device
  const std::string rate = tuner.work > 0 ? ", " + metric(tuner.work / best->median) + " " + tuner.unit + "/s" : "";
  split_line(panel, "Best " + duration(1e6 * best->median) + rate, palette::text,
             known ? percent(part) + " of the limit" : "limit n/a", known ? palette::text : palette::dim);
  hint(panel, known ? "Limit: the device's peak arithmetic or memory rate, measured in Roofline"
                    : "Measure the peak rates in Roofline, on an idle device, to see the limit");
}

void choice_row(const Panel& panel, const TunerSnapshot& tuner) {
  const auto best = std::ranges::find(tuner.entries, tuner.best, &TuneEntry::values);
  const bool usable = best != tuner.entries.end() && best->right() && !tuner.stale;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  const char* help = usable && !best->keeps_bits ? "Use the fastest candidate; it changes the last bits of results"
                                                 : "Use the fastest candidate";
  if (button(panel, "Apply best", width, help, usable)) choose(panel, tuner, *best);
  ImGui::SameLine(0, gap);
  if (button(panel, "Auto", width, "Use the fastest saved candidate with bit-identical results, or the default"))
    panel.send(command::ChooseVariant{tuner.scene, tuner.kernel, {}});
}

// Of many that are rejected for the same reason, one is named.
void refused_lines(const Panel& panel, const TunerSnapshot& tuner) {
  std::map<std::string, std::vector<const TuneEntry*>> reasons;
  for (const TuneEntry& entry : tuner.entries) {
    if (entry.state == TuneState::wrong)
      notice(panel, "WRONG  " + tuner.space.text(entry.values) + ": " + entry.reason, palette::error);
    if (entry.state == TuneState::rejected || entry.state == TuneState::failed) reasons[entry.reason].push_back(&entry);
  }
  const WithFont small(panel.fonts.small);
  for (const auto& [reason, entries] : reasons)
    line_of_text(
        panel,
        "× " + std::to_string(entries.size()) + "  " + reason + "  (" + tuner.space.text(entries.front()->values) + ")",
        palette::dim);
}

}  // namespace

void tuner_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first) {
  const TunerSnapshot& tuner = snapshot.tuner;
  if (!section(panel, "Tuner", summary(tuner), open_at_first)) return;
  if (tuner.running && tuner.scene != snapshot.scene.name) {
    const auto tuned = std::ranges::find(snapshot.scenes, tuner.scene, &SceneEntry::name);
    if (tuned != snapshot.scenes.end()) wrapped_text(std::string(tuned->title) + " is being tuned", palette::dim);
    return start_row(panel, tuner);
  }
  if (!tuner.unavailable.empty()) return wrapped_text(tuner.unavailable, palette::dim);
  kernel_row(panel, tuner);
  if (tuner.space.axes.empty()) return;
  axes_row(panel, tuner);
  time_row(panel);
  start_row(panel, tuner);
  if (!tuner.fault.empty()) notice(panel, tuner.fault, palette::error);
  if (tuner.stale) notice(panel, tuner.note + ": not in use", palette::warning);
  if (tuner.entries.empty()) return;
  const std::vector<std::size_t> axes = axes_of(tuner, panel.state.tuner);
  const auto axis = axes.size() == 1 ? std::optional(axes.front()) : std::nullopt;
  const TuneEntry* wanted = chart(panel, tuner, axes, axis);
  if (wanted != nullptr && !tuner.stale) choose(panel, tuner, *wanted);
  enlarged(panel, tuner, axis);
  best_line(panel, tuner);
  choice_row(panel, tuner);
  const WithFont small(panel.fonts.small);
  split_line(panel, "For " + tuner.problem, palette::dim, tuner.stale ? "" : tuner.note, palette::dim);
  if (tuner.host_times) wrapped_text("No device timings: measured on the host, ± one frame", palette::warning);
  refused_lines(panel, tuner);
}

}  // namespace orrery::ui
