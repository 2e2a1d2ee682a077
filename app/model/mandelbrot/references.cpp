#include "model/mandelbrot/references.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::mandelbrot {
namespace {

constexpr std::size_t most_kept = 6;
// Distances from a picture's centre to the reference, in spans. Beyond the first, pixels have lost too many of their
// own digits; within the second, no other reference would be of more use.
constexpr double serving_log2 = 16, near_log2 = 1.6;
// A nucleus of a far deeper view has a far longer period than this one needs.
constexpr double deeper_log2 = 30;

double log2_span(const View& view) { return view.span.log() / std::log(2.0); }

// log₂ of the distance from the centre of `view` to c, in spans of it.
double log2_distance(const View& view, const BigComplex& c) {
  return difference(center_of(view, c.bits()), c).abs().log2() - log2_span(view);
}

bool serves(const Reference& reference, const ReferenceRequest& request) {
  return reference.c.bits() >= least_bits_for(request.view, request.size) &&
         (!request.pairs || reference.points.pairs()) && log2_distance(request.view, reference.c) < serving_log2 &&
         log2_span(request.view) < 400;
}

bool is_near(const Reference& reference, const ReferenceRequest& request) {
  const double deeper = log2_span(request.view) - log2_span(reference.view);
  if (log2_distance(request.view, reference.c) > near_log2 || deeper > deeper_log2) return false;
  // The centre of another view is as good as this one's where both are of about the same size.
  return reference.end == Reference::End::periodic || std::abs(deeper) < 4;
}

bool covers(const ReferenceRequest& a, const ReferenceRequest& b) {
  if (a.limit < b.limit || a.most_points != b.most_points || a.pairs < b.pairs) return false;
  const mpfr_prec_t bits = bits_for(a.view, a.size);
  return bits >= least_bits_for(b.view, b.size) && log2_distance(b.view, center_of(a.view, bits)) < serving_log2 - 2;
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

References::Kept References::find(const ReferenceRequest& request) {
  const std::lock_guard lock(mutex_);
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  Kept found = best(request);
  const bool reaches = found && found->reaches(request.limit);
  if (!reaches || !is_near(*found, request)) ask_for(request);
  // One that has stopped at the most that there can be is given back as it is: the picture's limit is beyond it.
  const bool exhausted = found && found->points.last() + 1 >= request.most_points;
  return reaches || exhausted ? found : nullptr;
}

References::Kept References::find_blocking(const ReferenceRequest& request) {
  while (true) {
    if (Kept found = find(request)) return found;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !wanted_ && !current_; });
  }
}

bool References::busy() const {
  const std::lock_guard lock(mutex_);
  return wanted_ || current_;
}

// Of those that serve it, one that reaches its limit, and then the nearest.
References::Kept References::best(const ReferenceRequest& request) {
  Kept found;
  const auto rank = [&](const Reference& reference) {
    return std::pair(reference.reaches(request.limit) && is_near(reference, request),
                     -log2_distance(request.view, reference.c));
  };
  for (const Kept& each : kept_)
    if (serves(*each, request) && (!found || rank(*found) < rank(*each))) found = each;
  if (found) std::rotate(kept_.begin(), std::ranges::find(kept_, found), std::ranges::find(kept_, found) + 1);
  return found;
}

void References::ask_for(const ReferenceRequest& request) {
  if (last_done_ == request) return;  // there is no better one
  if (current_ && !wanted_ && covers(*current_, request)) return;
  if (current_ && !covers(*current_, request)) current_stop_.request_stop();
  wanted_ = request;
  changed_.notify_all();
}

void References::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return wanted_.has_value(); })) {
    current_ = std::exchange(wanted_, std::nullopt);
    current_stop_ = {};
    iterations_ = 0;
    const ReferenceRequest request = *current_;
    const Watch watch{current_stop_.get_token(), &iterations_};
    const Kept known = best(request);
    lock.unlock();
    std::optional<Reference> result;
    std::exception_ptr fault;
    try {
      result = computed(request, known, watch);
    } catch (...) {
      fault = std::current_exception();
    }
    lock.lock();
    fault_ = fault;
    if (result) {
      keep(std::move(*result));
      last_done_ = request;
    }
    current_.reset();
    changed_.notify_all();
  }
}

std::optional<Reference> References::computed(const ReferenceRequest& request, const Kept& known, const Watch& watch) {
  const bool goes_on = known && !known->reaches(request.limit) && is_near(*known, request);
  return goes_on ? extended(*known, request, watch) : compute_reference(request, watch);
}

void References::keep(Reference reference) {
  // A longer one displaces the one that it goes on from.
  std::erase_if(kept_, [&](const Kept& each) {
    return each->view == reference.view && each->points.last() <= reference.points.last() &&
           each->points.pairs() <= reference.points.pairs();
  });
  kept_.insert(kept_.begin(), std::make_shared<const Reference>(std::move(reference)));
  if (kept_.size() > most_kept) kept_.pop_back();
}

}  // namespace orrery::mandelbrot
