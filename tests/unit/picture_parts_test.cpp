// Parts of the Mandelbrot picture engine without a device.
#include <gtest/gtest.h>

#include "scenes/mandelbrot/pictures/picture_record.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery::mandelbrot {
namespace {

using Remedy = PictureNumbers::Remedy;

constexpr Size size{640, 360};

Frame frame_of_limit(std::uint32_t limit) {
  Frame frame;
  frame.size = size;
  frame.limit = limit;
  return frame;
}

Error launch_refusal() { return {Fault::failure, {.what = "cannot launch", .code = "CL_INVALID_WORK_GROUP_SIZE"}}; }
Error memory_refusal() {
  return {Fault::failure, {.what = "cannot allocate", .code = "CL_MEM_OBJECT_ALLOCATION_FAILURE"}};
}

TEST(PictureTime, IsAMeanInWhichLaterPicturesWeighMore) {
  PictureTime time;
  EXPECT_DOUBLE_EQ(time.typical(), 0.1);
  time.begin(10);
  time.end(10.3);
  EXPECT_NEAR(time.typical(), 0.2, 1e-12);
}

TEST(PictureTime, OfADisplacedPictureIsALowerBound) {
  PictureTime time;
  time.begin(1);
  time.give_up(1.05);
  EXPECT_DOUBLE_EQ(time.typical(), 0.1);
  time.begin(2);
  time.give_up(4);
  EXPECT_DOUBLE_EQ(time.typical(), 2);
}

TEST(IterationRate, CountsARendererThatReplacesAnother) {
  IterationRate rate;
  rate.see(100, 0, 1);  // also the beginning of the interval
  rate.see(300, 50, 1.1);
  rate.see(40, 50, 2);  // another renderer has counted 40
  EXPECT_DOUBLE_EQ(rate.per_second(), 200 + 50 + 40);
}

TEST(IterationRate, SeparatesTheLastSecondsOfWorkFromTheBeginning) {
  IterationRate rate;
  double iterations = 0, seconds = 1;
  const auto work = [&](double per_second, double until, bool working) {
    for (; seconds < until; seconds += 0.016) {
      if (working) iterations += 0.016 * per_second;
      rate.see(iterations, 0, seconds, working);
    }
  };
  EXPECT_EQ(rate.lately(), 0);
  work(10, 4, true);
  EXPECT_NEAR(rate.lately(), 10, 0.5);
  work(100, 7, true);
  EXPECT_NEAR(rate.lately(), 100, 2) << "not of what was slow at first";
  work(0, 20, false);
  EXPECT_NEAR(rate.lately(), 100, 2) << "nothing was left to compute";
}

TEST(IterationRate, CountsTheTimeInWhichThereIsWork) {
  IterationRate rate;
  rate.see(0, 0, 1);
  rate.see(100, 0, 3);
  rate.see(100, 0, 10, false);
  rate.see(100, 60, 11);
  EXPECT_DOUBLE_EQ(rate.working_seconds(), 3);
  EXPECT_DOUBLE_EQ(rate.iterations(), 160);
}

TEST(PictureRefusals, ALaunchIsTriedOnceMore) {
  PictureRefusals refusals;
  refusals.ask(frame_of_limit(100));
  refusals.note(launch_refusal(), 0);
  EXPECT_TRUE(refusals.last());
  EXPECT_FALSE(refusals.excludes(frame_of_limit(100)));
  refusals.ask(frame_of_limit(100));
  EXPECT_TRUE(refusals.last()) << "of the same picture";
  refusals.note(launch_refusal(), 1);
  EXPECT_TRUE(refusals.excludes(frame_of_limit(100)));
  EXPECT_FALSE(refusals.excludes(frame_of_limit(200)));
}

TEST(PictureRefusals, MemoryIsNotAskedForAgain) {
  PictureRefusals refusals;
  refusals.ask(frame_of_limit(100));
  refusals.note(memory_refusal(), 0);
  EXPECT_TRUE(refusals.excludes(frame_of_limit(100)));
  refusals.ask(frame_of_limit(200));
  EXPECT_FALSE(refusals.last()) << "it was of another picture";
  EXPECT_TRUE(refusals.excludes(frame_of_limit(100)));
  refusals.forget();
  EXPECT_FALSE(refusals.excludes(frame_of_limit(100)));
}

TEST(PictureRefusals, ADeviceThatKeepsRefusingLaunchesHasFailed) {
  PictureRefusals seldom;
  for (const double seconds : {0, 8, 16, 24}) EXPECT_NO_THROW(seldom.note(launch_refusal(), seconds)) << seconds;
  PictureRefusals often;
  often.note(launch_refusal(), 0);
  often.note(launch_refusal(), 4);
  EXPECT_THROW(often.note(launch_refusal(), 8), Error);
  PictureRefusals of_memory;
  for (const double seconds : {0, 1, 2, 3}) EXPECT_NO_THROW(of_memory.note(memory_refusal(), seconds)) << seconds;
}

/// A surface whose written data arrive at once.
class InstantSurface final : public Surface {
 public:
  InstantSurface() : Surface(0, 0) {}
  std::size_t bytes_copied() const override { return 0; }

 private:
  void acquire(Queue&, Path) override {}
  cl::Event release(Queue&) override { return {}; }
  std::optional<cl::Event> hand_over() override { return cl::Event(); }
  const cl::Buffer& buffer() const override { return buffer_; }

  cl::Buffer buffer_;
};

// Publishes a picture of that rendering in which every `stride`-th pixel is known. Returns its slot.
PublishedPicture* publish(PublishedPictures& pictures, std::uint64_t render, std::uint32_t stride) {
  pictures.change();
  PublishedPicture* picture = pictures.vacant();
  picture->surface = std::make_unique<InstantSurface>();
  picture->size = size;
  picture->stride = stride;
  pictures.begin_writing(render, 0);
  pictures.take_arrival();
  return picture;
}

TEST(PublishedPictures, ShowAFinishedPictureAlone) {
  PublishedPictures pictures;
  EXPECT_EQ(pictures.base(), nullptr);
  EXPECT_EQ(pictures.latest(), nullptr);
  const PublishedPicture* coarse = publish(pictures, 1, 8);
  EXPECT_EQ(pictures.base(), nullptr);
  EXPECT_EQ(pictures.latest(), coarse);
  const PublishedPicture* whole = publish(pictures, 1, 1);
  EXPECT_EQ(pictures.base(), whole);
  EXPECT_EQ(pictures.latest(), nullptr);
  EXPECT_TRUE(pictures.settled());
}

TEST(PublishedPictures, RefineAPictureOverTheSharpestOneBefore) {
  PublishedPictures pictures;
  const PublishedPicture* first = publish(pictures, 1, 2);
  publish(pictures, 2, 4);
  EXPECT_EQ(pictures.base(), first);
  const PublishedPicture* latest = publish(pictures, 2, 2);
  EXPECT_EQ(pictures.base(), first) << "a picture does not replace itself";
  EXPECT_EQ(pictures.latest(), latest);
  publish(pictures, 3, 8);
  EXPECT_EQ(pictures.base(), first) << "the other one is not sharper";
  publish(pictures, 4, 1);
  publish(pictures, 5, 8);
  const PublishedPicture* whole = pictures.base();
  publish(pictures, 6, 8);
  EXPECT_EQ(pictures.base(), whole);
}

TEST(PublishedPictures, AreNotWrittenWhileTheyAreShown) {
  PublishedPictures pictures;
  for (const std::uint32_t stride : {8, 1, 8, 4, 2, 1, 8}) {
    const PublishedPicture* vacant = pictures.vacant();
    EXPECT_NE(vacant, pictures.base());
    EXPECT_NE(vacant, pictures.latest());
    publish(pictures, stride, stride);
  }
}

TEST(PublishedPictures, AreDueAgainWhereValuesChangeWhileTheyAreWritten) {
  PublishedPictures pictures;
  pictures.change();
  pictures.vacant()->surface = std::make_unique<InstantSurface>();
  pictures.begin_writing(1, 5);
  EXPECT_TRUE(pictures.just_published(1, 5.01));
  EXPECT_FALSE(pictures.just_published(1, 5.1));
  EXPECT_FALSE(pictures.just_published(2, 5.01)) << "of another rendering";
  pictures.change();
  EXPECT_FALSE(pictures.due());
  pictures.take_arrival();
  EXPECT_TRUE(pictures.due());
  pictures.drop();
  EXPECT_TRUE(pictures.settled());
}

class PictureNumbersOfAProof : public testing::Test {
 protected:
  Remedy doubt(Precision precision, bool pairs_worth_it = true) {
    return numbers_.tighten(settings_,
                            {.frame = frame_, .precision = precision, .fp64 = true, .pairs_worth_it = pairs_worth_it});
  }
  void choose(const View& view = {}) { numbers_.choose(settings_, view, size, true, moving_); }

  MandelbrotSettings settings_;
  Frame frame_ = frame_of_limit(100);
  PictureNumbers numbers_;
  bool moving_ = false;
};

TEST_F(PictureNumbersOfAProof, BecomeDoubleThenPerturbed) {
  choose();
  EXPECT_EQ(numbers_.choice().precision, Precision::single);
  EXPECT_EQ(doubt(Precision::single), Remedy::precision);
  choose();
  EXPECT_EQ(numbers_.choice().precision, Precision::double_);
  EXPECT_EQ(numbers_.choice().reason, "a check found errors in the picture in single precision");
  EXPECT_EQ(doubt(Precision::double_), Remedy::precision);
  choose();
  EXPECT_EQ(numbers_.choice().precision, Precision::perturbation);
  EXPECT_EQ(numbers_.epsilon(), 0);
}

TEST_F(PictureNumbersOfAProof, LookForParabolicPointsWhereTheViewRests) {
  const View beside{Decimal(-1.75), Decimal(0.0), Decimal(1e-8)};
  moving_ = true;
  choose(beside);
  EXPECT_EQ(numbers_.choice().precision, Precision::double_);
  moving_ = false;
  choose(beside);
  EXPECT_EQ(numbers_.choice().precision, Precision::perturbation);
}

TEST_F(PictureNumbersOfAProof, TakeFinerStepsUntilEachIsAnIteration) {
  choose();
  EXPECT_EQ(doubt(Precision::perturbation), Remedy::finer_steps);
  EXPECT_GT(numbers_.epsilon(), 0);
  EXPECT_EQ(doubt(Precision::perturbation), Remedy::finer_steps);
  EXPECT_LT(numbers_.epsilon(), 0);
  EXPECT_EQ(doubt(Precision::perturbation), Remedy::none);
}

TEST_F(PictureNumbersOfAProof, TakePairsOnlyIfTheyAreWorthIt) {
  choose();
  EXPECT_EQ(doubt(Precision::ladder, false), Remedy::none);
  EXPECT_FALSE(numbers_.tightened());
  EXPECT_EQ(doubt(Precision::ladder), Remedy::finer_steps);
  EXPECT_TRUE(numbers_.tightened());
}

TEST_F(PictureNumbersOfAProof, StayIfThePrecisionIsRequested) {
  settings_.precision = "single";
  choose();
  EXPECT_EQ(doubt(Precision::single), Remedy::none);
  EXPECT_FALSE(numbers_.tightened());
}

TEST_F(PictureNumbersOfAProof, BeginAfreshInAnotherView) {
  choose();
  EXPECT_EQ(doubt(Precision::single), Remedy::precision);
  View other;
  other.span = Decimal(1);
  choose(other);
  EXPECT_FALSE(numbers_.tightened());
  EXPECT_EQ(numbers_.choice().precision, Precision::single);
}

}  // namespace
}  // namespace orrery::mandelbrot
