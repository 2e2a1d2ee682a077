/// The user's choices for kernels as text.
#include "compute/tuning/variant_text.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

namespace orrery {
namespace {

TEST(VariantText, ReadsBackWhatItWrites) {
  const ChosenVariants variants{{"single", {{"work-group", "64"}, {"forces", "pairs"}}}, {"double", {{"unroll", "4"}}}};
  EXPECT_EQ(parse_variants(text_of(variants)), variants);
  EXPECT_EQ(text_of(ChosenVariants()), "auto");
  EXPECT_TRUE(parse_variants("auto").empty());
  EXPECT_TRUE(parse_variants(" ").empty());
}

TEST(VariantText, OneKernelsChoiceLeavesTheOthersAlone) {
  const std::string text = with_choice("double: unroll 4", "single", {{"lanes", "8"}});
  EXPECT_EQ(choice_for(text, "double"), (NamedTuneValues{{"unroll", "4"}}));
  EXPECT_EQ(choice_for(text, "single"), (NamedTuneValues{{"lanes", "8"}}));
  EXPECT_EQ(with_choice(text, "single", {}), "double: unroll 4");
  EXPECT_TRUE(choice_for(text, "ladder").empty());
}

TEST(VariantText, RefusesInvalidVariants) {
  for (const char* text : {"fast", "single", ": lanes 8", "single: lanes", "single: lanes 8;", "single: ,"})
    EXPECT_THROW(parse_variants(text), Error) << text;
}

TEST(VariantText, NamesOnlyExistingKernelsAndAxes) {
  const auto check = [](const char* text) { check_variants(text, {"single", "double"}, {"lanes", "tile"}); };
  EXPECT_NO_THROW(check("auto"));
  EXPECT_NO_THROW(check("single: lanes 4, tile own; double: lanes 8"));
  EXPECT_THROW(check("triple: lanes 4"), Error);
  EXPECT_THROW(check("single: lanes 4, color 8"), Error);
  EXPECT_THROW(check("single"), Error);
}

TEST(VariantText, KnowsTheAxesOfEveryKernel) {
  NbodySettings nbody;
  DeviceInfo device;
  device.max_work_group = 256;
  device.local_bytes = 32768;
  nbody.variant =
      text_of(ChosenVariants{{"single", nbody_named(nbody_tune_standard(device, Precision::single, 1024))}});
  EXPECT_NO_THROW(check_variant(nbody)) << nbody.variant;
  MandelbrotSettings picture;
  picture.variant = text_of(ChosenVariants{{"double", mandelbrot::named_values({})}});
  EXPECT_NO_THROW(check_variant(picture)) << picture.variant;
}

TEST(TuneSpace, AChosenAxisTakesThePlaceOfItsValueAndNoOther) {
  const TuneSpace space{{{"a", {1, 2, 4}}, {"kind", {0, 1}, {"slow", "fast"}}}};
  EXPECT_EQ(space.overlaid({1, 0}, {{"kind", "fast"}}), (TuneValues{1, 1}));
  EXPECT_THROW(space.overlaid({1, 0}, {{"a", "3"}}), Error);
  EXPECT_THROW(space.overlaid({1, 0}, {{"b", "1"}}), Error);
  EXPECT_EQ(space.restricted({2, 1}, {"a"}).points(), 3U);
  EXPECT_EQ(space.restricted({2, 1}, {"a"}).point(0), (TuneValues{1, 1}));
}

}  // namespace
}  // namespace orrery
