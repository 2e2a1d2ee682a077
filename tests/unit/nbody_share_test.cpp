/// The division of bodies and work among devices: complete, without repetition, and in proportion.
#include <gtest/gtest.h>

#include <numeric>

#include "scenes/nbody/model/kernels.hpp"
#include "scenes/nbody/model/share.hpp"

namespace orrery {
namespace {

using Speeds = std::vector<double>;

const std::vector<Speeds> speed_lists{{1},          {1, 1},    {1, 3},    {5, 1, 1},
                                      {1, 1, 1, 1}, {1, 1e-6}, {1e-6, 1}, {3, 1, 7, 2, 2}};
const std::vector<std::size_t> body_counts{1, 2, 3, 63, 64, 65, 777, 1001, 4096, 8191, 10000, 135168, 262144, 5000001};

std::size_t owner_of(const NbodyPlan& plan, std::size_t body) {
  for (std::size_t k = 0; k < plan.shares.size(); ++k)
    if (body >= plan.shares[k].first && body < plan.shares[k].end) return k;
  ADD_FAILURE() << "no device owns body " << body;
  return 0;
}

void expect_all_owned(const NbodyPlan& plan, std::size_t bodies, std::size_t devices) {
  ASSERT_EQ(plan.shares.size(), devices);
  std::size_t next = 0;
  for (const NbodyShare& share : plan.shares) {
    EXPECT_EQ(share.first, next);
    EXPECT_LE(share.first, share.end);
    next = share.end;
  }
  EXPECT_EQ(next, bodies);
  EXPECT_FALSE(plan.shares.front().empty());
}

/// Per device, pulling part and pulled part: the number of times that the entry was computed or received.
class Table {
 public:
  Table(std::size_t bodies, std::size_t devices)
      : division_(parts_of(bodies)), entries_(devices * division_.count * division_.count) {}
  int& at(std::size_t device, std::size_t pulling, std::size_t pulled) {
    return entries_[(device * division_.count + pulling) * division_.count + pulled];
  }
  const NbodyParts& division() const { return division_; }

 private:
  NbodyParts division_;
  std::vector<int> entries_;
};

}  // namespace

TEST(NbodyPlan, GatherSumsEachEntryOnceWhereItsBodyIs) {
  for (const std::size_t bodies : body_counts)
    for (const Speeds& speeds : speed_lists) {
      const NbodyPlan plan = nbody_plan(bodies, Forces::gather, speeds);
      expect_all_owned(plan, bodies, speeds.size());
      EXPECT_TRUE(plan.parcels.empty());
      const NbodyParts division = parts_of(bodies);
      for (const NbodyShare& share : plan.shares) {
        if (share.empty()) {
          EXPECT_TRUE(share.near.empty(Forces::gather) && share.far.empty(Forces::gather));
          continue;
        }
        std::vector<int> summed(division.count);
        for (const NbodyTask* task : {&share.near, &share.far}) {
          EXPECT_EQ(task->first, share.first);
          EXPECT_EQ(task->end, share.end);
          for (std::size_t k = 0; k < task->parts; ++k) ++summed[(task->first_part + k) % division.count];
        }
        EXPECT_EQ(summed, std::vector<int>(division.count, 1)) << bodies;
        for (std::size_t k = 0; k < share.near.parts; ++k) {
          const std::size_t first = (share.near.first_part + k) * division.bodies;
          EXPECT_GE(first, share.first);
          EXPECT_LE(std::min(first + division.bodies, bodies), share.end) << "a near part is another's too";
        }
      }
    }
}

TEST(NbodyPlan, EachPairOfPartsIsSeenOnceAndBothItsEndsReachTheirOwner) {
  for (const std::size_t bodies : body_counts)
    for (const Speeds& speeds : speed_lists) {
      const NbodyPlan plan = nbody_plan(bodies, Forces::pairs, speeds);
      expect_all_owned(plan, bodies, speeds.size());
      Table table(bodies, speeds.size());
      const NbodyParts& division = table.division();
      for (std::size_t k = 0; k < speeds.size(); ++k) {
        const NbodyShare& share = plan.shares[k];
        EXPECT_TRUE(share.first % division.bodies == 0 || share.empty());
        for (const NbodyTask* task : {&share.near, &share.far})
          for (const auto [g, h] : task->pairs) {
            const std::size_t owner = owner_of(plan, g * division.bodies), other = owner_of(plan, h * division.bodies);
            EXPECT_TRUE(task == &share.near ? owner == k && other == k : owner != other && (owner == k || other == k));
            ++table.at(k, h, g);
            if (g != h) ++table.at(k, g, h);
          }
      }
      for (const NbodyParcel& parcel : plan.parcels) {
        EXPECT_LT(parcel.first, parcel.end);
        for (std::size_t part = 0; part < parcel.parts; ++part)
          for (std::size_t body = parcel.first; body < parcel.end; body += division.bodies) {
            EXPECT_EQ(owner_of(plan, body), parcel.to);
            const std::size_t pulling = parcel.first_part + part, pulled = body / division.bodies;
            EXPECT_EQ(table.at(parcel.from, pulling, pulled), 1) << "it sends what it has";
            ++table.at(parcel.to, pulling, pulled);
          }
      }
      for (std::size_t pulling = 0; pulling < division.count; ++pulling)
        for (std::size_t pulled = 0; pulled < division.count; ++pulled)
          EXPECT_EQ(table.at(owner_of(plan, pulled * division.bodies), pulling, pulled), 1) << bodies;
    }
}

TEST(NbodyPlan, WorkIsInProportionToSpeed) {
  for (const Speeds& speeds :
       {Speeds{1, 1}, Speeds{1, 3}, Speeds{2, 1}, Speeds{1, 1, 1}, Speeds{4, 2, 1}, Speeds{1, 1, 1, 1}}) {
    constexpr std::size_t bodies = 262144;
    const NbodyPlan plan = nbody_plan(bodies, Forces::pairs, speeds);
    const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      double work = static_cast<double>(plan.shares[k].far.pairs.size());
      for (const auto [g, h] : plan.shares[k].near.pairs) work += g == h ? 0.5 : 1;
      // 16 parts make 128 whole pairs; fractions, and the halves on the diagonal, cannot be divided further.
      EXPECT_NEAR(work, 128 * speeds[k] / all, 2.5) << k << " of " << speeds.size();
    }
    const NbodyPlan gather = nbody_plan(bodies, Forces::gather, speeds);
    for (std::size_t k = 0; k < speeds.size(); ++k)
      EXPECT_NEAR(static_cast<double>(gather.shares[k].end - gather.shares[k].first), bodies * speeds[k] / all, 512);
  }
}

// One device walks each whole group, and each stretch is sent to all other devices.
TEST(NbodyPlan, TheCurveIsWalkedOnce) {
  for (const std::size_t bodies : {1, 64, 65, 1000, 5'000'011})
    for (const Speeds& speeds : {Speeds{1}, Speeds{1, 1}, Speeds{1, 3}, Speeds{4, 2, 1}}) {
      const NbodyPlan plan = nbody_plan(bodies, Forces::tree, speeds);
      std::vector<TargetRange> walks;
      std::size_t devices = 0, stretches = 0;
      for (const NbodyShare& share : plan.shares) {
        EXPECT_EQ(share.end, share.targets.empty() ? 0 : bodies) << "it moves all or none";
        walks.insert(walks.end(), share.targets.begin(), share.targets.end());
        devices += share.empty() ? 0 : 1;
        stretches += share.targets.size();
      }
      EXPECT_EQ(plan.parcels.size(), stretches * (devices - 1));
      std::ranges::sort(walks, {}, &TargetRange::first);
      std::size_t end = 0;
      for (const TargetRange& walk : walks) {
        EXPECT_EQ(walk.first, end);
        EXPECT_EQ(walk.first % TreeShape().group, 0U);
        end = walk.end;
      }
      EXPECT_EQ(end, bodies);
    }
}

// Each device sums the whole field of its own targets, and sends it to all others.
TEST(NbodyPlan, MoversGatherEachFieldOnce) {
  for (const std::size_t bodies : body_counts)
    for (const Speeds& speeds : speed_lists) {
      const NbodyPlan plan = nbody_plan(bodies, Forces::gather, speeds, {.moves_all = true});
      const std::size_t rows = parts_of(bodies).count;
      std::size_t end = 0, movers = 0;
      for (const NbodyShare& share : plan.shares) {
        EXPECT_TRUE(share.far.empty(Forces::gather));
        if (share.empty()) continue;
        ++movers;
        EXPECT_EQ(share.end - share.first, bodies);
        ASSERT_EQ(share.targets.size(), 1U);
        EXPECT_EQ(share.targets.front().first, end);
        end = share.targets.front().end;
        EXPECT_EQ(share.near.end, end);
        EXPECT_EQ(share.near.first, share.targets.front().first);
        EXPECT_EQ(share.near.parts, rows);
      }
      EXPECT_EQ(end, bodies);
      EXPECT_EQ(plan.parcels.size(), movers * (movers - 1));
      for (const NbodyParcel& parcel : plan.parcels) {
        EXPECT_EQ(parcel.parts, 1U);
        EXPECT_EQ(parcel.first, plan.shares[parcel.from].near.first);
        EXPECT_EQ(parcel.end, plan.shares[parcel.from].near.end);
      }
    }
}

TEST(NbodyPlan, ADeviceMayHaveNothingToDo) {
  const NbodyPlan plan = nbody_plan(3, Forces::gather, Speeds{1, 1, 1, 1});
  EXPECT_EQ(plan.shares[0].end, 3U);
  for (std::size_t k = 1; k < 4; ++k) EXPECT_TRUE(plan.shares[k].empty());
}

}  // namespace orrery
