/// The perturbation kernels' data on the device: a reference orbit, and its table of bilinear approximation.
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

/// The numbers of differences. Pairs are unevaluated sums of two numbers: of floats on devices without doubles, of
/// doubles for pixels so close to the set that a double's digits do not decide them.
enum class PerturbedNumbers { doubles, float_pairs, double_pairs };
inline bool is_pairs(PerturbedNumbers numbers) { return numbers != PerturbedNumbers::doubles; }
inline bool is_double(PerturbedNumbers numbers) { return numbers != PerturbedNumbers::float_pairs; }

/// `extended` numbers have a separate exponent: for views beyond the range of doubles, and for floats always.
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
  /// The allowed error of a table's step, relative to δ.
  double epsilon() const { return numbers == PerturbedNumbers::double_pairs ? 0x1p-96 : 0x1p-44; }
  /// The rounding error of a step.
  double finest_epsilon() const { return numbers == PerturbedNumbers::double_pairs ? 0x1p-104 : 0x1p-53; }
};
/// Passages beside parabolic points are computed in plain doubles.
inline bool has_passages(PerturbedFormat format) { return format == PerturbedFormat{}; }
/// Whether the view's differences are out of the range of doubles.
bool is_beyond_doubles(const View& view, Size size);

/// A value of the kernels' `complex`: two doubles, or twice two floats, or twice two doubles.
struct WideComplex {
  double re = 0, re_low = 0, im = 0, im_low = 0;
};

/// The structs that kernels/mandelbrot/mandelbrot_perturbation.cl takes by value and explains, and their lengths.
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

/// Copies share the data on the device; a copy that needs other data gets its own.
class Perturbation {
 public:
  Perturbation(const Device& device, PerturbedFormat format);

  /// The most points that a reference orbit can have on the device.
  static std::size_t most_points(const DeviceInfo& device);

  /// Enqueues missing data: the orbit, and the table for the picture, each level of which `build_level` builds. An
  /// epsilon of 0 selects the format's; below 0, there is no table, and every step is an iteration.
  void load(Queue& queue, cl::Kernel& build_level, std::shared_ptr<const Reference> reference, const Frame& frame,
            double epsilon = 0);

  /// The picture's place around the reference; the kernels explain `kept`.
  FieldArgument field(const Frame& frame, std::uint32_t kept) const;

  bool takes_passages() const { return takes_passages_; }
  /// The passages of orbits beside a parabolic point; nothing where the reference is not there, or every step is an
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
    std::vector<std::byte> uploaded;  // kept until the device has copied it
    std::vector<cl_int> uploaded_exponents;
    std::vector<cl_uint> uploaded_terms;
  };
  std::shared_ptr<Points> points_ = std::make_shared<Points>();
  bool takes_passages_ = false;

  struct Table {
    cl::Buffer steps, radii;
    std::size_t capacity = 0;  // points
    double log2_reach = 0, epsilon = 0, escape_radius = 0;
    cl_uint levels = 0;  // 0: no table
  };
  std::shared_ptr<Table> table_ = std::make_shared<Table>();
};

/// The distance from a reference to the farthest pixel of a picture.
FloatExp reach_of(const Reference& reference, const View& view, Size size);

}  // namespace orrery::mandelbrot
