/// The bifurcation diagram on a device: kernels/mandelbrot/mandelbrot_bifurcation.cl.
///
/// Kernels are built on any thread; a diagram belongs to one thread, with one in-order queue. Only functions called
/// *_blocking wait.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"
#include "scenes/mandelbrot/deep/real_cascade.hpp"
#include "scenes/mandelbrot/model/kernels.hpp"

namespace orrery::mandelbrot {

/// The kind of orbits in a diagram.
enum class DiagramWay { plain, perturbed, ladder };

/// A diagram below a picture of that view, and as wide.
struct DiagramFrame {
  View view;
  std::uint32_t columns = 0, rows = 0;
  double middle = 0, half_height = 2;            ///< of x
  std::shared_ptr<const RealCascade> cascade{};  ///< of a nearby view
  bool operator==(const DiagramFrame&) const = default;
};

/// A frame around the attractor's point nearest to 0, known from the cascade, and around 0 itself where both fit.
DiagramFrame diagram_frame(const View& view, std::uint32_t columns, std::uint32_t rows,
                           std::shared_ptr<const RealCascade> cascade);

/// A line of the diagram, in pixels from the left of its picture.
struct DiagramMark {
  const Superstable* point;  ///< of the cascade
  double column;
};
/// The superstable points, without those whose lines would run into each other; some may lie beside the picture.
std::vector<DiagramMark> diagram_marks(const RealCascade& cascade, const View& view, std::uint32_t columns);
/// The row of the real axis, in pixels from the top; the picture's height where the view is not level.
double axis_row(const View& view, Size size);

struct DiagramKernels {
  DiagramKernels(ProgramLibrary& programs, Formula formula);

  Formula formula;
  bool doubles;
  cl::Kernel place, clear, plain, perturbed, ladder, cycles, publish;
  LadderBuffers table;
};

class Diagram {
 public:
  Diagram(const Device& device, std::shared_ptr<DiagramKernels> kernels)
      : device_(device), kernels_(std::move(kernels)) {}

  /// Enqueues the placing of the orbits; commands of another frame must be complete. False where the device's numbers
  /// cannot distinguish columns at that depth.
  bool begin(Queue& queue, const DiagramFrame& frame);
  /// Enqueues about `seconds` of work, at least one step. Nothing when complete().
  void enqueue(Queue& queue, double seconds);
  /// Enqueues writing `rows`·`columns` floats: each place's visits, relative to the mean of its column.
  void publish(Queue& queue, const cl::Buffer& values);

  /// The complete diagram, by rows from the top.
  std::vector<float> finished_blocking(
      Queue& queue, const std::function<void()>& between = [] {});

  const DiagramFrame& frame() const { return frame_; }
  DiagramWay way() const { return way_; }
  /// More is visible than at the last publish().
  bool news() const;
  bool complete() const;

 private:
  template <class Real>
  void set_plane(const DiagramFrame& frame);
  template <class Real>
  void set_orbit(Queue& queue, const RealOrbit& orbit);
  bool choose_way(const DiagramFrame& frame);
  cl::Kernel& walk();
  void settle_cycles(Queue& queue);
  std::uint64_t settling(std::size_t stage) const;
  std::uint64_t counting(std::size_t stage) const;
  void launch_over(Queue& queue, std::string_view name, cl::Kernel& kernel, std::size_t items, const Work& work);

  Device device_;
  std::shared_ptr<DiagramKernels> kernels_;
  DiagramFrame frame_;
  DiagramWay way_ = DiagramWay::plain;
  std::optional<LadderPlace> place_;
  cl::Buffer walkers_, counts_, orbit_;
  std::vector<std::byte> orbit_numbers_;  // until the device has copied them
  std::uint32_t steps_per_visit_ = 1;
  std::size_t stage_ = 0, cycles_settled_ = 0;              // walkers
  std::uint64_t walked_ = 0, counted_ = 0, published_ = 0;  // steps of this stage; of these counted, and shown
};

}  // namespace orrery::mandelbrot
