#include "scenes/mandelbrot/deep/reference.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>

#include "base/clock.hpp"
#include "base/platform/threads.hpp"
#include "scenes/mandelbrot/deep/nucleus.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::int64_t smallest_plain_exponent = -1000;
constexpr double bits_per_digit = 3.33;
constexpr mpfr_prec_t spare_bits = 128;
// Beyond any escape radius that can be set.
const FloatExp far_away(0x1p40);
// A nucleus must lie in or near the view, in radii of it; this part of a pixel is regarded as exact.
constexpr double near_the_view = 4;
constexpr std::int64_t exact_part_of_pixel = -100;  // log₂

double zoom_digits(const View& view, Size size) {
  return std::max(0.0, -log2_finest_spacing(view, size) * std::log10(2.0));
}

std::optional<Nucleus> nucleus_near(const BigComplex& center, std::size_t period, const ReferenceRequest& request,
                                    const Watch& watch) {
  const FloatExp tolerance = deep_spacing(request.view, request.size) * FloatExp(1, exact_part_of_pixel);
  const FloatExp trust = radius_of(request.view, request.size) * FloatExp(near_the_view);
  return find_nucleus({request.view.formula, center, period, trust, tolerance, request.pairs}, watch);
}

std::size_t length_of(const ReferenceRequest& request) {
  return std::min<std::size_t>(request.limit, request.most_points);
}

}  // namespace

FloatExpComplex ReferencePoints::append(const BigComplex& z) {
  const FloatExpComplex near = float_exp(z);
  const bool plain = near.exponent() >= smallest_plain_exponent || near.exponent() <= exponent_of_zero;
  const std::int64_t exponent = plain ? 0 : near.exponent();
  const double factor = power_of_two(near.exponent() - exponent);
  z_.push_back({factor * near.re(), factor * near.im()});
  exponents_.push_back(static_cast<std::int32_t>(exponent));
  if (pairs()) {
    const auto rest = [&](const BigFloat& x, double high) {
      BigFloat left = x;
      mpfr_mul_2si(left.raw(), left.raw(), static_cast<long>(-exponent), MPFR_RNDN);
      mpfr_sub_d(left.raw(), left.raw(), high, MPFR_RNDN);
      return left.value();
    };
    low_.push_back({rest(z.re, z_.back().re), rest(z.im, z_.back().im)});
  }
  return near;
}

void ReferencePoints::end_at_zero() {
  z_.back() = {};
  exponents_.back() = 0;
  if (pairs()) low_.back() = {};
}

mpfr_prec_t least_bits_for(const View& view, Size size) {
  return static_cast<mpfr_prec_t>(bits_per_digit * (zoom_digits(view, size) + 60));
}

mpfr_prec_t bits_for(const View& view, Size size) {
  constexpr mpfr_prec_t limb = 64;
  return (least_bits_for(view, size) + spare_bits + limb - 1) / limb * limb;
}

BigComplex center_of(const View& view, mpfr_prec_t bits) {
  return {BigFloat(bits, view.re.text()), BigFloat(bits, view.im.text())};
}

FloatExp deep_spacing(const View& view, Size size) {
  constexpr mpfr_prec_t bits = 64;
  return float_exp(BigFloat(bits, view.span.text())) / FloatExp(size.width);
}

FloatExp radius_of(const View& view, Size size) {
  return deep_spacing(view, size) * FloatExp(0.5 * std::hypot(size.width, size.height) * view.turn.reach());
}

namespace {

Reference reference_at(const ParabolicPoint& point, const ReferenceRequest& request) {
  Reference reference{.c = point.c,
                      .view = request.view,
                      .points = ReferencePoints(request.pairs),
                      .end = Reference::End::periodic,
                      .next = point.c,
                      .interior_radius = {},
                      .parabolic = point,
                      .passages = std::make_shared<const PassageTable>(point)};
  BigOrbit orbit(request.view.formula, point.c);
  for (std::size_t n = 0; n < point.period; ++n) {
    orbit.step();
    reference.points.append(orbit.z());
  }
  return reference;
}

}  // namespace

std::optional<Reference> compute_reference(const ReferenceRequest& request, const Watch& watch) {
  const double began = now_seconds();
  if (request.parabolic) return reference_at(*request.parabolic, request);
  const FloatExp radius = radius_of(request.view, request.size);
  const BigComplex center = center_of(request.view, bits_for(request.view, request.size));
  BigOrbit orbit(request.view.formula, center);
  PeriodSearch search(request.view.formula, radius);
  Reference reference{.c = center,
                      .view = request.view,
                      .points = ReferencePoints(request.pairs),
                      .next = center,
                      .interior_radius = {}};
  while (reference.points.last() + 1 < length_of(request) && reference.end == Reference::End::open) {
    if (watch.cancelled()) return std::nullopt;
    watch.count();
    orbit.step();
    const FloatExpComplex z = reference.points.append(orbit.z());
    if (far_away < z.abs()) reference.end = Reference::End::escaped;
    if (search.is_candidate(z, orbit.z())) {
      if (auto nucleus = nucleus_near(center, reference.points.last(), request, watch)) {
        reference.c = std::move(nucleus->c);
        reference.points = std::move(nucleus->points);
        reference.end = Reference::End::periodic;
      }
    }
    if (search.interior()) {
      reference.interior_radius = radius;
      reference.interior_period = search.interior_period();
      break;
    }
  }
  reference.next = orbit.z();
  reference.seconds = now_seconds() - began;
  return reference;
}

std::optional<Reference> extended(const Reference& reference, const ReferenceRequest& request, const Watch& watch) {
  const double began = now_seconds();
  Reference longer = reference;
  BigOrbit orbit(longer.view.formula, longer.c, longer.next);
  while (longer.points.last() + 1 < length_of(request) && longer.end == Reference::End::open) {
    if (watch.cancelled()) return std::nullopt;
    watch.count();
    orbit.step();
    if (far_away < longer.points.append(orbit.z()).abs()) longer.end = Reference::End::escaped;
  }
  longer.next = orbit.z();
  longer.seconds += now_seconds() - began;
  return longer;
}

// ---- references that are kept

namespace {

constexpr std::size_t most_kept = 6;
// Distances from a picture's centre to the reference, in spans. Beyond the first, pixels have lost too many of their
// own digits; within the second, no other reference would be better.
constexpr double serving_log2 = 16, near_log2 = 1.6;
// A nucleus of a far deeper view has a far longer period than this one needs.
constexpr double deeper_log2 = 30;

double log2_span(const View& view) { return view.span.log() / std::log(2.0); }

// The suitability of a reference for a picture.
struct Fitness {
  bool serves = false;
  bool reaches = false;  // its limit, or the greatest possible length
  bool is_near = false;  // another reference would be no better
  double log2_distance = 0;

  auto rank() const { return std::tuple(serves, reaches, is_near, -log2_distance); }
};

class Fitting {
 public:
  explicit Fitting(const ReferenceRequest& request)
      : request_(request), center_(center_of(request.view, bits_for(request.view, request.size))) {}

  Fitness operator()(const Reference& reference) const {
    if (!(reference.view.formula == request_.view.formula)) return {};
    if (request_.parabolic || reference.parabolic) {
      const bool same = request_.parabolic && reference.parabolic && alike(*request_.parabolic, *reference.parabolic);
      return {same, same, same, 0};
    }
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
  // The same point, within the resolution of the picture's pixels.
  bool alike(const ParabolicPoint& a, const ParabolicPoint& b) const {
    return a.period == b.period && a.turns == b.turns &&
           difference(a.c, b.c).abs() < deep_spacing(request_.view, request_.size) * FloatExp(1, -50);
  }

  const ReferenceRequest& request_;
  BigComplex center_;
};

// Whether it belongs to the same orbit and is at least as long.
bool continues(const Reference& longer, const Reference& reference) {
  return longer.c == reference.c && longer.points.pairs() >= reference.points.pairs() &&
         longer.points.last() >= reference.points.last();
}

// Whether a reference computed for `a` will serve `b`.
bool covers(const ReferenceRequest& a, const ReferenceRequest& b) {
  if (!(a.parabolic == b.parabolic) || a.limit < b.limit || a.most_points != b.most_points || a.pairs < b.pairs)
    return false;
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
