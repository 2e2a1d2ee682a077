// The life cycles of the Mandelbrot scene's pictures: each event in each phase, without a device.
#include "scenes/mandelbrot/pictures/picture_phase.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <string>

namespace orrery::mandelbrot {
namespace {

using P = PicturePhase;
using E = PictureEvent;
using W = Publication;
using V = PublicationEvent;
using S = SampleSurface;
using T = SampleEvent;

constexpr std::array every_phase{P::resting, P::iterating, P::deepening, P::finished};
constexpr std::array every_event{E::begin, E::raise, E::rest, E::finish, E::stir, E::doubt, E::refuse};
constexpr std::array every_publication{W::settled, W::due, W::writing, W::overtaken};
constexpr std::array every_publication_event{V::change, V::write, V::arrive, V::drop};
constexpr std::array every_surface{S::vacant, S::writing, S::unwanted, S::arrived};
constexpr std::array every_sample_event{T::write, T::arrive, T::discard, T::take, T::drop};

TEST(PicturePhase, EveryEventLeadsWhereTheTableSays) {
  // In the order of every_event; nothing: illegal.
  using Row = std::array<std::optional<P>, every_event.size()>;
  const auto no = std::nullopt;
  const std::map<P, Row> table{
      {P::resting, {P::iterating, P::deepening, P::resting, P::finished, P::resting, no, P::resting}},
      {P::iterating, {P::iterating, P::iterating, P::resting, no, P::iterating, no, P::iterating}},
      {P::deepening, {P::iterating, P::deepening, P::resting, no, P::deepening, no, P::deepening}},
      {P::finished, {P::iterating, no, no, no, P::resting, P::resting, P::resting}}};
  for (const P phase : every_phase)
    for (std::size_t i = 0; i < every_event.size(); ++i)
      EXPECT_EQ(after(phase, every_event[i]), table.at(phase)[i])
          << "phase " << static_cast<int>(phase) << ", event " << i;
}

TEST(PicturePhase, NoFrameBeginsWithAFinishedPicture) {
  for (const P phase : every_phase) EXPECT_NE(after(phase, E::stir), P::finished);
}

TEST(PicturePhase, AnotherPictureMayBeginAtAnyMoment) {
  for (const P phase : every_phase) EXPECT_EQ(after(phase, E::begin), P::iterating);
}

TEST(PicturePhase, APictureIsFinishedOnlyWhileNothingIsComputed) {
  for (const P phase : every_phase) EXPECT_EQ(after(phase, E::finish).has_value(), phase == P::resting);
}

TEST(PicturePhase, ARefusalEndsNoTiming) {
  for (const P phase : every_phase)
    EXPECT_EQ(after(phase, E::refuse) == P::iterating, phase == P::iterating) << static_cast<int>(phase);
}

TEST(Publication, EveryEventLeadsWhereTheTableSays) {
  // In the order of every_publication_event; nothing: illegal.
  using Row = std::array<std::optional<W>, every_publication_event.size()>;
  const auto no = std::nullopt;
  const std::map<W, Row> table{{W::settled, {W::due, no, no, W::settled}},
                               {W::due, {W::due, W::writing, no, W::settled}},
                               {W::writing, {W::overtaken, no, W::settled, W::writing}},
                               {W::overtaken, {W::overtaken, no, W::due, W::writing}}};
  for (const W phase : every_publication)
    for (std::size_t i = 0; i < every_publication_event.size(); ++i)
      EXPECT_EQ(after(phase, every_publication_event[i]), table.at(phase)[i])
          << "phase " << static_cast<int>(phase) << ", event " << i;
}

TEST(Publication, NewerValuesAreNeverForgotten) {
  for (const W phase : every_publication) {
    const auto changed = after(phase, V::change);
    ASSERT_TRUE(changed);
    EXPECT_TRUE(changed == W::due || after(*changed, V::arrive) == W::due);
  }
}

TEST(Publication, NothingIsWrittenWhileSomethingElseIs) {
  for (const W phase : every_publication) EXPECT_EQ(after(phase, V::write).has_value(), phase == W::due);
}

TEST(SampleSurface, EveryEventLeadsWhereTheTableSays) {
  // In the order of every_sample_event; nothing: illegal.
  using Row = std::array<std::optional<S>, every_sample_event.size()>;
  const auto no = std::nullopt;
  const std::map<S, Row> table{{S::vacant, {S::writing, no, no, no, S::vacant}},
                               {S::writing, {no, S::arrived, S::vacant, no, S::unwanted}},
                               {S::unwanted, {no, no, S::vacant, no, S::unwanted}},
                               {S::arrived, {no, no, no, S::vacant, S::vacant}}};
  for (const S phase : every_surface)
    for (std::size_t i = 0; i < every_sample_event.size(); ++i)
      EXPECT_EQ(after(phase, every_sample_event[i]), table.at(phase)[i])
          << "phase " << static_cast<int>(phase) << ", event " << i;
}

TEST(SampleSurface, ADroppedSampleIsNeverDrawn) {
  for (const S phase : every_surface) {
    const auto dropped = after(phase, T::drop);
    ASSERT_TRUE(dropped);
    EXPECT_NE(*dropped, S::arrived);
    EXPECT_FALSE(after(*dropped, T::arrive));
  }
}

TEST(SampleSurface, NothingIsWrittenOverASampleThatWaitsToBeDrawn) {
  for (const S phase : every_surface) EXPECT_EQ(after(phase, T::write).has_value(), phase == S::vacant);
}

}  // namespace
}  // namespace orrery::mandelbrot
