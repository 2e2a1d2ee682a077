/// The state of a world's particles on a device. Owned by an Engine; its parts share it. One thread at a time.
#pragma once

#include <optional>
#include <span>

#include "compute/program/arguments.hpp"
#include "compute/queue/host_mirror.hpp"
#include "compute/tuning/element_group.hpp"
#include "scenes/particles/model/law_kernels.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// Consecutive slots whose neighbours are searched together (kernels/particles/particles.clh).
inline constexpr std::size_t block_size = 32;

/// Words of the status buffer, as in kernels/particles/particles.clh.
enum class Status : std::size_t {
  moved_far,
  frozen,
  needed,
  not_a_number,
  steps,
  closed_steps,
  rebuilds,
  unsolved,
  force_exponent,
  well_in_range,
  out_of_range,
  waits_for_range,
  order_due,
  ordered,
  count
};
inline constexpr std::size_t status_bytes = static_cast<std::size_t>(Status::count) * sizeof(cl_int);

/// The first exponent of the unit of forces (kernels/particles/particles.clh): forces of 2⁻⁸ … 2¹⁵ on a mass of 1
/// are in range.
inline constexpr int first_force_exponent = -46;
/// The new exponent where the device reports `status` out of range; nothing while forces are in range.
std::optional<int> better_force_exponent(std::span<const cl_int> status);

/// The names of the launches in the profiler.
namespace particles_launch {
inline constexpr std::string_view advance = "advance", order = "order", lists = "neighbour lists", slots = "slots",
                                  pairs = "pair forces", groups = "group forces", constrain = "constraints",
                                  publish = "publish", observe = "observe", words = "words";
}

struct DeviceParticles {
  DeviceParticles(ProgramLibrary& programs, Queue& queue, const World& world, Precision precision);
  /// The programs that the constructor builds.
  static ProgramSpec program(const Device& device, Precision precision);

  Device device;
  Precision precision;
  std::size_t count;
  std::size_t padded;                ///< a multiple of block_size
  cl::Buffer positions, velocities;  ///< wide4; velocities' w is 1/mass
  cl::Buffer references;             ///< wide4: where particles were when neighbours were listed
  cl::Buffer displacements;          ///< wide4; drifts that constraints correct
  cl::Buffer forces;                 ///< rows of 64-bit whole numbers (kernels/particles/particles.clh)
  cl::Buffer box;                    ///< wide4: sides, then their inverses
  cl::Buffer status;
  std::vector<cl_int> mass_exponents;  ///< exponents of the particles' units of force, relative to the common unit
  cl::Buffer exponents;                ///< the same

  Precision wide() const { return precision == Precision::single ? Precision::single : Precision::double_; }
  Real real(double value) const { return {value, precision}; }
  Real wide(double value) const { return {value, wide()}; }
  std::size_t bytes_of_wide4() const { return bytes_of_real4(wide()); }
  std::size_t bytes_of_real() const { return precision == Precision::double_ ? sizeof(cl_double) : sizeof(cl_float); }
  cl_uint particles() const { return static_cast<cl_uint>(count); }
  std::size_t blocks() const { return padded / block_size; }
  std::size_t force_rows() const { return precision == Precision::double_ ? 6 : 3; }

  void write_vectors(Queue& queue, const cl::Buffer& to, const std::vector<Vector>& vectors,
                     const std::vector<double>& w);
  /// The vectors in memory that was read from such a buffer.
  static std::vector<Vector> vectors_from(const HostMirror& mirror, std::size_t count, Precision wide);
  /// Waits.
  std::vector<Vector> read_vectors(Queue& queue, const cl::Buffer& from) const;
  /// Present positions and velocities; waits.
  void write_state(Queue& queue, const std::vector<Vector>& at, const std::vector<Vector>& velocity,
                   const std::vector<double>& masses);
  void set_status(Queue& queue, Status word, cl_int value);
  /// Order and lists are made again before the next forces.
  void invalidate_order(Queue& queue);
  /// Does not wait.
  void clear_forces(Queue& queue) const;
  /// Forces in the unit with this exponent; waits.
  std::vector<Vector> read_forces(Queue& queue, int exponent) const;
  /// Fills 32-bit words with a value; does not wait.
  void set_words(Queue& queue, const cl::Buffer& words, std::size_t first, std::size_t number, cl_int value) const;

 private:
  mutable cl::Kernel set_words_, clear_forces_;  // their arguments belong to this object
};

/// -D DOUBLE, WIDE_DOUBLE, FAST_FMA …
std::map<std::string, std::string> particle_definitions(const Device& device, Precision precision);
/// A row for each of these columns (mass, charge, a world's own), `padded` values long.
std::vector<double> column_rows(const World& world, const std::vector<std::string>& names, std::size_t padded);
/// A buffer of reals with these values; waits.
cl::Buffer real_buffer(const Device& device, Queue& queue, Precision precision, const std::vector<double>& values);
cl::Buffer uint_buffer(const Device& device, const std::vector<std::uint32_t>& values);
/// Writes a few values into such a buffer without waiting.
void fill_reals(Queue& queue, Precision precision, const cl::Buffer& to, const std::vector<double>& values);
std::vector<double> read_reals(Queue& queue, Precision precision, const cl::Buffer& from, std::size_t count);

}  // namespace orrery::particles
