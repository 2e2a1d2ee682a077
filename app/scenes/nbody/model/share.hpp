/// The division of the work when several devices share the bodies. Plain values; any thread.
///
/// A sum over all bodies consists of parts (parts.hpp), and each entry of the table of parts × bodies is summed by one
/// device only, in one way: the bits do not depend on the division.
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

/// A piece of the field, as the gather kernel or the pair kernel sums it.
struct NbodyTask {
  std::size_t first = 0, end = 0;         ///< bodies that are pulled …
  std::size_t first_part = 0, parts = 0;  ///< … by this number of parts from this one on, cyclically
  std::vector<PartPair> pairs;            ///< pairs of parts
  std::size_t sources = 0;                ///< bodies that are divided into parts

  bool empty(Forces forces) const { return forces == Forces::pairs ? pairs.empty() : first == end || parts == 0; }
};

/// Consecutive bodies that are pulled, in whole groups; with a tree on its curve.
struct TargetRange {
  std::size_t first = 0, end = 0;
};

/// The number of bodies, or groups, in these ranges.
std::size_t count_in(std::span<const TargetRange> ranges);

/// The bodies and the work of one device.
struct NbodyShare {
  std::size_t first = 0, end = 0;    ///< bodies that it moves
  NbodyTask near;                    ///< needs only its own bodies, or where each device moves all: the targets' field
  NbodyTask far;                     ///< needs the others' positions
  std::vector<TargetRange> targets;  ///< where each device moves all bodies: those whose field it sums, in this order
  bool empty() const { return first == end; }
};

/// Entries of the table that one device sums for others.
struct NbodyParcel {
  std::size_t from = 0, to = 0;  ///< devices
  std::size_t first_part = 0, parts = 0;
  std::size_t first = 0, end = 0;  ///< bodies of `to`; where each device moves all, targets of `from`
};

struct NbodyPlan {
  std::vector<NbodyShare> shares;    ///< of each device; the first one's is never empty
  std::vector<NbodyParcel> parcels;  ///< none where each device gathers the field of the bodies that it moves
  std::vector<TargetRange> rounds;   ///< of targets: a whole field is summed and exchanged round by round
};

/// Further terms of the division.
struct NbodyCut {
  std::size_t tree_group = 64;
  std::size_t sources = 0;  ///< bodies that pull, where forces are gathered; 0: all
  bool moves_all = false;   ///< where forces are gathered: each device moves all bodies, as with a tree
};

/// Shares bodies in proportion to the devices' `speeds` (any unit), in whole parts for pairs and whole groups for
/// gather. With pairs the work is proportional too: pairs between two devices' bodies are divided between the two. With
/// a tree each device builds all of it, walks it for its share of the targets, in groups of `cut.tree_group`, and moves
/// all bodies; with `cut.moves_all` it gathers for its share of them.
NbodyPlan nbody_plan(std::size_t bodies, Forces forces, std::span<const double> speeds, const NbodyCut& cut = {});

/// All work on one device.
NbodyTask whole_field(std::size_t bodies);

}  // namespace orrery
