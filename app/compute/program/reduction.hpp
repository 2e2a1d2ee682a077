/// Sums and extremes of arrays on a device (kernels/common/reduce.cl): a private part for each item, a tree or local
/// atomics for each group, and one value per group, which the host combines.
#pragma once

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// The arithmetic of sums.
enum class Sums { doubles, two_floats };
/// Doubles if the device has them.
Sums sums_on(const DeviceInfo& device);
/// The sum of 8-byte values as a kernel leaves them.
double total_of(std::span<const std::byte> sums, Sums kind);

/// Groups, each of which reduces a share of the array.
struct Reduction {
  std::size_t group;  ///< work-items
  std::size_t groups;
};

/// The reduction for a row of several sums for each of `bodies`: few groups, a power of two. Depends only on the number
/// of bodies and the class of the device, because the order of sums, and so their bits, depend on it.
Reduction reduction_over(std::size_t bodies, const DeviceInfo& device);

/// The fastest way for a device to read an array.
struct ReductionStyle {
  bool contiguous;              ///< each item reads a contiguous range; otherwise neighbours read neighbours
  std::size_t bytes;            ///< bytes of one load
  std::size_t unroll;           ///< loads in flight at once
  std::size_t group;            ///< work-items
  std::size_t groups_per_unit;  ///< groups per compute unit
};
const ReductionStyle& reduction_style(DeviceClass device_class);

enum class Elements { floats, doubles };

struct Extremes {
  float least, greatest;
};

/// Reduces arrays of one type of element. One thread, with one in-order queue.
class Reducer {
 public:
  struct Choice {
    Elements elements = Elements::floats;
    Sums sums = Sums::doubles;
    std::size_t work_group = 0;  ///< 0: suits the device
  };

  /// Builds; any thread. Throws a usage Error if the device does not support the choice.
  Reducer(ProgramLibrary& programs, const Choice& choice);

  std::size_t work_group() const { return reduction_.group; }
  std::size_t groups() const { return reduction_.groups; }

  /// Sums the first `count` elements, count < 2³², into an internal buffer. Does not wait.
  void enqueue_sum(Queue& queue, const cl::Buffer& values, std::size_t count);
  /// Waits for the sum of the last enqueue_sum().
  double sum(Queue& queue) const;
  /// The same for floats, ignoring NaN; both extremes are NaN if nothing remains.
  void enqueue_extremes(Queue& queue, const cl::Buffer& values, std::size_t count);
  Extremes extremes(Queue& queue) const;

 private:
  void launch(Queue& queue, std::string_view name, cl::Kernel& kernel, const cl::Buffer& values, std::size_t count);

  Choice choice_;
  Reduction reduction_;
  cl::Kernel sum_, extremes_;
  cl::Buffer results_;
  std::size_t used_groups_ = 0;  // groups of the last launch
};

}  // namespace orrery
