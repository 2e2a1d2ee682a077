/// What the perturbation kernels take on the device: a reference orbit, and its table of bilinear approximation.
///
/// One thread at a time, with one in-order queue; nothing waits.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "compute/device/work_group.hpp"
#include "compute/queue/queue.hpp"
#include "scenes/mandelbrot/deep/kernel_arguments.hpp"
#include "scenes/mandelbrot/deep/reference.hpp"

namespace orrery::mandelbrot {

/// What differences are counted in. Pairs are unevaluated sums of two numbers: of floats on devices without doubles, of
/// doubles for pixels so close to the set that a double's digits do not decide them.
enum class PerturbedNumbers { doubles, float_pairs, double_pairs };
inline bool is_pairs(PerturbedNumbers numbers) { return numbers != PerturbedNumbers::doubles; }
inline bool is_double(PerturbedNumbers numbers) { return numbers != PerturbedNumbers::float_pairs; }

/// `extended` numbers have an exponent of their own: where a view is beyond the range of doubles, and floats always.
struct PerturbedFormat {
  PerturbedNumbers numbers = PerturbedNumbers::doubles;
  bool extended = false;
  bool operator==(const PerturbedFormat&) const = default;

  std::size_t bytes_of_complex() const { return numbers == PerturbedNumbers::double_pairs ? 32 : 16; }
  /// Exponents fill up to the alignment of the complex numbers before them.
  std::size_t bytes_of_step() const { return (extended ? 4 : 3) * bytes_of_complex(); }
  std::size_t bytes_of_orbit(bool detail) const {
    return detail ? round_up(3 * bytes_of_complex() + 48, bytes_of_complex()) : 2 * bytes_of_complex() + 32;
  }
  /// How far a step of the table may be wrong, as a part of δ.
  double epsilon() const { return numbers == PerturbedNumbers::double_pairs ? 0x1p-96 : 0x1p-44; }
  /// What rounding does to a step anyway.
  double finest_epsilon() const { return numbers == PerturbedNumbers::double_pairs ? 0x1p-104 : 0x1p-53; }
};
/// Passages beside parabolic points are steps of doubles.
inline bool has_passages(PerturbedFormat format) { return format == PerturbedFormat{}; }
/// A view whose differences doubles do not hold.
bool is_beyond_doubles(const View& view, Size size);

/// A value of the kernels' `complex`: two doubles, or twice two floats, or twice two doubles.
struct WideComplex {
  double re = 0, re_low = 0, im = 0, im_low = 0;
};

/// The structs that kernels/mandelbrot/mandelbrot_perturbation.cl takes by value, as it explains them, and how long
/// they are.
struct FieldArgument {
  std::array<std::byte, 384> bytes;
  std::size_t size = 0;
};
struct PassageArgument {
  cl_double2 point;
  cl_double radius, reach, mu, near;
  cl_uint period, turns, levels, orders, terms, examines, most_steps, bits_of_order;
};
static_assert(sizeof(PassageArgument) == 80);

/// Copies share what is on the device; one that then needs something else has its own.
class Perturbation {
 public:
  Perturbation(const Device& device, PerturbedFormat format);

  /// The most points that a reference orbit can have on the device.
  static std::size_t most_points(const DeviceInfo& device);

  /// Enqueues what is not there yet: the orbit, and the table for the picture, a level of which `build_level` builds.
  /// An epsilon of 0 is that of the format; below 0, there is no table, and every step is an iteration.
  void load(Queue& queue, cl::Kernel& build_level, std::shared_ptr<const Reference> reference, const Frame& frame,
            double epsilon = 0);

  /// Where the picture lies around the reference; `kept` as the kernels explain it.
  FieldArgument field(const Frame& frame, std::uint32_t kept) const;

  bool takes_passages() const { return takes_passages_; }
  /// Orbits take these passages beside a parabolic point; nothing where the reference is none, or every step is an
  /// iteration.
  std::optional<PassageArgument> passage(bool automatic, bool examines) const;

  PerturbedFormat format() const { return format_; }
  const std::shared_ptr<const Reference>& reference() const { return reference_; }
  const cl::Buffer& orbit() const { return points_->orbit; }
  const cl::Buffer& exponents() const { return points_->exponents; }
  const cl::Buffer& steps() const { return table_->steps; }
  const cl::Buffer& radii() const { return table_->radii; }
  const cl::Buffer& passage_coefficients() const { return points_->passage_coefficients; }
  const cl::Buffer& passage_terms() const { return points_->passage_terms; }
  const cl::Buffer& passage_multipliers() const { return points_->passage_multipliers; }

 private:
  void upload(Queue& queue);
  void clear_table();
  void build(Queue& queue, cl::Kernel& build_level, double log2_reach, const Frame& frame, double epsilon);

  Device device_;
  PerturbedFormat format_;
  std::shared_ptr<const Reference> reference_;
  struct Points {
    cl::Buffer orbit, exponents, passage_coefficients, passage_terms, passage_multipliers;
    std::size_t capacity = 0;
    std::vector<std::byte> uploaded;  // kept until the device has it
    std::vector<cl_int> uploaded_exponents;
    std::vector<cl_uint> uploaded_terms;
  };
  std::shared_ptr<Points> points_ = std::make_shared<Points>();
  bool takes_passages_ = false;

  struct Table {
    cl::Buffer steps, radii;
    std::size_t capacity = 0;  // points
    double log2_reach = 0, epsilon = 0, escape_radius = 0;
    cl_uint levels = 0;  // 0: there is none
  };
  std::shared_ptr<Table> table_ = std::make_shared<Table>();
};

/// From a reference to the farthest pixel of a picture.
FloatExp reach_of(const Reference& reference, const View& view, Size size);

}  // namespace orrery::mandelbrot
