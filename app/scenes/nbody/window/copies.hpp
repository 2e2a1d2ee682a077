/// Copies of the running bodies on the host, for the day their device is lost: read into pinned memory that is kept,
/// and made into bodies on a worker thread.
///
/// They are as frequent as costs little, however many bodies there are: about every second up to a million. Window
/// thread; nothing waits but rescue(), for the worker thread and never for the device.
#pragma once

#include <memory>
#include <optional>

#include "base/work/background.hpp"
#include "scenes/nbody/window/preparation.hpp"

namespace orrery {

struct NbodyCopy {
  std::shared_ptr<const NbodyState> state;
  std::size_t not_finite = 0;  ///< so many bodies are not
  double seconds = 0;          ///< of the device and of the worker, that it has taken
};

class NbodyCopies {
 public:
  /// Enqueues the reads of the present moment, between bursts; nothing where a copy is on its way. Throws Error.
  void begin(const Device& device, Queue& queue, const NbodySimulation& simulation, double now);
  bool busy() const { return reading_ || making_.busy(); }
  /// Another one is worth its cost.
  bool due(double now) const { return !busy() && now - begun_ >= interval_; }
  /// Seconds between two, by what the last one cost.
  double interval() const { return interval_; }
  /// What has arrived, once. Throws what the worker thread threw.
  std::optional<NbodyCopy> poll();
  /// The same of a device that has failed: what has been read from it is worth waiting for. What has not is forgotten.
  std::optional<NbodyCopy> rescue() noexcept;
  /// What is on its way is of other bodies than those that count now.
  void forget();
  /// Takes over what nobody needs any more: to free so much memory takes its time as well.
  void retire(std::shared_ptr<const NbodyState> old) { retired_ = std::move(old); }
  /// As the scene's: the memory belongs to a device that does not answer.
  void abandon();

 private:
  void make();

  std::unique_ptr<NbodyDownload> download_;
  Background<NbodyCopy> making_;
  std::shared_ptr<const NbodyState> retired_;
  bool reading_ = false, dropped_ = false;  // it is on its way, and nobody wants it
  double begun_ = -1e9;
  double interval_ = 0;
};

}  // namespace orrery
