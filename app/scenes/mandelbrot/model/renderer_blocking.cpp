#include <algorithm>
#include <cmath>
#include <complex>

#include "base/clock.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {

void Renderer::finish_blocking(Queue& queue, double budget_seconds,
                               const std::function<void(const Progress&)>& during) {
  while (!idle()) {
    advance_blocking(queue, budget_seconds);
    wait_blocking(queue);
    if (during) during(progress_);
  }
}

void Renderer::advance_blocking(Queue& queue, double budget_seconds) {
  patient_ = true;
  if (!enqueue_slice(queue, budget_seconds) && waiting_) kernels_.references->wait_blocking(0.05);
}

void Renderer::wait_blocking(Queue& queue) {
  queue.finish();
  if (few_) few_->queue.finish();
  collect();
}

std::vector<Cell> Renderer::cells_blocking(Queue& queue, std::vector<Cell> room) const {
  return queue.read_blocking<Cell>(buffers_.cells, frame_.stack().pixels(), std::move(room));
}

std::vector<float> Renderer::details_blocking(Queue& queue, std::vector<float> room) const {
  return has_details() ? queue.read_blocking<float>(buffers_.details, frame_.stack().pixels(), std::move(room))
                       : std::vector<float>{};
}

namespace {

const View near_feigenbaum{Decimal(-1.4011551890920506), Decimal(1e-7), Decimal(1e-6)};
const View beside_feigenbaum{near_feigenbaum.re, near_feigenbaum.im, Decimal(1e-30)};
// Between the discs that close in on the cusp: every passage takes 3·10⁵ iterations, and half of the pixels escape.
const View near_cusp{Decimal(0.2500000001), Decimal(0.0), Decimal(4e-15)};
const View beside_cusp{near_cusp.re, near_cusp.im, Decimal(1e-30)};
// Similarly between the cardioid and the disc of period 2.
const View in_valley{Decimal(-0.75), Decimal(1e-6), Decimal(2e-12)};
const View deep_in_valley{in_valley.re, in_valley.im, Decimal(1e-30)};
// Beside the cusp of a small copy.
const View passing{Decimal(-1.7499999999), Decimal(0.0), Decimal(2e-14)};
// In the bulb of period 3, where every pixel takes all the steps; for another power, beside the edge of the body.
View busy(Formula formula) {
  if (formula.quadratic()) return {Decimal(-0.1226), Decimal(0.7449), Decimal(0.05)};
  const auto d = static_cast<double>(formula.power);
  const std::complex<double> z = std::polar(std::pow(0.99 / d, 1 / (d - 1)), 1.0);
  const std::complex<double> c = z - formula.lower(z) * z;
  return {.re = Decimal(c.real()), .im = Decimal(c.imag()), .span = Decimal(1e-3), .formula = formula};
}
// Where a disc is attached to another, or at a cusp: all orbits are so long that they are examined.
View at_root(Formula formula) {
  const Decimal re(formula.quadratic() ? -1.25 : formula.axis().second);
  return {.re = re, .im = Decimal(0.0), .span = Decimal(1e-6), .formula = formula};
}
constexpr std::uint32_t limit_of_long_orbits = 1u << 15;
// Near the point i of the set's boundary: so small that it needs exponents.
const View deep{Decimal(0.0), Decimal(1.0), Decimal::parse("1e-400", "span")};

// Together these pictures use every kernel.
std::vector<View> views_of(const Variant& variant) {
  const Precision precision = variant.precision;
  const Formula formula = variant.formula;
  if (precision == Precision::ladder) return {near_feigenbaum, beside_feigenbaum};
  if (precision == Precision::cusp) return {near_cusp, beside_cusp};
  if (precision == Precision::valley) return {in_valley, deep_in_valley};
  if (precision != Precision::perturbation) return {whole_set(formula), at_root(formula)};
  std::vector<View> views{whole_set(formula), deep, at_root(formula)};
  views[1].formula = formula;
  if (formula.quadratic()) views.push_back(passing);
  return views;
}

}  // namespace

double warmed_up(const Device& device, const Kernels& kernels) {
  Queue queue(device);
  Renderer renderer(device, queue, kernels);
  for (const View& view : views_of(kernels.variant)) {
    const bool examined = view == at_root(view.formula);
    Frame frame = whole_frame(view, examined ? Size{8, 8} : Size{64, 64});
    frame.limit = examined ? limit_of_long_orbits : 256;
    renderer.begin(frame);
    renderer.finish_blocking(queue, 1);
    renderer.publish(queue, device.buffer(renderer.planes() * frame.size.pixels() * sizeof(float)));
    queue.finish();
  }
  // Enough pixels to fill the device.
  const auto side =
      static_cast<std::uint32_t>(std::sqrt(8.0 * static_cast<double>(filling(device.info(), kernels.variant))));
  const Precision precision = kernels.variant.precision;
  const View measured = is_ladder(precision) ? views_of(kernels.variant).front() : busy(kernels.variant.formula);
  Frame frame = whole_frame(measured, {side, side});
  // On a ladder a single step may take all of a small limit; with a large one a few pixels take most of the time.
  frame.limit = is_ladder(precision) ? 1u << 14 : first_round_steps + 1;
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    renderer.begin(frame);
    const double began = now_seconds();
    renderer.finish_blocking(queue, 1);
    best = std::min(best, now_seconds() - began);
  }
  return std::clamp(best / std::max(renderer.progress().iterations, 1.0), 1e-13, 1e-6);
}

}  // namespace orrery::mandelbrot
