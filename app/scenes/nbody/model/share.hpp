/// Who computes what when several devices share the bodies. Plain values; any thread.
///
/// A sum over all bodies is one of parts (parts.hpp), and each entry of the table of parts × bodies is summed by one
/// device alone, in one way: so the bits do not depend on the division.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scenes/nbody/model/parts.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// first ≤ second; the pair kernel reads it as a uint2.
struct PartPair {
  std::uint32_t first = 0, second = 0;
  bool operator==(const PartPair&) const = default;
};

/// A piece of the field: what of it the kernel that gathers sums, and what the one that sees pairs.
struct NbodyTask {
  std::size_t first = 0, end = 0;         ///< bodies that are pulled …
  std::size_t first_part = 0, parts = 0;  ///< … by so many parts from this one on, round and round
  std::vector<PartPair> pairs;            ///< of parts

  bool empty(Forces forces) const { return forces == Forces::pairs ? pairs.empty() : first == end || parts == 0; }
};

/// What one device owns and does.
struct NbodyShare {
  std::size_t first = 0, end = 0;  ///< bodies that it moves
  NbodyTask near;                  ///< among its own bodies
  NbodyTask far;                   ///< what needs the others' positions
  bool empty() const { return first == end; }
};

/// Entries of the table that one device has summed for another's bodies.
struct NbodyParcel {
  std::size_t from = 0, to = 0;  ///< devices
  std::size_t first_part = 0, parts = 0;
  std::size_t first = 0, end = 0;  ///< bodies, of `to`
};

struct NbodyPlan {
  std::vector<NbodyShare> shares;    ///< of each device; the first one's is never empty
  std::vector<NbodyParcel> parcels;  ///< none where forces are gathered
};

/// Bodies in proportion to the devices' `speeds` (any unit), in whole parts for pairs and whole groups for gather. Of
/// pairs, the work too is in proportion: what two devices' bodies do to each other is divided between the two.
NbodyPlan nbody_plan(std::size_t bodies, Forces forces, std::span<const double> speeds);

/// All of it on one device.
NbodyTask whole_field(std::size_t bodies);

}  // namespace orrery
