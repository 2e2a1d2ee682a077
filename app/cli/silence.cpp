#include "cli/silence.hpp"

#include <cstdio>
#include <cstdlib>

#include "base/clock.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/work/interrupt.hpp"

namespace orrery::cli {
namespace {

[[noreturn]] void end_for(const DeviceSilent& silent) {
  if (!interrupted()) end_at_once(silent.what(), 1);
  const Interrupted end(std::string("; ") + silent.what());
  end_at_once(end.what(), end.exit_code());
}

}  // namespace

double longest_silence() { return patience(30); }

void end_at_once(const std::string& line, int code) {
  remove_unfinished_files();
  if (!line.empty()) std::fprintf(stderr, "orrery: %s\n", line.c_str());
  std::fflush(stdout);
  std::_Exit(code);
}

bool answers(const DeviceInfo& device) { return !answering({&device, 1}, longest_answer()).empty(); }

SilenceWatch::SilenceWatch()
    : calls_(longest_silence(), answers,
             [](const DeviceInfo& device) { end_for(DeviceSilent(device, longest_silence())); }) {
  limit_silence(longest_silence(), end_for);
}

}  // namespace orrery::cli
