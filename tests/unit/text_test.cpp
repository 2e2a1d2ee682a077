/// Names as people write and misspell them.
#include <gtest/gtest.h>

#include "base/text.hpp"

namespace orrery {
namespace {

TEST(Names, AreShownAsWords) {
  EXPECT_EQ(in_words("outer-solar-system"), "Outer solar system");
  EXPECT_EQ(in_words("Salt"), "Salt");
  EXPECT_EQ(in_words(""), "");
}

TEST(Names, OneSlipIsAMisspellingAndTwoOfALongName) {
  for (const char* slip : {"nme", "namee", "nane", "anme"}) EXPECT_TRUE(is_misspelt(slip, "name")) << slip;
  for (const char* other : {"name", "mass", "nm", "radius", ""}) EXPECT_FALSE(is_misspelt(other, "name")) << other;
  EXPECT_TRUE(is_misspelt("thermstat", "thermostat"));
}

}  // namespace
}  // namespace orrery
