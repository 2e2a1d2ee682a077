/// Neighbour lists: particles in slots along a space-filling curve, and the neighbours of each team of slots.
///
/// Owns the slots' buffers and the lists. Made on any thread; used by the queue's.
#pragma once

#include "scenes/particles/model/compiled_laws.hpp"

namespace orrery::particles {

/// The order of slots is made again after this number of steps (kernels/particles/particles.clh).
inline constexpr std::int64_t order_every = 64;

class Neighbours {
 public:
  /// The programs that the constructor builds.
  static std::vector<ProgramSpec> programs(const Device& device, const World& world, Precision precision,
                                           std::size_t team);
  /// With a cutoff of 0 all particles are neighbours, and slots are identities.
  Neighbours(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state,
             std::size_t team);

  /// The columns that laws read, rows of state.padded values; between bursts. Waits.
  void use_columns(Queue& queue, const DeviceParticles& state, const std::vector<double>& rows, std::size_t columns);

  /// Makes the lists again where a particle has moved far, and before that the order of slots where it is due and
  /// `may_order`. Without lists, copies the present positions. Does not wait.
  void enqueue(Queue& queue, const DeviceParticles& state, bool may_order);
  /// Makes room for this number of neighbours per team. The lists are lost.
  void grow(std::size_t needed, const DeviceParticles& state);

  bool listed() const { return cutoff_ > 0; }
  double cutoff() const { return cutoff_; }
  /// The distance that a particle may move before the lists are made again.
  double leash() const { return skin_ / 2; }
  std::size_t team() const { return team_; }    ///< consecutive slots that share a list
  std::size_t teams() const { return teams_; }  ///< including those without a particle

  const cl::Buffer& positions() const { return positions_; }
  const cl::Buffer& order() const { return order_; }
  const cl::Buffer& slot_of() const { return slot_of_; }
  const cl::Buffer& columns() const { return columns_; }

  /// The plain neighbours of each team, and those that some of its particles exclude, with a mask of these particles.
  struct Lists {
    cl_uint capacity = 0, masked_capacity = 0;  ///< entries per team
    cl::Buffer plain, masked, counts;
  };
  const Lists& lists() const { return lists_; }

 private:
  void enqueue_order(Queue& queue, const DeviceParticles& state);
  void list_exclusions(const World& world, const DeviceParticles& state, Queue& queue);
  void set_order_arguments(const DeviceParticles& state);

  std::size_t team_, teams_;
  double cutoff_, skin_;
  bool open_;  // the box is not periodic
  cl::Buffer order_, slot_of_, positions_, columns_, body_columns_;
  std::size_t column_count_ = 0;
  /// The grid that the curve leads through.
  struct Cells {
    std::uint32_t bits = 1;  // bits of a cell's coordinate
    std::size_t count = 0;
    cl::Buffer of_particles, counts, starts, sums, bounds;
  } cells_;
  /// Boxes around particles: their middles, and halves of their sides.
  struct Boxes {
    cl::Buffer middles, halves;
  } blocks_, groups_;
  struct Exclusions {
    cl::Buffer starts, others;  // exclusions of each particle, from its start
  } exclusions_;
  Lists lists_;
  cl::Kernel copy_;
  struct Ordering {
    cl::Kernel find_bounds, count_cells, sum_chunks, scan_cells, deal_slots, sort_cells, take_slots;
  } ordering_;
  struct Listing {
    cl::Kernel bound_blocks, bound_groups, find;
  } listing_;
};

}  // namespace orrery::particles
