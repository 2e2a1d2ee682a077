/// Computes all forces on all particles, in launches that can be cut. Owns the kernels of laws and their output other
/// than forces. One thread at a time.
#pragma once

#include "scenes/particles/model/neighbours.hpp"

namespace orrery::particles {

class ParticleForces {
 public:
  ParticleForces(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state,
                 std::shared_ptr<LawKernels> laws);

  /// Between bursts; waits.
  void use(Queue& queue, const World& world, const DeviceParticles& state, std::shared_ptr<LawKernels> laws);
  /// Takes other lists, for the next laws; between bursts.
  void use(std::shared_ptr<Neighbours> lists) { neighbours_ = std::move(lists); }
  /// Takes changed parameters; does not wait.
  void write_sliders(Queue& queue, const World& world, const DeviceParticles& state);

  /// `may_order`: see Neighbours::enqueue.
  void begin(bool observed, bool may_order);
  /// Enqueues lists, then pairs in launches that fit into `budget` seconds, then groups. Returns the expected seconds.
  double enqueue(Queue& queue, const DeviceParticles& state, double budget);
  bool complete() const { return stage_ == Stage::done; }
  double progress() const;

  /// A pair of particles and the law that gives no finite force or energy between them.
  struct BrokenPair {
    std::size_t law;
    std::uint32_t first, second;
  };
  /// The pair that made the last forces infinite or NaN; nothing if each law is finite. Builds a kernel, and waits.
  std::optional<BrokenPair> broken_pair(ProgramLibrary& programs, Queue& queue, const World& world,
                                        const DeviceParticles& state) const;

  Neighbours& neighbours() { return *neighbours_; }
  const Neighbours& neighbours() const { return *neighbours_; }
  const LawKernels& laws() const { return *laws_; }
  void take_unobserved_pairs(cl::Kernel kernel) { laws_->pairs = std::move(kernel); }

  /// Rows of energies of each pair law, then of virials; reals.
  const cl::Buffer& pair_energies() const { return pair_energies_; }
  /// Energies of one law of groups, then virials.
  const cl::Buffer& group_energies(std::size_t law) const { return groups_[law].energies; }
  /// Each member's share of its groups' energies, and the index of a particle's shares; null buffers without groups.
  struct EnergyShares {
    cl::Buffer shares;          ///< a real per member
    cl::Buffer starts, places;  ///< particle i has shares[places[starts[i] … starts[i + 1] − 1]]
  };
  const EnergyShares& energy_shares() const { return shares_; }
  std::size_t group_count(std::size_t law) const { return groups_[law].count; }

 private:
  enum class Stage { lists, pairs, groups, done };
  struct GroupBuffers {
    std::size_t count;
    cl::Buffer members, values, columns, sliders, energies;
    std::size_t first_row;  // row of its first member in forces and shares
  };

  void make_groups(Queue& queue, const World& world, const DeviceParticles& state);
  double enqueue_pairs(Queue& queue, const DeviceParticles& state, double budget);
  void enqueue_groups(Queue& queue, const DeviceParticles& state);

  std::shared_ptr<LawKernels> laws_;
  std::shared_ptr<Neighbours> neighbours_;
  cl::Buffer sliders_, pair_energies_;
  std::vector<GroupBuffers> groups_;
  EnergyShares shares_;
  cl::Buffer rows_;     // forces of members, where atomics are missing
  cl_int sharing_ = 0;  // bits of the largest number of groups per particle
  Stage stage_ = Stage::done;
  bool observed_ = false, may_order_ = false;
  std::size_t next_team_ = 0;
};

}  // namespace orrery::particles
