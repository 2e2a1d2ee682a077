// Ranks within one process that watch each other over the loopback interface.
#include "base/work/rank_watch.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace orrery {
namespace {

/// The first message to a rank.
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
  bool has_told_ = false;  // used by the watch's thread
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

TEST(RankWatch, reports_a_rank_that_ends_without_a_message) {
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

TEST(RankWatch, accepts_the_end_of_a_rank_that_has_said_goodbye) {
  Pair ranks;
  ranks.other->tell_goodbye();
  ranks.other.reset();
  EXPECT_EQ(ranks.told.wait(300), std::nullopt);
}

TEST(RankWatch, names_missing_ranks_and_refuses_strangers) {
  RankWatch first;
  const std::string address = first.address();
  std::string wrong = address;
  wrong.insert(wrong.find(' ') + 1, "9");
  const RankWatch stranger(wrong, 1);
  EXPECT_EQ(first.accept(3, 0.3), (std::vector<int>{1, 2}));
  EXPECT_THROW(RankWatch("1 word 127.0.0.1", 1), Error);
}

/// Connects to the first rank's port and knows nothing of Orrery.
class Stranger {
 public:
  explicit Stranger(const RankWatch& first, std::uint32_t address = INADDR_LOOPBACK) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::atoi(first.address().c_str())));
    to.sin_addr.s_addr = htonl(address);
    is_let_in_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  ~Stranger() { ::close(socket_); }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;

  bool is_let_in() const { return is_let_in_; }
  void send(const char* letter) const { (void)!::send(socket_, letter, 1, MSG_NOSIGNAL); }

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool is_let_in_ = false;
};

TEST(RankWatch, silent_or_slow_strangers_keep_no_rank_out) {
  RankWatch first;
  std::vector<std::unique_ptr<Stranger>> strangers;
  for (int i = 0; i < 300; ++i) strangers.push_back(std::make_unique<Stranger>(first));
  const std::jthread dripping([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      strangers.back()->send("1");
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  const RankWatch other(first.address(), 1), third(first.address(), 2);
  EXPECT_TRUE(first.accept(3, 30).empty());
}

TEST(RankWatch, strangers_do_not_extend_the_timeout_of_the_first_rank) {
  RankWatch first;
  const Stranger dripping(first);
  const std::jthread drips([&](const std::stop_token& stop) {
    for (int i = 0; i < 600 && !stop.stop_requested(); ++i) {
      dripping.send("1");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(first.accept(2, 0.5), std::vector<int>{1});
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST(RankWatch, listens_only_on_the_given_address) {
  RankWatch first("127.0.0.2");
  EXPECT_FALSE(Stranger(first).is_let_in());
  const RankWatch other(first.address(), 1);
  EXPECT_TRUE(first.accept(2, 10).empty());
  EXPECT_EQ(address_towards("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(address_towards("nowhere"), "");
}

TEST(RankWatch, what_follows_a_greeting_is_not_lost) {
  Told told;
  RankWatch first;
  RankWatch other(first.address(), 1);
  other.tell_failure("1 early");
  EXPECT_TRUE(first.accept(2, 10).empty());
  first.listen(told.listener());
  EXPECT_EQ(told.wait(), "1 failed: 1 early");
}

}  // namespace
}  // namespace orrery
