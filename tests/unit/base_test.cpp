#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/background.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/parameter.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "base/threads.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = scratch("files");
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

TEST(Text, ARealIsTheWholeTextAndFinite) {
  EXPECT_EQ(parse_real("-1.401155189092050601"), -1.401155189092050601);
  EXPECT_EQ(parse_real("+3e-120"), 3e-120);
  for (const char* bad : {"", "nan", "inf", "-inf", "1 ", " 1", "1,5", "1e", "0x10", "1e999", "+-1", "one"})
    EXPECT_FALSE(parse_real(bad)) << bad;
}

TEST(Text, SeventeenDigitsReadBackExactly) {
  for (const double value : {0.1, 1.0 / 3, 6.325914012651216, 5e-324, 1.7976931348623157e308, -0.0})
    EXPECT_EQ(std::strtod(digits17(value).c_str(), nullptr), value);
}

struct Settings {
  std::int64_t bodies = 4096;
  double dt = 0.01;
  std::string integrator = "leapfrog";
  std::int64_t work_group = 0;
  bool vsync = true;
};

std::vector<Parameter> parameters(Settings& s) {
  return {
      {{.name = "bodies", .label = "Bodies", .minimum = 1, .maximum = 1 << 24}, &s.bodies},
      {{.name = "dt", .label = "Time step", .minimum = -1, .maximum = 1}, &s.dt},
      {{.name = "integrator", .label = "Integrator", .choices = {"tutorial", "leapfrog"}}, &s.integrator},
      {{.name = "work-group", .label = "Work-group", .minimum = 1, .maximum = 1024, .automatic = true}, &s.work_group},
      {{.name = "vsync", .label = "Vertical sync"}, &s.vsync},
  };
}

TEST(Parameter, RefusesWhatIsOutOfRangeAndNamesValueAndRange) {
  Settings settings;
  auto bound = parameters(settings);
  const auto message = [&](std::string_view name, std::string_view text) -> std::string {
    try {
      find(bound, name)->assign_text(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("bodies", "0").find("'0'; allowed: 1 … 16777216"), std::string::npos) << message("bodies", "0");
  EXPECT_NE(message("dt", "nan").find("'nan'; allowed: -1 … 1"), std::string::npos);
  EXPECT_NE(message("dt", "1.5").find("'1.5'"), std::string::npos);
  EXPECT_NE(message("integrator", "euler").find("tutorial | leapfrog"), std::string::npos);
  EXPECT_NE(message("work-group", "0").find("| auto"), std::string::npos);
  EXPECT_NE(message("work-group", "-1"), "accepted");
  EXPECT_NE(message("vsync", "maybe").find("on | off"), std::string::npos);
  EXPECT_EQ(settings.bodies, 4096) << "a refused value must leave the struct as it was";
}

TEST(Parameter, WritesWhatItReads) {
  Settings settings;
  auto bound = parameters(settings);
  const std::pair<const char*, const char*> cases[] = {{"bodies", "777"},          {"dt", "-0.25"},
                                                       {"integrator", "tutorial"}, {"work-group", "auto"},
                                                       {"work-group", "64"},       {"vsync", "off"}};
  for (const auto& [name, text] : cases) {
    Parameter* parameter = find(bound, name);
    parameter->assign_text(text);
    EXPECT_EQ(value_text(parameter->info(), parameter->value()), text);
  }
  EXPECT_EQ(find(bound, "nothing"), nullptr);
}

TEST(Statistics, QuantilesInterpolate) {
  EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4, 5}, 1.0), 5);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(Statistics, AHistoryKeepsTheNewest) {
  History history(3);
  for (int i = 0; i < 5; ++i) history.push(i);
  EXPECT_EQ(history.values(), (std::vector<double>{2, 3, 4}));
}

TEST(File, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const Folder folder;
  const fs::path path = folder.path / "state.toml";
  write_file(path, "old");
  EXPECT_THROW(write_file(path, [](std::ostream&) { throw std::runtime_error("half-way"); }), std::runtime_error);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(folder.files(), 1U);
  write_file(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(File, APathThatCannotBeReadOrWrittenIsNamed) {
  for (const auto& attempt : std::vector<std::function<void()>>{[] { (void)read_file("/nowhere/at/all"); },
                                                                [] { write_file("/nowhere/at/all", "x"); }}) {
    try {
      attempt();
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("/nowhere/at/all"), std::string::npos);
    }
  }
}

template <class T>
std::optional<T> wait_for(Background<T>& background) {
  for (int i = 0; i < 2000 && background.busy(); ++i) {
    if (auto result = background.poll()) return result;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::nullopt;
}

TEST(Background, TheNewestRequestWinsAndDisplacedOnesNeverBegin) {
  Background<int> background;
  std::atomic<bool> go = false;
  std::atomic<int> begun = 0;
  background.start([&] {
    ++begun;
    while (!go) std::this_thread::yield();
    return 1;
  });
  background.start([&] { return ++begun, 2; });
  background.start([&] { return ++begun, 3; });
  EXPECT_FALSE(background.poll());
  go = true;
  EXPECT_EQ(wait_for(background), 3);
  EXPECT_EQ(begun, 2) << "the second request was displaced before it began";
}

TEST(Background, RethrowsWhatTheWorkThrew) {
  Background<int> background;
  background.start([]() -> int { throw failure("no"); });
  EXPECT_THROW(wait_for(background), Error);
  EXPECT_FALSE(background.busy());
}

TEST(Background, WhatIsForgottenTellsWhyItFailsAndWhatIsDisplacedDoesNot) {
  for (const bool forgotten : {false, true}) {
    Background<int> background;
    std::atomic<bool> go = false;
    background.start([&]() -> int {
      while (!go) std::this_thread::yield();
      throw failure("no such luck");
    });
    if (forgotten) background.forget();
    else background.start([] { return 2; });
    testing::internal::CaptureStderr();
    go = true;
    EXPECT_EQ(wait_for(background), forgotten ? std::nullopt : std::optional(2));
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              forgotten ? "orrery: warning: what was given up has failed: no such luck\n" : "");
  }
}

TEST(Background, WhatIsForgottenMayEndInWhatIsNoException) {
  struct Cancelled {};
  Background<int> background;
  std::atomic<bool> go = false;
  background.start([&]() -> int {
    while (!go) std::this_thread::yield();
    throw Cancelled();
  });
  background.forget();
  go = true;
  EXPECT_EQ(wait_for(background), std::nullopt);
  EXPECT_FALSE(background.busy());
}

#ifdef __linux__
TEST(Threads, HaveTheNamesTheyGiveThemselves) {
  std::string own;
  std::thread([&] {
    name_thread("a film");
    std::getline(std::ifstream("/proc/thread-self/comm"), own);
  }).join();
  EXPECT_EQ(own, "a film");
}
#endif

TEST(Error, IsOneLineWhateverWentIn) {
  const Error error = usage_error("cannot read", "a\nb", "allowed: text", "file.csv:3:5");
  EXPECT_EQ(std::string(error.what()), "file.csv:3:5: cannot read 'a b'; allowed: text");
}

TEST(Statistics, TheSpreadIsThatOfTheQuartiles) {
  std::vector<double> sample;
  for (int k = 0; k <= 100; ++k) sample.push_back(100 + k);  // quartiles 125 and 175, median 150
  EXPECT_DOUBLE_EQ(relative_spread(sample), 50.0 / 150);
  EXPECT_TRUE(std::isnan(relative_spread({1, 2, 3})));
}

TEST(Statistics, OnlyWhatRisesSteadilyIsARise) {
  std::vector<double> rising, wavering, falling;
  for (int k = 0; k < 40; ++k) {
    rising.push_back(1 + 0.01 * k + (k % 2 == 0 ? 0.004 : 0));
    wavering.push_back(k % 2 == 0 ? 1 : 1.4);
    falling.push_back(2 - 0.01 * k);
  }
  EXPECT_NEAR(steady_rise(rising), 1.345 / 1.045, 0.01);  // medians of the last and the first ten
  EXPECT_EQ(steady_rise(wavering), 1);
  EXPECT_EQ(steady_rise(falling), 1);
  EXPECT_EQ(steady_rise({1, 2, 3}), 1) << "too few to tell";
}

}  // namespace
}  // namespace orrery
