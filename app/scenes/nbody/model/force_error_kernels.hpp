/// The kernels that sum accelerations once more, in double or in two-float arithmetic (nbody_force_errors.cl), and how
/// their work is divided: bodies, LANES per item, by shares of the sources.
///
/// Built and warmed up on any thread; afterwards they belong to the thread that launches them.
#pragma once

#include "compute/program/program.hpp"
#include "compute/program/reduction.hpp"

namespace orrery {

/// Bodies that are summed again.
inline constexpr std::uint32_t drawn_bodies = 256;

/// The k-th body of a draw: all bodies in order if there are no more than that, else random ones, with rare
/// repetitions. Counter-based: SplitMix64 (Steele, Lea & Flood 2014) at 256·draw + k.
std::uint32_t drawn_body(std::uint64_t draw, std::uint32_t k, std::size_t bodies);

/// Bodies and sources of a launch.
struct ForceErrorLaunch {
  const cl::Buffer& drawn;         ///< indices of bodies …
  std::size_t first = 0, end = 0;  ///< … from the one at `first` on; enough to fill whole items
  std::size_t first_share = 0, shares = 0;
};

class ForceErrorKernels {
 public:
  ForceErrorKernels(ProgramLibrary& programs, Precision precision, std::size_t bodies, Sums kind);
  /// The programs that the constructor builds.
  static ProgramSpec program(const Device& device, Precision precision, Sums kind);

  Sums kind() const { return kind_; }
  std::size_t lanes() const { return lanes_; }
  std::size_t shares() const { return shares_; }
  /// The sums for this number of drawn bodies.
  std::size_t sum_bytes(std::size_t drawn) const;
  /// Device time of a share for this number of drawn bodies, by the profiler's estimate or a guess.
  double seconds_per_share(Queue& queue, std::size_t drawn) const;

  /// Shares of a launch for this number of drawn bodies: as many of those that are `left` as fit into `budget` seconds,
  /// but enough to fill the device, because fewer take as long.
  std::size_t shares_at_once(Queue& queue, std::size_t drawn, std::size_t left, double budget) const;

  /// `corrections`: null except in mixed precision.
  void attract(Queue& queue, const cl::Buffer& positions, const cl::Buffer& corrections, const ForceErrorLaunch& launch,
               double softening, const cl::Buffer& sums);
  struct DrawnBodies {
    const cl::Buffer& drawn;
    std::size_t first = 0, count = 0;
  };
  /// After all shares: for each of these bodies four sums, the true acceleration and the error. The accelerations are
  /// `gravity` times the sums.
  void compare(Queue& queue, const cl::Buffer& sums, const cl::Buffer& accelerations, const DrawnBodies& bodies,
               double gravity, const cl::Buffer& references);
  struct NotedBodies {
    std::size_t first = 0, count = 0;
    double gravity = 1;
  };
  /// The same for the error alone, a float per body.
  void note(Queue& queue, const cl::Buffer& sums, const cl::Buffer& accelerations, const NotedBodies& noted,
            const cl::Buffer& errors);
  struct RememberedErrors {
    const cl::Buffer& remembered;
    std::size_t row = 0, rows = 0;
  };
  /// Stores the errors of `count` references as one remembered row, and derives the tree's accuracy from all of them
  /// (tree_control.hpp).
  void hold(Queue& queue, const cl::Buffer& references, std::size_t count, double wanted,
            const RememberedErrors& errors, const cl::Buffer& accuracy);

 private:
  std::size_t group_for(std::size_t items) const { return std::min(group_, std::max<std::size_t>(items, 1)); }

  Sums kind_;
  std::size_t bodies_, lanes_;
  std::size_t share_bodies_, shares_;  // bodies of a share, and shares of the sources
  std::size_t group_, rank_group_;     // work-items
  double guess_;                       // seconds per interaction
  std::size_t filling_;                // work-items
  cl::Kernel attract_, compare_, note_, hold_;
};

/// The name of the sums in the profiler.
inline constexpr std::string_view force_error_launch = "force errors";
/// Bytes of a sum's four numbers: two floats take as much as a double.
inline constexpr std::size_t bytes_of_sum4 = 4 * sizeof(double);

}  // namespace orrery
