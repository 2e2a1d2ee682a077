#include "ui/panels/tuner_chart.hpp"

#include <algorithm>
#include <cmath>

#include "ui/format.hpp"

namespace orrery::ui {
namespace {

struct Mark {
  Color fill;
  float strength;
};

double fastest(const TunerSnapshot& tuner) {
  double least = std::numeric_limits<double>::infinity();
  for (const TuneEntry& entry : tuner.entries)
    if (entry.right() && entry.median > 0) least = std::min(least, entry.median);
  return least;
}

/// Of the best, drawn where it is not too far above it; 0 where it is unknown.
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

/// In parts of the fastest, whose bar is so high: at the left of the bars.
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

/// Of the full speed, 0 … 1; 0 where nothing has been timed.
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

/// Of those in the cell: the best of all, else the fastest, else one that tells why there is none.
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

}  // namespace

double limit_of(const TunerSnapshot& tuner, const TuneValues& values) {
  const auto found = std::ranges::find(tuner.entries, values, &TuneEntry::values);
  const auto index = static_cast<std::size_t>(found - tuner.entries.begin());
  return index < tuner.limits.size() ? tuner.limits[index] : 0;
}

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
  line(entry.values == tuner.best, palette::good, "The fastest");
  line(entry.values == tuner.automatic, palette::good, "Choice of auto");
  line(entry.values == tuner.standard, palette::dim, "The default");
  line(entry.values == tuner.in_use, palette::accent, "Running now");
  line(entry.state == TuneState::waiting, palette::dim, "Not tried yet");
  line(!entry.keeps_bits && entry.right(), palette::warning,
       "Changes the last bits of results; a click uses it anyway");
  if (entry.reason.empty()) return;
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 22);
  ImGui::TextColored(entry.state == TuneState::wrong ? palette::error : palette::warning, "%s: %s",
                     std::string(name_of(entry.state)).c_str(), entry.reason.c_str());
  ImGui::PopTextWrapPos();
}

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

}  // namespace orrery::ui
