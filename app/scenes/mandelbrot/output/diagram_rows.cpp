#include "scenes/mandelbrot/output/diagram_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/platform/parallel.hpp"

namespace orrery::mandelbrot {
namespace {

double line_width(Size picture) { return std::max(1.0, picture.height / 1080.0); }

double smoothstep(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

DiagramRows::DiagramRows(ProgramLibrary& programs, const View& view, Size size, const DiagramSettings& settings,
                         int proved, const ShowProgress& show)
    : size_(size), axis_(axis_row(view, size)), lines_(size.width) {
  const auto go_on = [&] {
    if (!show(0)) throw Cancelled{};
  };
  const auto cascade = std::make_shared<const RealCascade>(*find_cascade(view, size.width, Depth::points, {}));
  go_on();
  frame_ = diagram_frame(view, size.width, settings.rows_of(size.height), cascade);
  const std::vector<DiagramMark> marks = diagram_marks(*cascade, view, size.width);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    double near = size.width;
    for (const DiagramMark& mark : marks) near = std::min(near, std::abs(static_cast<double>(i) + 0.5 - mark.column));
    lines_[i] = 1 - smoothstep(0.5 * line_width(size), line_width(size), near);
  }
  Queue queue(programs.device());
  Diagram diagram(programs.device(), std::make_shared<DiagramKernels>(programs, view.formula));
  if (!diagram.begin(queue, frame_)) return;
  values_ = diagram.finished_blocking(queue, go_on);
  if (proved > 0) proof_ = prove_diagram(frame_, diagram.way(), values_, proved, {});
  go_on();
}

void DiagramRows::lay_over(std::uint32_t first, std::span<std::uint8_t> rgb) const {
  const std::size_t stride = std::size_t{3} * size_.width;
  in_parallel(rgb.size() / stride, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      color_row(first + static_cast<std::uint32_t>(row), rgb.subspan(row * stride, stride));
  });
}

// Uses the colours of shaders/mandelbrot/mandelbrot_bifurcation.frag.
void DiagramRows::color_row(std::uint32_t row, std::span<std::uint8_t> rgb) const {
  constexpr std::array<double, 3> ink{1.0, 0.72, 0.35}, ground{0.022, 0.027, 0.043}, edge_ink{0.35, 0.38, 0.44};
  const double pixel = line_width(size_), at = row + 0.5;
  const std::uint32_t above = size_.height - frame_.rows;
  if (row < above && at <= axis_) return;
  const double zero = 0.5 * frame_.rows * (1 + frame_.middle / frame_.half_height);
  const double faint = 0.15 + 0.3 * std::clamp((at - axis_) / std::max(1.0, above - axis_), 0.0, 1.0);
  const double edge = 1 - smoothstep(0.5 * pixel, 1.5 * pixel, at - above);
  const double on_zero = 1 - smoothstep(0.5 * pixel, pixel, std::abs(at - above - zero));
  for (std::size_t i = 0; i < size_.width; ++i) {
    const double line = lines_[i];
    const double visits =
        row < above || values_.empty() ? 0.0 : static_cast<double>(values_[std::size_t{row - above} * size_.width + i]);
    const double light = std::min(1.0, std::log2(1 + visits) / 5.5);
    const std::array<double, 3> lit{light * light, std::pow(light, 1.3), std::pow(light, 0.7)};
    for (std::size_t k = 0; k < 3; ++k) {
      double shown = row < above ? rgb[3 * i + k] / 255.0 : ground[k] + (1 - ground[k]) * lit[k] + 0.06 * on_zero;
      const double part = row < above ? line * faint : 0.45 * line * (1 - light);
      shown += part * (ink[k] - shown);
      if (row >= above) shown += edge * (edge_ink[k] - shown);
      rgb[3 * i + k] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(shown, 0.0, 1.0)));
    }
  }
}

}  // namespace orrery::mandelbrot
