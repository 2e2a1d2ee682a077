#include "scenes/nbody/model/share.hpp"

#include <cmath>
#include <numeric>

#include "scenes/nbody/model/kernels.hpp"

namespace orrery {
namespace {

// Bodies of the largest group that gathers, and of the smallest one where there are few.
std::size_t group_of(std::size_t bodies) { return bodies < 8192 ? 64 : 512; }

// The end of each device's bodies, in multiples of `unit`.
std::vector<std::size_t> ends_of(std::size_t bodies, std::size_t unit, std::span<const double> speeds) {
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  const auto units = static_cast<double>(bodies) / static_cast<double>(unit);
  std::vector<std::size_t> ends;
  double faster = 0;
  for (const double speed : speeds) {
    faster += speed;
    const auto end = static_cast<std::size_t>(std::llround(units * faster / all)) * unit;
    ends.push_back(std::clamp(end, std::min(unit, bodies), bodies));
  }
  ends.back() = bodies;
  return ends;
}

struct PartRange {
  std::size_t first, end;
  std::size_t count() const { return end - first; }
};

class PairDealer {
 public:
  PairDealer(std::size_t bodies, std::span<const double> speeds, NbodyPlan& plan)
      : bodies_(bodies), division_(parts_of(bodies)), plan_(plan) {
    const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    const auto n = static_cast<double>(bodies);
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      const NbodyShare& share = plan.shares[k];
      const std::size_t first = share.first / division_.bodies;
      ranges_.push_back({first, share.empty() ? first : (share.end + division_.bodies - 1) / division_.bodies});
      const auto own = static_cast<double>(share.end - share.first);
      wanting_.push_back(n * n / 2 * speeds[k] / all - own * own / 2);
      across_.push_back(own * (n - own));
    }
  }

  void deal() {
    for (std::size_t k = 0; k < ranges_.size(); ++k)
      for (std::size_t g = ranges_[k].first; g < ranges_[k].end; ++g)
        for (std::size_t h = g; h < ranges_[k].end; ++h) plan_.shares[k].near.pairs.push_back(pair(g, h));
    for (std::size_t i = 0; i < ranges_.size(); ++i)
      for (std::size_t j = i + 1; j < ranges_.size(); ++j) divide(i, j);
  }

 private:
  static PartPair pair(std::size_t g, std::size_t h) {
    return {static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(h)};
  }

  // Pairs between bodies of devices i < j: i takes whole columns of parts of j, and the beginning of another one.
  void divide(std::size_t i, std::size_t j) {
    const PartRange &rows = ranges_[i], &columns = ranges_[j];
    if (rows.count() == 0 || columns.count() == 0) return;
    const double cells = static_cast<double>(rows.count() * columns.count());
    const double work = static_cast<double>(owned(i) * owned(j));
    const auto taken = static_cast<std::size_t>(std::llround(cells * part_of_first(i, j)));
    settle(i, j, work, static_cast<double>(taken) / cells);
    const std::size_t full = columns.first + taken / rows.count(), over = rows.first + taken % rows.count();
    for (std::size_t h = columns.first; h < columns.end; ++h)
      for (std::size_t g = rows.first; g < rows.end; ++g)
        plan_.shares[h < full || (h == full && g < over) ? i : j].far.pairs.push_back(pair(g, h));
    send(i, j, rows, {columns.first, full});
    if (full == columns.end) return;
    send(i, j, {rows.first, over}, {full, full + 1});
    send(j, i, {full, full + 1}, {over, rows.end});
    send(j, i, {full + 1, columns.end}, rows);
  }

  std::size_t owned(std::size_t k) const { return plan_.shares[k].end - plan_.shares[k].first; }

  // The fraction of its remaining shared work that each of the two takes.
  double part_of_first(std::size_t i, std::size_t j) const {
    const auto eagerness = [&](std::size_t k) { return std::max(wanting_[k], 0.0) / across_[k]; };
    const double both = eagerness(i) + eagerness(j);
    return both > 0 ? eagerness(i) / both : 0.5;
  }

  void settle(std::size_t i, std::size_t j, double work, double part) {
    wanting_[i] -= part * work;
    wanting_[j] -= (1 - part) * work;
    across_[i] -= work;
    across_[j] -= work;
  }

  // The pull of the parts `pulling`, of device `from`, on the bodies of the parts `pulled`.
  void send(std::size_t from, std::size_t to, PartRange pulling, PartRange pulled) {
    if (pulling.count() == 0 || pulled.count() == 0) return;
    plan_.parcels.push_back({from, to, pulling.first, pulling.count(), pulled.first * division_.bodies,
                             std::min(pulled.end * division_.bodies, bodies_)});
  }

  std::size_t bodies_;
  NbodyParts division_;
  NbodyPlan& plan_;
  std::vector<PartRange> ranges_;
  std::vector<double> wanting_, across_;  // work that a device still has to take, and work that it shares with others
};

// The parts that lie within the device's own bodies come first.
void divide_gather(std::size_t bodies, NbodyShare& share) {
  const NbodyParts division = parts_of(bodies);
  const std::size_t first = (share.first + division.bodies - 1) / division.bodies;
  const std::size_t end = share.end == bodies ? division.count : share.end / division.bodies;
  const std::size_t own = end > first ? end - first : 0;
  share.near = {share.first, share.end, own > 0 ? first : 0, own, {}};
  share.far = {share.first, share.end, own > 0 ? end % division.count : 0, division.count - own, {}};
}

NbodyPlan tree_plan(std::size_t bodies, std::span<const double> speeds) {
  NbodyPlan plan;
  std::size_t first = 0;
  for (const std::size_t end : ends_of(bodies, tree_group, speeds)) {
    NbodyShare& share = plan.shares.emplace_back();
    if (first < end) share = {0, bodies, {first, end, 0, 1, {}}, {}};
    first = std::max(first, end);
  }
  for (std::size_t piece = 0; piece < walk_pieces; ++piece)
    for (std::size_t from = 0; from < plan.shares.size(); ++from)
      for (std::size_t to = 0; to < plan.shares.size(); ++to) {
        const NbodyTask& walked = plan.shares[from].near;
        if (from == to || plan.shares[from].empty() || plan.shares[to].empty()) continue;
        const std::size_t begin = end_of_piece(walked, piece), end = end_of_piece(walked, piece + 1);
        if (begin < end) plan.parcels.push_back({from, to, 0, 1, begin, end});
      }
  return plan;
}

}  // namespace

NbodyPlan nbody_plan(std::size_t bodies, Forces forces, std::span<const double> speeds) {
  if (forces == Forces::tree) return tree_plan(bodies, speeds);
  const bool pairs = forces == Forces::pairs;
  NbodyPlan plan;
  std::size_t first = 0;
  for (const std::size_t end : ends_of(bodies, pairs ? parts_of(bodies).bodies : group_of(bodies), speeds)) {
    plan.shares.push_back({std::min(first, end), end, {}, {}});
    first = end;
  }
  if (pairs)
    PairDealer(bodies, speeds, plan).deal();
  else
    for (NbodyShare& share : plan.shares)
      if (!share.empty()) divide_gather(bodies, share);
  return plan;
}

std::size_t end_of_piece(const NbodyTask& walked, std::size_t pieces) {
  const std::size_t groups = (walked.end - walked.first + tree_group - 1) / tree_group;
  return std::min(walked.end, walked.first + groups * pieces / walk_pieces * tree_group);
}

NbodyTask whole_field(std::size_t bodies) {
  const NbodyParts division = parts_of(bodies);
  NbodyTask task{0, bodies, 0, division.count, {}};
  for (std::uint32_t g = 0; g < division.count; ++g)
    for (std::uint32_t h = g; h < division.count; ++h) task.pairs.push_back({g, h});
  return task;
}

}  // namespace orrery
