#include "scenes/mandelbrot/deep/perturbation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "compute/device/work_group.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::size_t most_bytes_of_step = 128, most_levels = 32;
// Beyond these, about 1e-300 and 1e100, intermediate results leave the range of doubles.
constexpr double smallest_double_log2 = -996, largest_double_log2 = 332;
// Views smaller by up to this factor reuse the table of a larger view.
constexpr double table_serves_log2 = 3;
// From here on, no low part of a pair is lost: for doubles, and for floats.
constexpr std::int64_t smallest_double_exponent = -850, smallest_float_exponent = -70;

constexpr std::string_view launch_name = "bilinear table";

// Step limit for automatic N: the few orbits with passages that take more steps would hold up the picture.
constexpr cl_uint most_automatic_steps = 16384;

struct BuildingArgument {
  cl_uint last, levels, level;
  cl_float log2_epsilon, log2_reach, largest;
};

// Appends a complex number in the device's format.
void append(const WideComplex& z, PerturbedNumbers numbers, std::vector<std::byte>& bytes) {
  const auto put = [&](auto... parts) {
    const std::array all{parts...};
    const auto* first = reinterpret_cast<const std::byte*>(all.data());
    bytes.insert(bytes.end(), first, first + sizeof all);
  };
  if (numbers == PerturbedNumbers::doubles) return put(z.re, z.im);
  if (numbers == PerturbedNumbers::double_pairs) return put(z.re, z.re_low, z.im, z.im_low);
  const auto high = [](double x) { return static_cast<float>(x); };
  const auto low = [&](double x) { return static_cast<float>(x - static_cast<double>(high(x))); };
  put(high(z.re), low(z.re), high(z.im), low(z.im));
}

template <class T>
void append(T number, std::vector<std::byte>& bytes) {
  const auto* first = reinterpret_cast<const std::byte*>(&number);
  bytes.insert(bytes.end(), first, first + sizeof number);
}

struct DevicePoint {
  WideComplex z;
  cl_int exponent = 0;
};

// With a separate exponent only beyond the range of the device's numbers.
DevicePoint device_point(const ReferencePoints& points, std::size_t m, PerturbedFormat format) {
  const auto [re, im] = points[m];
  const auto [re_low, im_low] = points.low(m);
  const FloatExpComplex z(re, im, points.exponent(m));
  const std::int64_t smallest = is_double(format.numbers) ? smallest_double_exponent : smallest_float_exponent;
  const bool plain = !format.extended || z.exponent() >= smallest || z.exponent() <= exponent_of_zero;
  const std::int64_t exponent = plain ? 0 : z.exponent();
  const double factor = power_of_two(points.exponent(m) - exponent);
  return {{factor * re, factor * re_low, factor * im, factor * im_low}, static_cast<cl_int>(exponent)};
}

FloatExpComplex offset_of(const Reference& reference, const View& view) {
  return difference(center_of(view, reference.c.bits()), reference.c);
}

// z · 2^-exponent, to twice the digits of a double.
WideComplex split(const BigComplex& z, std::int64_t exponent) {
  const auto parts = [&](const BigFloat& x) {
    BigFloat rest = x;
    mpfr_mul_2si(rest.raw(), rest.raw(), static_cast<long>(-exponent), MPFR_RNDN);
    const double high = rest.value();
    mpfr_sub_d(rest.raw(), rest.raw(), high, MPFR_RNDN);
    return std::pair{high, rest.value()};
  };
  const auto [re, re_low] = parts(z.re);
  const auto [im, im_low] = parts(z.im);
  return {re, re_low, im, im_low};
}

// The steps from a pixel to its right and upper neighbours, and their length without a stretch.
struct PixelSteps {
  BigComplex right, up;
  BigFloat spacing;
};

PixelSteps steps_of(const View& view, Size size, mpfr_prec_t bits) {
  const BigFloat spacing = BigFloat(bits, view.span.text()) / BigFloat(bits, size.width);
  const Matrix turn = matrix_of(view.turn);
  const auto times = [&](double part) { return spacing * BigFloat(bits, part); };
  return {{times(turn.xx), times(turn.yx)}, {times(turn.xy), times(turn.yy)}, spacing};
}

// The row on the real axis, in the set's part of it; no row is as large as `none`.
cl_uint spine_of(const Frame& frame) {
  constexpr cl_uint none = ~cl_uint{0};
  const bool on_axis =
      frame.view.turn.level() && frame.view.im.is_zero() && frame.middle_y() == std::floor(frame.middle_y());
  if (!on_axis) return none;
  const Decimal half = frame.view.span * 0.5, left = frame.view.re - half, right = frame.view.re + half;
  const auto [first, last] = frame.view.formula.axis();
  const bool within = frame.view.formula.even() && !(left < Decimal(first)) && !(Decimal(last) < right);
  return within ? static_cast<cl_uint>(frame.middle_y()) : none;
}

}  // namespace

bool is_beyond_doubles(const View& view, Size size) {
  const double span = view.span.log() / std::log(2.0);
  return span < smallest_double_log2 || log2_finest_spacing(view, size) < smallest_double_log2 - 16 ||
         span > largest_double_log2;
}

FloatExp reach_of(const Reference& reference, const View& view, Size size) {
  return offset_of(reference, view).abs() + radius_of(view, size);
}

Perturbation::Perturbation(const Device& device, PerturbedFormat format) : device_(device), format_(format) {}

std::size_t Perturbation::most_points(const DeviceInfo& device) {
  const std::uint64_t bytes = std::min<std::uint64_t>(device.allocation_bytes, device.global_bytes / 4);
  return std::min<std::size_t>(bytes / most_bytes_of_step, std::size_t{1} << 30);
}

void Perturbation::load(Queue& queue, cl::Kernel& build_level, std::shared_ptr<const Reference> reference,
                        const Frame& frame, double epsilon) {
  const bool anew = reference != reference_;
  if (anew) {
    reference_ = std::move(reference);
    upload(queue);
  }
  takes_passages_ = reference_->passages && reference_->passages->levels() > 0 && epsilon >= 0 && has_passages(format_);
  if (epsilon == 0) epsilon = format_.epsilon();
  const double reach = reach_of(*reference_, frame.view, frame.size).log2();
  const bool serves = !anew && table_->levels != 0 && reach <= table_->log2_reach &&
                      reach > table_->log2_reach - table_serves_log2 - 1 && table_->epsilon == epsilon &&
                      table_->escape_radius == frame.escape_radius;
  if (serves) return;
  clear_table();
  if (epsilon > 0) build(queue, build_level, reach + 1, frame, epsilon);
}

void Perturbation::clear_table() {
  if (table_.use_count() > 1) table_ = std::make_shared<Table>();
  table_->levels = 0;
  if (table_->capacity >= points_->capacity) return;
  table_->capacity = points_->capacity;
  table_->steps = device_.buffer((table_->capacity + most_levels) * format_.bytes_of_step());
  table_->radii = device_.buffer((table_->capacity + most_levels) * sizeof(cl_float));
}

void Perturbation::upload(Queue& queue) {
  const std::size_t count = reference_->points.last() + 1;
  if (points_.use_count() > 1) points_ = std::make_shared<Points>();
  Points& points = *points_;
  points.uploaded.clear();
  points.uploaded_exponents.clear();
  points.uploaded.reserve(count * format_.bytes_of_complex());
  for (std::size_t m = 0; m < count; ++m) {
    const DevicePoint point = device_point(reference_->points, m, format_);
    append(point.z, format_.numbers, points.uploaded);
    points.uploaded_exponents.push_back(point.exponent);
  }
  if (count > points.capacity) {
    points.capacity = std::bit_ceil(count);
    points.orbit = device_.buffer(points.capacity * format_.bytes_of_complex());
    points.exponents = device_.buffer(points.capacity * sizeof(cl_int));
  }
  queue.write(points.orbit, points.uploaded.data(), points.uploaded.size());
  queue.write(points.exponents, points.uploaded_exponents.data(), count * sizeof(cl_int));
  if (!reference_->passages || reference_->passages->levels() == 0) return;
  const PassageTable& table = *reference_->passages;
  points.uploaded_terms.clear();
  for (int n = 0; n < table.orders(); ++n) points.uploaded_terms.push_back(static_cast<cl_uint>(table.terms(n)));
  const std::vector<PassageTable::Number>& multipliers = table.multipliers().coefficients();
  const std::size_t bytes = table.coefficients().size() * sizeof(PassageTable::Number);
  points.passage_coefficients = device_.buffer(bytes);
  points.passage_multipliers = device_.buffer(multipliers.size() * sizeof(PassageTable::Number));
  points.passage_terms = device_.buffer(points.uploaded_terms.size() * sizeof(cl_uint));
  queue.write(points.passage_coefficients, table.coefficients().data(), bytes);
  queue.write(points.passage_multipliers, multipliers.data(), multipliers.size() * sizeof(PassageTable::Number));
  queue.write(points.passage_terms, points.uploaded_terms.data(), points.uploaded_terms.size() * sizeof(cl_uint));
}

std::optional<PassageArgument> Perturbation::passage(bool automatic, bool examines) const {
  if (!takes_passages_) return {};
  const PassageTable& table = *reference_->passages;
  const ParabolicPoint& point = *reference_->parabolic;
  return PassageArgument{.point = {{point.z.re.value(), point.z.im.value()}},
                         .radius = table.radius(),
                         .reach = table.reach(),
                         .mu = table.mu(),
                         .near = table.multipliers().reach(),
                         .period = static_cast<cl_uint>(point.period),
                         .turns = static_cast<cl_uint>(point.turns),
                         .levels = static_cast<cl_uint>(table.levels()),
                         .orders = static_cast<cl_uint>(table.orders()),
                         .terms = static_cast<cl_uint>(table.most_terms()),
                         .examines = examines ? 1u : 0u,
                         .most_steps = automatic ? most_automatic_steps : ~cl_uint{0},
                         .bits_of_order = table.bits_of_order()};
}

void Perturbation::build(Queue& queue, cl::Kernel& build_level, double log2_reach, const Frame& frame, double epsilon) {
  const auto last = static_cast<cl_uint>(reference_->points.last());
  const cl_uint single_steps = last - 1;
  table_->log2_reach = log2_reach;
  table_->epsilon = epsilon;
  table_->escape_radius = frame.escape_radius;
  table_->levels = single_steps < 2 ? 0 : static_cast<cl_uint>(std::bit_width(single_steps) - 1);
  build_level.setArg(1, points_->orbit);
  build_level.setArg(2, points_->exponents);
  build_level.setArg(3, table_->steps);
  build_level.setArg(4, table_->radii);
  const std::size_t group = std::min<std::size_t>(64, device_.info().max_work_group);
  for (cl_uint level = 1; level <= table_->levels; ++level) {
    const BuildingArgument building{last,
                                    table_->levels,
                                    level,
                                    static_cast<cl_float>(std::log2(epsilon)),
                                    static_cast<cl_float>(log2_reach),
                                    static_cast<cl_float>(frame.escape_radius * (1 - 0x1p-20))};
    build_level.setArg(0, building);
    const std::size_t count = (single_steps + (std::size_t{1} << level) - 1) >> level;
    queue.launch(launch_name, build_level, {round_up(count, group), group}, static_cast<double>(count));
  }
}

FieldArgument Perturbation::field(const Frame& frame, std::uint32_t kept) const {
  const BigComplex& c = reference_->c;
  const BigComplex view_center = center_of(frame.view, c.bits());
  const BigComplex center{view_center.re - c.re, view_center.im - c.im};
  const PixelSteps pixel = steps_of(frame.view, frame.size, c.bits());
  const BigComplex spacing{pixel.spacing, BigFloat(c.bits())};
  // Separate exponents keep both near 1.
  const std::int64_t exponent =
      format_.extended ? std::max(float_exp(center).exponent(), float_exp(spacing).exponent() + 16) : 0;
  // All of the picture is proved to be interior: a reference without an end tells the kernels so.
  const bool interior = !(reference_->interior_radius < reach_of(*reference_, frame.view, frame.size));
  // The square of a step's radius is no more than epsilon·|Z|, and |Z| is within the escape radius: see build(). For
  // powers other than 2 it is no more than 3·epsilon·|Z|².
  const double size = table_->escape_radius * (frame.view.formula.quadratic() ? 1 : 3 * table_->escape_radius);
  const double widest = std::sqrt(table_->epsilon * size);
  const cl_int highest = table_->levels == 0 ? 0 : static_cast<cl_int>(std::floor(std::log2(widest))) + 1;
  std::vector<std::byte> bytes;
  append(split(center, exponent), format_.numbers, bytes);
  append(split(pixel.right, exponent), format_.numbers, bytes);
  append(split(pixel.up, exponent), format_.numbers, bytes);
  const bool doubles = is_double(format_.numbers);
  doubles ? append(GridArgument<double>(frame), bytes) : append(GridArgument<float>(frame), bytes);
  const double spaced = split(spacing, exponent).re;
  doubles ? append(spaced, bytes) : append(static_cast<float>(spaced), bytes);
  append(split(c, 0), doubles ? PerturbedNumbers::double_pairs : PerturbedNumbers::float_pairs, bytes);
  append(static_cast<cl_int>(exponent), bytes);
  for (const cl_uint number :
       {interior ? 0u : static_cast<cl_uint>(reference_->points.last()), table_->levels, frame.limit, kept})
    append(number, bytes);
  append(highest, bytes);
  append(static_cast<cl_uint>(reference_->interior_period), bytes);
  append(spine_of(frame), bytes);
  bytes.resize(round_up(bytes.size(), format_.bytes_of_complex()));  // the alignment of the struct
  FieldArgument field;
  field.size = bytes.size();
  std::ranges::copy(bytes, field.bytes.begin());
  return field;
}

}  // namespace orrery::mandelbrot
