/// Keeps reference orbits, and computes the ones that are missing on a worker thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "scenes/mandelbrot/deep/reference.hpp"

namespace orrery::mandelbrot {

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
