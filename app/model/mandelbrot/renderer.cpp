#include "model/mandelbrot/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace orrery::mandelbrot {
namespace {

// Most pixels of a shallow picture are decided by then; the others are packed before they go on.
constexpr std::uint32_t first_round_steps = 64;
// Of a launch: a group's sum of iterations stays below 2^32, whatever its size.
constexpr std::uint32_t most_iterations_of_group = 1u << 30;
constexpr std::uint32_t fewest_steps = 64;
// A round takes n to n + 3n: few rounds, and still no more than a few times the steps that a pixel needs.
constexpr std::uint32_t round_growth = 3;

std::size_t squares(Size part, std::uint32_t side) {
  return std::size_t{(part.width + side - 1) / side} * ((part.height + side - 1) / side);
}

std::size_t pixels_of_pass(Size part, std::uint32_t stride, bool refines) {
  return refines ? 3 * squares(part, 2 * stride) : squares(part, stride);
}

// So many pixels keep the whole device busy.
std::size_t filling(const DeviceInfo& device, const Variant& variant) {
  const std::size_t units = std::max<std::size_t>(device.compute_units, 1);
  return units * (device.device_class == DeviceClass::cpu ? variant.pixels_per_group() : 2048);
}

std::size_t bytes_of_orbit(const Variant& variant) {
  const std::size_t real = variant.doubles() ? sizeof(double) : sizeof(float);
  return variant.precision == Precision::ladder ? 4 * real + 2 * sizeof(cl_ulong) : 2 * real;
}

constexpr std::size_t elementwise_group = 64;

}  // namespace

Renderer::Renderer(const Device& device, Queue& queue, Kernels kernels)
    : device_(device),
      kernels_(std::move(kernels)),
      mirror_(device, queue, sizeof(Counters)),
      counters_(device.buffer(sizeof(Counters))) {}

void Renderer::begin(const Frame& frame) {
  pending_ = frame;
  wanted_limit_ = 0;
}

void Renderer::raise_limit(std::uint32_t limit) { wanted_limit_ = std::max(wanted_limit_, limit); }

void Renderer::allocate(std::size_t pixels) {
  if (pixels <= capacity_) return;
  cells_ = device_.buffer(pixels * sizeof(Cell));
  orbits_ = device_.buffer(pixels * bytes_of_orbit(kernels_.variant));
  for (List& list : lists_) list.pixels = device_.buffer(pixels * sizeof(cl_uint));
  capacity_ = pixels;
}

void Renderer::start(Queue& queue) {
  frame_ = *std::exchange(pending_, std::nullopt);
  place_.reset();
  if (kernels_.variant.precision == Precision::ladder) {
    place_ = ladder_place(frame_.view, frame_.size);
    if (!place_) throw failure("the view is too far from the Feigenbaum point", "choose other numbers");
  }
  const std::size_t pixels = frame_.part().pixels();
  allocate(pixels);
  clear(queue, cells_, 0, pixels * sizeof(Cell) / sizeof(cl_uint));
  clear(queue, counters_, 0, sizeof(Counters) / sizeof(cl_uint));
  for (List& list : lists_) list = {.pixels = list.pixels};
  kept_ = 2;
  raising_ = false;
  late_from_ = frame_.limit / 2;
  late_before_ = 0;
  passed_ = 0;
  progress_ = {.pixels = pixels, .first_limit = frame_.limit};
  plan_pass(queue, coarsest);
}

void Renderer::clear(Queue& queue, const cl::Buffer& numbers, std::size_t first, std::size_t count) {
  const std::size_t group = std::min(elementwise_group, device_.info().max_work_group);
  kernels_.clear.setArg(0, static_cast<cl_uint>(first));
  kernels_.clear.setArg(1, static_cast<cl_uint>(count));
  kernels_.clear.setArg(2, numbers);
  queue.launch(launch::clear, kernels_.clear, {round_up(count, group), group}, static_cast<double>(count));
}

// ---- what comes next

void Renderer::plan_pass(Queue& queue, std::uint32_t stride) {
  stage_ = Stage::pass;
  const std::uint32_t steps = std::min(first_round_steps, frame_.limit - 1);
  const bool last = steps == frame_.limit - 1;
  round_ = {.steps = steps, .to = last ? kept_ : other_list(kept_), .last = last, .stride = stride};
  round_.refines = stride < coarsest;
  length_ = pixels_of_pass(frame_.part(), stride, stride < coarsest);
  if (!last) clear_list(queue, round_.to);
}

void Renderer::plan_round(Queue& queue, std::uint32_t from, std::uint32_t start) {
  stage_ = Stage::round;
  const std::uint32_t left = frame_.limit - 1 - start;
  const std::uint32_t steps = std::min({left, std::max(round_growth * start, fewest_steps), longest_round(queue)});
  const bool last = steps == left;
  // Passes gather what they leave undecided at the limit; raising the limit packs that list anew.
  const std::uint32_t to = last && !raising_ ? kept_ : other_list(from);
  round_ = {.start = start, .steps = steps, .from = from, .to = to, .last = last};
  length_ = lists_[from].bound;
  if (to != kept_ || raising_) clear_list(queue, to);
}

void Renderer::plan_raise(Queue& queue) {
  raising_ = true;
  const std::uint32_t reached = frame_.limit - 1;
  late_from_ = frame_.limit - 1;
  late_before_ += progress_.late;
  progress_.late = 0;
  frame_.limit = wanted_limit_;
  plan_round(queue, kept_, reached);
  if (length_ == 0) stage_ = Stage::done;
}

void Renderer::finish_round(Queue& queue) {
  if (!round_.last) {
    plan_round(queue, round_.to, round_.start + round_.steps);
    if (length_ == 0) finish_pass(queue);
  } else {
    if (raising_) kept_ = round_.to;
    finish_pass(queue);
  }
}

void Renderer::finish_pass(Queue& queue) {
  if (raising_) {
    if (!round_.last) kept_ = round_.from;  // it is empty
    stage_ = Stage::done;
    return;
  }
  passed_ = passed_ == 0 ? coarsest : passed_ / 2;
  if (passed_ > 1) {
    plan_pass(queue, passed_ / 2);
  } else {
    stage_ = Stage::done;
  }
}

// A list that is neither `list` nor, while the passes fill it, the one of what is kept.
std::uint32_t Renderer::other_list(std::uint32_t list) const {
  for (std::uint32_t other = 0; other < lists_.size(); ++other)
    if (other != list && (other != kept_ || raising_)) return other;
  return 0;
}

void Renderer::clear_list(Queue& queue, std::uint32_t list) {
  clear(queue, counters_, list, 1);
  lists_[list] = {.pixels = lists_[list].pixels};
}

// ---- slices

bool Renderer::enqueue_slice(Queue& queue, double budget_seconds) {
  if (busy()) return false;
  collect();
  slice_budget_ = budget_seconds;
  if (pending_) start(queue);
  if (stage_ == Stage::done && wanted_limit_ > frame_.limit) plan_raise(queue);
  if (stage_ == Stage::done) return false;
  double spent = 0;
  while (stage_ != Stage::done && spent < 0.75 * budget_seconds) {
    if (spent > 0 && must_wait(queue, budget_seconds - spent)) break;
    spent += enqueue_portion(queue, budget_seconds - spent);
  }
  in_flight_ = queue.read(counters_, mirror_.data(), sizeof(Counters));
  uncollected_ = true;
  return true;
}

void Renderer::collect() {
  if (!uncollected_ || busy()) return;
  uncollected_ = false;
  Counters counters;
  std::memcpy(&counters, mirror_.data(), sizeof counters);
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    List& list = lists_[i];
    const double surprise = (counters.lists[i] + 1) / (list.expected + 1);
    if (!list.exact && i != kept_)
      for (double& survival : survival_) survival = std::clamp(survival * std::clamp(surprise, 0.5, 2.0), 0.02, 1.0);
    list = {list.pixels, counters.lists[i], static_cast<double>(counters.lists[i]), true};
  }
  if (stage_ == Stage::round) length_ = std::min(length_, lists_[round_.from].bound);
  progress_.decided = raising_ ? progress_.pixels : counters.decided;
  progress_.escaped = counters.escaped;
  progress_.late = counters.late - late_before_;
  progress_.stride = passed_;
  progress_.iterations = counters.iterations();
  progress_.complete = stage_ == Stage::done;
  if (!progress_.complete) return;
  progress_.undecided = lists_[kept_].bound;
  progress_.limit = frame_.limit;
}

// A list whose length is not known yet is launched as a whole, or not in this slice.
bool Renderer::must_wait(Queue& queue, double budget_seconds) const {
  return stage_ == Stage::round && !lists_[round_.from].exact &&
         seconds_of(queue, lists_[round_.from].expected) > budget_seconds;
}

// Fewer pixels than fill the device take as long as those that do.
double Renderer::seconds_of(Queue& queue, double pixels) const {
  return std::max(pixels, static_cast<double>(filling(device_.info(), kernels_.variant))) * seconds_per_pixel(queue);
}

// Of the pixels of the round: work-items beyond a list's end cost next to nothing.
double Renderer::share_expected() const {
  if (stage_ != Stage::round || length_ == 0) return 1;
  return std::min(1.0, lists_[round_.from].expected / static_cast<double>(length_));
}

double Renderer::enqueue_portion(Queue& queue, double budget_seconds) {
  const double share = share_expected();
  const double each = seconds_per_pixel(queue) * share;
  const std::size_t left = length_ - std::min<std::size_t>(length_, round_.first);
  const auto affordable = static_cast<std::size_t>(std::clamp(budget_seconds / std::max(each, 1e-15), 1.0, 4e9));
  const std::size_t count = std::min(left, round_up(affordable, kernels_.variant.pixels_per_group()));
  const double seconds = count > 0 ? seconds_of(queue, static_cast<double>(count) * share) : 0;
  if (count > 0) launch(queue, count);
  if (round_.first >= length_) finish_round(queue);
  return seconds;
}

void Renderer::launch(Queue& queue, std::size_t count) {
  Round part = round_;
  part.count = static_cast<std::uint32_t>(count);
  cl::Kernel& kernel = stage_ == Stage::pass ? kernels_.begin : kernels_.resume;
  set_arguments(kernel, part);
  const Variant& variant = kernels_.variant;
  const std::size_t items = round_up(count, variant.pixels_per_group()) / variant.lanes;
  const double expected = static_cast<double>(count) * share_expected();
  const double work = expected * std::max(part.steps, 1u);
  // Only a launch of known length that keeps the whole device busy for a while tells how fast it is.
  const bool telling = (stage_ == Stage::pass || lists_[part.from].exact) &&
                       work >= 4.0 * first_round_steps * static_cast<double>(filling(device_.info(), variant));
  queue.launch(launch_name(), kernel, {items, variant.work_group}, telling ? work : 0);
  List& kept = lists_[part.to];
  kept.bound = std::min(kept.bound + count, capacity_);
  kept.expected += expected * survival_[stage_ == Stage::pass ? 0 : 1];
  kept.exact = false;
  round_.first += part.count;
}

template <class Real>
void Renderer::set_plane(cl::Kernel& kernel, const Round& part) const {
  if (place_) {
    kernel.setArg(0, LadderPlaneArgument<Real>(*place_, frame_));
  } else {
    kernel.setArg(0, PlaneArgument<Real>(frame_));
  }
  kernel.setArg(1, RoundArgument<Real>(part, frame_.escape_radius, late_from_));
}

void Renderer::set_arguments(cl::Kernel& kernel, const Round& part) const {
  kernels_.variant.doubles() ? set_plane<double>(kernel, part) : set_plane<float>(kernel, part);
  kernel.setArg(2, cells_);
  kernel.setArg(3, orbits_);
  kernel.setArg(4, lists_[part.to].pixels);
  kernel.setArg(5, counters_);
  cl_uint next = 6;
  if (place_) {
    kernel.setArg(next++, kernels_.ladder_numbers);
    kernel.setArg(next++, kernels_.ladder_extents);
  }
  if (stage_ == Stage::round) kernel.setArg(next, lists_[part.from].pixels);
}

double Renderer::seconds_per_pixel(Queue& queue) const {
  const double per_step = queue.profiler().seconds_per_work(launch_name()).value_or(kernels_.seconds_per_iteration);
  return std::max(per_step, 1e-15) * std::max(round_.steps, 1u);
}

// So that a launch that fills the device still fits a slice.
std::uint32_t Renderer::longest_round(Queue& queue) const {
  const double per_step =
      std::max(queue.profiler().seconds_per_work(launch::resume).value_or(kernels_.seconds_per_iteration), 1e-15);
  const double fitting = slice_budget_ / (per_step * static_cast<double>(filling(device_.info(), kernels_.variant)));
  const std::uint32_t most = most_iterations_of_group / kernels_.variant.pixels_per_group();
  return static_cast<std::uint32_t>(std::clamp(fitting, 1.0 * fewest_steps, 1.0 * most));
}

void Renderer::publish(Queue& queue, const cl::Buffer& surface) {
  const Size part = frame_.part();
  cl::Kernel& kernel = kernels_.publish;
  kernel.setArg(0, part.width);
  kernel.setArg(1, part.height);
  kernel.setArg(2, cells_);
  kernel.setArg(3, surface);
  const std::size_t group = std::min(elementwise_group, device_.info().max_work_group);
  queue.launch(launch::publish, kernel, {{round_up(part.width, group), part.height}, {group, 1}},
               static_cast<double>(part.pixels()));
}

// ---- headless

void Renderer::finish_blocking(Queue& queue, double budget_seconds,
                               const std::function<void(const Progress&)>& during) {
  while (!idle()) {
    enqueue_slice(queue, budget_seconds);
    queue.finish();
    collect();
    if (during) during(progress_);
  }
}

std::vector<Cell> Renderer::cells_blocking(Queue& queue) const {
  return queue.read_blocking<Cell>(cells_, frame_.part().pixels());
}

double warmed_up(const Device& device, const Kernels& kernels) {
  Queue queue(device);
  Renderer renderer(device, queue, kernels);
  const bool ladder = kernels.variant.precision == Precision::ladder;
  const View near_feigenbaum{Decimal(-1.4011551890920506), Decimal(1e-7), Decimal(1e-6)};
  Frame every_kernel = whole_frame(ladder ? near_feigenbaum : View{}, {64, 64});
  every_kernel.limit = 256;
  renderer.begin(every_kernel);
  renderer.finish_blocking(queue, 1);
  renderer.publish(queue, device.buffer(every_kernel.size.pixels() * sizeof(float)));
  queue.finish();

  // In the bulb of period 3, where every pixel takes all the steps, and enough of them to fill the device.
  const auto side =
      static_cast<std::uint32_t>(std::sqrt(8.0 * static_cast<double>(filling(device.info(), kernels.variant))));
  Frame busy =
      whole_frame(ladder ? near_feigenbaum : View{Decimal(-0.1226), Decimal(0.7449), Decimal(0.05)}, {side, side});
  busy.limit = first_round_steps + 1;
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    renderer.begin(busy);
    const double began = now_seconds();
    renderer.finish_blocking(queue, 1);
    best = std::min(best, now_seconds() - began);
  }
  return std::clamp(best / std::max(renderer.progress().iterations, 1.0), 1e-13, 1e-6);
}

}  // namespace orrery::mandelbrot
