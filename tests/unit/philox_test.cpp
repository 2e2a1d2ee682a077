/// The counter-based random bits of the host against the generator's published answers.
#include "base/philox.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace orrery;

// The known answers of "philox4x32 10" that come with Random123.
TEST(Philox, GivesItsPublishedAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, TakesEachBlockOnceInTwoHalves) {
  PhiloxBits bits(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x03707344);
  for (std::uint32_t k = 0; k < 3; ++k) {
    const PhiloxBlock block = philox4x32({0x243f6a88, 0x85a308d3, k, 0x03707344}, {0xa4093822, 0x299f31d0});
    EXPECT_EQ(bits(), std::uint64_t{block[1]} << 32 | block[0]);
    EXPECT_EQ(bits(), std::uint64_t{block[3]} << 32 | block[2]);
  }
}

TEST(Philox, HasOtherBitsForEachSeedNumberAndPurpose) {
  std::set<std::uint64_t> first;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32})
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32})
      for (const std::uint32_t purpose : {0U, 1U}) first.insert(PhiloxBits(seed, number, purpose)());
  EXPECT_EQ(first.size(), 18U);
}
