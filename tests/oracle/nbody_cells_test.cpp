/// The tree's values for each body: the size of its leaf against boxes around the bodies, and the number of
/// interactions against a walk on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

using namespace orrery;

namespace {

using Place = std::array<double, 3>;

struct Box {
  Place low{}, high{};
  double edge() const {
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, high[k] - low[k]);
    return longest;
  }
  bool contains(const Place& at) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (at[k] < low[k] || at[k] > high[k]) return false;
    return true;
  }
};

struct Cells {
  std::vector<CellLevel> levels;
  std::vector<Box> boxes;
  std::vector<float> ratios, interactions;  // one per body
  const CellLevel& leaves() const { return levels.back(); }
  const Box& root() const { return boxes[levels.front().first]; }
};

Place place_of(const Body& body) { return {body.x, body.y, body.z}; }

NbodySettings by_angle(double angle) {
  NbodySettings settings;
  settings.forces = "tree";
  settings.opening_angle = angle;
  return settings;
}

NbodySimulation with_field(const Bodies& bodies, const NbodySettings& settings) {
  ProgramLibrary* programs = &bench().programs;
  NbodySimulation simulation = nbody_simulation(std::span(&programs, 1), settings, bodies);
  run_burst(simulation, bench().queue, {0, 0, settings.softening, false});
  return simulation;
}

Cells cells_of(NbodySimulation& simulation) {
  Queue& queue = bench().queue;
  const std::size_t count = simulation.bodies();
  Cells cells{cell_levels(count), {}, {}, {}};
  const cl::Buffer of_bodies = bench().device.buffer(count * sizeof(cl_float)),
                   of_cells = bench().device.buffer(bytes_of_cells());
  simulation.measure_leaves(queue, of_bodies);
  cells.ratios = queue.read_blocking<float>(of_bodies, count);
  simulation.count_interactions(queue, of_bodies);
  cells.interactions = queue.read_blocking<float>(of_bodies, count);
  simulation.tree()->copy_boxes(queue, of_cells);
  const CellLevel& root = cells.levels.front();
  const auto corners = queue.read_blocking<cl_float4>(of_cells, 2 * (root.first + root.count));
  for (std::size_t k = 0; k < corners.size(); k += 2) {
    const auto &low = corners[k].s, &high = corners[k + 1].s;
    cells.boxes.push_back({{low[0], low[1], low[2]}, {high[0], high[1], high[2]}});
  }
  return cells;
}

// The leaf of each body: the box of the reported size that contains it. Leaves of random bodies differ in size.
std::vector<std::size_t> leaves_of(const Bodies& bodies, const Cells& cells) {
  std::vector<std::size_t> leaves;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::vector<std::size_t> found;
    for (std::size_t leaf = 0; leaf < cells.leaves().count; ++leaf) {
      const Box& box = cells.boxes[cells.leaves().first + leaf];
      const double told = cells.root().edge() / static_cast<double>(cells.ratios[i]);
      if (box.contains(place_of(bodies[i])) && std::abs(box.edge() / told - 1) < 1e-6) found.push_back(leaf);
    }
    EXPECT_EQ(found.size(), 1U) << "body " << i;
    leaves.push_back(found.empty() ? 0 : found.front());
  }
  return leaves;
}

// The host's tree, in double, from the same runs of bodies.
class HostTree {
 public:
  HostTree(const Bodies& bodies, const std::vector<std::size_t>& leaves, const Cells& cells)
      : bodies_(bodies), members_(cells.leaves().count) {
    for (std::size_t i = 0; i < bodies.size(); ++i) members_[leaves[i]].push_back(i);
    levels_.emplace_back();
    for (const auto& members : members_) levels_[0].push_back(node_of(members));
    while (levels_.back().size() > 1) {
      std::vector<Node> above;
      for (std::size_t first = 0; first < levels_.back().size(); first += tree_branch)
        above.push_back(joined(first, std::min(first + tree_branch, levels_.back().size())));
      levels_.push_back(std::move(above));
    }
  }

  // The number of interactions of each body of the two leaves from this one on.
  std::size_t interactions(std::size_t first_leaf, double angle) const {
    std::vector<std::size_t> targets;
    Box box = levels_[0][first_leaf].box;
    for (std::size_t leaf = first_leaf; leaf < std::min(first_leaf + 2, members_.size()); ++leaf) {
      targets.insert(targets.end(), members_[leaf].begin(), members_[leaf].end());
      box = around(box, levels_[0][leaf].box);
    }
    return below(levels_.size() - 1, 0, targets, box, 4.0 / 3 / (angle * angle));
  }

 private:
  struct Node {
    Box box;
    Place centre{};
    double mass = 0, radius = 0;
  };

  static constexpr std::size_t without_mass = 1;  // a node that only fills its level up counts as one node without mass

  static double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
  static Box around(Box a, const Box& b) {
    for (std::size_t k = 0; k < 3; ++k)
      a.low[k] = std::min(a.low[k], b.low[k]), a.high[k] = std::max(a.high[k], b.high[k]);
    return a;
  }
  Node node_of(const std::vector<std::size_t>& members) const {
    Node node{{place_of(bodies_[members[0]]), place_of(bodies_[members[0]])}, {}, 0, 0};
    for (const std::size_t i : members) {
      const Place at = place_of(bodies_[i]);
      node.box = around(node.box, {at, at});
      node.mass += bodies_[i].mass;
      for (std::size_t k = 0; k < 3; ++k) node.centre[k] += bodies_[i].mass * at[k];
    }
    for (double& k : node.centre) k /= node.mass;
    for (const std::size_t i : members)
      node.radius = std::max(node.radius, distance(place_of(bodies_[i]), node.centre));
    return node;
  }
  Node joined(std::size_t first, std::size_t end) const {
    const std::vector<Node>& below = levels_.back();
    Node node{below[first].box, {}, 0, 0};
    for (std::size_t n = first; n < end; ++n) {
      node.box = around(node.box, below[n].box);
      node.mass += below[n].mass;
      for (std::size_t k = 0; k < 3; ++k) node.centre[k] += below[n].mass * below[n].centre[k];
    }
    for (double& k : node.centre) k /= node.mass;
    for (std::size_t n = first; n < end; ++n)
      node.radius = std::max(node.radius, distance(below[n].centre, node.centre) + below[n].radius);
    Place corner;
    for (std::size_t k = 0; k < 3; ++k)
      corner[k] = node.centre[k] + std::max(node.box.high[k] - node.centre[k], node.centre[k] - node.box.low[k]);
    node.radius = std::min(node.radius, distance(corner, node.centre));
    return node;
  }
  std::size_t below(std::size_t level, std::size_t number, const std::vector<std::size_t>& targets, const Box& box,
                    double guard) const {
    const Node& node = levels_[level][number];
    Place nearest;
    for (std::size_t k = 0; k < 3; ++k) nearest[k] = std::clamp(node.centre[k], box.low[k], box.high[k]);
    const auto is_far = [&](double d) { return d * d >= guard * node.radius * node.radius; };
    const bool far = is_far(distance(nearest, node.centre)) || std::ranges::all_of(targets, [&](std::size_t i) {
                       return is_far(distance(place_of(bodies_[i]), node.centre));
                     });
    if (far) return 1;
    if (level == 0) return TreeShape().leaf;
    std::size_t sum = 0;
    for (std::size_t child = number * tree_branch; child < (number + 1) * tree_branch; ++child)
      sum += child < levels_[level - 1].size() ? below(level - 1, child, targets, box, guard) : without_mass;
    return sum;
  }

  const Bodies& bodies_;
  std::vector<std::vector<std::size_t>> members_;  // of each leaf
  std::vector<std::vector<Node>> levels_;
};

Bodies with_floats(Bodies bodies) {
  for (Body& body : bodies)
    for (double Body::*of : {&Body::mass, &Body::x, &Body::y, &Body::z}) body.*of = static_cast<float>(body.*of);
  return bodies;
}

}  // namespace

TEST(Cells, HaveTheReportedSizes) {
  for (const char* initial : {"plummer", "galaxies"}) {
    const Bodies bodies = with_floats(make_bodies(initial, 3001, 0, 2));
    NbodySimulation simulation = with_field(bodies, by_angle(0.7));
    const Cells cells = cells_of(simulation);
    ASSERT_EQ(cells.leaves().count, (bodies.size() + TreeShape().leaf - 1) / TreeShape().leaf);
    std::vector<std::size_t> held(cells.leaves().count);
    for (const std::size_t leaf : leaves_of(bodies, cells)) ++held[leaf];
    held.back() += TreeShape().leaf - bodies.size() % TreeShape().leaf;
    EXPECT_TRUE(std::ranges::all_of(held, [](std::size_t count) { return count == TreeShape().leaf; })) << initial;
    for (const Body& body : bodies) EXPECT_TRUE(cells.root().contains(place_of(body)));
  }
}

// The device compares distances in single precision: a few groups may open one node more or less.
TEST(Cells, CostTheInteractionsOfAWalkOnTheHost) {
  for (const char* initial : {"plummer", "galaxies"})
    for (const double angle : {0.4, 1.0}) {
      const Bodies bodies = with_floats(make_bodies(initial, 4096, 0, 2));
      NbodySimulation simulation = with_field(bodies, by_angle(angle));
      const Cells cells = cells_of(simulation);
      const std::vector<std::size_t> leaves = leaves_of(bodies, cells);
      const HostTree tree(bodies, leaves, cells);
      std::size_t alike = 0;
      double told = 0, counted = 0;
      for (std::size_t i = 0; i < bodies.size(); i += 16) {
        const auto expected = static_cast<double>(tree.interactions(leaves[i] / 2 * 2, angle));
        alike += static_cast<double>(cells.interactions[i]) == expected ? 1 : 0;
        told += static_cast<double>(cells.interactions[i]);
        counted += expected;
      }
      EXPECT_GE(alike, 245U) << initial << " at " << angle;
      EXPECT_NEAR(told / counted, 1, 1e-3) << initial << " at " << angle;
      EXPECT_LT(told, 0.9 * 256 * 4096) << "few nodes pulled";
    }
}

TEST(Cells, CostAllBodiesWhereNoNodeIsFarEnough) {
  for (const std::int64_t work_group : {0, 4, 64}) {
    NbodySettings settings = by_angle(1e-3);
    settings.work_group = work_group;
    NbodySimulation simulation = with_field(make_bodies("plummer", 1000, 0, 2), settings);
    // 32 leaves below 8 nodes below 2, which two nodes without mass fill up to four.
    for (const float each : cells_of(simulation).interactions) EXPECT_EQ(each, 1024 + 2);
  }
}

TEST(Cells, OfBodiesInOnePointHaveTheSmallestSizeOfTheCurve) {
  Bodies bodies(200, Body{1e-3, 0.5, 0.5, 0.5, 0, 0, 0});
  NbodySimulation in_one_point = with_field(bodies, by_angle(0.7));
  for (const float each : cells_of(in_one_point).ratios) EXPECT_EQ(each, 1);
  bodies.front().x = -0.5;
  NbodySimulation beside_another = with_field(bodies, by_angle(0.7));
  const std::vector<float> ratios = cells_of(beside_another).ratios;
  EXPECT_EQ(std::ranges::count(ratios, 1.0F), 32);
  EXPECT_EQ(std::ranges::count(ratios, 2097152.0F), 168);
}

namespace {

struct FarBodies {
  const char* name;
  void (*place)(Body&, std::size_t i, double far);  // the i-th body of a cluster
  std::vector<double> distances;
};
std::ostream& operator<<(std::ostream& out, const FarBodies& far) { return out << far.name; }

void move_away(Body& body, double far) {
  const double length = std::hypot(body.x, body.y, body.z);
  body.x *= far / length, body.y *= far / length, body.z *= far / length;
}

class FarCells : public testing::TestWithParam<FarBodies> {};

}  // namespace

// At 100 times the cluster's size from the origin, coordinates of few bits still distinguish all bodies.
TEST_P(FarCells, CostAsMuchAsNearOnes) {
  const FarBodies& set = GetParam();
  const auto cost = [&](double far) {
    Bodies bodies = make_bodies("plummer", 32768, 0, 2);
    for (std::size_t i = 0; i < bodies.size(); ++i) set.place(bodies[i], i, far);
    ProgramLibrary* programs = &bench().programs;
    NbodySimulation simulation = nbody_simulation(std::span(&programs, 1), by_angle(1.2), bodies);
    simulation.set_accuracy({.guard = 1.44, .error = 1e-3, .depth_error = 1e-4});
    run_burst(simulation, bench().queue, {0, 0, NbodySettings().softening, false});
    const std::vector<float> each = cells_of(simulation).interactions;
    return std::accumulate(each.begin(), each.end(), 0.0);
  };
  const double usual = cost(100);
  for (const double far : set.distances) EXPECT_LT(cost(far), 1.2 * usual) << far;
}

INSTANTIATE_TEST_SUITE_P(Sets, FarCells,
                         testing::Values(FarBodies{"one",
                                                   [](Body& body, std::size_t i, double far) {
                                                     if (i == 99) move_away(body, far);
                                                   },
                                                   {1e3, 1e5, 1e7, 1e9, 1e12, 1e18}},
                                         FarBodies{"several",
                                                   [](Body& body, std::size_t i, double far) {
                                                     if (i % 1000 == 99) move_away(body, far * static_cast<double>(i));
                                                   },
                                                   {1e3, 1e5, 1e7, 1e9, 1e12}},
                                         FarBodies{"half",
                                                   [](Body& body, std::size_t i, double far) {
                                                     if (i % 2 == 0) move_away(body, far);
                                                   },
                                                   {1e3, 1e5, 1e7, 1e9, 1e12}},
                                         FarBodies{"large_cluster",
                                                   [](Body& body, std::size_t i, double far) {
                                                     if (i % 2 == 0) body.x *= far, body.y *= far, body.z *= far;
                                                   },
                                                   {1e3, 1e5, 1e7, 1e9, 1e12}},
                                         FarBodies{"two_clusters",
                                                   [](Body& body, std::size_t i, double far) {
                                                     if (i % 2 == 0)
                                                       body.x += far, body.y -= 0.7 * far, body.z += 0.4 * far;
                                                   },
                                                   {1e3, 1e4, 1e5}},  // floats near a million have a spacing of 0.06
                                         FarBodies{"two_clusters_and_several",
                                                   [](Body& body, std::size_t i, double far) {
                                                     if (i % 2 == 0)
                                                       body.x += far, body.y -= 0.7 * far, body.z += 0.4 * far;
                                                     if (i % 1000 == 99) move_away(body, 1e5 * far);
                                                   },
                                                   {1e3, 1e4, 1e5}}),
                         testing::PrintToStringParamName());

TEST(Cells, NeedATree) {
  NbodySettings settings = by_angle(0.7);
  settings.forces = "gather";
  EXPECT_EQ(with_field(make_bodies("plummer", 300, 0, 2), settings).tree(), nullptr);
}
