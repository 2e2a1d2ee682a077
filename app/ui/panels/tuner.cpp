#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "base/text.hpp"
#include "protocol/tuner_snapshot.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/plot.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {
namespace {

// ---- the chart

struct Mark {
  Color fill;
  float strength;
};

/// Seconds that a run takes at the device's peak rates; 0: unknown.
double limit_of(const TunerSnapshot& tuner, const TuneValues& values) {
  const auto found = std::ranges::find(tuner.entries, values, &TuneEntry::values);
  const auto index = static_cast<std::size_t>(found - tuner.entries.begin());
  return index < tuner.limits.size() ? tuner.limits[index] : 0;
}

double fastest(const TunerSnapshot& tuner) {
  double least = std::numeric_limits<double>::infinity();
  for (const TuneEntry& entry : tuner.entries)
    if (entry.right() && entry.median > 0) least = std::min(least, entry.median);
  return least;
}

/// The limit of the best candidate, where it is near enough to be drawn; else, or if unknown, 0.
double shown_limit(const TunerSnapshot& tuner, double least) {
  constexpr double farthest = 2.5;  // times as fast as the best
  const double limit = limit_of(tuner, tuner.best);
  return limit * farthest >= least && limit < 1.05 * least ? limit : 0;
}

void draw_limit(const Panel& panel, float left, float right, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const WithFont small(panel.fonts.small);
  constexpr const char* label = "limit";
  const ImVec2 size = ImGui::CalcTextSize(label);
  const float text = right - size.x - panel.px(4);
  list.AddLine({left, y}, {text - panel.px(4), y}, packed(palette::warning), panel.px(1));
  list.AddText({text, std::round(y - size.y / 2)}, packed(palette::warning), label);
}

/// Draws the scale at the left of the bars, in per cent of the fastest, whose bar has that height.
void draw_speeds(const Panel& panel, ImVec2 low, ImVec2 high, float fastest_height) {
  const WithFont small(panel.fonts.small);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const int percents : {0, 50, 100}) {
    const float y = std::round(high.y - fastest_height * static_cast<float>(percents) / 100);
    const std::string text = std::to_string(percents) + " %";
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    list.AddLine({low.x, y}, {high.x, y}, packed(palette::line, 0.8F));
    const float top = std::min(std::round(y - size.y / 2), high.y - size.y);
    list.AddText({low.x - size.x - panel.px(5), top}, packed(palette::dim), text.c_str());
  }
}

float speeds_width(const Panel& panel) {
  const WithFont small(panel.fonts.small);
  return ImGui::CalcTextSize("100 %").x + panel.px(5);
}

/// Under a bar, where it fits.
void draw_value(const Panel& panel, const std::string& text, float left, float right, float y) {
  const WithFont small(panel.fonts.small);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  if (width <= right - left)
    ImGui::GetWindowDrawList()->AddText({std::round((left + right - width) / 2), y}, packed(palette::dim),
                                        text.c_str());
}

bool is_refused(const TuneEntry& entry) {
  return entry.state == TuneState::rejected || entry.state == TuneState::failed;
}

/// The share of the full speed, 0 … 1; 0 if nothing has been timed.
float speed(double seconds, double full) {
  return seconds > 0 && std::isfinite(full) ? static_cast<float>(std::min(1.0, full / seconds)) : 0;
}

Mark mark_of(const TunerSnapshot& tuner, const TuneEntry& entry) {
  if (entry.state == TuneState::wrong) return {palette::error, 1};
  if (tuner.stale) return {palette::dim, 0.6F};
  if (entry.values == tuner.best) return {palette::good, 1};
  const bool well_known = std::isfinite(entry.interval.upper);
  return {palette::kernel, (entry.keeps_bits ? 0.8F : 0.45F) * (well_known ? 1 : 0.5F)};
}

const TuneEntry* clicked(const TuneEntry* entry) {
  return entry != nullptr && entry->right() && entry->median > 0 && ImGui::IsItemClicked() ? entry : nullptr;
}

/// Tooltip of a candidate: its times, its place among the others, and why it was refused.
void describe(const TunerSnapshot& tuner, const TuneEntry& entry) {
  ImGui::TextUnformatted(tuner.space.text(entry.values).c_str());
  if (entry.median > 0 && entry.right()) {
    ImGui::Text("%s", duration(1e6 * entry.median).c_str());
    if (std::isfinite(entry.interval.upper))
      ImGui::TextColored(palette::dim, "95 %%: %s … %s, %zu runs", duration(1e6 * entry.interval.lower).c_str(),
                         duration(1e6 * entry.interval.upper).c_str(), entry.seconds.size());
    if (tuner.work > 0)
      ImGui::TextColored(palette::dim, "%s %s/s", metric(tuner.work / entry.median).c_str(), tuner.unit.c_str());
    if (const double limit = limit_of(tuner, entry.values); limit > 0)
      ImGui::TextColored(palette::dim, "%s of the device's limit", percent(limit / entry.median).c_str());
    const auto standard = std::ranges::find(tuner.entries, tuner.standard, &TuneEntry::values);
    if (standard != tuner.entries.end() && standard->median > 0)
      ImGui::TextColored(palette::dim, "%s × the default", number(standard->median / entry.median, 3).c_str());
  }
  const auto line = [](bool holds, Color color, const char* text) {
    if (holds) ImGui::TextColored(color, "%s", text);
  };
  line(entry.values == tuner.best, palette::good, "Fastest");
  line(entry.values == tuner.automatic, palette::good, "Chosen by auto");
  line(entry.values == tuner.standard, palette::dim, "Default");
  line(entry.values == tuner.in_use, palette::accent, "Running");
  line(entry.state == TuneState::waiting, palette::dim, "Not measured yet");
  line(!entry.keeps_bits && entry.right(), palette::warning,
       "Changes the last bits of results; a click uses it anyway");
  if (entry.reason.empty()) return;
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 22);
  ImGui::TextColored(entry.state == TuneState::wrong ? palette::error : palette::warning, "%s: %s",
                     std::string(name_of(entry.state)).c_str(), entry.reason.c_str());
  ImGui::PopTextWrapPos();
}

void tooltip(const TunerSnapshot& tuner, const TuneEntry* entry) {
  if (entry == nullptr || !ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  describe(tuner, *entry);
  ImGui::EndTooltip();
}

void draw_bar(const Panel& panel, const TunerSnapshot& tuner, const TuneEntry& entry, double full, ImVec2 low,
              ImVec2 high) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float room = high.y - low.y - panel.px(8);
  const auto top = [&](float part) { return std::round(high.y - part * room); };
  const Mark mark = mark_of(tuner, entry);
  if (entry.state == TuneState::wrong) {
    list.AddRectFilled({low.x, low.y}, high, packed(palette::error, 0.85F));
    return;
  }
  const float height = speed(entry.median, full);
  list.AddRectFilled({low.x, top(height)}, high, packed(mark.fill, mark.strength));
  const float middle = std::round((low.x + high.x) / 2);
  if (entry.median > 0 && std::isfinite(entry.interval.upper) && high.x - low.x >= panel.px(3)) {
    const float up = std::max(low.y, top(static_cast<float>(full / entry.interval.lower)));
    list.AddLine({middle, up}, {middle, top(speed(entry.interval.upper, full))}, packed(palette::text), panel.px(1));
  }
  if (entry.values == tuner.in_use)
    list.AddRect({low.x, top(std::max(height, 0.05F))}, high, packed(palette::accent), 0, 0, panel.px(2));
}

/// The candidate shown in a cell: the best of all, else the fastest, else one with a reason for its refusal.
const TuneEntry* best_at(const TunerSnapshot& tuner, std::size_t across, std::int64_t x, std::size_t down,
                         std::int64_t y) {
  const TuneEntry* best = nullptr;
  const auto rank = [&](const TuneEntry& e) {
    if (e.values == tuner.best) return 4;
    return e.right() && e.median > 0 ? 3 : e.state == TuneState::wrong ? 2 : is_refused(e) ? 1 : 0;
  };
  for (const TuneEntry& entry : tuner.entries) {
    if (entry.values[across] != x || entry.values[down] != y) continue;
    if (best == nullptr || rank(entry) > rank(*best) ||
        (rank(entry) == 3 && rank(*best) == 3 && entry.median < best->median))
      best = &entry;
  }
  return best;
}

void draw_cell(const Panel& panel, const TunerSnapshot& tuner, const TuneEntry* entry, double least, ImVec2 low,
               ImVec2 high) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, high, packed(palette::raised), panel.px(2));
  if (entry == nullptr) return;
  if (is_refused(*entry)) {
    list.AddLine(low, high, packed(palette::line, 0.9F));
    return;
  }
  const Mark mark = mark_of(tuner, *entry);
  const bool wrong = entry->state == TuneState::wrong;
  const float part = wrong ? 1 : speed(entry->median, least);
  if (part > 0)
    list.AddRectFilled(low, high, packed(mark.fill, wrong ? 0.85F : 0.1F + 0.75F * part * part), panel.px(2));
  const std::string text = wrong ? "wrong" : entry->median > 0 ? number(100 * static_cast<double>(part), 3) : "";
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  if (size.x < high.x - low.x - panel.px(2))
    list.AddText({std::round((low.x + high.x - size.x) / 2), std::round((low.y + high.y - size.y) / 2)},
                 packed(part > 0.8F ? palette::window : palette::text), text.c_str());
}

/// Draws a bar for each candidate: its speed with the confidence interval of the median, below the limit of the best
/// if known and near, and above its value if there is one axis. Returns the clicked candidate.
const TuneEntry* tuner_bars(const Panel& panel, const TunerSnapshot& tuner, std::span<const TuneEntry* const> entries,
                            std::optional<std::size_t> axis, float height) {
  const float margin = speeds_width(panel), width = ImGui::GetContentRegionAvail().x - margin;
  ImVec2 at = ImGui::GetCursorScreenPos();
  clickable("bars", {width + margin, height});
  at.x += margin;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, packed(palette::raised), panel.px(3));
  if (entries.empty()) return nullptr;
  const double least = fastest(tuner), limit = shown_limit(tuner, least),
               full = limit > 0 ? std::min(limit, least) : least;
  const float top = at.y + panel.px(8), plot = width - (limit > 0 ? panel.px(38) : 0);
  const float step = std::min(panel.px(36), plot / static_cast<float>(entries.size()));
  const float gap = step > panel.px(6) ? panel.px(2) : 0;
  if (std::isfinite(least))
    draw_speeds(panel, at, {at.x + width, at.y + height}, static_cast<float>(full / least) * (at.y + height - top));
  const TuneEntry* hovered = nullptr;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const float left = at.x + step * static_cast<float>(k);
    draw_bar(panel, tuner, *entries[k], full, {std::round(left), at.y}, {std::round(left + step - gap), at.y + height});
    const float mouse = ImGui::GetIO().MousePos.x;
    if (mouse >= left && mouse < left + step) hovered = entries[k];
    if (axis)
      draw_value(panel, tuner.space.axes[*axis].text(entries[k]->values[*axis]), left, left + step - gap,
                 at.y + height);
  }
  if (limit > 0)
    draw_limit(panel, at.x, at.x + width, at.y + height - static_cast<float>(full / limit) * (at.y + height - top));
  tooltip(tuner, hovered);
  const TuneEntry* chosen = clicked(hovered);
  if (axis) ImGui::Dummy({1, ImGui::GetTextLineHeight()});
  return chosen;
}

/// Draws the fastest candidate for each pair of values of two axes. Returns the clicked one.
const TuneEntry* tuner_map(const Panel& panel, const TunerSnapshot& tuner, std::size_t across, std::size_t down) {
  const WithFont small(panel.fonts.small);
  const TuneAxis &xs = tuner.space.axes[across], &ys = tuner.space.axes[down];
  float label = 0;
  for (const std::int64_t y : ys.values) label = std::max(label, ImGui::CalcTextSize(ys.text(y).c_str()).x);
  label += panel.px(6);
  const float height = panel.px(22), line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float step = (width - label) / static_cast<float>(xs.values.size());
  clickable("map", {width, height * static_cast<float>(ys.values.size()) + line});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double least = fastest(tuner);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const TuneEntry* hovered = nullptr;
  for (std::size_t j = 0; j < ys.values.size(); ++j) {
    const float top = at.y + height * static_cast<float>(j);
    list.AddText({at.x, std::round(top + (height - line) / 2)}, packed(palette::dim), ys.text(ys.values[j]).c_str());
    for (std::size_t i = 0; i < xs.values.size(); ++i) {
      const float left = at.x + label + step * static_cast<float>(i);
      const TuneEntry* entry = best_at(tuner, across, xs.values[i], down, ys.values[j]);
      const ImVec2 low{std::round(left), top}, high{std::round(left + step) - panel.px(1), top + height - panel.px(1)};
      draw_cell(panel, tuner, entry, least, low, high);
      if (!tuner.in_use.empty() && tuner.in_use[across] == xs.values[i] && tuner.in_use[down] == ys.values[j])
        list.AddRect(low, high, packed(palette::accent), panel.px(2), 0, panel.px(2));
      if (mouse.x >= left && mouse.x < left + step && mouse.y >= top && mouse.y < top + height) hovered = entry;
    }
  }
  for (std::size_t i = 0; i < xs.values.size(); ++i)
    list.AddText({at.x + label + step * static_cast<float>(i) + panel.px(2),
                  at.y + height * static_cast<float>(ys.values.size())},
                 packed(palette::dim), xs.text(xs.values[i]).c_str());
  tooltip(tuner, hovered);
  return clicked(hovered);
}

// ---- the panel

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
                                  ? "Finishing… (click to stop now)"
                                  : "Cancel   " + number(std::ceil(tuner.seconds_left)) + " s left";
    if (button(panel, (label + "###start").c_str(), -FLT_MIN, "The results so far are saved"))
      panel.send(command::CancelTuning{});
    const WithFont small(panel.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ImVec4(palette::accent));
    ImGui::ProgressBar(static_cast<float>(tuner.progress), {-FLT_MIN, panel.px(4)}, "");
    ImGui::PopStyleColor();
    line_of_text(panel, tuner.activity.empty() ? " " : tuner.activity, palette::dim);
    if (tuner.silent) notice(panel, "The candidate has not finished for 2 s; the scene continues", palette::warning);
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
    label_row(panel, "X axis", "Axis of the map; each cell shows its fastest candidate, in per cent of the best");
    axis_choice(panel, tuner, "##across", axes, ui.across);
    label_row(panel, "Y axis", "Axis of the map; each cell shows its fastest candidate, in per cent of the best");
    axis_choice(panel, tuner, "##down", axes, ui.down);
    if (ui.across == ui.down) return nullptr;
  }
  return tuner_map(panel, tuner, *place(ui.across), *place(ui.down));
}

/// A table of the timed candidates, a row each.
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

// Names one of the candidates that are rejected for the same reason.
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
