/// Display of names, and recognition of misspelt ones.
#include <gtest/gtest.h>

#include "base/text.hpp"

namespace orrery {
namespace {

TEST(Names, AreShownAsWords) {
  EXPECT_EQ(in_words("outer-solar-system"), "Outer solar system");
  EXPECT_EQ(in_words("Salt"), "Salt");
  EXPECT_EQ(in_words(""), "");
}

TEST(Names, OfFormulasAreShownAsSymbols) {
  EXPECT_EQ(as_symbol("theta0"), "θ₀");
  EXPECT_EQ(as_symbol("epsilon"), "ε");
  EXPECT_EQ(as_symbol("R0"), "R₀");
  EXPECT_EQ(as_symbol("k"), "k");
  EXPECT_EQ(as_symbol("screening"), "Screening");
  EXPECT_EQ(as_symbol("rest_length"), "Rest length");
}

TEST(Names, OneSlipIsAMisspellingAndTwoOfALongName) {
  for (const char* slip : {"nme", "namee", "nane", "anme"}) EXPECT_TRUE(is_misspelt(slip, "name")) << slip;
  for (const char* other : {"name", "mass", "nm", "radius", ""}) EXPECT_FALSE(is_misspelt(other, "name")) << other;
  EXPECT_TRUE(is_misspelt("thermstat", "thermostat"));
}

}  // namespace
}  // namespace orrery
