#include "scenes/mandelbrot/deep/references.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>

#include "base/platform/threads.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::size_t most_kept = 6;
// Distances from a picture's centre to the reference, in spans. Beyond the first, pixels have lost too many of their
// own digits; within the second, no other reference would be of more use.
constexpr double serving_log2 = 16, near_log2 = 1.6;
// A nucleus of a far deeper view has a far longer period than this one needs.
constexpr double deeper_log2 = 30;

double log2_span(const View& view) { return view.span.log() / std::log(2.0); }

// How a reference suits a picture.
struct Fitness {
  bool serves = false;
  bool reaches = false;  // its limit, or is as long as can be
  bool is_near = false;  // another one would be of no more use
  double log2_distance = 0;

  auto rank() const { return std::tuple(serves, reaches, is_near, -log2_distance); }
};

class Fitting {
 public:
  explicit Fitting(const ReferenceRequest& request)
      : request_(request), center_(center_of(request.view, bits_for(request.view, request.size))) {}

  Fitness operator()(const Reference& reference) const {
    const FloatExp distance = difference(center_, reference.c).abs();
    const double log2_distance = distance.log2() - log2_span(request_.view);
    const bool serves = reference.c.bits() >= least_bits_for(request_.view, request_.size) &&
                        (!request_.pairs || reference.points.pairs()) && log2_distance < serving_log2;
    const bool interior = !(reference.interior_radius < distance + radius_of(request_.view, request_.size));
    const bool reaches =
        interior || reference.reaches(request_.limit) || reference.points.last() + 1 >= request_.most_points;
    const double deeper = log2_span(request_.view) - log2_span(reference.view);
    // The centre of another view is as good as this one's where both are of about the same size.
    const bool alike = reference.end == Reference::End::periodic || std::abs(deeper) < 4;
    // Beside a reference off the real axis, no orbit is exactly real.
    const bool symmetric = !request_.view.im.is_zero() || mpfr_zero_p(reference.c.im.raw()) != 0;
    return {serves, reaches, log2_distance <= near_log2 && deeper <= deeper_log2 && alike && symmetric, log2_distance};
  }

 private:
  const ReferenceRequest& request_;
  BigComplex center_;
};

// Of the same orbit, and as long or longer.
bool continues(const Reference& longer, const Reference& reference) {
  return longer.c == reference.c && longer.points.pairs() >= reference.points.pairs() &&
         longer.points.last() >= reference.points.last();
}

// What is computed for `a` will serve `b`.
bool covers(const ReferenceRequest& a, const ReferenceRequest& b) {
  if (a.limit < b.limit || a.most_points != b.most_points || a.pairs < b.pairs) return false;
  const mpfr_prec_t bits = bits_for(a.view, a.size);
  const FloatExp distance = difference(center_of(a.view, bits), center_of(b.view, bits)).abs();
  return bits >= least_bits_for(b.view, b.size) && distance.log2() - log2_span(b.view) < serving_log2 - 2;
}

}  // namespace

References::References() : worker_([this](const std::stop_token& stop) { work(stop); }) {}

References::~References() {
  {
    const std::lock_guard lock(mutex_);
    current_stop_.request_stop();
  }
  worker_.request_stop();
  changed_.notify_all();
}

void References::rethrow_fault() {
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
}

References::Kept References::find(const ReferenceRequest& request) {
  const Fitting fitting(request);
  const std::lock_guard lock(mutex_);
  rethrow_fault();
  Kept found;
  Fitness best;
  for (const Kept& each : kept_) {
    const Fitness fitness = fitting(*each);
    if (!fitness.serves || (found && !(best.rank() < fitness.rank()))) continue;
    found = each;
    best = fitness;
  }
  const bool is_best = (best.reaches && best.is_near) || !ask_for({request, best.is_near ? found : nullptr});
  return best.reaches && (is_best || !request.patient) ? found : nullptr;
}

References::Kept References::longer(const Kept& reference, const ReferenceRequest& request) {
  const Fitting fitting(request);
  const std::lock_guard lock(mutex_);
  rethrow_fault();
  if (fitting(*reference).reaches) return reference;
  for (const Kept& each : kept_)
    if (continues(*each, *reference) && fitting(*each).reaches) return each;
  ask_for({request, reference});
  return nullptr;
}

void References::wait_blocking(double seconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !wanted_ && !current_; });
}

void References::forget() {
  std::unique_lock lock(mutex_);
  wanted_.reset();
  if (current_) current_stop_.request_stop();
  changed_.wait(lock, [&] { return !current_; });
  rethrow_fault();
  kept_.clear();
  last_done_.reset();
}

bool References::busy() const {
  const std::lock_guard lock(mutex_);
  return wanted_ || current_;
}

bool References::ask_for(Job job) {
  if (last_done_ == job) return false;
  if (wanted_ == job || current_ == job) return true;
  if (current_ && !wanted_ && !job.base && !current_->base && covers(current_->request, job.request)) return true;
  if (current_) current_stop_.request_stop();
  wanted_ = std::move(job);
  changed_.notify_all();
  return true;
}

void References::work(const std::stop_token& stop) {
  give_signal_stack();
  name_thread("orbit");
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return wanted_.has_value(); })) {
    current_ = std::exchange(wanted_, std::nullopt);
    current_stop_ = {};
    iterations_ = 0;
    const Job job = *current_;
    const Watch watch{current_stop_.get_token(), &iterations_};
    lock.unlock();
    std::optional<Reference> result;
    std::exception_ptr fault;
    try {
      result = job.base ? extended(*job.base, job.request, watch) : compute_reference(job.request, watch);
    } catch (...) {
      fault = std::current_exception();
    }
    lock.lock();
    fault_ = fault;
    if (result) {
      keep(std::move(*result));
      last_done_ = job;
    }
    current_.reset();
    changed_.notify_all();
  }
}

void References::keep(Reference reference) {
  std::erase_if(kept_, [&](const Kept& each) { return continues(reference, *each); });
  kept_.insert(kept_.begin(), std::make_shared<const Reference>(std::move(reference)));
  if (kept_.size() > most_kept) kept_.pop_back();
}

}  // namespace orrery::mandelbrot
