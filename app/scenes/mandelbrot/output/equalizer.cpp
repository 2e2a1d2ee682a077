#include "scenes/mandelbrot/output/equalizer.hpp"

#include <algorithm>
#include <bit>

#include "compute/device/kernel_limits.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::size_t numbers = Equalization::bins + 1;  // with the bits of the smallest value
constexpr std::size_t most_counted = 1 << 18;            // pixels: enough for 2,048 bins
constexpr std::size_t groups_per_unit = 4;

}  // namespace

Equalizer::Equalizer(ProgramLibrary& programs)
    : device_(programs.device()), counts_(device_.buffer(numbers * sizeof(cl_uint))) {
  const auto program = programs.build({"mandelbrot_histogram.cl", {}});
  reset_ = program->kernel("reset_histogram");
  lowest_ = program->kernel("find_lowest");
  count_ = program->kernel("count_values");
}

bool Equalizer::enqueue(Queue& queue, const cl::Buffer& values, std::size_t pixels) {
  if (under_way_) return false;
  if (!mirror_) mirror_.emplace(device_, queue, numbers * sizeof(cl_uint), HostMirror::Mapping::queued);
  const std::size_t group = std::min<std::size_t>(64, device_.info().max_work_group);
  const std::size_t groups = std::max<std::size_t>(1, groups_per_unit * device_.info().compute_units);
  const auto step = static_cast<cl_uint>(std::max<std::size_t>(1, pixels / most_counted));
  reset_.setArg(0, counts_);
  queue.launch("histogram", reset_, {round_up(numbers, group), group});
  for (cl::Kernel* kernel : {&lowest_, &count_}) {
    kernel->setArg(0, static_cast<cl_uint>(pixels));
    kernel->setArg(1, step);
    kernel->setArg(2, values);
    kernel->setArg(3, counts_);
    queue.launch("histogram", *kernel, {groups * group, group});
  }
  counted_ = queue.read(counts_, mirror_->data_for(queue), numbers * sizeof(cl_uint));
  under_way_ = true;
  return true;
}

std::optional<Equalization> Equalizer::collect() {
  if (!under_way_ || !is_complete(counted_)) return std::nullopt;
  under_way_ = false;
  const auto* counts = static_cast<const std::uint32_t*>(mirror_->data());
  return equalization(static_cast<double>(std::bit_cast<float>(counts[Equalization::bins])),
                      {counts, Equalization::bins});
}

}  // namespace orrery::mandelbrot
