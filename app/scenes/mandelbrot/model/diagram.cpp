#include "scenes/mandelbrot/model/diagram.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/device/kernel_limits.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::uint32_t walkers = 32;  // per column
constexpr std::size_t group = 64;
constexpr double start_spread = 1e-3;  // relative to half the height: initial distance of orbits
constexpr double finest_w = 1e-13, finest_w_of_pairs = 1e-11;  // distances of columns on the ladder …
constexpr double finest_c = 1e-14, finest_c_of_pairs = 1e-12;  // … and in c itself
constexpr double finest_of_doubles = 1e-280, finest_of_floats = 1e-30;

// Orbits settle before their visits are counted; each stage restarts counting. Where the view holds a copy of the set,
// an orbit visits it once per period.
struct Stage {
  std::uint32_t settle, count;  // visits
  std::uint32_t most_steps;
};
constexpr std::array<Stage, 3> plan{{{48, 32, 1 << 12}, {256, 256, 1 << 14}, {1024, 3072, 1 << 16}}};
constexpr std::uint32_t longest_cycle = 2048;  // searched …
constexpr std::size_t cycles_settle = 1;       // … before this stage counts

struct Walker {
  double x, x_low;
  cl_int index;
  cl_uint unused;
};
struct FloatWalker {
  float x, x_low;
  cl_int index;
  cl_uint unused;
};

template <class Real>
struct DiagramPlane {
  Real center, center_low;
  Real spacing, spacing_low;
  Real middle, middle_low;
  Real rows_per_x;
  Real start, start_spread;
  cl_uint columns, rows;
  cl_int top;
  cl_uint last;
};
static_assert(sizeof(DiagramPlane<float>) == 52 && sizeof(DiagramPlane<double>) == 88);

template <class Real>
void set_pair(Real& high, Real& low, Pair number) {
  high = static_cast<Real>(number.high);
  low = static_cast<Real>(number.high - static_cast<double>(high) + number.low);
}

const PackedLadder& ladder_of(const Device& device) {
  return packed_ladder(LadderPoint::feigenbaum,
                       device.info().fp64 ? LadderNumbers::doubles : LadderNumbers::float_pairs);
}

ProgramSpec spec_of(const Device& device, Formula formula) {
  ProgramSpec spec{"mandelbrot_bifurcation.cl", {{"WALKERS", std::to_string(walkers)}}};
  if (!formula.quadratic()) spec.definitions["POWER"] = std::to_string(formula.power);
  spec.definitions.merge(ladder_of(device).definitions());
  if (device.info().has_fma(device.info().fp64)) spec.definitions["FAST_FMA"] = "1";
  return spec;
}

}  // namespace

DiagramFrame diagram_frame(const View& view, std::uint32_t columns, std::uint32_t rows,
                           std::shared_ptr<const RealCascade> cascade) {
  constexpr double reach = 0.7;  // relative to the height, on each side of the middle
  const double half = half_height_of(*cascade, view.span), nearest = cascade->nearest;
  const double middle = std::copysign(std::max(0.0, std::abs(nearest) - reach * half), nearest);
  return {view, columns, rows, middle, half, std::move(cascade)};
}

std::vector<DiagramMark> diagram_marks(const RealCascade& cascade, const View& view, std::uint32_t columns) {
  constexpr double apart = 2;  // columns
  std::vector<DiagramMark> marks;
  for (const Superstable& point : cascade.points) {
    const double column = (0.5 + placement(on_axis(view), {point.c, Decimal(), view.span}).x) * columns;
    if (std::isfinite(column) && (marks.empty() || std::abs(column - marks.back().column) >= apart))
      marks.push_back({&point, column});
  }
  return marks;
}

double axis_row(const View& view, Size size) {
  const double down = -placement(view, on_axis(view)).y * size.width;
  return view.turn.level() && std::isfinite(down) ? 0.5 * size.height + down : size.height;
}

DiagramKernels::DiagramKernels(ProgramLibrary& programs, Formula wanted)
    : formula(wanted), doubles(programs.device().info().fp64), table(programs.device(), ladder_of(programs.device())) {
  const auto program = programs.build(spec_of(programs.device(), formula));
  place = program->kernel("place_walkers");
  clear = program->kernel("clear_counts");
  plain = program->kernel("walk_plain");
  perturbed = program->kernel("walk_perturbed");
  ladder = program->kernel("walk_ladder");
  cycles = program->kernel("settle_cycles");
  publish = program->kernel("publish_diagram");
}

bool Diagram::choose_way(const DiagramFrame& frame) {
  const double spacing = frame.view.span.value() / frame.columns;
  place_ = cascade_place(frame.view, frame.columns, kernels_->doubles ? finest_w : finest_w_of_pairs);
  way_ = place_                                                          ? DiagramWay::ladder
         : spacing >= (kernels_->doubles ? finest_c : finest_c_of_pairs) ? DiagramWay::plain
                                                                         : DiagramWay::perturbed;
  if (way_ == DiagramWay::perturbed && !(frame.cascade->view == on_axis(frame.view))) return false;
  return kernels_->doubles ? spacing >= finest_of_doubles || place_.has_value()
                           : frame.half_height >= finest_of_floats && (spacing >= finest_of_floats || place_);
}

template <class Real>
void Diagram::set_plane(const DiagramFrame& frame) {
  DiagramPlane<Real> plane{};
  constexpr mpfr_prec_t bits = 128;
  BigFloat unit(bits, 1.0);  // of x
  const BigFloat columns(bits, static_cast<double>(frame.columns));
  set_pair(plane.spacing, plane.spacing_low, pair_of(BigFloat(bits, frame.view.span.text()) / columns));
  switch (way_) {
    case DiagramWay::plain:
      set_pair(plane.center, plane.center_low, pair_of(BigFloat(bits, frame.view.re.text())));
      break;
    case DiagramWay::perturbed:
      set_pair(plane.center, plane.center_low, frame.cascade->orbit.away);
      plane.last = static_cast<cl_uint>(frame.cascade->orbit.high.size() - 1);
      break;
    case DiagramWay::ladder: {
      const LadderScales scales = ladder_scales(LadderPoint::feigenbaum, bits);
      unit = scales.lambda * power(scales.mu, place_->top);
      set_pair(plane.center, plane.center_low, place_->center_re);
      set_pair(plane.spacing, plane.spacing_low, place_->spacing);
      plane.top = place_->top;
    }
  }
  set_pair(plane.middle, plane.middle_low, pair_of(BigFloat(bits, frame.middle) / unit));
  const BigFloat half = BigFloat(bits, frame.half_height) / unit;
  plane.rows_per_x = static_cast<Real>(0.5 * frame.rows / half.value());
  plane.start = static_cast<Real>((BigFloat(bits, frame.cascade->nearest) / unit).value());
  plane.start_spread = static_cast<Real>(start_spread * half.value());
  plane.columns = frame.columns;
  plane.rows = frame.rows;
  for (cl::Kernel* kernel : {&kernels_->place, &kernels_->clear, &kernels_->plain, &kernels_->perturbed,
                             &kernels_->ladder, &kernels_->cycles})
    kernel->setArg(0, plane);
}

template <class Real>
void Diagram::set_orbit(Queue& queue, const RealOrbit& orbit) {
  std::vector<Real> numbers;
  for (const double high : orbit.high) numbers.push_back(static_cast<Real>(high));
  for (std::size_t m = 0; m < orbit.low.size(); ++m)
    numbers.push_back(static_cast<Real>(orbit.high[m] - static_cast<double>(numbers[m]) + orbit.low[m]));
  const auto bytes = std::as_bytes(std::span<const Real>(numbers));
  orbit_numbers_.assign(bytes.begin(), bytes.end());
  orbit_ = device_.buffer(bytes.size());
  (void)queue.write(orbit_, orbit_numbers_.data(), orbit_numbers_.size());
}

bool Diagram::begin(Queue& queue, const DiagramFrame& frame) {
  if (!choose_way(frame)) return false;
  const std::size_t all = std::size_t{frame.columns} * walkers, places = std::size_t{frame.columns} * frame.rows;
  if (walkers_() == nullptr || frame.columns != frame_.columns || frame.rows != frame_.rows) {
    walkers_ = device_.buffer(all * (kernels_->doubles ? sizeof(Walker) : sizeof(FloatWalker)));
    counts_ = device_.buffer(places * sizeof(cl_uint));
  }
  frame_ = frame;
  kernels_->doubles ? set_plane<double>(frame) : set_plane<float>(frame);
  steps_per_visit_ =
      way_ == DiagramWay::ladder ? 1 : std::max<std::uint32_t>(1, static_cast<std::uint32_t>(frame.cascade->period));
  if (way_ == DiagramWay::perturbed) {
    const RealOrbit& orbit = frame.cascade->orbit;
    kernels_->doubles ? set_orbit<double>(queue, orbit) : set_orbit<float>(queue, orbit);
    kernels_->perturbed.setArg(5, orbit_);
  }
  kernels_->place.setArg(1, walkers_);
  kernels_->clear.setArg(1, counts_);
  launch_over(queue, "place orbits", kernels_->place, all, {});
  launch_over(queue, "clear diagram", kernels_->clear, places, {});
  stage_ = cycles_settled_ = 0;
  walked_ = counted_ = published_ = 0;
  return true;
}

cl::Kernel& Diagram::walk() {
  switch (way_) {
    case DiagramWay::plain:
      return kernels_->plain;
    case DiagramWay::perturbed:
      return kernels_->perturbed;
    default:
      return kernels_->ladder;
  }
}

void Diagram::launch_over(Queue& queue, std::string_view name, cl::Kernel& kernel, std::size_t items,
                          const Work& work) {
  const std::size_t local = std::min(group, device_.info().max_work_group);
  queue.launch(name, kernel, {round_up(items, local), local}, work);
}

// The steps for which a stage settles or counts.
std::uint64_t Diagram::settling(std::size_t stage) const {
  const std::uint64_t settle = std::uint64_t{plan[stage].settle};
  return std::min<std::uint64_t>(settle * steps_per_visit_, plan[stage].most_steps);
}
std::uint64_t Diagram::counting(std::size_t stage) const {
  return std::min<std::uint64_t>(std::uint64_t{plan[stage].count} * steps_per_visit_, plan[stage].most_steps);
}

bool Diagram::complete() const { return stage_ + 1 == plan.size() && walked_ == settling(stage_) + counting(stage_); }

bool Diagram::news() const { return counted_ > published_ && (stage_ == 0 || counted_ >= counting(stage_ - 1)); }

void Diagram::enqueue(Queue& queue, double seconds) {
  constexpr std::array<std::string_view, 3> names{"walk plain orbits", "walk perturbed orbits", "walk the ladder"};
  constexpr double first_guess = 2e-9;
  const std::string_view name = names[static_cast<std::size_t>(way_)];
  const std::size_t all = std::size_t{frame_.columns} * walkers;
  if (complete()) return;
  if (walked_ == settling(stage_) + counting(stage_)) {
    ++stage_;
    walked_ = counted_ = published_ = 0;
  }
  if (stage_ == cycles_settle && walked_ == settling(stage_) && cycles_settled_ < all && way_ != DiagramWay::ladder)
    return settle_cycles(queue);
  const double step = static_cast<double>(all) * queue.profiler().seconds_per_work(name).value_or(first_guess);
  const bool counts = walked_ >= settling(stage_);
  const std::uint64_t left = settling(stage_) + (counts ? counting(stage_) : 0) - walked_;
  const auto steps = static_cast<cl_uint>(std::clamp(seconds / step, 1.0, std::min(static_cast<double>(left), 1e9)));
  cl::Kernel& kernel = walk();
  kernel.setArg(1, steps);
  kernel.setArg(2, counts ? cl_uint{0} : steps);
  kernel.setArg(3, walkers_);
  kernel.setArg(4, counts_);
  if (way_ == DiagramWay::ladder) {
    kernel.setArg(5, kernels_->table.numbers);
    kernel.setArg(6, kernels_->table.extents);
  }
  if (counts && counted_ == 0 && stage_ > 0)
    launch_over(queue, "clear diagram", kernels_->clear, std::size_t{frame_.columns} * frame_.rows, {});
  launch_over(queue, name, kernel, all, Work(static_cast<double>(all) * steps));
  walked_ += steps;
  if (counts) counted_ += steps;
}

// Settles some columns at a time: with long cycles, all of them would delay drawing.
void Diagram::settle_cycles(Queue& queue) {
  constexpr std::size_t parts = 16;
  const std::size_t all = std::size_t{frame_.columns} * walkers,
                    part = std::min(round_up(all / parts + 1, group), all - cycles_settled_);
  cl::Kernel& kernel = kernels_->cycles;
  kernel.setArg(1, static_cast<cl_uint>(cycles_settled_));
  kernel.setArg(2, steps_per_visit_);
  kernel.setArg(3, std::min<cl_uint>(64 * steps_per_visit_, longest_cycle));
  kernel.setArg(4, walkers_);
  kernel.setArg(5, way_ == DiagramWay::perturbed ? orbit_ : walkers_);
  launch_over(queue, "settle cycles", kernel, part, {});
  cycles_settled_ += part;
}

void Diagram::publish(Queue& queue, const cl::Buffer& values) {
  cl::Kernel& kernel = kernels_->publish;
  kernel.setArg(0, frame_.columns);
  kernel.setArg(1, frame_.rows);
  kernel.setArg(2, counts_);
  kernel.setArg(3, values);
  launch_over(queue, "publish diagram", kernel, frame_.columns, {});
  published_ = counted_;
}

std::vector<float> Diagram::finished_blocking(Queue& queue, const std::function<void()>& between) {
  constexpr double slice_seconds = 0.05;
  while (!complete()) {
    enqueue(queue, slice_seconds);
    queue.finish();
    queue.harvest();
    between();
  }
  const std::size_t places = std::size_t{frame_.columns} * frame_.rows;
  const cl::Buffer values = device_.buffer(places * sizeof(float));
  publish(queue, values);
  return queue.read_blocking<float>(values, places);
}

}  // namespace orrery::mandelbrot
