#include "model/mandelbrot/picture.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::mandelbrot {
namespace {

constexpr double slice_seconds = 0.05;
constexpr std::size_t band_pixels = std::size_t{1} << 22;

// The picture at no more than a million pixels.
Size preview(Size size) {
  const double factor = std::min(1.0, 1000 / std::sqrt(static_cast<double>(size.pixels())));
  const auto side = [&](std::uint32_t length) {
    return std::max(1u, static_cast<std::uint32_t>(std::lround(length * factor)));
  };
  return {side(size.width), side(size.height)};
}

}  // namespace

SampleShift sample_shift(int sample) {
  constexpr double plastic = 1.32471795724474602596;
  const auto part = [](double x) { return x - std::floor(x); };
  return {part(0.5 + sample / plastic), part(0.5 + sample / (plastic * plastic))};
}

std::uint32_t limit_of(const Device& device, const Kernels& kernels, const PictureRequest& request) {
  if (request.limit != 0) return request.limit;
  Queue queue(device);
  Renderer renderer(device, queue, kernels);
  AutomaticLimit automatic;
  Frame frame = whole_frame(request.view, preview(request.size));
  frame.escape_radius = request.escape_radius;
  frame.limit = automatic.first(request.view);
  renderer.begin(frame);
  renderer.finish_blocking(queue, slice_seconds);
  while (const auto limit = automatic.next(renderer.progress())) {
    renderer.raise_limit(*limit);
    renderer.finish_blocking(queue, slice_seconds);
  }
  return renderer.progress().limit;
}

PictureResult compute_picture(const Device& device, const Kernels& kernels, const PictureRequest& request,
                              std::uint32_t limit, const TakeRows& take, const ShowProgress& show) {
  Queue queue(device);
  Renderer renderer(device, queue, kernels);
  PictureResult result{.limit = limit};
  Frame frame = whole_frame(request.view, request.size);
  frame.escape_radius = request.escape_radius;
  frame.limit = limit;
  const auto rows = static_cast<std::uint32_t>(std::max<std::size_t>(1, band_pixels / request.size.width));
  const double all = static_cast<double>(request.size.pixels()) * request.samples;
  double done = 0;
  for (frame.first_row = 0; frame.first_row < request.size.height; frame.first_row += rows) {
    frame.rows = std::min(rows, request.size.height - frame.first_row);
    for (int sample = 0; sample < request.samples; ++sample) {
      const SampleShift shift = sample_shift(sample);
      frame.shift_x = shift.x;
      frame.shift_y = shift.y;
      renderer.begin(frame);
      renderer.finish_blocking(queue, slice_seconds,
                               [&](const Progress& p) { show((done + static_cast<double>(p.decided)) / all); });
      const std::vector<Cell> cells = renderer.cells_blocking(queue);
      take(frame.first_row, cells, sample);
      done += static_cast<double>(cells.size());
      result.iterations += renderer.progress().iterations;
      result.interior += static_cast<std::size_t>(std::ranges::count_if(cells, &Cell::interior));
    }
  }
  return result;
}

}  // namespace orrery::mandelbrot
