/// The tree's accuracy, and the control that holds the requested force error while the bodies move: at fixed steps some
/// bodies' accelerations are summed once more in double, and the accuracy follows from the errors of the last draws of
/// bodies. All of it happens on the device, so that the bits depend neither on bursts nor on the time of day.
///
/// Made on any thread; used by the thread that owns the queue.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/nbody/model/exact.hpp"
#include "scenes/nbody/model/kernels.hpp"

namespace orrery {

/// The relation of error and accuracy: the error that 99 of 100 bodies keep is about proportional to accuracy^slope.
/// Measured on cubes and Plummer spheres of 65,536 … 8,388,608 bodies.
namespace tree_error {
inline constexpr double slope = 2.0 / 3;
inline constexpr double aim = 0.85;       ///< share of the allowed error …
inline constexpr double least_aim = 0.6;  ///< … and a smaller share than this would waste time
inline constexpr double least_accuracy = 1e-9;
/// The largest accuracy: where the potential's error decides, a larger value would have to be reduced again later.
constexpr double most_accuracy(double wanted_error) { return 2 * wanted_error; }
}  // namespace tree_error

class TreeControl {
 public:
  static constexpr std::int64_t interval = 16;  ///< steps between two draws
  static constexpr std::size_t remembered_draws = 8;

  /// Starts with the accuracy of the default settings.
  TreeControl(const Device& device, std::size_t bodies, const ForceErrorKernels& kernels);

  /// Between evaluations; waits. The accuracy then follows from the errors, beginning with these of remembered_draws
  /// draws; without errors it does not change.
  void set(const TreeAccuracy& accuracy, double wanted_error, std::span<const double> errors);
  /// Between evaluations; waits. Continues from `memory`: the next field is evaluated as its field was. Returns false
  /// and changes nothing if the number of errors differs.
  bool resume(const TreeAccuracy& accuracy, double wanted_error, const TreeMemory& memory);
  /// Before and after a field of the same bodies at the same places: it is evaluated as the present one was, so that it
  /// has the same bits.
  void begin_repeated_field(Queue& queue);
  void end_field(Queue& queue);
  /// Enqueues the reads of the present memory; `into` is complete with the queue, but for TreeMemory::of.
  void read(Queue& queue, TreeMemory& into, std::vector<cl::Event>& reads) const;
  /// The exact state: the accuracy, the error that is held or 0, and the remembered errors. Waits for the queue.
  TreeAccuracy accuracy(Queue& queue) const;
  double wanted() const { return wanted_; }
  std::vector<cl_float> remembered(Queue& queue) const;
  /// Restores the values of these three. Between evaluations; waits.
  void restore(const TreeAccuracy& accuracy, double wanted_error, std::span<const cl_float> remembered);
  double guard() const { return guard_; }
  double depth_error() const { return depth_error_; }
  /// A float on the device: TreeAccuracy::error.
  const cl::Buffer& error() const { return error_; }

  bool holds() const { return wanted_ > 0; }
  /// The relative error that 99 of 100 of the last drawn bodies keep, where it is held. Waits for the queue.
  std::optional<double> found(Queue& queue) const;
  /// The n-th draw of bodies.
  void begin(std::int64_t draw);
  bool complete() const { return done_ == shares_; }
  /// Enqueues the next launches, of at most `budget` seconds, unless that is less than one. `field`: of all bodies,
  /// real4. Returns the expected seconds.
  double enqueue(Queue& queue, ForceErrorKernels& kernels, const cl::Buffer& positions, const cl::Buffer& corrections,
                 const cl::Buffer& field, double softening, double budget);

 private:
  Device device_;
  std::size_t count_, padded_;  // bodies of a draw, and those that fill the last item
  std::size_t shares_, done_;   // shares of the sources; those done for the present draw
  std::size_t draw_ = 0;
  double guard_ = 0, depth_error_ = 0, wanted_ = 0;
  cl::Buffer drawn_, sums_, references_, remembered_, error_;
  cl::Buffer field_error_;         // error_ of the present field …
  bool held_since_field_ = false;  // … where it has changed since
  cl::Buffer next_error_;          // error_ after a repeated field …
  bool repeats_field_ = false;     // … which is under way
};

}  // namespace orrery
