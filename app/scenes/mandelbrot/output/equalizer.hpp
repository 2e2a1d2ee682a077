/// Finds the histogram of a published picture on its device, without waiting.
///
/// Constructed on any thread; then used by one thread, with one in-order queue.
#pragma once

#include <optional>

#include "compute/program/program.hpp"
#include "compute/queue/host_mirror.hpp"
#include "compute/queue/queue.hpp"
#include "scenes/mandelbrot/output/equalization.hpp"

namespace orrery::mandelbrot {

class Equalizer {
 public:
  explicit Equalizer(ProgramLibrary& programs);

  /// Enqueues the counting of `pixels` values, unless an earlier count is under way. Returns whether it did.
  bool enqueue(Queue& queue, const cl::Buffer& values, std::size_t pixels);
  /// The result of the last enqueue(), once; never waits.
  std::optional<Equalization> collect();

 private:
  Device device_;
  cl::Kernel reset_, lowest_, count_;
  cl::Buffer counts_;
  std::optional<HostMirror> mirror_;  // made with the queue that first uses it
  cl::Event counted_;
  bool under_way_ = false;
};

}  // namespace orrery::mandelbrot
