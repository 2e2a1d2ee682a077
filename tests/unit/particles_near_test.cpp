// Neighbour search on the host against all pairs: boxes of one, two and more cells per side, and open space.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "scenes/particles/world/near_search.hpp"

namespace orrery::particles {
namespace {

constexpr double near = 1;

std::vector<Vector> points(std::size_t count, const Vector& sides) {
  std::mt19937 dice(7);
  std::vector<Vector> all(count);
  for (Vector& at : all)
    for (std::size_t k = 0; k < 3; ++k)
      at[k] = std::uniform_real_distribution<double>(-1.5 * sides[k], 1.5 * sides[k])(dice);
  return all;
}

void check(const Box& box, const Vector& sides) {
  const std::vector<Vector> all = points(120, sides);
  NearSearch search(box, near);
  std::size_t found_in_all = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::set<std::uint32_t> expected;
    for (std::uint32_t j = 0; j < i; ++j)
      if (distance2(box, all[i], all[j]) < near * near) expected.insert(j);
    std::multiset<std::uint32_t> found;
    search.around(all[i], [&](std::uint32_t j, double squared) {
      EXPECT_EQ(squared, distance2(box, all[i], all[j]));
      found.insert(j);
    });
    EXPECT_EQ(found, std::multiset<std::uint32_t>(expected.begin(), expected.end())) << "each once";
    EXPECT_EQ(search.any(all[i]), !expected.empty());
    found_in_all += found.size();
    search.add(all[i]);
  }
  EXPECT_GT(found_in_all, 10U);
}

TEST(ParticleNearSearch, FindsTheNeighboursOfAllPairsInABox) {
  for (const Vector& sides : {Vector{1.2, 1.7, 2.5}, Vector{2, 3, 4}, Vector{3.99, 4.01, 2.01}, Vector{1, 9, 1}})
    check(Box{sides}, sides);
}

TEST(ParticleNearSearch, FindsTheNeighboursOfAllPairsInOpenSpace) { check(Box{}, {2, 2, 2}); }

}  // namespace
}  // namespace orrery::particles
