#include "scenes/nbody/model/share.hpp"

#include <array>
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

  // Pairs between bodies of devices i < j: i takes whole columns of parts of j, and the beginning of the next.
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
void divide_gather(std::size_t sources, NbodyShare& share) {
  const NbodyParts division = parts_of(sources);
  const std::size_t first = std::min((share.first + division.bodies - 1) / division.bodies, division.count);
  const std::size_t end = share.end >= sources ? division.count : share.end / division.bodies;
  const std::size_t own = end > first ? end - first : 0;
  share.near = {share.first, share.end, own > 0 ? first : 0, own, {}, sources};
  share.far = {share.first, share.end, own > 0 ? end % division.count : 0, division.count - own, {}, sources};
}

// Each launch of a walk should fill a large device, and ends with its slowest groups. The field of one round is
// exchanged during the next one, and that of the last round when nothing is left to do: it is short. A step on two
// H200: 8,388,608 bodies in one round 35.7 ms, in two of 1/2 35.2 ms, of 3/4 and 1/4 34.7 ms, in three 34.5 to 35.2 ms;
// 1,048,576 bodies in one round 5.35 ms, in two 5.65 ms.
std::vector<double> ends_of_rounds(std::size_t bodies, std::size_t devices) {
  constexpr std::size_t worth_cutting = 2'097'152;  // bodies of a device
  if (devices == 1 || bodies / devices < worth_cutting) return {1};
  return {0.75, 1};
}

// Each device moves all bodies, and sums the field of its share in groups.
NbodyPlan target_plan(std::size_t bodies, std::span<const double> speeds, std::size_t group,
                      std::span<const double> ends) {
  NbodyPlan plan;
  plan.shares.resize(speeds.size());
  std::size_t round_first = 0;
  for (const double part : ends) {
    const auto wanted = static_cast<std::size_t>(part * static_cast<double>(bodies));
    const std::size_t round_end = part == 1 ? bodies : wanted / group * group;
    std::size_t first = round_first;
    const std::vector<std::size_t> own_ends = ends_of(round_end - round_first, group, speeds);
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      const std::size_t end = std::max(round_first + own_ends[k], first);
      if (first < end) plan.shares[k].targets.push_back({first, end});
      first = end;
    }
    plan.rounds.push_back({round_first, round_end});
    round_first = round_end;
  }
  for (NbodyShare& share : plan.shares)
    if (!share.targets.empty()) share.end = bodies;
  for (std::size_t from = 0; from < speeds.size(); ++from)
    for (const TargetRange& range : plan.shares[from].targets)
      for (std::size_t to = 0; to < speeds.size(); ++to)
        if (from != to && !plan.shares[to].empty()) plan.parcels.push_back({from, to, 0, 1, range.first, range.end});
  return plan;
}

NbodyPlan gather_plan_of_movers(std::size_t bodies, std::span<const double> speeds, std::size_t sources) {
  const std::size_t parts = parts_of(sources).count;
  NbodyPlan plan = target_plan(bodies, speeds, group_of(bodies), std::array{1.0});
  for (NbodyShare& share : plan.shares) {
    const TargetRange own = share.empty() ? TargetRange{} : share.targets.front();
    share.near = {own.first, own.end, 0, parts, {}, sources};
  }
  return plan;
}

}  // namespace

std::size_t count_in(std::span<const TargetRange> ranges) {
  std::size_t count = 0;
  for (const TargetRange& range : ranges) count += range.end - range.first;
  return count;
}

NbodyPlan nbody_plan(std::size_t bodies, Forces forces, std::span<const double> speeds, const NbodyCut& cut) {
  if (forces == Forces::tree) return target_plan(bodies, speeds, cut.tree_group, ends_of_rounds(bodies, speeds.size()));
  const bool pairs = forces == Forces::pairs;
  const std::size_t sources = pairs || cut.sources == 0 ? bodies : cut.sources;
  if (cut.moves_all) return gather_plan_of_movers(bodies, speeds, sources);
  NbodyPlan plan;
  std::size_t first = 0;
  for (const std::size_t end : ends_of(bodies, pairs ? parts_of(bodies).bodies : group_of(bodies), speeds)) {
    plan.shares.push_back({std::min(first, end), end, {}, {}, {}});
    first = end;
  }
  for (NbodyShare& share : plan.shares) share.near.sources = share.far.sources = sources;
  if (pairs)
    PairDealer(bodies, speeds, plan).deal();
  else
    for (NbodyShare& share : plan.shares)
      if (!share.empty()) divide_gather(sources, share);
  return plan;
}

NbodyTask whole_field(std::size_t bodies) {
  const NbodyParts division = parts_of(bodies);
  NbodyTask task{0, bodies, 0, division.count, {}, bodies};
  for (std::uint32_t g = 0; g < division.count; ++g)
    for (std::uint32_t h = g; h < division.count; ++h) task.pairs.push_back({g, h});
  return task;
}

}  // namespace orrery
