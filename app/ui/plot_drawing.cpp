#include "ui/plot_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/ticks.hpp"

namespace orrery::ui {
namespace {

double scaled(double value, bool logarithmic) {
  if (!logarithmic) return value;
  return value > 0 ? std::log10(value) : unknown_number;
}

/// Where each tick of an axis lies, from 0 to 1, and its text.
struct TickMark {
  double position;
  std::string text;
};

std::span<const double> x_of(const Plot& plot, const Series& series) { return series.x.empty() ? plot.at : series.x; }

/// A range of nonzero width. Limits of the axis have priority.
PlotRange fitted_range(PlotRange range, const PlotAxis& axis, double air_share) {
  const double low = scaled(axis.low, axis.logarithmic), high = scaled(axis.high, axis.logarithmic);
  if (std::isfinite(low)) range.include(low);
  if (std::isfinite(high)) range.include(high);
  if (range.empty()) range = {0, 1};
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const double least = axis.logarithmic ? 0.05 : largest > 0 ? 0.05 * largest : 1;
  const double length = 2 * (range.high / 2 - range.low / 2);
  const double air = std::max(length > 0 || air_share == 0 ? 0 : least, air_share * length);
  if (std::isfinite(range.low - air)) range.low -= air;
  if (std::isfinite(range.high + air)) range.high += air;
  if (std::isfinite(low)) range.low = low;
  if (std::isfinite(high)) range.high = high;
  if (!(range.low < range.high)) range.high = range.low + least;
  return range;
}

/// Nothing can be drawn yet.
bool is_blank(const Plot& plot) {
  return std::ranges::none_of(plot.series, [&](const Series& series) {
    return std::ranges::any_of(series.values, [&](double y) { return std::isfinite(scaled(y, plot.y.logarithmic)); });
  });
}

PlotRange range_across(const Plot& plot) {
  PlotRange range;
  const auto include = [&](std::span<const double> values) {
    for (const double value : values)
      if (const double x = scaled(value, plot.x.logarithmic); std::isfinite(x)) range.include(x);
  };
  include(plot.at);
  for (const Series& series : plot.series) include(series.x);
  return fitted_range(range, plot.x, 0);
}

PlotRange range_along(const Plot& plot) {
  PlotRange range;
  for (const Series& series : plot.series) {
    for (const double value : series.values)
      if (const double y = scaled(value, plot.y.logarithmic); std::isfinite(y)) range.include(y);
    if (series.style == Series::Style::bars && !plot.y.logarithmic) range.include(0);
  }
  if (const double y = scaled(plot.reference, plot.y.logarithmic); std::isfinite(y) && !range.empty()) range.include(y);
  return fitted_range(range, plot.y, 0.06);
}

std::vector<TickMark> marks_of(const PlotAxis& axis, const PlotRange& range, int most) {
  const std::vector<double> ticks =
      axis.logarithmic ? decade_ticks(range.low, range.high, most) : linear_ticks(range.low, range.high, most);
  const std::vector<std::string> texts = axis.logarithmic ? decade_texts(ticks) : tick_texts(ticks);
  std::vector<TickMark> marks;
  for (std::size_t k = 0; k < ticks.size(); ++k)
    marks.push_back({range.position(scaled(ticks[k], axis.logarithmic)), texts[k]});
  return marks;
}

float text_wide(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }

void put_text(ImVec2 at, Color color, const std::string& text) {
  ImGui::GetWindowDrawList()->AddText({std::round(at.x), std::round(at.y)}, packed(color), text.c_str());
}

/// Turns a stream of points into strokes: gaps split them, and the points of one pixel column become its extent.
class Pen {
 public:
  Pen(ImDrawList& list, ImU32 ink, float thickness) : list_(list), ink_(ink), thickness_(thickness) {}
  ~Pen() { lift(); }
  Pen(const Pen&) = delete;
  Pen& operator=(const Pen&) = delete;

  void to(float x, float y) {
    if (held_ && std::floor(x) == std::floor(x_)) {
      low_ = std::min(low_, y);
      high_ = std::max(high_, y);
      last_ = y;
      return;
    }
    release();
    held_ = true;
    x_ = x;
    low_ = high_ = last_ = y;
  }

  void lift() {
    release();
    if (list_._Path.Size > 1)
      list_.AddPolyline(list_._Path.Data, list_._Path.Size, ink_, 0, thickness_);
    else if (list_._Path.Size == 1)
      list_.AddCircleFilled(list_._Path[0], thickness_, ink_);
    list_.PathClear();
  }

 private:
  void release() {
    if (!held_) return;
    if (low_ < high_) {
      const bool rising = last_ == high_;
      list_.PathLineTo({x_, rising ? low_ : high_});
      list_.PathLineTo({x_, rising ? high_ : low_});
    } else {
      list_.PathLineTo({x_, last_});
    }
    held_ = false;
  }

  ImDrawList& list_;
  ImU32 ink_;
  float thickness_;
  bool held_ = false;
  float x_ = 0, low_ = 0, high_ = 0, last_ = 0;
};

float line_thickness() { return std::max(1.0F, ImGui::GetFontSize() / 10); }

void draw_line(const PlotFrame& frame, const Plot& plot, const Series& series) {
  Pen pen(*ImGui::GetWindowDrawList(), packed(series.color), line_thickness());
  const std::span<const double> x = x_of(plot, series);
  const std::size_t count = std::min(x.size(), series.values.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double y = scaled(series.values[i], plot.y.logarithmic);
    const double at = frame.across.position(scaled(x[i], plot.x.logarithmic));
    if (!std::isfinite(y) || !std::isfinite(at)) {
      pen.lift();
      continue;
    }
    pen.to(frame.x_pixel(at), frame.y_pixel(frame.along.position(y)));
  }
}

/// Bars at twice the reference or more are in the warning colour.
void draw_bars(const PlotFrame& frame, const Plot& plot, const Series& series) {
  const std::span<const double> x = x_of(plot, series);
  const std::size_t count = std::min(x.size(), series.values.size());
  const double step = count > 1 ? (x[count - 1] - x[0]) / static_cast<double>(count - 1) : 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(series.values[i])) continue;
    const float left = std::floor(frame.x_pixel(frame.across.position(x[i] - step)));
    const float right = std::max(left + 1, std::floor(frame.x_pixel(frame.across.position(x[i]))));
    const Color ink = series.values[i] > 2 * plot.reference ? palette::warning : series.color;
    const float top = frame.y_pixel(frame.along.position(series.values[i]));
    ImGui::GetWindowDrawList()->AddRectFilled({left, top}, {right, frame.high.y}, packed(ink, 0.75F));
  }
}

ImVec2 pixel_of(const PlotFrame& frame, const Plot& plot, double x, double y) {
  return {frame.x_pixel(frame.across.position(scaled(x, plot.x.logarithmic))),
          frame.y_pixel(frame.along.position(scaled(y, plot.y.logarithmic)))};
}

void draw_points(const Panel& panel, const PlotFrame& frame, const Plot& plot, const Series& series) {
  const std::span<const double> x = x_of(plot, series);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < std::min(x.size(), series.values.size()); ++i) {
    const ImVec2 at = pixel_of(frame, plot, x[i], series.values[i]);
    if (!std::isfinite(at.x) || !std::isfinite(at.y)) continue;
    list.AddLine(at, {at.x, frame.high.y}, packed(series.color, 0.25F));
    list.AddCircleFilled(at, panel.px(4), packed(series.color));
    list.AddCircle(at, panel.px(6), packed(series.color, 0.4F));
  }
}

void draw_curves(const Panel& panel, const PlotFrame& frame, const Plot& plot) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double level = frame.along.position(scaled(plot.reference, plot.y.logarithmic));
  ImGui::PushClipRect(frame.low, frame.high, true);
  for (const double mark : plot.marks) {
    const double at = frame.across.position(scaled(mark, plot.x.logarithmic));
    const float x = std::round(frame.x_pixel(at));
    if (at >= 0 && at <= 1) list.AddLine({x, frame.low.y}, {x, frame.high.y}, packed(palette::warning, 0.8F));
  }
  for (const Series& series : plot.series) {
    if (series.style == Series::Style::line) draw_line(frame, plot, series);
    if (series.style == Series::Style::bars) draw_bars(frame, plot, series);
    if (series.style == Series::Style::points) draw_points(panel, frame, plot, series);
  }
  if (level >= 0 && level <= 1) {
    const float y = std::round(frame.y_pixel(level));
    list.AddLine({frame.low.x, y}, {frame.high.x, y}, packed(palette::dim, 0.7F));
  }
  ImGui::PopClipRect();
}

void draw_y_axis(const PlotFrame& frame, const std::vector<TickMark>& marks, float gap) {
  const float line = ImGui::GetFontSize();
  for (const TickMark& mark : marks) {
    const float y = std::round(frame.y_pixel(mark.position));
    ImGui::GetWindowDrawList()->AddLine({frame.low.x, y}, {frame.high.x, y}, packed(palette::line, 0.8F));
    const float top = std::clamp(y - line / 2, frame.low.y - line / 4, std::max(frame.low.y, frame.high.y - line));
    put_text({frame.low.x - gap - text_wide(mark.text), top}, palette::dim, mark.text);
  }
}

/// Texts that would run into each other, or into the axis's name at its end, are left out.
void draw_x_axis(const PlotFrame& frame, const std::vector<TickMark>& marks, const std::string& name, float gap,
                 PlotSize which) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float end = frame.high.x - (name.empty() ? 0 : text_wide(name) + 2 * gap);
  float free = frame.low.x - 4 * gap;
  for (const TickMark& mark : marks) {
    const float x = std::round(frame.x_pixel(mark.position)), wide = text_wide(mark.text);
    if (which == PlotSize::large)
      list.AddLine({x, frame.low.y}, {x, frame.high.y}, packed(palette::line, 0.8F));
    else
      list.AddLine({x, frame.high.y}, {x, frame.high.y + gap}, packed(palette::dim, 0.7F));
    const float left = std::clamp(x - wide / 2, free, std::max(free, frame.high.x - wide));
    if (left < free || left > x || left + wide > end) continue;
    put_text({left, frame.high.y + gap}, palette::dim, mark.text);
    free = left + wide + 2 * gap;
  }
  if (!name.empty()) put_text({frame.high.x - text_wide(name), frame.high.y + gap}, palette::dim, name);
}

/// Title at the left, the names of the curves below it.
float draw_head(const Panel& panel, const Plot& plot, ImVec2 at, float width) {
  const float line = ImGui::GetFontSize();
  const std::string unit = plot.y.unit.empty() ? "" : "   " + plot.y.unit;
  {
    const WithFont heading(panel.fonts.heading);
    put_text(at, palette::text, fitted(plot.title, width));
    const float after = at.x + text_wide(plot.title);
    if (after + text_wide(unit) < at.x + width) put_text({after, at.y}, palette::dim, unit);
  }
  float y = at.y + line + panel.px(6), x = at.x;
  for (const Series& series : plot.series) {
    const float room = panel.px(30) + text_wide(series.name);
    if (x > at.x && x + room > at.x + width) x = at.x, y += line + panel.px(3);
    x = draw_legend_entry(panel, {x, y}, series.color, series.name);
  }
  return y + line + panel.px(8) - at.y;
}

/// One line of what is read out.
struct Reading {
  Color color;
  std::string name;
  double value;
};

void tell(const Panel& panel, const Plot& plot, const std::vector<Reading>& readings, const std::string& note,
          PlotSize which) {
  std::string exact;
  ImGui::BeginTooltip();
  for (const Reading& each : readings) {
    ImGui::TextColored(each.color, "%s  %s", each.name.c_str(), number(each.value, 6).c_str());
    exact += (exact.empty() ? "" : "\n") + each.name + " = " + shortest(each.value);
  }
  if (!note.empty()) ImGui::TextUnformatted(note.c_str());
  if (which == PlotSize::small) {
    const WithFont small(panel.fonts.small);
    ImGui::TextColored(palette::dim, "Click: enlarge   Right click: copy");
  }
  ImGui::EndTooltip();
  offer_copy(panel, plot.title, exact);
}

std::optional<std::size_t> nearest_sample(const PlotFrame& frame, const Plot& plot) {
  const double wanted = (ImGui::GetIO().MousePos.x - frame.low.x) / std::max(1.0F, frame.high.x - frame.low.x - 1);
  std::optional<std::size_t> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < plot.at.size(); ++i) {
    const double away = std::abs(frame.across.position(scaled(plot.at[i], plot.x.logarithmic)) - wanted);
    if (away < least) least = away, best = i;
  }
  return best;
}

void read_points(const Panel& panel, const Plot& plot, const PlotFrame& frame, PlotSize which) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (const Series& series : plot.series) {
    if (series.style != Series::Style::points) continue;
    const std::span<const double> x = x_of(plot, series);
    for (std::size_t i = 0; i < std::min(x.size(), series.values.size()); ++i) {
      const ImVec2 at = pixel_of(frame, plot, x[i], series.values[i]);
      if (!(std::hypot(mouse.x - at.x, mouse.y - at.y) < panel.px(9))) continue;
      const std::vector<Reading> readings{{palette::dim, plot.x.title(), x[i]},
                                          {series.color, plot.y.title(), series.values[i]}};
      return tell(panel, plot, readings, series.note, which);
    }
  }
}

}  // namespace

void PlotRange::include(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

float PlotFrame::x_pixel(double position) const {
  return low.x + static_cast<float>(std::clamp(position, -1.0, 2.0)) * (high.x - low.x - 1);
}

float PlotFrame::y_pixel(double position) const {
  return high.y - static_cast<float>(std::clamp(position, 0.0, 1.0)) * (high.y - low.y);
}

PlotFrame draw_plot(const Panel& panel, const Plot& plot, ImVec2 at, ImVec2 size, PlotSize which) {
  const bool large = which == PlotSize::large;
  const WithFont font(large ? panel.fonts.body : panel.fonts.small);
  const float line = ImGui::GetFontSize(), gap = panel.px(3);
  const float head = large ? draw_head(panel, plot, at, size.x) : 0;
  PlotFrame frame{{at.x, at.y + head}, {at.x + size.x, at.y + size.y}, range_across(plot), range_along(plot)};
  frame.high.y = std::max(frame.low.y + 1, frame.high.y - line - gap - (large ? line + 2 * gap : 0));
  const int rows = static_cast<int>((frame.high.y - frame.low.y) / (1.9F * line));
  const bool blank = is_blank(plot);
  const std::vector<TickMark> along =
      blank ? std::vector<TickMark>() : marks_of(plot.y, frame.along, std::clamp(rows, 2, 9));
  float margin = 0;
  for (const TickMark& mark : along) margin = std::max(margin, text_wide(mark.text) + 2 * gap);
  frame.low.x = std::min(frame.low.x + margin, frame.high.x - 1);
  const int columns = static_cast<int>((frame.high.x - frame.low.x) / (4.5F * line));
  const std::vector<TickMark> across = marks_of(plot.x, frame.across, std::clamp(columns, 2, 9));

  ImGui::GetWindowDrawList()->AddRectFilled(frame.low, frame.high, packed(palette::raised));
  if (blank) {
    constexpr const char* words = "No values yet";
    put_text({(frame.low.x + frame.high.x - text_wide(words)) / 2, (frame.low.y + frame.high.y - line) / 2},
             palette::dim, words);
    return frame;
  }
  draw_y_axis(frame, along, 2 * gap);
  draw_x_axis(frame, across, large ? std::string() : plot.x.name, gap, which);
  if (large) {
    const std::string title = fitted(plot.x.title(), size.x);
    put_text({(frame.low.x + frame.high.x - text_wide(title)) / 2, frame.high.y + line + 2 * gap}, palette::dim, title);
  }
  draw_curves(panel, frame, plot);
  return frame;
}

void read_out(const Panel& panel, const Plot& plot, const PlotFrame& frame, PlotSize which) {
  if (!ImGui::IsItemHovered()) return;
  const auto sample = nearest_sample(frame, plot);
  if (!sample) return read_points(panel, plot, frame, which);
  const float at = frame.x_pixel(frame.across.position(scaled(plot.at[*sample], plot.x.logarithmic)));
  // Over the window, so that the line is no part of a picture of the plot.
  if (std::isfinite(at) && at >= frame.low.x && at <= frame.high.x)
    ImGui::GetForegroundDrawList()->AddLine({at, frame.low.y}, {at, frame.high.y}, packed(palette::dim, 0.6F));
  std::vector<Reading> readings{{palette::dim, plot.x.title(), plot.at[*sample]}};
  for (const Series& series : plot.series)
    if (series.x.empty() && *sample < series.values.size())
      readings.push_back(
          {series.color, plot.series.size() == 1 ? plot.y.title() : series.name, series.values[*sample]});
  tell(panel, plot, readings, {}, which);
}

float draw_legend_entry(const Panel& panel, ImVec2 at, Color color, const std::string& text) {
  const float line = ImGui::GetFontSize();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + line / 2 - panel.px(1)},
                                            {at.x + panel.px(8), at.y + line / 2 + panel.px(1)}, packed(color));
  put_text({at.x + panel.px(12), at.y}, palette::text, text);
  return at.x + panel.px(12) + text_wide(text) + panel.px(14);
}

void sparkline(std::span<const float> values, Color color, ImVec2 size) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high{low.x + std::max(1.0F, size.x), low.y + std::max(1.0F, size.y)};
  ImGui::Dummy(size);
  if (!ImGui::IsRectVisible(low, high)) return;
  PlotRange range;
  for (const float value : values)
    if (std::isfinite(value)) range.include(static_cast<double>(value));
  if (range.empty() || range.high <= 0) return;
  range.low *= 0.5;
  const PlotFrame frame{low, high, {}, range};
  Pen pen(*ImGui::GetWindowDrawList(), packed(color), std::max(1.0F, ImGui::GetFontSize() / 11));
  const float step = (high.x - low.x) / static_cast<float>(std::max<std::size_t>(1, values.size() - 1));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]))
      pen.to(low.x + step * static_cast<float>(i), frame.y_pixel(range.position(static_cast<double>(values[i]))));
    else
      pen.lift();
  }
}

}  // namespace orrery::ui
