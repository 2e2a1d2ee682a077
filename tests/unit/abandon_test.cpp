// Objects that cannot be destroyed yet are kept until they can be.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/work/abandon.hpp"

namespace orrery {
namespace {

// Counts destroyed objects.
struct Traced {
  explicit Traced(std::vector<int>* destroyed, int number)
      : gone(destroyed, [number](std::vector<int>* all) { all->push_back(number); }) {}
  std::shared_ptr<std::vector<int>> gone;
};

TEST(Abandoned, ObjectsAreDestroyedInOrderWhenTheirDeviceAnswersAgain) {
  std::vector<int> destroyed;
  std::optional<Traced> first(std::in_place, &destroyed, 1), second(std::in_place, &destroyed, 2);
  abandon(first);
  abandon(second);
  EXPECT_FALSE(first.has_value()) << "the one that is left is empty";
  bool answers = false;
  abandoned::close([&answers] { return answers; });
  abandoned::let_go();
  EXPECT_TRUE(destroyed.empty());
  EXPECT_TRUE(abandoned::any());
  answers = true;
  abandoned::let_go();
  EXPECT_EQ(destroyed, (std::vector{1, 2}));
  EXPECT_FALSE(abandoned::any());
}

template <class F>
bool comes_true(F&& question) {
  for (int tries = 0; tries < 10'000 && !question(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return question();
}

// Its destructor blocks, like that of a driver's context.
struct Slow {
  Slow(std::atomic<bool>* may_go, std::thread::id* gone) : may(may_go), by(gone) {}
  Slow(Slow&& other) noexcept : may(other.may), by(std::exchange(other.by, nullptr)) {}
  Slow& operator=(Slow&&) = delete;
  ~Slow() {
    if (by == nullptr) return;
    while (!*may) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    *by = std::this_thread::get_id();
  }
  std::atomic<bool>* may;
  std::thread::id* by;
};

// Its destructor hands `slow` to another thread, during abandoned::let_go().
struct Leaves {
  explicit Leaves(Slow&& kept) : slow(std::move(kept)) {}
  Leaves(Leaves&&) = default;
  Leaves& operator=(Leaves&&) = delete;
  ~Leaves() {
    if (slow.by != nullptr) abandoned::destroy_elsewhere(std::move(slow));
  }
  Slow slow;
};

TEST(Abandoned, SlowDestructorsRunOnAnotherThread) {
  std::atomic<bool> may_go = false;
  std::thread::id by;
  std::optional<Leaves> leaves(std::in_place, Slow(&may_go, &by));
  abandon(leaves);
  abandoned::close([] { return true; });
  abandoned::let_go();  // destroys Leaves, which keeps Slow
  EXPECT_TRUE(abandoned::any());
  abandoned::let_go();
  EXPECT_TRUE(abandoned::any()) << "let_go() does not wait for it";
  may_go = true;
  EXPECT_TRUE(comes_true([] { return abandoned::let_go(), !abandoned::any(); }));
  EXPECT_NE(by, std::thread::id());
  EXPECT_NE(by, std::this_thread::get_id());
}

TEST(Abandoned, CapturesAreDestroyedWhenTheWorkEnds) {
  for (const bool fails : {false, true}) {
    const auto device = std::make_shared<int>(1);
    Background<int> work;
    work.start([device, fails] { return fails ? throw std::runtime_error("for a reason") : *device; });
    EXPECT_TRUE(comes_true([&] { return device.use_count() == 1; })) << "before the result is requested";
    EXPECT_TRUE(work.busy());
    leave(work);
    EXPECT_TRUE(comes_true([] { return abandoned::let_go(), !abandoned::any(); }));
  }
}

TEST(Abandoned, WorkAndItsResourcesAreReleasedOnlyWhenItEnds) {
  std::vector<int> destroyed;
  std::atomic<bool> may_end = false;
  Background<int> work;
  work.start([&] {
    while (!may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (may_end) throw std::runtime_error("what it says interests nobody");
    return 0;
  });
  abandon(work);
  EXPECT_FALSE(work.busy()) << "other work can begin at once";
  abandoned::let_go();
  EXPECT_TRUE(abandoned::working());
  std::optional<Traced> used(std::in_place, &destroyed, 1);
  abandon(used);
  abandoned::close([] { return true; });
  EXPECT_FALSE(abandoned::working()) << "no more than what was closed goes on";
  abandoned::let_go();
  EXPECT_TRUE(destroyed.empty()) << "a thread is at work on it";
  may_end = true;
  EXPECT_TRUE(comes_true([] { return abandoned::let_go(), !abandoned::any(); }));
  EXPECT_EQ(destroyed, std::vector{1});
}

}  // namespace
}  // namespace orrery
