/// The groups of bodies that entered a run together, where bodies were changed by hand. Plain values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/nbody/bodies/body_edit.hpp"
#include "scenes/nbody/bodies/initial.hpp"

namespace orrery {

/// Bodies from this index to the next cohort; all bodies of an empty cohort were removed.
struct Cohort {
  std::size_t first = 0;
  std::optional<double> born = {};  ///< when they were added by hand; nothing: present from the start
  bool operator==(const Cohort&) const = default;
};
/// Cohorts in the order of their indices; the first begins at 0.
using Cohorts = std::vector<Cohort>;

/// The cohorts of bodies that no hand has changed: the parts of their initial condition.
Cohorts cohorts_of(std::string_view initial, std::size_t bodies);
/// Updates the cohorts for an edit by hand at this time; `bodies` is the number of bodies before it.
void follow(const BodyEdit& edit, std::size_t bodies, double time, Cohorts& cohorts);
/// The cohorts as named parts; bodies that were added singly in succession are one part. Empty for a single part.
std::vector<BodyPart> parts_of(const Cohorts& cohorts, std::string_view initial, std::size_t bodies);

/// "0 512 1024@3.25"
std::string text_of(const Cohorts& cohorts);
/// Throws a usage Error that names `key`.
Cohorts parse_cohorts(std::string_view text, std::string_view key);

}  // namespace orrery
