#include "scenes/mandelbrot/model/refinement.hpp"

#include <cmath>

namespace orrery::mandelbrot {
namespace {

// ν of a pixel that is computed again may differ by so much: four times as much as the first result may be off by.
constexpr double tolerable = 1e-3;
constexpr double caution = 4;

// By how many pixels c seems to lie elsewhere, for all that rounding and the table do.
double uncertainty(const Frame& frame, Precision precision) {
  constexpr double doubles = 0x1p-53;
  const double longest = frame.view.turn.reach(), stretch = longest * longest;  // of the widths, in finest pixels
  if (precision == Precision::perturbation) {
    constexpr double reach = 4;  // from the reference, in widths
    // What the steps of a long orbit do adds up, as a random walk does.
    const double steps = 1 + std::sqrt(frame.limit / 256.0);
    return reach * frame.size.width * stretch * PerturbedFormat{}.epsilon() * steps;
  }
  const double center = std::max(std::abs(frame.view.re.value()), std::abs(frame.view.im.value()));
  return 8 * doubles * (center / spacing(frame.view, frame.size) * longest + frame.size.width * stretch);
}

bool differ(const Cell& a, const Cell& b) {
  return a.interior() != b.interior() || std::abs(a.value() - b.value()) > tolerable;
}

}  // namespace

Refinement::Refinement(const Device& device, Queue& queue, const Kernels& kernels)
    : again_(device, queue, kernels), exact_(device, queue, *kernels.exact) {}

std::size_t Refinement::refine(Queue& queue, const Frame& frame, std::span<Cell> cells, std::span<float> details,
                               double slice_seconds, const std::function<void()>& during) {
  const auto watched = [&](const Progress&) { during(); };
  Frame beside = frame;
  const double step = caution * uncertainty(frame, again_.kernels().variant.precision);
  beside.shift_x += step;
  // Along the real axis where that is the picture's middle: what is doubtful is then the same on both sides of it.
  if (!frame.view.im.is_zero() || !frame.view.turn.level()) beside.shift_y += 0.5 * step;
  again_.begin(beside);
  again_.finish_blocking(queue, slice_seconds, watched);
  iterations_ = again_.progress().iterations;
  const std::vector<Cell> others = again_.cells_blocking(queue);
  std::vector<cl_uint> doubtful;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (differ(cells[i], others[i])) doubtful.push_back(static_cast<cl_uint>(i));
  if (doubtful.empty()) return 0;
  exact_.begin_pixels(frame, doubtful);
  exact_.finish_blocking(queue, slice_seconds, watched);
  iterations_ += exact_.progress().iterations;
  const std::vector<Cell> exact = exact_.cells_blocking(queue);
  for (const cl_uint i : doubtful) cells[i] = exact[i];
  const std::vector<float> exact_details = exact_.details_blocking(queue);
  if (!exact_details.empty())
    for (const cl_uint i : doubtful) details[i] = exact_details[i];
  return doubtful.size();
}

}  // namespace orrery::mandelbrot
