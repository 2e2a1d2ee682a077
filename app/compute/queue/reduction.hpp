/// Sums and extremes of arrays on a device (kernels/reduce.cl): a private part over a share of the array, a tree or
/// local atomics over the group, one value for each group, which the host adds.
#pragma once

#include <map>
#include <string>

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// What sums are added in.
enum class Sums { doubles, two_floats };
/// Of doubles where the device has them.
Sums sums_on(const DeviceInfo& device);
/// Each 8 bytes, as a kernel leaves them; their sum.
double total_of(std::span<const std::byte> sums, Sums kind);

/// Some groups, each of which reduces its share.
struct Reduction {
  std::size_t group;  ///< work-items
  std::size_t groups;
};

/// For a row of several sums of each of `bodies`: few groups, of a power of two. By the number of bodies and the
/// device's class alone: the order of sums, and so their bits, depend on it.
Reduction reduction_over(std::size_t bodies, const DeviceInfo& device);

/// How a device reads an array the fastest.
struct ReductionStyle {
  bool contiguous;              ///< an item reads a range of its own; else neighbours read neighbours
  std::size_t bytes;            ///< that one load brings
  std::size_t unroll;           ///< loads on their way at once
  std::size_t group;            ///< work-items
  std::size_t groups_per_unit;  ///< of compute units
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
    std::size_t work_group = 0;  ///< 0: what suits the device
  };

  /// Builds; any thread. Throws a usage Error for what the device cannot do.
  Reducer(ProgramLibrary& programs, const Choice& choice);

  std::size_t work_group() const { return reduction_.group; }
  std::size_t groups() const { return reduction_.groups; }

  /// Of the first `count` elements, count < 2³²; into a buffer of its own. Does not wait.
  void enqueue_sum(Queue& queue, const cl::Buffer& values, std::size_t count);
  /// Waits. The sum of the last enqueue_sum().
  double sum(Queue& queue) const;
  /// The same of floats, without what is no number; both NaN where nothing is left.
  void enqueue_extremes(Queue& queue, const cl::Buffer& values, std::size_t count);
  Extremes extremes(Queue& queue) const;

 private:
  void launch(Queue& queue, std::string_view name, cl::Kernel& kernel, const cl::Buffer& values, std::size_t count);

  Choice choice_;
  Reduction reduction_;
  cl::Kernel sum_, extremes_;
  cl::Buffer results_;
  std::size_t used_groups_ = 0;  // by the last launch
};

}  // namespace orrery
