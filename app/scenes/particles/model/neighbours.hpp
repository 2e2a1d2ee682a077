/// Neighbour lists: particles in slots along a space-filling curve, and the neighbours of each block of slots.
///
/// Owns the slots' buffers and the lists. Made on any thread; used by the queue's.
#pragma once

#include "scenes/particles/laws/compiled_laws.hpp"

namespace orrery::particles {

class Neighbours {
 public:
  /// With a cutoff of 0 all particles are neighbours, and slots are identities.
  Neighbours(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state);

  /// The columns that laws read, rows of state.padded values; between bursts. Waits.
  void use_columns(Queue& queue, const DeviceParticles& state, const std::vector<double>& rows, std::size_t columns);

  /// Makes the lists again where a particle has moved far, and copies the present positions into the slots. Does not
  /// wait.
  void enqueue(Queue& queue, const DeviceParticles& state);
  /// Makes room for this number of neighbours per block. The lists are lost.
  void grow(std::size_t needed, const DeviceParticles& state);

  bool listed() const { return cutoff_ > 0; }
  double cutoff() const { return cutoff_; }
  /// The distance that a particle may move before the lists are made again.
  double leash() const { return skin_ / 2; }
  std::size_t capacity() const { return capacity_; }

  const cl::Buffer& positions() const { return positions_; }
  const cl::Buffer& order() const { return order_; }
  const cl::Buffer& columns() const { return columns_; }
  const cl::Buffer& plain() const { return plain_; }
  const cl::Buffer& masked() const { return masked_; }
  const cl::Buffer& counts() const { return counts_; }
  std::size_t masked_capacity() const { return masked_capacity_; }

 private:
  void list_exclusions(const World& world, const DeviceParticles& state, Queue& queue);
  void set_order_arguments(const DeviceParticles& state);
  void set_list_arguments(const DeviceParticles& state);

  double cutoff_, skin_;
  std::uint32_t bits_ = 1;  // of a cell's coordinate
  std::size_t cells_ = 0, capacity_ = 0, masked_capacity_ = block_size;
  std::size_t column_count_ = 0;
  bool alone_ = false, open_ = false;
  cl::Buffer order_, slot_of_, positions_, columns_, body_columns_;
  cl::Buffer cell_of_, counts_of_cells_, starts_, sums_, bounds_;
  cl::Buffer middles_, halves_, group_middles_, group_halves_, exclusion_starts_, exclusions_;
  cl::Buffer plain_, masked_, counts_;
  cl::Kernel find_bounds_, count_cells_, sum_chunks_, scan_cells_, deal_slots_, sort_cells_, take_slots_, copy_;
  cl::Kernel bound_blocks_, bound_groups_, find_, end_;
};

}  // namespace orrery::particles
