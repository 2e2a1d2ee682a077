/// The reference orbit of a view, in many bits: all of its pixels are differences from it.
///
/// Where the view holds a copy of the set, c is the copy's nucleus: its orbit returns to 0 after a period, and that
/// period is the whole orbit. Elsewhere c is the centre of the view, and the orbit is as long as it takes to escape, or
/// as the iteration limit. Beside a parabolic point (parabolic.hpp), c is that point, and the reference is a period
/// long.
///
/// Sources: K. I. Martin, "SuperFractalThing" (2013); C. Heiland-Allen, "Deep zoom theory and practice (again)" (2022).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "scenes/mandelbrot/deep/parabolic.hpp"
#include "scenes/mandelbrot/numbers/big_orbit.hpp"
#include "scenes/mandelbrot/numbers/float_exp.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::mandelbrot {

/// Z_0 = 0, Z_1 … as doubles: (re, im)·2^exponent, where the exponent is 0 unless |Z| is below 2^-1000.
class ReferencePoints {
 public:
  struct Point {
    double re = 0;
    double im = 0;
  };

  /// `pairs` adds low parts.
  explicit ReferencePoints(bool pairs = false) {
    if (pairs) low_.emplace_back();
  }

  std::size_t last() const { return z_.size() - 1; }
  bool pairs() const { return !low_.empty(); }
  const Point& operator[](std::size_t m) const { return z_[m]; }
  /// The rounding error of Z in doubles, times 2^-exponent; 0 without pairs.
  Point low(std::size_t m) const { return pairs() ? low_[m] : Point{}; }
  std::int32_t exponent(std::size_t m) const { return exponents_[m]; }

  /// Returns z rounded to doubles.
  FloatExpComplex append(const BigComplex& z);
  /// The last point is 0 but for rounding.
  void end_at_zero();

 private:
  std::vector<Point> z_ = {{}}, low_;
  std::vector<std::int32_t> exponents_ = {0};
};

struct Reference {
  enum class End {
    periodic,  ///< the last Z is 0, as the first, or near it beside a parabolic point
    escaped,   ///< the last |Z| is beyond any escape radius
    open,      ///< stopped at the required length
  };

  BigComplex c;
  View view;  ///< for which it was made
  ReferencePoints points;
  End end = End::open;
  BigComplex next;  ///< the last Z in all bits, from which an open orbit continues
  /// Every c within this distance is proved to be interior; 0: nothing is proved.
  FloatExp interior_radius;
  std::size_t interior_period = 0;  ///< period of the cycle that attracts those points
  std::optional<ParabolicPoint> parabolic = {};
  std::shared_ptr<const PassageTable> passages = {};  ///< where there is a parabolic point
  double seconds = 0;                                 ///< time of the computation

  /// Whether it is long enough for a picture with that limit.
  bool reaches(std::uint32_t limit) const { return end != End::open || points.last() + 1 >= limit; }
};

/// The requirements of a picture on its reference.
struct ReferenceRequest {
  View view;
  Size size;
  std::uint32_t limit = 0;
  std::size_t most_points = std::size_t{1} << 26;  ///< capacity of the device
  bool pairs = false;                              ///< with low parts
  std::optional<ParabolicPoint> parabolic = {};    ///< orbits beside it take the steps of passages
  bool patient = false;                            ///< waits for the best reference rather than begin with one at hand
  bool operator==(const ReferenceRequest&) const = default;
};

/// Observation and cancellation of a computation from other threads.
struct Watch {
  std::stop_token stop;
  std::atomic<std::uint64_t>* iterations = nullptr;  ///< counts iterations in many bits

  bool cancelled() const { return stop.stop_requested(); }
  void count() const {
    if (iterations != nullptr) iterations->fetch_add(1, std::memory_order_relaxed);
  }
};

/// The bits of a reference orbit for a picture: 3.33·(digits of the zoom + 60), and some more for zooming on.
mpfr_prec_t bits_for(const View& view, Size size);
/// The smallest number of bits that serves it.
mpfr_prec_t least_bits_for(const View& view, Size size);
BigComplex center_of(const View& view, mpfr_prec_t bits);
/// The distance of adjacent pixels, at any depth.
FloatExp deep_spacing(const View& view, Size size);
/// The distance from the centre of a picture to its corners.
FloatExp radius_of(const View& view, Size size);

/// Nothing when cancelled. An open orbit has a point for each iteration up to the limit, but at most `most_points`.
std::optional<Reference> compute_reference(const ReferenceRequest& request, const Watch& watch);
/// Continues an open orbit.
std::optional<Reference> extended(const Reference& reference, const ReferenceRequest& request, const Watch& watch);

/// Keeps reference orbits, and computes missing ones on a worker thread.
///
/// Any thread. The destructor cancels the computation under way and waits for its end.
class References {
 public:
  using Kept = std::shared_ptr<const Reference>;

  References();
  ~References();
  References(const References&) = delete;
  References& operator=(const References&) = delete;

  /// The best reference at hand that serves the picture, or nullptr; never waits. A better one, if possible, is
  /// computed in the background; a computation that does not serve the present request is cancelled.
  Kept find(const ReferenceRequest& request);
  /// `reference` or its continuation, if that reaches the limit of the request; else nullptr, and it is continued in
  /// the background. A reference of the greatest possible length is returned unchanged.
  Kept longer(const Kept& reference, const ReferenceRequest& request);

  /// Cancels the computation under way, waits for its end, and forgets the references at hand.
  void forget();

  bool busy() const;
  /// Waits until the computation under way has ended, or that many seconds have passed.
  void wait_blocking(double seconds);
  /// Iterations of the computation under way, in many bits.
  std::uint64_t iterations() const { return iterations_; }

 private:
  struct Job {
    ReferenceRequest request;
    Kept base;  ///< to be continued, or nullptr
    bool operator==(const Job&) const = default;
  };

  bool ask_for(Job job);  // false if this job was done last: no better reference is possible
  void rethrow_fault();
  void work(const std::stop_token& stop);
  void keep(Reference reference);

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Kept> kept_;  // the latest first
  std::optional<Job> wanted_, current_, last_done_;
  std::stop_source current_stop_;
  std::exception_ptr fault_;
  std::atomic<std::uint64_t> iterations_{0};
  std::jthread worker_;
};

}  // namespace orrery::mandelbrot
