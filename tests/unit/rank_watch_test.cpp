// Ranks of one process that watch each other over the loopback.
#include "base/work/rank_watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <optional>
#include <utility>

#include "base/error.hpp"

namespace orrery {
namespace {

/// What a rank is told first.
class Told {
 public:
  RankWatch::Listener listener() {
    const auto tell = [this](std::string text) {
      if (!std::exchange(has_told_, true)) told_.set_value(std::move(text));
    };
    return {.failed = [=](int rank, const std::string& text) { tell(std::to_string(rank) + " failed: " + text); },
            .ended = [=](int code) { tell("ended with " + std::to_string(code)); },
            .lost = [=](int rank, const std::string& how) { tell(std::to_string(rank) + " " + how); }};
  }
  std::optional<std::string> wait(int milliseconds = 2000) {
    auto future = told_.get_future();
    if (future.wait_for(std::chrono::milliseconds(milliseconds)) != std::future_status::ready) return {};
    return future.get();
  }

 private:
  bool has_told_ = false;  // of the watch's thread
  std::promise<std::string> told_;
};

struct Pair {
  Told told, told_other;
  RankWatch first;
  std::optional<RankWatch> other;

  Pair() {
    other.emplace(first.address(), 1);
    EXPECT_TRUE(first.accept(2, 2).empty());
    first.listen(told.listener());
    other->listen(told_other.listener());
  }
};

TEST(RankWatch, tells_of_a_rank_that_ends_without_a_word) {
  Pair ranks;
  ranks.other.reset();
  EXPECT_EQ(ranks.told.wait(), "1 has ended unexpectedly");
}

TEST(RankWatch, passes_failures_to_the_first_rank_and_the_end_to_the_others) {
  Pair ranks;
  ranks.other->tell_failure("1 a device\nis lost");
  EXPECT_EQ(ranks.told.wait(), "1 failed: 1 a device is lost");
  ranks.first.tell_end(2);
  EXPECT_EQ(ranks.told_other.wait(), "ended with 2");
}

TEST(RankWatch, lets_a_rank_go_that_has_said_goodbye) {
  Pair ranks;
  ranks.other->tell_goodbye();
  ranks.other.reset();
  EXPECT_EQ(ranks.told.wait(300), std::nullopt);
}

TEST(RankWatch, names_ranks_that_do_not_come_and_lets_no_stranger_in) {
  RankWatch first;
  const std::string address = first.address();
  std::string wrong = address;
  wrong.insert(wrong.find(' ') + 1, "9");
  const RankWatch stranger(wrong, 1);
  EXPECT_EQ(first.accept(3, 0.3), (std::vector<int>{1, 2}));
  EXPECT_THROW(RankWatch("1 word 127.0.0.1", 1), Error);
}

}  // namespace
}  // namespace orrery
