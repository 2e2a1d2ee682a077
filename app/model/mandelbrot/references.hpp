/// Keeps reference orbits, and computes the ones that are missing on a worker thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "model/mandelbrot/reference.hpp"

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
  /// As find(), but waits until there is one.
  Kept find_blocking(const ReferenceRequest& request);

  bool busy() const;
  /// Iterations of the computation under way, in many bits.
  std::uint64_t iterations() const { return iterations_; }

 private:
  Kept best(const ReferenceRequest& request);
  void ask_for(const ReferenceRequest& request);
  void work(const std::stop_token& stop);
  std::optional<Reference> computed(const ReferenceRequest& request, const Kept& shorter, const Watch& watch);
  void keep(Reference reference);

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Kept> kept_;  // the latest used first
  std::optional<ReferenceRequest> wanted_, current_, last_done_;
  std::stop_source current_stop_;
  std::exception_ptr fault_;
  std::atomic<std::uint64_t> iterations_{0};
  std::jthread worker_;
};

}  // namespace orrery::mandelbrot
