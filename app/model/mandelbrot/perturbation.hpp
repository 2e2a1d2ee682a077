/// What the perturbation kernels take on the device: a reference orbit, and its table of bilinear approximation.
///
/// One thread at a time, with one in-order queue; nothing waits.
#pragma once

#include <memory>
#include <vector>

#include "compute/queue.hpp"
#include "model/mandelbrot/kernel_arguments.hpp"
#include "model/mandelbrot/references.hpp"

namespace orrery::mandelbrot {

/// What orbits are counted in: pairs of floats on devices without doubles. `extended` numbers have an exponent of their
/// own: pairs always, doubles where a view is beyond their range.
struct PerturbedNumbers {
  bool pairs = false;
  bool extended = false;
  bool operator==(const PerturbedNumbers&) const = default;
};
/// A view whose differences doubles do not hold.
bool is_beyond_doubles(const View& view, Size size);

/// The kernels' complex numbers: two doubles, or two pairs of floats.
struct DeviceComplex {
  cl_double parts[2];

  DeviceComplex(double re, double im, bool pairs);
};

/// kernels/mandelbrot_perturbation.cl explains it.
struct FieldArgument {
  DeviceComplex corner, spacing;
  cl_int exponent;
  cl_uint first_row, width, height;
  cl_uint last, levels, limit, late, kept;
  cl_uint unused[3] = {};
};
static_assert(sizeof(FieldArgument) == 80);

/// How far a step of the table may be wrong, as a part of δ.
inline constexpr double default_epsilon = 0x1p-44;

class Perturbation {
 public:
  static constexpr std::size_t bytes_of_orbit = 64;

  Perturbation(const Device& device, PerturbedNumbers numbers);

  /// The most points that a reference orbit can have on the device.
  static std::size_t most_points(const DeviceInfo& device);

  /// Enqueues what is not there yet: the orbit, and the table for the picture; `build_level` builds a level of it.
  /// Without a table every step is an iteration.
  void load(Queue& queue, cl::Kernel& build_level, std::shared_ptr<const Reference> reference, const Frame& frame,
            double epsilon, bool table = true);

  /// With `last` 0 where the whole picture is proved to be interior.
  FieldArgument field(const Frame& frame) const;

  const Reference& reference() const { return *reference_; }
  const cl::Buffer& orbit() const { return orbit_; }
  const cl::Buffer& exponents() const { return exponents_; }
  const cl::Buffer& steps() const { return steps_; }
  const cl::Buffer& radii() const { return radii_; }

 private:
  void upload(Queue& queue);
  void build(Queue& queue, cl::Kernel& build_level, double log2_reach, const Frame& frame, double epsilon);

  Device device_;
  PerturbedNumbers numbers_;
  std::shared_ptr<const Reference> reference_;
  std::vector<DeviceComplex> uploaded_;  // kept until the device has it
  std::vector<cl_int> uploaded_exponents_;
  std::size_t capacity_ = 0;
  cl::Buffer orbit_, exponents_, steps_, radii_;

  struct Table {
    double log2_reach = 0, epsilon = 0, escape_radius = 0;
    cl_uint levels = 0;
  };
  Table table_;
};

/// From a reference to the farthest pixel of a picture.
FloatExp reach_of(const Reference& reference, const View& view, Size size);

}  // namespace orrery::mandelbrot
