#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/parameter.hpp"
#include "base/platform/threads.hpp"
#include "base/printable.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "base/work/background.hpp"
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

TEST(Parameter, RefusesValuesOutOfRangeAndNamesValueAndRange) {
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
  EXPECT_NE(message("bodies", "0").find("expected a whole number from 1 to 16777216, got \"0\""), std::string::npos)
      << message("bodies", "0");
  EXPECT_NE(message("dt", "nan").find("expected a number from -1 to 1, got \"nan\""), std::string::npos);
  EXPECT_NE(message("dt", "1.5").find("\"1.5\""), std::string::npos);
  EXPECT_NE(message("integrator", "euler").find("tutorial | leapfrog"), std::string::npos);
  EXPECT_NE(message("work-group", "0").find("or auto"), std::string::npos);
  EXPECT_NE(message("work-group", "-1"), "accepted");
  EXPECT_NE(message("vsync", "maybe").find("on or off"), std::string::npos);
  EXPECT_EQ(settings.bodies, 4096) << "a refused value must leave the struct as it was";
}

TEST(Parameter, ShowsTheReasonOfARefusalBesideTheField) {
  Settings settings;
  const auto bound = parameters(settings);
  const auto refusal = [&](std::size_t k, const char* text) {
    return refusal_of(bound[k].info(), bound[k].value(), text);
  };
  EXPECT_EQ(refusal(1, "99"), "Expected a number from -1 to 1, got 99");
  EXPECT_EQ(refusal(1, "ten"), "Expected a number from -1 to 1, got ten");
  EXPECT_EQ(refusal(1, ""), "Expected a number from -1 to 1, got nothing");
  EXPECT_EQ(refusal(1, "-0.5"), "");
  EXPECT_EQ(refusal(3, "auto"), "");
  EXPECT_EQ(refusal(3, "2000"), "Expected a whole number from 1 to 1024, or auto, got 2000");
  EXPECT_EQ(settings.dt, Settings().dt) << "to ask changes nothing";
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

std::string refusal(const std::function<void()>& attempt) {
  try {
    attempt();
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(File, OnlyARegularFileIsRead) {
  const Folder folder;
  const fs::path pipe = folder.path / "pipe.toml", link = folder.path / "link.toml", socket = folder.path / "socket";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", link);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(listener);
  const auto read = [](const fs::path& path) { return refusal([&] { (void)read_file(path); }); };
  EXPECT_TRUE(has(read(pipe), "a pipe")) << read(pipe);
  EXPECT_TRUE(has(read(link), "a device")) << read(link);
  EXPECT_TRUE(has(read(socket), "a socket")) << read(socket);
  EXPECT_TRUE(has(read(folder.path), "a folder")) << read(folder.path);
  EXPECT_TRUE(has(refusal([&] { (void)read_beginning(pipe, 10); }), "a pipe"));
}

TEST(File, TooLargeOneIsRefusedBeforeReading) {
  const Folder folder;
  const fs::path file = folder.path / "sparse";
  write_file(file, "0123456789");
  EXPECT_EQ(read_file(file, {"a note", 10}), "0123456789");
  EXPECT_TRUE(has(refusal([&] { (void)read_file(file, {"a note", 9}); }), "too large for a note"));
  EXPECT_EQ(read_beginning(file, 4), "0123");
  fs::resize_file(file, std::uintmax_t{1} << 40);
  EXPECT_TRUE(has(refusal([&] { (void)read_file(file, {"a note", 1 << 20, false}); }), "the file has 1 TiB"));
  // A text with NUL bytes within its size limit is refused after its first block.
  EXPECT_TRUE(has(refusal([&] { (void)read_file(file, {"a note", std::uint64_t{1} << 41}); }), "byte 10 is 0"));
}

TEST(File, FileThatReportsSizeZeroIsReadToItsEnd) {
  EXPECT_TRUE(read_file("/proc/self/status").starts_with("Name:"));
  EXPECT_TRUE(has(refusal([] { (void)read_file("/proc/self/mem", {"a note", 10, false}); }), "/proc/self/mem"));
}

TEST(File, LargeFileComesBackUnchanged) {
  const Folder folder;
  std::string bytes;
  for (int k = 0; bytes.size() < 300'000; ++k) bytes += std::to_string(k) + " ";
  write_file(folder.path / "long", bytes);
  EXPECT_EQ(read_file(folder.path / "long"), bytes);
  EXPECT_EQ(read_beginning(folder.path / "long", 200'000), bytes.substr(0, 200'000));
}

TEST(File, ReplacedFileKeepsPermissionsAndLink) {
  const Folder folder;
  const fs::path file = folder.path / "private.csv", link = folder.path / "link.csv", far = folder.path / "far.csv";
  write_file(file, "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("private.csv", link);
  fs::create_symlink(link, far);
  write_file(far, "new");
  EXPECT_EQ(read_file(file), "new");
  EXPECT_TRUE(fs::is_symlink(link) && fs::is_symlink(far));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("not-there-yet", folder.path / "dangling");
  write_file(folder.path / "dangling", "made");
  EXPECT_EQ(read_file(folder.path / "not-there-yet"), "made");
  fs::create_symlink("loop", folder.path / "loop");
  EXPECT_TRUE(has(refusal([&] { write_file(folder.path / "loop", "x"); }), "loop"));
  EXPECT_EQ(folder.files(), 6U) << "and nothing else is left";
}

TEST(File, SpecialFileIsWrittenDirectly) {
  const Folder folder;
  const fs::path full = folder.path / "full.csv", nothing = folder.path / "nothing.csv",
                 pipe = folder.path / "pipe.csv";
  fs::create_symlink("/dev/full", full);
  fs::create_symlink("/dev/null", nothing);
  const std::string message = refusal([&] { write_file(full, std::string(100'000, 'x')); });
  EXPECT_TRUE(has(message, "full.csv") && has(message, "No space left")) << message;
  write_file(nothing, "gone");
  EXPECT_TRUE(fs::is_symlink(full) && fs::is_symlink(nothing) && fs::is_character_file("/dev/null"));
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(has(refusal([&] { write_file(pipe, "x"); }), "no process reads"));
  std::string received;
  std::thread reader([&] { std::getline(std::ifstream(pipe), received); });
  while (!refusal([&] { write_file(pipe, "through the pipe\n"); }).empty()) std::this_thread::yield();
  reader.join();
  EXPECT_EQ(received, "through the pipe");
}

TEST(File, AnOutputThatIsNotFinishedLeavesNothing) {
  const Folder folder;
  {
    OutputFile file(folder.path / "half.csv");
    file.stream() << "half";
    EXPECT_EQ(folder.files(), 1U) << "beside its place";
    EXPECT_FALSE(fs::exists(folder.path / "half.csv"));
  }
  EXPECT_EQ(folder.files(), 0U);
  const std::string longest(255, 'n');
  write_file(folder.path / longest, "as long as a name may be");
  EXPECT_EQ(folder.files(), 1U);
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

TEST(Background, DiscardedWorkLogsItsFailureAndReplacedWorkDoesNot) {
  for (const bool forgotten : {false, true}) {
    Background<int> background;
    std::atomic<bool> go = false;
    background.start([&]() -> int {
      while (!go) std::this_thread::yield();
      throw failure("no such luck");
    });
    if (forgotten)
      background.forget();
    else
      background.start([] { return 2; });
    testing::internal::CaptureStderr();
    go = true;
    EXPECT_EQ(wait_for(background), forgotten ? std::nullopt : std::optional(2));
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              forgotten ? "orrery: warning: a cancelled background task failed: no such luck\n" : "");
  }
}

TEST(Background, DiscardedWorkMayThrowAnything) {
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

TEST(Error, IsOneLineForAnyInput) {
  const Error error = usage_error("x of\na body", "a\nb", "a finite number", "file.csv:3:5");
  EXPECT_EQ(std::string(error.what()), "file.csv:3:5: x of a body: expected a finite number, got \"a\\nb\"");
}

TEST(Error, StatesTheExpectationForAnEmptyValue) {
  EXPECT_EQ(usage_error("the type", "", "f8", "a.npy").what(), std::string("a.npy: the type: expected f8, got \"\""));
  EXPECT_EQ(usage_error("--name is empty", {}, "see --help").what(), std::string("--name is empty; see --help"));
}

TEST(Error, HasLimitedLengthAndNoControlCharacters) {
  const std::string hostile = "\x1b]0;owned\x07" + std::string(1 << 20, 'A');
  const Error error = usage_error("cannot " + hostile, hostile, hostile, hostile);
  EXPECT_LT(std::string(error.what()).size(), 2000U);
  EXPECT_EQ(std::string(error.what()).find_first_of("\x1b\x07"), std::string::npos);
}

TEST(Text, IsShownOnOneLineWithItsBeginningAndItsEnd) {
  EXPECT_EQ(printable("Ω at c∞ — 日本"), "Ω at c∞ — 日本");
  EXPECT_EQ(printable("a\nb\tc\r\x1b[2J\x07\x7f"), "a\\nb\\tc\\r\\x1b[2J\\x07\\x7f");
  EXPECT_EQ(printable("C1 \xc2\x9b, right to left \xe2\x80\xae, no width \xe2\x80\x8b"),
            "C1 \\x9b, right to left \\u202e, no width \\u200b");
  EXPECT_EQ(printable("\xff \xc3 \xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80"),
            "\\xff \\xc3 \\xc0\\x80 \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  const std::string ninety(90, 'x');
  EXPECT_EQ(printable(ninety.substr(0, 80)), ninety.substr(0, 80));
  EXPECT_EQ(printable(ninety), ninety.substr(0, 53) + "…" + ninety.substr(0, 26));
  EXPECT_EQ(printable("/a/long/way/to/the/file.toml", 16), "/a/long/wa….toml");
}

// Any bytes become valid text of limited length without invisible characters.
TEST(Text, RandomBytesBecomePrintable) {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(random() % 120, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 4 == 0 ? random() : 0xc0 + random() % 0x40);
    const std::string shown = printable(bytes, 40);
    EXPECT_EQ(printable(shown, 400), shown) << "nothing is left to escape";
    EXPECT_LE(std::ranges::count_if(shown, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }), 40);
  }
}

TEST(Statistics, TheSpreadIsThatOfTheQuartiles) {
  std::vector<double> sample;
  for (int k = 0; k <= 100; ++k) sample.push_back(100 + k);  // quartiles 125 and 175, median 150
  EXPECT_DOUBLE_EQ(relative_spread(sample), 50.0 / 150);
  EXPECT_TRUE(std::isnan(relative_spread({1, 2, 3})));
}

TEST(Statistics, OnlyASteadyIncreaseIsARise) {
  std::vector<double> rising, wavering, falling;
  for (int k = 0; k < 40; ++k) {
    rising.push_back(1 + 0.01 * k + (k % 2 == 0 ? 0.004 : 0));
    wavering.push_back(k % 2 == 0 ? 1 : 1.4);
    falling.push_back(2 - 0.01 * k);
  }
  EXPECT_NEAR(steady_rise(rising), 1.345 / 1.045, 0.01);  // medians of the last ten and the first ten
  EXPECT_EQ(steady_rise(wavering), 1);
  EXPECT_EQ(steady_rise(falling), 1);
  EXPECT_EQ(steady_rise({1, 2, 3}), 1) << "too few to tell";
}

}  // namespace
}  // namespace orrery
