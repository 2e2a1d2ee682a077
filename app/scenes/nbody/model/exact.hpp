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
  std::shared_ptr<const Cohorts> cohorts = {};  ///< null unless bodies were changed by hand before
  bool edited() const { return cohorts != nullptr; }
};

/// A node of the tree pulls as a whole from the squared distance `guard` · radius² on, where its expansion has an error
/// of about `error` times the acceleration and `depth_error` times the potential.
struct TreeAccuracy {
  double guard = 0, error = 0, depth_error = 0;
  bool operator==(const TreeAccuracy&) const = default;
};

/// The memory of a tree that holds its force error: with it, an interrupted run continues with the same bits. Plain
/// values; any thread.
struct TreeMemory {
  std::string of;             ///< the tree and the error that it holds; empty: none is held
  float accuracy = 0;         ///< TreeAccuracy::error from the next field on …
  float field_accuracy = 0;   ///< … and that of the present field
  std::vector<float> errors;  ///< errors of the last draws, divided by accuracy^slope
  bool operator==(const TreeMemory&) const = default;
};

/// One line with the exact bits, for state files; empty where none is held.
std::string text_of(const TreeMemory& memory);
/// Throws a usage Error that names `key`.
TreeMemory parse_tree_memory(std::string_view text, std::string_view key);

/// The exact bits between bursts, from which a simulation of the same settings on any devices of that kind continues.
struct NbodyExact {
  double softening = 0;                        ///< softening of the field, which includes the potential
  double gravity = 1;                          ///< G of the field
  std::vector<std::vector<std::byte>> rows{};  ///< NbodyMember::state()
  TreeAccuracy accuracy{};                     ///< accuracy of a tree …
  double wanted_error = 0;                     ///< … and the error that it holds: see TreeControl
  std::vector<float> errors{};
};

/// Eight decimal digits with a first digit above 0: the same as text and as a number.
using StateHash = std::uint32_t;

}  // namespace orrery
