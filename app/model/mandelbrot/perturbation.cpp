#include "model/mandelbrot/perturbation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "compute/work_group.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::size_t bytes_of_step = 48;
// Beyond these, doubles run into the end of their range on the way: 1e-300 and 1e100.
constexpr double smallest_double_log2 = -996, largest_double_log2 = 332;
// Views that are so much smaller go on with the table of a larger one.
constexpr double table_serves_log2 = 3;
// Floats hold the low parts of pairs from here on.
constexpr std::int64_t smallest_pair_exponent = -70;

constexpr std::string_view launch_name = "bilinear table";

struct BuildingArgument {
  cl_uint last, levels, level;
  cl_float log2_epsilon, log2_reach, largest;
};

// A point with an exponent that keeps it within what the device counts in.
struct DevicePoint {
  DeviceComplex z;
  cl_int exponent;
};

DevicePoint device_point(const ReferencePoints& points, std::size_t m, PerturbedNumbers numbers) {
  const auto [re, im] = points.z[m];
  const FloatExpComplex z(re, im, points.exponents[m]);
  const std::int64_t smallest = numbers.pairs ? smallest_pair_exponent : -1000;
  if (!numbers.extended || z.exponent() >= smallest || z.exponent() <= exponent_of_zero) {
    const double factor = power_of_two(points.exponents[m]);
    return {DeviceComplex(factor * re, factor * im, numbers.pairs), 0};
  }
  return {DeviceComplex(z.re(), z.im(), numbers.pairs), static_cast<cl_int>(z.exponent())};
}

FloatExpComplex offset_of(const Reference& reference, const View& view) {
  return difference(center_of(view, reference.c.bits()), reference.c);
}

FloatExp pixel_of(const View& view, Size size) {
  const double log2 = log2_spacing(view, size), whole = std::floor(log2);
  return FloatExp(std::exp2(log2 - whole), static_cast<std::int64_t>(whole));
}

}  // namespace

bool is_beyond_doubles(const View& view, Size size) {
  const double span = view.span.log() / std::log(2.0);
  return span < smallest_double_log2 || log2_spacing(view, size) < smallest_double_log2 - 16 ||
         span > largest_double_log2;
}

DeviceComplex::DeviceComplex(double re, double im, bool pairs) : parts{re, im} {
  if (!pairs) return;
  const auto split = [](double x) {
    const auto high = static_cast<float>(x);
    return std::bit_cast<cl_double>(std::array{high, static_cast<float>(x - static_cast<double>(high))});
  };
  parts[0] = split(re);
  parts[1] = split(im);
}

FloatExp reach_of(const Reference& reference, const View& view, Size size) {
  return offset_of(reference, view).abs() + radius_of(view, size);
}

Perturbation::Perturbation(const Device& device, PerturbedNumbers numbers) : device_(device), numbers_(numbers) {}

std::size_t Perturbation::most_points(const DeviceInfo& device) {
  const std::uint64_t bytes = std::min<std::uint64_t>(device.allocation_bytes, device.global_bytes / 4);
  return std::min<std::size_t>(bytes / bytes_of_step, std::size_t{1} << 30);
}

void Perturbation::load(Queue& queue, cl::Kernel& build_level, std::shared_ptr<const Reference> reference,
                        const Frame& frame, double epsilon, bool table) {
  if (reference != reference_) {
    reference_ = std::move(reference);
    table_ = {};
    upload(queue);
  }
  const double reach = reach_of(*reference_, frame.view, frame.size).log2();
  const bool serves = table_.levels != 0 && reach <= table_.log2_reach &&
                      reach > table_.log2_reach - table_serves_log2 - 1 && table_.epsilon == epsilon &&
                      table_.escape_radius == frame.escape_radius;
  if (!table) table_ = {};
  if (table && !serves) build(queue, build_level, reach + 1, frame, epsilon);
}

void Perturbation::upload(Queue& queue) {
  const std::size_t count = reference_->points.z.size();
  uploaded_.clear();
  uploaded_exponents_.clear();
  uploaded_.reserve(count);
  for (std::size_t m = 0; m < count; ++m) {
    const DevicePoint point = device_point(reference_->points, m, numbers_);
    uploaded_.push_back(point.z);
    uploaded_exponents_.push_back(point.exponent);
  }
  if (count > capacity_) {
    capacity_ = std::bit_ceil(count);
    orbit_ = device_.buffer(capacity_ * sizeof(DeviceComplex));
    exponents_ = device_.buffer(capacity_ * sizeof(cl_int));
    steps_ = device_.buffer((capacity_ + 64) * bytes_of_step);
    radii_ = device_.buffer((capacity_ + 64) * sizeof(cl_float));
  }
  queue.write(orbit_, uploaded_.data(), count * sizeof(DeviceComplex));
  queue.write(exponents_, uploaded_exponents_.data(), count * sizeof(cl_int));
}

void Perturbation::build(Queue& queue, cl::Kernel& build_level, double log2_reach, const Frame& frame, double epsilon) {
  const auto last = static_cast<cl_uint>(reference_->points.last());
  const cl_uint single_steps = last - 1;
  table_ = {log2_reach, epsilon, frame.escape_radius,
            single_steps < 2 ? 0 : static_cast<cl_uint>(std::bit_width(single_steps) - 1)};
  build_level.setArg(1, orbit_);
  build_level.setArg(2, exponents_);
  build_level.setArg(3, steps_);
  build_level.setArg(4, radii_);
  const std::size_t group = std::min<std::size_t>(64, device_.info().max_work_group);
  for (cl_uint level = 1; level <= table_.levels; ++level) {
    const BuildingArgument building{last,
                                    table_.levels,
                                    level,
                                    static_cast<cl_float>(std::log2(epsilon)),
                                    static_cast<cl_float>(log2_reach),
                                    static_cast<cl_float>(frame.escape_radius * (1 - 0x1p-20))};
    build_level.setArg(0, building);
    const std::size_t count = (single_steps + (std::size_t{1} << level) - 1) >> level;
    queue.launch(launch_name, build_level, {round_up(count, group), group}, static_cast<double>(count));
  }
}

FieldArgument Perturbation::field(const Frame& frame) const {
  const FloatExp pixel = pixel_of(frame.view, frame.size);
  const FloatExpComplex offset = offset_of(*reference_, frame.view);
  const FloatExpComplex corner = offset + FloatExpComplex(pixel * FloatExp(frame.shift_x - 0.5 * frame.size.width),
                                                          pixel * FloatExp(0.5 * frame.size.height - frame.shift_y));
  const FloatExpComplex spacing(pixel, -pixel);
  // Where it has a place of its own, the exponent keeps the larger of the two near 1.
  const std::int64_t exponent = numbers_.extended ? std::max(corner.exponent(), spacing.exponent() + 16) : 0;
  const auto part = [&](double value, std::int64_t of) { return value * power_of_two(of - exponent); };
  const auto complex = [&](const FloatExpComplex& z) {
    return DeviceComplex(part(z.re(), z.exponent()), part(z.im(), z.exponent()), numbers_.pairs);
  };
  const bool interior = !(reference_->interior_radius < reach_of(*reference_, frame.view, frame.size));
  return {.corner = complex(corner),
          .spacing = complex(spacing),
          .exponent = static_cast<cl_int>(exponent),
          .first_row = frame.first_row,
          .width = frame.size.width,
          .height = frame.rows,
          .last = interior ? 0 : static_cast<cl_uint>(reference_->points.last()),
          .levels = table_.levels,
          .limit = frame.limit,
          .late = frame.limit / 2,
          .kept = 0};
}

}  // namespace orrery::mandelbrot
