#include "scenes/mandelbrot/model/renderer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "scenes/mandelbrot/deep/exact_pixels.hpp"

namespace orrery::mandelbrot {
namespace {

// Limit for one launch: a group's sum of iterations stays below 2^32, whatever its size.
constexpr std::uint32_t most_iterations_of_group = 1u << 30;
constexpr std::uint32_t fewest_steps = 64;
// A round goes from n to n + 3n: few rounds, and no more than a few times the steps that a pixel needs.
constexpr std::uint32_t round_growth = 3;
constexpr std::uint32_t long_orbit = 16384;  // steps; from here on, attracting cycles are searched
constexpr double turns_of_gpu = 8;           // of those that a full unit has: a step takes that much less with few
constexpr double fewest_telling = 16;        // pixels
constexpr int most_untold = 16;              // consecutive launches that do not measure the device's speed

// The search costs a fraction of all steps, so that it happens each time these have doubled.
bool is_examined(const Round& round) {
  return round.start >= long_orbit && std::bit_width(round.start + round.steps + 1) > std::bit_width(round.start + 1);
}

std::size_t squares(Size part, std::uint32_t side) {
  return std::size_t{(part.width + side - 1) / side} * ((part.height + side - 1) / side);
}

std::size_t pixels_of_pass(Size part, std::uint32_t stride, bool refines) {
  return refines ? 3 * squares(part, 2 * stride) : squares(part, stride);
}

constexpr std::size_t elementwise_group = 64;

}  // namespace

std::size_t filling(const DeviceInfo& device, const Variant& variant) {
  const std::size_t units = std::max<std::size_t>(device.compute_units, 1);
  return units * (device.device_class == DeviceClass::cpu ? variant.pixels_per_group() : 2048);
}

Renderer::Renderer(const Device& device, Queue& queue, Kernels kernels)
    : device_(device),
      kernels_(std::move(kernels)),
      mirror_(device, queue, sizeof(Counters), HostMirror::Mapping::queued),
      counters_(device.buffer(sizeof(Counters))) {
  for (const PerturbedKernels& each : kernels_.perturbed) perturbations_.emplace_back(device, each.format);
}

void Renderer::begin(const Frame& frame) { begin_pixels(frame, {}); }

void Renderer::begin_pixels(const Frame& frame, std::vector<cl_uint> pixels) {
  if (!(frame.view.formula == kernels_.variant.formula)) throw std::logic_error("Renderer: kernels of another formula");
  pending_ = frame;
  pixels_ = std::move(pixels);
  wanted_limit_ = 0;
}

void Renderer::compute_few_beside(const Queue& queue, std::ptrdiff_t number) {
  if (takes_turns())
    few_.emplace(Queue(device_, queue), device_.info().name + ", few pixels " + std::to_string(number));
}

void Renderer::follow(const Renderer& other) {
  epsilon_ = other.epsilon_;
  if (busy()) return;
  perturbations_ = other.perturbations_;
  enqueued_.stage = Stage::done;  // its orbits belong to the previous reference
}

bool Renderer::leaves_room() const {
  if (!takes_turns() || pending_) return false;
  if (busy()) return few_ && few_->has_slice;
  return enqueued_all() || (enqueued_.stage == Stage::round && next_launch() == Launch::resume_few);
}

void Renderer::raise_limit(std::uint32_t limit) { wanted_limit_ = std::max(wanted_limit_, limit); }

void Renderer::start(Queue& queue) {
  const Frame next = *std::exchange(pending_, std::nullopt);
  allocate(next.stack());
  frame_ = next;
  exact_.clear();
  for (std::uint32_t k = 0; k < frame_.samples; ++k) exact_.push_back(exact_interior(frame_.sample(k)));
  place_.reset();
  if (is_ladder(kernels_.variant.precision)) find_place();
  if (is_perturbed()) load_reference(queue);
  const std::size_t pixels = frame_.stack().pixels();
  clear(queue, buffers_.cells, 0, pixels * sizeof(Cell) / sizeof(cl_uint));
  clear(queue, counters_, 0, sizeof(Counters) / sizeof(cl_uint));
  lists_ = {};
  kept_ = 2;
  enqueued_ = {};
  enqueued_.late_from = frame_.limit / 2;
  telling_.iterations = 0;
  telling_.expected = {};
  progress_ = {
      .pixels = pixels_.empty() ? pixels : pixels_.size(), .first_limit = frame_.limit, .longest = longest_limit()};
  progress_.renormalised = place_.has_value();
  pixels_.empty() ? plan_pass(queue, first_stride()) : plan_pixels(queue);
}

// Finds the place on the ladder, and numbers that distinguish neighbouring pixels.
void Renderer::find_place() {
  place_ = ladder_place(frame_.view, frame_.size);
  if (!place_ || place_->point != point_of(kernels_.variant.precision))
    throw failure("the view is too far from the point that is renormalised", "choose another --precision");
  const std::vector<LadderKernels>& ladders = kernels_.ladders;
  const bool lost = ladder_shift(*place_, ladders.front().kind) > largest_ladder_shift(*place_, Purpose::picture);
  format_ = ladders.size() > 1 && (epsilon_ > 0 || lost) ? 1 : 0;
  if (frame_.automatic) frame_.limit = std::max(frame_.limit, LadderCounting(*place_, true).first_limit(place_->top));
}

void Renderer::plan_pixels(Queue& queue) {
  const std::size_t count = pixels_.size();
  clear(queue, buffers_.orbits, 0, buffers_.pixels * PixelBuffers::bytes_of_orbit(kernels_.variant) / sizeof(cl_uint));
  queue.write_blocking<cl_uint>(buffers_.lists[0], pixels_);
  const cl_uint length = static_cast<cl_uint>(count);
  queue.write_blocking(counters_, std::span(&length, 1));
  lists_[0] = {count, static_cast<double>(count), true};
  enqueued_.passed = 2;
  plan_round(queue, 0, first_round_steps);
}

void Renderer::clear(Queue& queue, const cl::Buffer& numbers, std::size_t first, std::size_t count) {
  const std::size_t group = std::min(elementwise_group, device_.info().max_work_group);
  kernels_.clear.setArg(0, static_cast<cl_uint>(first));
  kernels_.clear.setArg(1, static_cast<cl_uint>(count));
  kernels_.clear.setArg(2, numbers);
  queue.launch(launch::clear, kernels_.clear, {round_up(count, group), group},
               Work(static_cast<double>(count), cleared_number_cost, false));
}

// ---- the reference of perturbed orbits

// With `goes_on`, the picture's own reference is continued: its pixels are differences from it.
bool Renderer::has_reference(const Frame& frame, std::uint32_t limit, bool goes_on) {
  if (!is_perturbed()) return true;
  ReferenceRequest request{.view = frame.view,
                           .size = frame.size,
                           .limit = limit,
                           .most_points = Perturbation::most_points(device_.info()),
                           .pairs = kernels_.variant.perturbed == PerturbedNumbers::double_pairs,
                           .patient = patient_};
  if (takes_passages(frame)) request.parabolic = parabolic_beside(frame);
  next_reference_ =
      goes_on ? kernels_.references->longer(perturbation().reference(), request) : kernels_.references->find(request);
  waiting_ = !next_reference_;
  if (next_reference_ && !frame.automatic) check_reach(request);
  return !waiting_;
}

// Passages gain nothing in many bits, and data are to be the same everywhere.
bool Renderer::takes_passages(const Frame& frame) const {
  const PerturbedKernels& plain = kernels_.perturbed.front();
  return plain.pass() != nullptr && epsilon_ >= 0 && !kernels_.variant.exact && kernels_.variant.interior_tests &&
         !is_beyond_doubles(frame.view, frame.size);
}

const std::optional<ParabolicPoint>& Renderer::parabolic_beside(const Frame& frame) {
  if (!(parabolic_.view == frame.view && parabolic_.size == frame.size))
    parabolic_ = {frame.view, frame.size, parabolic_near(frame.view, frame.size)};
  return parabolic_.point;
}

void Renderer::check_reach(const ReferenceRequest& request) {
  const std::size_t points = next_reference_->points.last() + 1;
  const bool interior = !next_reference_->interior_radius.is_zero();
  if (interior || next_reference_->reaches(request.limit) || points < request.most_points) return;
  pending_.reset();
  wanted_limit_ = 0;
  throw usage_error(
      "--iterations", std::to_string(request.limit),
      "a whole number from 1 to " + std::to_string(points) + " (the longest reference orbit on this device)");
}

void Renderer::load_reference(Queue& queue) {
  const bool extended = !is_double(kernels_.variant.perturbed) || is_beyond_doubles(frame_.view, frame_.size);
  format_ = kernels_.perturbed.size() > 1 && extended ? 1 : 0;
  if (frame_.automatic) {
    wanted_limit_ = std::min(wanted_limit_, longest_limit());
    frame_.limit = std::min(frame_.limit, longest_limit());
  }
  perturbation().load(queue, kernels_.perturbed[format_].build_level, next_reference_, frame_, epsilon_);
}

// An automatic limit ends there, at a power of two like all; check_reach() refuses a higher limit set by the user.
std::uint32_t Renderer::longest_limit() const {
  if (!is_perturbed() || next_reference_->end != Reference::End::open || !next_reference_->interior_radius.is_zero())
    return ~0u;
  return static_cast<std::uint32_t>(std::bit_floor(Perturbation::most_points(device_.info())));
}

// ---- plans

void Renderer::plan_pass(Queue& queue, std::uint32_t stride) {
  enqueued_.stage = Stage::pass;
  const std::uint32_t steps = by_steps() ? first_round_steps : std::min(first_round_steps, frame_.limit - 1);
  const bool last = !by_steps() && steps == frame_.limit - 1;
  enqueued_.round = {.steps = steps, .to = last ? kept_ : other_list(kept_), .last = last, .stride = stride};
  enqueued_.round.refines = stride < first_stride();
  enqueued_.length = pixels_of_pass(frame_.stack(), stride, stride < first_stride());
  if (!last) clear_list(queue, enqueued_.round.to);
}

void Renderer::plan_round(Queue& queue, std::uint32_t from, std::uint32_t start) {
  enqueued_.stage = Stage::round;
  const std::uint32_t left = by_steps() ? ~0u : frame_.limit - 1 - start;
  const double known = lists_[from].exact ? lists_[from].expected : static_cast<double>(lists_[from].bound);
  const std::uint32_t steps =
      std::min({left, std::max(round_growth * start, fewest_steps), longest_round(queue, known)});
  const bool last = !by_steps() && steps == left;
  // Passes gather the pixels undecided at the limit; raising the limit packs that list again.
  const std::uint32_t to = last && !enqueued_.raising ? kept_ : other_list(from);
  enqueued_.round = {.start = start, .steps = steps, .from = from, .to = to, .last = last};
  enqueued_.length = lists_[from].bound;
  if (to != kept_ || enqueued_.raising) clear_list(queue, to);
}

void Renderer::plan_raise(Queue& queue) {
  enqueued_.raising = true;
  const std::uint32_t reached = frame_.limit - 1;
  enqueued_.late_from = frame_.limit - 1;
  enqueued_.late_before += progress_.late;
  progress_.late = 0;
  frame_.limit = wanted_limit_;
  if (is_perturbed()) load_reference(queue);
  progress_.longest = longest_limit();
  const std::uint32_t from = kept_;
  if (by_steps()) {
    kept_ = (kept_ + 1) % static_cast<std::uint32_t>(lists_.size());
    clear_list(queue, kept_);
  }
  plan_round(queue, from, by_steps() ? first_round_steps : reached);
  if (enqueued_.length == 0) enqueued_.stage = Stage::done;
}

void Renderer::finish_round(Queue& queue) {
  if (!enqueued_.round.last) {
    plan_round(queue, enqueued_.round.to, enqueued_.round.start + enqueued_.round.steps);
    if (enqueued_.length == 0) finish_pass(queue);
  } else {
    if (enqueued_.raising) kept_ = enqueued_.round.to;
    finish_pass(queue);
  }
}

void Renderer::finish_pass(Queue& queue) {
  if (enqueued_.raising) {
    if (!enqueued_.round.last && !by_steps()) kept_ = enqueued_.round.from;  // this list is empty
    enqueued_.stage = Stage::done;
    return;
  }
  enqueued_.passed = enqueued_.passed == 0 ? first_stride() : enqueued_.passed / 2;
  if (enqueued_.passed > 1) {
    plan_pass(queue, enqueued_.passed / 2);
  } else {
    enqueued_.stage = Stage::done;
  }
}

// A list other than `list` and, while the passes fill it, other than the kept one.
std::uint32_t Renderer::other_list(std::uint32_t list) const {
  for (std::uint32_t other = 0; other < lists_.size(); ++other)
    if (other != list && (other != kept_ || (enqueued_.raising && !by_steps()))) return other;
  return 0;
}

void Renderer::clear_list(Queue& queue, std::uint32_t list) {
  clear(queue, counters_, list, 1);
  lists_[list] = {};
}

// ---- slices

// Orbits end unpredictably: the iterations of a slice's launches are known when the counters come back.
void Renderer::tell_iterations(Queue& queue) {
  const double all = std::accumulate(telling_.expected.begin(), telling_.expected.end(), 0.0);
  if (uncollected_ || all <= 0) return;
  const double done = std::max(0.0, progress_.iterations - telling_.iterations);
  telling_.iterations = progress_.iterations;
  const auto expected = std::exchange(telling_.expected, {});
  const double each = step_cost().operations;
  if (each <= 0) return;
  for (const Launch kind : {Launch::begin, Launch::resume, Launch::resume_few}) {
    const double share = expected[static_cast<std::size_t>(kind)] / all;
    if (share > 0) queue.profiler().tell(launch_name(kind), share * done * each);
  }
}

bool Renderer::enqueue_slice(Queue& queue, double budget_seconds, double launch_seconds) {
  if (few_) trace_few(queue);
  if (!busy()) {
    collect();
    tell_iterations(queue);
  }
  if (busy()) return false;
  collect();
  launch_budget_ = std::min(budget_seconds, launch_seconds);
  waiting_ = false;
  if (pending_ && has_reference(*pending_, pending_->limit, false)) {
    come_back(queue);
    start(queue);
  }
  const bool raises = enqueued_.stage == Stage::done && !pending_ && wanted_limit_ > frame_.limit;
  if (raises && has_reference(frame_, wanted_limit_, true)) plan_raise(queue);
  if (enqueued_.stage == Stage::done) return false;
  if (few_ && next_launch() == Launch::resume_few) {
    go_beside();
    fill_slice(few_->queue, budget_seconds);
    few_->queue.flush();
  } else {
    come_back(queue);
    fill_slice(queue, budget_seconds);
  }
  return true;
}

// Once the last slice is complete, its results are visible to another queue.
void Renderer::go_beside() {
  if (!std::exchange(few_->has_slice, true)) few_->queue.after(in_flight_);
}
void Renderer::come_back(Queue& queue) {
  if (few_ && std::exchange(few_->has_slice, false)) queue.after(in_flight_);
}

// Their commands overlap with those of other queues, so that they have their own lane.
void Renderer::trace_few(const Queue& beside) {
  const std::optional<QueueTrace>& trace = beside.profiler().trace();
  Profiler& own = few_->queue.profiler();
  if (trace && trace->on() && !own.trace()) own.trace_into(trace->beside(few_->lane, device_));
}

void Renderer::fill_slice(Queue& queue, double budget_seconds) {
  // The exact number of pixels left may allow a longer round.
  if (enqueued_.stage == Stage::round && enqueued_.round.first == 0 && takes_turns() &&
      lists_[enqueued_.round.from].exact)
    plan_round(queue, enqueued_.round.from, enqueued_.round.start);
  double spent = 0;
  while (enqueued_.stage != Stage::done && spent < 0.75 * budget_seconds) {
    if (spent > 0 && must_wait(queue, budget_seconds - spent)) break;
    spent += enqueue_portion(queue, std::min(budget_seconds - spent, launch_budget_));
  }
  in_flight_ = queue.read(counters_, mirror_.data_for(queue), sizeof(Counters));
  uncollected_ = true;
}

void Renderer::collect() {
  if (few_) few_->queue.harvest();
  if (!uncollected_ || busy()) return;
  uncollected_ = false;
  Counters counters;
  std::memcpy(&counters, mirror_.data(), sizeof counters);
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    List& list = lists_[i];
    const double surprise = (counters.lists[i] + 1) / (list.expected + 1);
    if (!list.exact && i != kept_)
      for (double& survival : survival_) survival = std::clamp(survival * std::clamp(surprise, 0.5, 2.0), 0.02, 1.0);
    list = {counters.lists[i], static_cast<double>(counters.lists[i]), true};
  }
  if (enqueued_.stage == Stage::round)
    enqueued_.length = std::min(enqueued_.length, lists_[enqueued_.round.from].bound);
  progress_.decided = enqueued_.raising ? progress_.pixels : counters.decided;
  progress_.escaped = counters.escaped;
  progress_.late = counters.late - enqueued_.late_before;
  progress_.stride = enqueued_.passed;
  iterations_ += counters.iterations() - progress_.iterations;
  progress_.iterations = counters.iterations();
  progress_.complete = enqueued_.stage == Stage::done;
  if (!progress_.complete) return;
  progress_.undecided = lists_[kept_].bound;
  progress_.limit = frame_.limit;
}

// A list of unknown length is launched as a whole, or not in this slice. For few pixels the length does not matter, and
// waiting for the host between their launches would leave the device idle half of the time; but they wait for their own
// queue.
bool Renderer::must_wait(Queue& queue, double budget_seconds) const {
  if (enqueued_.stage != Stage::round) return false;
  const List& list = lists_[enqueued_.round.from];
  const bool elsewhere = few_ && &queue != &few_->queue;
  if (elsewhere && are_few(list.expected)) return true;
  return !list.exact && next_launch() != Launch::resume_few && seconds_of(queue, list.expected) > budget_seconds;
}

// Fewer pixels than fill the device take as long as a full device; on a GPU, whose units take turns at many, at least
// as long as when each unit has only a few.
double Renderer::pixels_felt(double pixels) const {
  const auto all = static_cast<double>(filling(device_.info(), kernels_.variant));
  return std::max(pixels, takes_turns() ? all / turns_of_gpu : all);
}
// On the ladder each orbit has its own row of the table, and a step of the last few takes longer than one of many.
bool Renderer::takes_turns() const {
  return device_.info().device_class == DeviceClass::gpu && !is_ladder(kernels_.variant.precision);
}
bool Renderer::are_few(double pixels) const {
  return takes_turns() && pixels * turns_of_gpu <= static_cast<double>(filling(device_.info(), kernels_.variant));
}
Renderer::Launch Renderer::next_launch() const {
  if (enqueued_.stage == Stage::pass) return Launch::begin;
  return are_few(static_cast<double>(lists_[enqueued_.round.from].bound)) ? Launch::resume_few : Launch::resume;
}
double Renderer::seconds_of(Queue& queue, double pixels) const {
  if (next_launch() == Launch::resume_few) return enqueued_.round.steps * seconds_per_step_of_few(queue);
  return pixels_felt(pixels) * seconds_per_pixel(queue);
}

// The expected share of the round's pixels that exist: work-items beyond a list's end cost next to nothing.
double Renderer::share_expected() const {
  if (enqueued_.stage != Stage::round || enqueued_.length == 0) return 1;
  return std::min(1.0, lists_[enqueued_.round.from].expected / static_cast<double>(enqueued_.length));
}

double Renderer::enqueue_portion(Queue& queue, double budget_seconds) {
  const double share = share_expected();
  const double each = seconds_per_pixel(queue) * share;
  const std::size_t left = enqueued_.length - std::min<std::size_t>(enqueued_.length, enqueued_.round.first);
  const double telling =
      telling_.untold < most_untold ? 1 : telling_work(queue) / (std::max(enqueued_.round.steps, 1u) * share);
  const auto affordable = static_cast<std::size_t>(std::clamp(budget_seconds / std::max(each, 1e-15), telling, 4e9));
  const bool whole = next_launch() == Launch::resume_few;  // a part of them would take as long
  const std::size_t count = whole ? left : std::min(left, round_up(affordable, kernels_.variant.pixels_per_group()));
  const double seconds = count > 0 ? seconds_of(queue, static_cast<double>(count) * share) : 0;
  if (count > 0) launch(queue, count);
  if (enqueued_.round.first >= enqueued_.length) finish_round(queue);
  return seconds;
}

// Pixel steps of a launch that keeps the whole device busy for a while, but not much longer than a slice.
double Renderer::telling_work(Queue& queue) const {
  constexpr double telling_seconds = 1e-3;
  double each = kernels_.seconds_per_iteration;
  for (const Launch kind : {Launch::begin, Launch::resume})
    each = std::min(each, queue.profiler().seconds_per_work(launch_name(kind)).value_or(each));
  return std::min(4.0 * first_round_steps * static_cast<double>(filling(device_.info(), kernels_.variant)),
                  telling_seconds / each);
}

void Renderer::launch(Queue& queue, std::size_t count) {
  Round part = enqueued_.round;
  part.count = static_cast<std::uint32_t>(count);
  cl::Kernel& kernel = pixel_kernel();
  set_arguments(kernel, part);
  const Variant& variant = kernels_.variant;
  const std::size_t items = round_up(count, variant.pixels_per_group()) / variant.lanes;
  const double expected = static_cast<double>(count) * share_expected();
  const double work = expected * std::max(part.steps, 1u);
  // Only a launch of known length that keeps the whole device busy for a while measures its speed. A delayed one makes
  // the next ones too short for that, so that now and then a launch is long enough regardless.
  const Launch kind = next_launch();
  const bool few = kind == Launch::resume_few, known = enqueued_.stage == Stage::pass || lists_[part.from].exact;
  // Very few orbits may all end long before the round does.
  const bool telling = known && (few ? expected >= fewest_telling : work >= telling_work(queue));
  if (!few) telling_.untold = telling ? 0 : telling_.untold + 1;
  Work told(!telling ? 0 : few ? part.steps : work);
  told.doubles = variant.doubles();
  told.counted = step_cost().operations > 0;
  queue.launch(launch_name(kind), kernel, {items, variant.work_group}, told);
  telling_.expected[static_cast<std::size_t>(kind)] += work;
  List& kept = lists_[part.to];
  kept.bound = std::min(kept.bound + count, buffers_.pixels);
  kept.expected += expected * survival_[enqueued_.stage == Stage::pass ? 0 : 1];
  kept.exact = false;
  if (by_steps()) {
    List& aside = lists_[kept_];
    aside.bound = std::min(aside.bound + count, buffers_.pixels);
    aside.exact = false;
  }
  enqueued_.round.first += part.count;
}

cl::Kernel& Renderer::pixel_kernel() {
  const bool begins = enqueued_.stage == Stage::pass;
  if (place_) return begins ? kernels_.ladders[format_].begin : kernels_.ladders[format_].resume;
  const auto chosen = [&](auto& kernels) -> cl::Kernel& {
    if (begins) return kernels.begin;
    return is_examined(enqueued_.round) && kernels.examine() != nullptr ? kernels.examine : kernels.resume;
  };
  if (passes() && !begins) return kernels_.perturbed[format_].pass;
  return is_perturbed() ? chosen(kernels_.perturbed[format_]) : chosen(kernels_);
}

UnitCost Renderer::step_cost() const {
  if (is_perturbed() && perturbation().format().extended) return {};  // in numbers with separate exponents
  if (passes()) return {};
  return mandelbrot::step_cost(kernels_.variant, place_ ? kernels_.ladders[format_].kind : LadderNumbers::doubles);
}

std::string_view Renderer::launch_name(Launch kind) const {
  const auto name = [&](std::string_view begin, std::string_view resume, std::string_view few = {}) {
    return kind == Launch::begin ? begin : kind == Launch::resume ? resume : few;
  };
  if (is_perturbed() && perturbation().format().extended)
    return name(launch::begin_extended, launch::resume_extended, launch::resume_extended_few);
  if (passes()) return name(launch::begin_perturbed, launch::resume_passing, launch::resume_passing_few);
  if (is_perturbed()) return name(launch::begin_perturbed, launch::resume_perturbed, launch::resume_perturbed_few);
  if (place_ && is_pairs(kernels_.ladders[format_].kind))
    return name(launch::begin_ladder_pairs, launch::resume_ladder_pairs);
  if (place_) return name(launch::begin_ladder, launch::resume_ladder);
  return name(launch::begin, launch::resume, launch::resume_few);
}

template <class Real>
void Renderer::set_plane(cl::Kernel& kernel, const Round& part) const {
  if (is_perturbed()) {
    const FieldArgument field = perturbation().field(frame_, kept_);
    kernel.setArg(0, field.size, field.bytes.data());
  } else if (place_) {
    kernel.setArg(0, LadderPlaneArgument<Real>(*place_, frame_, kept_));
  } else {
    kernel.setArg(0, PlaneArgument<Real>(frame_));
  }
  kernel.setArg(1, RoundArgument<Real>(part, frame_.escape_radius, enqueued_.late_from));
}

void Renderer::set_arguments(cl::Kernel& kernel, const Round& part) const {
  kernels_.variant.doubles() ? set_plane<double>(kernel, part) : set_plane<float>(kernel, part);
  kernel.setArg(2, buffers_.cells);
  kernel.setArg(3, buffers_.orbits);
  kernel.setArg(4, buffers_.lists[part.to]);
  kernel.setArg(5, counters_);
  cl_uint next = 6;
  if (by_steps()) kernel.setArg(next++, buffers_.lists[kept_]);
  if (place_) {
    kernel.setArg(next++, kernels_.ladders[format_].table.numbers);
    kernel.setArg(next++, kernels_.ladders[format_].table.extents);
  }
  if (is_perturbed()) {
    kernel.setArg(next++, perturbation().orbit());
    kernel.setArg(next++, perturbation().exponents());
    kernel.setArg(next++, perturbation().steps());
    kernel.setArg(next++, perturbation().radii());
  }
  if (enqueued_.stage == Stage::round) kernel.setArg(next++, buffers_.lists[part.from]);
  if (has_details()) kernel.setArg(next++, buffers_.details);
  if (!is_perturbed() || enqueued_.stage == Stage::pass) return;
  if (const auto passage = perturbation().passage(frame_.automatic, is_examined(part))) {
    kernel.setArg(next++, *passage);
    kernel.setArg(next++, perturbation().passage_coefficients());
    kernel.setArg(next++, perturbation().passage_terms());
    kernel.setArg(next++, perturbation().passage_multipliers());
  }
}

double Renderer::seconds_per_pixel(Queue& queue) const {
  // The first launch of a format that was not measured is chosen too short.
  const double slower = format_ > 0 || passes() ? 16 : 1;
  const double per_step =
      queue.profiler()
          .seconds_per_work(launch_name(enqueued_.stage == Stage::pass ? Launch::begin : Launch::resume))
          .value_or(slower * kernels_.seconds_per_iteration);
  return std::max(per_step, 1e-15) * std::max(enqueued_.round.steps, 1u);
}

// Before the first such launch, the estimate is too long.
double Renderer::seconds_per_step_of_few(Queue& queue) const {
  const double unknown = pixels_felt(1) * kernels_.seconds_per_iteration;
  return std::max(queue.profiler().seconds_per_work(launch_name(Launch::resume_few)).value_or(unknown), 1e-12);
}

// The longest round whose launch still fits a slice.
std::uint32_t Renderer::longest_round(Queue& queue, double pixels) const {
  const double per_step = std::max(
      queue.profiler().seconds_per_work(launch_name(Launch::resume)).value_or(kernels_.seconds_per_iteration), 1e-15);
  // On the ladder each orbit reads its own row of the table: a step of the last few, alone in their groups, takes
  // longer than one of a full device.
  const double caution = is_ladder(kernels_.variant.precision) || passes() ? 4 : 1;
  const double felt = pixels_felt(std::min(pixels, static_cast<double>(filling(device_.info(), kernels_.variant))));
  const double all_take = are_few(pixels) ? seconds_per_step_of_few(queue) : caution * per_step * felt;
  const double fitting = launch_budget_ / all_take;
  const std::uint32_t most = most_iterations_of_group / kernels_.variant.pixels_per_group();
  return static_cast<std::uint32_t>(std::clamp(fitting, 1.0 * fewest_steps, 1.0 * most));
}

Range publishing(const ElementGroup& group, Size part) {
  return {{round_up(part.width, group.width), round_up(part.height, group.height)}, {group.width, group.height}};
}

void Renderer::publish(Queue& queue, const cl::Buffer& surface, std::uint32_t sample) {
  come_back(queue);
  const Size part = frame_.part();
  cl::Kernel& kernel = kernels_.publish;
  kernel.setArg(0, part.width);
  kernel.setArg(1, part.height);
  kernel.setArg(2, static_cast<cl_uint>(sample * part.pixels()));
  kernel.setArg(3, buffers_.cells);
  kernel.setArg(4, surface);
  if (has_details()) kernel.setArg(5, buffers_.details);
  queue.launch(launch::publish, kernel, publishing(kernels_.variant.publish, part),
               Work(static_cast<double>(part.pixels()), published_pixel_cost, false));
  if (sample < exact_.size()) publish_exact(queue, surface, exact_[sample]);  // else there is no picture yet
}

// Details stay: a distance there is less than one pixel, unlike any period.
void Renderer::publish_exact(Queue& queue, const cl::Buffer& surface, std::span<const std::uint32_t> pixels) {
  for (std::size_t i = 0, end; i < pixels.size(); i = end) {
    for (end = i + 1; end < pixels.size() && pixels[end] == pixels[end - 1] + 1;) ++end;
    queue.fill(surface, interior_value, sizeof(float) * (end - i), sizeof(float) * pixels[i]);
  }
}

}  // namespace orrery::mandelbrot
