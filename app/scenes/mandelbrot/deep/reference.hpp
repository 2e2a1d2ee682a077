/// The reference orbit of a view: the one orbit in many bits that all of its pixels are differences from.
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

  /// With `pairs` there are low parts as well.
  explicit ReferencePoints(bool pairs = false) {
    if (pairs) low_.emplace_back();
  }

  std::size_t last() const { return z_.size() - 1; }
  bool pairs() const { return !low_.empty(); }
  const Point& operator[](std::size_t m) const { return z_[m]; }
  /// What the doubles leave of Z, times 2^-exponent; 0 without pairs.
  Point low(std::size_t m) const { return pairs() ? low_[m] : Point{}; }
  std::int32_t exponent(std::size_t m) const { return exponents_[m]; }

  /// Returns it as near as doubles come to it.
  FloatExpComplex append(const BigComplex& z);
  /// The last one is 0 but for rounding.
  void end_at_zero();

 private:
  std::vector<Point> z_ = {{}}, low_;
  std::vector<std::int32_t> exponents_ = {0};
};

struct Reference {
  enum class End {
    periodic,  ///< the last Z is 0, as the first, or near it beside a parabolic point
    escaped,   ///< the last |Z| is beyond any escape radius
    open,      ///< stopped where it was long enough
  };

  BigComplex c;
  View view;  ///< for which it was made
  ReferencePoints points;
  End end = End::open;
  BigComplex next;  ///< the last Z in all bits, from which an open orbit goes on
  /// Every c that is no farther from this one is proved to be interior; 0: nothing is proved.
  FloatExp interior_radius;
  std::size_t interior_period = 0;  ///< of the cycle that attracts those
  std::optional<ParabolicPoint> parabolic = {};
  std::shared_ptr<const PassageTable> passages = {};  ///< where there is a parabolic point
  double seconds = 0;                                 ///< that it took

  /// Long enough for a picture with that limit.
  bool reaches(std::uint32_t limit) const { return end != End::open || points.last() + 1 >= limit; }
};

/// What a picture wants of its reference.
struct ReferenceRequest {
  View view;
  Size size;
  std::uint32_t limit = 0;
  std::size_t most_points = std::size_t{1} << 26;  ///< that fit the device
  bool pairs = false;                              ///< with low parts
  std::optional<ParabolicPoint> parabolic = {};    ///< beside which orbits take the steps of passages
  bool patient = false;  ///< waits for the best one, rather than begin with one that is at hand
  bool operator==(const ReferenceRequest&) const = default;
};

/// How a computation is watched and called off from other threads.
struct Watch {
  std::stop_token stop;
  std::atomic<std::uint64_t>* iterations = nullptr;  ///< counts those in many bits

  bool cancelled() const { return stop.stop_requested(); }
  void count() const {
    if (iterations != nullptr) iterations->fetch_add(1, std::memory_order_relaxed);
  }
};

/// The bits of a reference orbit for a picture: 3.33·(digits of the zoom + 60), and some more for zooming on.
mpfr_prec_t bits_for(const View& view, Size size);
/// The fewest that serve it.
mpfr_prec_t least_bits_for(const View& view, Size size);
BigComplex center_of(const View& view, mpfr_prec_t bits);
/// The distance of two pixels, at any depth.
FloatExp deep_spacing(const View& view, Size size);
/// From the centre of a picture to its corners.
FloatExp radius_of(const View& view, Size size);

/// Nothing when it was called off. An open orbit has a point for each iteration up to the limit, but no more than the
/// most points.
std::optional<Reference> compute_reference(const ReferenceRequest& request, const Watch& watch);
/// An open orbit, continued.
std::optional<Reference> extended(const Reference& reference, const ReferenceRequest& request, const Watch& watch);

/// Keeps reference orbits, and computes the ones that are missing on a worker thread.
///
/// Any thread. The destructor calls off what is being computed, and waits for that.
class References {
 public:
  using Kept = std::shared_ptr<const Reference>;

  References();
  ~References();
  References(const References&) = delete;
  References& operator=(const References&) = delete;

  /// The best reference at hand that serves the picture, or nullptr; never waits. A better one, if there is one to be
  /// had, is computed in the background; a computation that does not serve the present request is called off.
  Kept find(const ReferenceRequest& request);
  /// `reference`, or what continues it, if that reaches the limit of the request; else nullptr, and it is continued in
  /// the background. One that is as long as can be is given back as it is.
  Kept longer(const Kept& reference, const ReferenceRequest& request);

  /// Cancels what is being computed and forgets the references at hand: the next one is what a new object would find.
  void forget();

  bool busy() const;
  /// Until the computation under way has ended, or so many seconds have passed.
  void wait_blocking(double seconds);
  /// Iterations of the computation under way, in many bits.
  std::uint64_t iterations() const { return iterations_; }

 private:
  struct Job {
    ReferenceRequest request;
    Kept base;  ///< to be continued, or nullptr
    bool operator==(const Job&) const = default;
  };

  bool ask_for(Job job);  // false if it has been done last: there is no better one to be had
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
