// The fuzzer's program: called fuzz_NAME, it feeds the target of that name.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "fuzz/targets.hpp"

namespace {
const orrery::fuzz::Target* target = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  std::string name = std::filesystem::path(**arguments).filename().string();
  if (name.starts_with("fuzz_")) name.erase(0, 5);
  target = orrery::fuzz::find_target(name);
  if (target != nullptr) return 0;
  std::fprintf(stderr, "no target '%s'. A name of this program is fuzz_ and one of:", name.c_str());
  for (const auto& each : orrery::fuzz::targets()) std::fprintf(stderr, " %s", std::string(each.name).c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
