/// The exact bits of a simulation between two bursts. Plain values, for files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/nbody/bodies/cohort.hpp"

namespace orrery {

/// The moment of the state.
struct NbodyClock {
  std::int64_t step = 0;
  double time = 0;
  std::shared_ptr<const Cohorts> cohorts = {};  ///< where bodies were changed by hand on the way there; else null
  bool edited() const { return cohorts != nullptr; }
};

/// When a node of the tree pulls as one: at the squared distance `guard` · radius², and where its expansion has an
/// error of about `error` times the acceleration and `depth_error` times the potential.
struct TreeAccuracy {
  double guard = 0, error = 0, depth_error = 0;
  bool operator==(const TreeAccuracy&) const = default;
};

/// A tree that holds its force error remembers this: with it, a run that was interrupted goes on with the same bits.
/// Plain values; any thread.
struct TreeMemory {
  std::string of;             ///< the tree and the error that it holds; empty: none is held
  float accuracy = 0;         ///< TreeAccuracy::error from the next field on …
  float field_accuracy = 0;   ///< … and that of the present field
  std::vector<float> errors;  ///< of the last draws, divided by accuracy^slope
  bool operator==(const TreeMemory&) const = default;
};

/// One line with the exact bits, for state files; empty where none is held.
std::string text_of(const TreeMemory& memory);
/// Throws a usage Error that names `key`.
TreeMemory parse_tree_memory(std::string_view text, std::string_view key);

/// The exact bits between bursts, from which a simulation of the same settings on any devices of that kind continues.
struct NbodyExact {
  double softening = 0;                        ///< that the field belongs to; it includes the potential
  double gravity = 1;                          ///< likewise
  std::vector<std::vector<std::byte>> rows{};  ///< NbodyMember::state()
  TreeAccuracy accuracy{};                     ///< with a tree …
  double wanted_error = 0;                     ///< … see TreeControl
  std::vector<float> errors{};
};

/// Eight decimal digits with a first digit above 0: the same as text and as a number.
using StateHash = std::uint32_t;

}  // namespace orrery
