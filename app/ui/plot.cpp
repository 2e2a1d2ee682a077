#include "ui/plot.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "ui/format.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {
namespace {

struct Box {
  ImVec2 min;
  ImVec2 max;
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return !(low <= high); }
  /// 0 at the lower end, 1 at the upper. Halved, so that a range of ±1e308 does not overflow.
  double position(double value) const { return (value / 2 - low / 2) / (high / 2 - low / 2); }
};

double scaled(double value, bool logarithmic) {
  if (!logarithmic) return value;
  return value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

/// With `share` of its width above and below; never of zero width.
Range padded(Range range, bool logarithmic, double share) {
  if (range.empty()) return {0, 1};
  const double smallest = logarithmic ? 0.5 : 1e-9 * std::max(std::abs(range.low), std::abs(range.high)) + 1e-300;
  const double air = std::max(smallest, 2 * share * (range.high / 2 - range.low / 2));
  if (std::isfinite(range.low - air)) range.low -= air;
  if (std::isfinite(range.high + air)) range.high += air;
  return range;
}

/// Leaves room for the labels, so that no line runs through them.
Range range_of(std::initializer_list<Series> all, const PlotOptions& options) {
  const double share = options.labels ? std::min(0.4, 0.9 * ImGui::GetFontSize() / options.height) : 0.06;
  Range range;
  for (const Series& series : all)
    for (double value : series.values)
      if (const double y = scaled(value, options.logarithmic); std::isfinite(y)) range.include(y);
  if (const double y = scaled(options.reference, options.logarithmic); std::isfinite(y) && !range.empty())
    range.include(y);
  return padded(range, options.logarithmic, share);
}

Range range_of(std::span<const double> values) {
  Range range;
  for (double value : values)
    if (std::isfinite(value)) range.include(value);
  if (range.empty()) return {0, 1};
  if (range.low == range.high) range.high = range.low + std::max(1e-300, std::abs(range.low) * 1e-9);
  return range;
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

float line_thickness() { return std::max(1.0F, ImGui::GetFontSize() / 11); }

float y_pixel(const Box& box, double position) {
  return box.max.y - static_cast<float>(std::clamp(position, 0.0, 1.0)) * box.height();
}

void draw_series(const Box& box, std::span<const double> x, const Range& across, const Series& series,
                 const Range& range, bool logarithmic) {
  Pen pen(*ImGui::GetWindowDrawList(), packed(series.color), line_thickness());
  const std::size_t count = std::min(x.size(), series.values.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double y = scaled(series.values[i], logarithmic);
    const double at = across.position(x[i]);
    if (!std::isfinite(y) || !std::isfinite(at)) {
      pen.lift();
      continue;
    }
    pen.to(box.min.x + static_cast<float>(at) * (box.width() - 1), y_pixel(box, range.position(y)));
  }
}

void draw_background(const Box& box) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(box.min, box.max, packed(palette::raised), ImGui::GetStyle().FrameRounding);
  for (int i = 1; i < 4; ++i) {
    const float y = std::round(box.min.y + box.height() * static_cast<float>(i) / 4);
    list.AddLine({box.min.x, y}, {box.max.x, y}, packed(palette::line, 0.6F));
  }
}

void draw_label(ImVec2 at, const std::string& text) {
  ImGui::GetWindowDrawList()->AddText(at, packed(palette::dim), text.c_str());
}

/// The range's ends, in the corners at the left; one of them where both read the same.
void draw_range(const Box& box, const Range& range, bool logarithmic, const Fonts& fonts) {
  const WithFont font(fonts.small);
  constexpr double nothing = 1e-290;  // the room around a line of zeros
  const auto text = [&](double y) {
    return number(logarithmic ? std::pow(10.0, y) : std::abs(y) < nothing ? 0 : y, 3);
  };
  const float inset = std::round(ImGui::GetFontSize() / 4);
  const std::string high = text(range.high), low = text(range.low);
  draw_label({box.min.x + inset, box.min.y + inset / 2}, high);
  if (low != high) draw_label({box.min.x + inset, box.max.y - ImGui::GetFontSize() - inset / 2}, low);
}

void draw_level(const Box& box, double position) {
  if (!(position >= 0 && position <= 1)) return;
  const float y = std::round(y_pixel(box, position));
  ImGui::GetWindowDrawList()->AddLine({box.min.x, y}, {box.max.x, y}, packed(palette::dim, 0.55F));
}

void draw_marks(const Box& box, std::span<const double> marks, const Range& across) {
  for (const double mark : marks) {
    const double at = across.position(mark);
    if (!(at >= 0 && at <= 1)) continue;
    const float x = std::round(box.min.x + static_cast<float>(at) * (box.width() - 1));
    ImGui::GetWindowDrawList()->AddLine({x, box.min.y}, {x, box.max.y}, packed(palette::warning, 0.8F),
                                        line_thickness());
  }
}

/// The sample nearest to the mouse, if it is over the plot.
std::optional<std::size_t> hovered_sample(const Box& box, std::span<const double> x, const Range& across) {
  if (!ImGui::IsItemHovered() || x.empty()) return std::nullopt;
  const double wanted = (ImGui::GetIO().MousePos.x - box.min.x) / std::max(1.0F, box.width() - 1);
  const auto distance = [&](std::size_t i) {
    const double d = std::abs(across.position(x[i]) - wanted);
    return std::isfinite(d) ? d : std::numeric_limits<double>::infinity();
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size(); ++i)
    if (distance(i) < distance(best)) best = i;
  return best;
}

void read_out(const Box& box, std::span<const double> x, const Range& across, std::initializer_list<Series> all,
              const PlotOptions& options, std::size_t i) {
  const float at = box.min.x + static_cast<float>(across.position(x[i])) * (box.width() - 1);
  if (std::isfinite(at))
    ImGui::GetWindowDrawList()->AddLine({at, box.min.y}, {at, box.max.y}, packed(palette::dim, 0.5F));
  ImGui::BeginTooltip();
  const double value = options.logarithmic_x ? std::pow(10.0, x[i]) : x[i];
  ImGui::TextColored(palette::dim, "%s = %s", options.x_name, number(value).c_str());
  for (const Series& series : all)
    if (i < series.values.size())
      ImGui::TextColored(series.color, "%s  %s", series.name, number(series.values[i], 6).c_str());
  ImGui::EndTooltip();
}

/// Room for a picture of that size at the cursor, as an item named `id`.
Box reserve(const char* id, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  size = {std::max(1.0F, size.x), std::max(1.0F, size.y)};
  clickable(id, size);
  return {at, {at.x + size.x, at.y + size.y}};
}

}  // namespace

void plot(const char* id, std::span<const double> values_x, std::initializer_list<Series> series,
          const PlotOptions& options, const Fonts& fonts) {
  std::vector<double> logarithms;
  if (options.logarithmic_x)
    for (const double value : values_x) logarithms.push_back(scaled(value, true));
  const std::span<const double> x = options.logarithmic_x ? std::span<const double>(logarithms) : values_x;
  const Box box = reserve(id, {ImGui::GetContentRegionAvail().x, options.height});
  if (!ImGui::IsRectVisible(box.min, box.max)) return;
  draw_background(box);
  const Range across = range_of(x);
  const Range range = range_of(series, options);
  draw_level(box, range.position(scaled(options.reference, options.logarithmic)));
  draw_marks(box, options.marks, across);
  ImGui::PushClipRect(box.min, box.max, true);
  for (const Series& one : series) draw_series(box, x, across, one, range, options.logarithmic);
  ImGui::PopClipRect();
  if (options.labels && !x.empty()) draw_range(box, range, options.logarithmic, fonts);
  if (const auto sample = hovered_sample(box, x, across)) read_out(box, x, across, series, options, *sample);
}

void sparkline(std::span<const float> values, Color color, ImVec2 size) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const Box box{min, {min.x + std::max(1.0F, size.x), min.y + std::max(1.0F, size.y)}};
  ImGui::Dummy(size);
  if (!ImGui::IsRectVisible(box.min, box.max)) return;
  Range range;
  for (float value : values)
    if (std::isfinite(value)) range.include(value);
  if (range.empty() || range.high <= 0) return;
  range.low *= 0.5;
  Pen pen(*ImGui::GetWindowDrawList(), packed(color), line_thickness());
  const float step = box.width() / static_cast<float>(std::max<std::size_t>(1, values.size() - 1));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]))
      pen.to(box.min.x + step * static_cast<float>(i), y_pixel(box, range.position(values[i])));
    else
      pen.lift();
  }
}

void bars(const char* id, std::span<const float> values, std::size_t slots, float limit, float height,
          const Fonts& fonts) {
  const Box box = reserve(id, {ImGui::GetContentRegionAvail().x, height});
  if (!ImGui::IsRectVisible(box.min, box.max)) return;
  draw_background(box);
  if (values.size() > slots) values = values.last(slots);
  float top = 2 * limit;
  for (float value : values)
    if (std::isfinite(value)) top = std::clamp(value * 1.1F, top, 6 * limit);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float step = box.width() / static_cast<float>(std::max<std::size_t>(1, slots));
  float x = box.max.x - step * static_cast<float>(values.size());
  for (float value : values) {
    if (std::isfinite(value)) {
      const Color ink = value > 2 * limit ? palette::warning : palette::frame;
      const float right = std::max(std::floor(x) + 1, std::floor(x + step));
      list.AddRectFilled({std::floor(x), y_pixel(box, value / top)}, {right, box.max.y}, packed(ink, 0.75F));
    }
    x += step;
  }
  draw_level(box, limit / top);
  const WithFont font(fonts.small);
  const float inset = std::round(ImGui::GetFontSize() / 4);
  draw_label({box.min.x + inset, y_pixel(box, limit / top) - ImGui::GetFontSize() - 1}, number(limit, 3) + " ms");
}

}  // namespace orrery::ui
