/// Which bodies came into a run together, where a hand has changed them. Plain values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/nbody/bodies/body_edit.hpp"
#include "scenes/nbody/bodies/initial.hpp"

namespace orrery {

/// Bodies from this index on, until the next cohort begins; those of one that is empty were removed.
struct Cohort {
  std::size_t first = 0;
  std::optional<double> born = {};  ///< when a hand has added them; nothing: they were there from the beginning
  bool operator==(const Cohort&) const = default;
};
/// In the order of their indices; the first begins at 0.
using Cohorts = std::vector<Cohort>;

/// Bodies that no hand has changed are in the parts of their condition.
Cohorts cohorts_of(std::string_view initial, std::size_t bodies);
/// A hand makes this change at this time, where there are so many bodies: the cohorts become those after it.
void follow(const BodyEdit& edit, std::size_t bodies, double time, Cohorts& cohorts);
/// The parts that these are, named; bodies that were added one by one, one after the other, are one part. None where
/// all are of one.
std::vector<BodyPart> parts_of(const Cohorts& cohorts, std::string_view initial, std::size_t bodies);

/// "0 512 1024@3.25"
std::string text_of(const Cohorts& cohorts);
/// Throws a usage Error that names `key`.
Cohorts parse_cohorts(std::string_view text, std::string_view key);

}  // namespace orrery
