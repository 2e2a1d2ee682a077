#include "base/files/gradient.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace orrery {
namespace {

// Entries of the published tables of 256 colours that are not among the stops of our files.
TEST(Gradient, PublishedPalettesKeepTheirColours) {
  const struct {
    const char* name;
    std::size_t index;
    std::array<int, 3> rgb;
  } published[] = {
      {"viridis", 0, {68, 1, 84}},      {"viridis", 100, {42, 118, 142}},  {"viridis", 255, {253, 231, 37}},
      {"magma", 100, {137, 40, 129}},   {"magma", 204, {254, 159, 109}},   {"inferno", 100, {144, 37, 104}},
      {"inferno", 204, {252, 165, 10}}, {"cividis", 100, {101, 104, 112}}, {"cividis", 204, {200, 184, 102}},
  };
  for (const auto& color : published) {
    const auto ramp = gradient_ramp(color.name, 256);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(ramp[3 * color.index + k], color.rgb[k], 4) << color.name;
  }
}

TEST(Gradient, CyclicGradientsEndOneStepBeforeTheirBeginning) {
  for (const GradientInfo& info : gradients()) {
    const auto ramp = gradient_ramp(info.name, 512);
    int seam = 0;
    for (std::size_t k = 0; k < 3; ++k) seam = std::max(seam, std::abs(ramp[k] - ramp[3 * 511 + k]));
    if (!info.cyclic) continue;
    EXPECT_LE(seam, 12) << info.name;
    const auto few = gradient_ramp(info.name, 16);
    EXPECT_NE(std::vector(few.begin(), few.begin() + 3), std::vector(few.end() - 3, few.end())) << info.name;
  }
}

TEST(Gradient, AnUnknownNameIsRefusedWithTheKnownOnes) {
  try {
    (void)gradient_ramp("mauve", 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_NE(std::string(error.what()).find("viridis"), std::string::npos);
  }
}

}  // namespace
}  // namespace orrery
