/// The fuzzer's seeds and findings (tests/fuzz/corpus), replayed: no reader may break its promises on them.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "fuzz/targets.hpp"

namespace orrery::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr FileKind any_bytes{"a seed", 1 << 20, false};

TEST(FuzzCorpus, EveryTargetHasSeedsAndKeepsItsPromisesOnThem) {
  for (const Target& target : targets()) {
    std::size_t seeds = 0;
    for (const auto& seed : fs::directory_iterator(fs::path(ORRERY_FUZZ_CORPUS) / target.name)) {
      SCOPED_TRACE(seed.path().string());
      EXPECT_NO_THROW(target.run(read_file(seed.path(), any_bytes)));
      ++seeds;
    }
    EXPECT_GE(seeds, 2U) << target.name;
  }
}

TEST(FuzzCorpus, HalfOfAFileIsReadOrRefused) {
  for (const Target& target : targets())
    for (const auto& seed : fs::directory_iterator(fs::path(ORRERY_FUZZ_CORPUS) / target.name)) {
      const std::string whole = read_file(seed.path(), any_bytes);
      for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 50) {
        SCOPED_TRACE(seed.path().string() + ", its first " + std::to_string(length) + " bytes");
        EXPECT_NO_THROW(target.run(std::string_view(whole).substr(0, length)));
      }
    }
}

}  // namespace
}  // namespace orrery::fuzz
