#include "scenes/mandelbrot/window/bifurcation.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "scenes/mandelbrot/deep/nucleus.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr double click_reach = 8;  // pixels from a line within which a click selects it
constexpr double aside = 0.75;     // spans from the middle within which a doubling is the subject of the view

}  // namespace

void MandelbrotBifurcation::update(const DiagramSettings& settings, const View& view, Size size, double frame,
                                   bool at_once) {
  rows_ = settings.rows_of(size.height);
  if (!shown()) return;
  size_ = size;
  axis_ = axis_row(view, size);
  engine_.update(view, size.width, rows_, frame, at_once);
}

void MandelbrotBifurcation::draw(const Viewport& viewport) {
  if (!shown()) return;
  if (!painter_) painter_ = std::make_unique<DiagramPainter>();
  DiagramPainter::Scenery scenery{engine_.wanted(), {}, static_cast<float>(axis_)};
  scenery.frame.columns = size_.width;
  scenery.frame.rows = rows_;
  drawn_ = scenery.frame.cascade;
  marks_ = drawn_ ? diagram_marks(*drawn_, scenery.frame.view, size_.width) : std::vector<DiagramMark>();
  for (const DiagramMark& mark : marks_)
    if (mark.column >= 0 && mark.column <= size_.width) scenery.marks.push_back(static_cast<float>(mark.column));
  painter_->draw(engine_.shown(), scenery, viewport);
}

bool MandelbrotBifurcation::has_news() const {
  if (!shown() || !painter_) return shown();
  return painter_->shows_other(engine_.shown(), engine_.wanted());
}

bool MandelbrotBifurcation::holds(glm::vec2 at) const {
  return shown() && at.y >= static_cast<float>(size_.height - rows_) && at.y < static_cast<float>(size_.height);
}

bool MandelbrotBifurcation::has_mark(float column) const {
  return std::ranges::any_of(marks_, [&](const DiagramMark& mark) {
    return std::abs(mark.column - static_cast<double>(column)) <= click_reach;
  });
}

std::optional<View> MandelbrotBifurcation::next(const View& view, std::optional<float> column, bool deeper) const {
  const auto& cascade = engine_.wanted().cascade;
  if (!shown() || !cascade || cascade->points.size() < 2) return std::nullopt;
  const std::vector<Superstable>& points = cascade->points;
  const auto at = [&](const Superstable& point) { return placement(on_axis(view), {point.c, Decimal(), view.span}).x; };
  const double wanted = column ? static_cast<double>(*column) / size_.width - 0.5 : 0;
  const auto nearest =
      std::ranges::min_element(points, {}, [&](const Superstable& p) { return std::abs(at(p) - wanted); });
  const auto index = nearest - points.begin(), other = index + (deeper ? 1 : -1);
  if (other < 0 || other >= std::ssize(points)) return std::nullopt;
  const double seen_at = std::clamp(at(*nearest), -aside, aside);
  return doubling_view(view, seen_at, points[static_cast<std::size_t>(other)], deeper);
}

std::string MandelbrotBifurcation::text_at(float column) const {
  constexpr double least_told = 1e-14;  // spacing of columns that doubles distinguish
  const View& view = engine_.wanted().view;
  const double part = static_cast<double>(column) / size_.width - 0.5, spacing = view.span.value() / size_.width;
  if (spacing < least_told)
    return "centre " + std::string(part < 0 ? "− " : "+ ") + (view.span * std::abs(part)).significant(3).text();
  const double c = view.re.value() + view.span.value() * part;
  const int digits = std::clamp(static_cast<int>(std::ceil(1 - std::log10(spacing))), 4, 16);
  const std::size_t period = attracting_period(view.formula, {c, 0});
  return "c " + brief(c, digits) + (period > 0 ? "   period " + std::to_string(period) : "");
}

BifurcationSnapshot MandelbrotBifurcation::snapshot() const {
  BifurcationSnapshot told;
  told.shown = shown();
  if (!shown()) return told;
  told.height = static_cast<float>(rows_);
  const DiagramFrame& frame = engine_.wanted();
  if (const auto numbers = universal_of(frame.view.formula)) told.limit = numbers->text;
  const auto brief_x = [](double x) { return brief(x, 3); };
  told.x_range = frame.middle == 0 ? "x within ±" + brief_x(frame.half_height)
                                   : "x within " + brief_x(frame.middle) + " ± " + brief_x(frame.half_height);
  if (!engine_.refusal().empty())
    told.note = engine_.refusal();
  else if (!frame.view.turn.level())
    told.note = "The diagram shows the real axis. Level the view (Ctrl+R) to align the two.";
  else if (engine_.shown() == nullptr)
    told.note = engine_.complete() ? "Orbits cannot be distinguished at this depth." : "computing the diagram …";
  for (const DiagramMark& mark : marks_)
    told.doublings.push_back({.period = mark.point->period(),
                              .c = mark.point->c.text(),
                              .delta = mark.point->delta,
                              .alpha = mark.point->alpha,
                              .column = static_cast<float>(mark.column)});
  return told;
}

}  // namespace orrery
