#include "compute/program/own_programs.hpp"

#include <cstdlib>
#include <mutex>
#include <set>

namespace orrery {
namespace {

struct Taken {
  std::mutex mutex;
  std::set<int> numbers;
};

// Never destroyed: libraries may exist until the process ends.
Taken& taken() {
  static Taken& kept = *new Taken;
  return kept;
}

}  // namespace

bool confuses_queues(const DeviceInfo& info) {
  return info.platform == "Portable Computing Language" && std::atoi(info.driver.c_str()) < 6;
}

OwnPrograms::OwnPrograms(const DeviceInfo& info) {
  if (!confuses_queues(info)) return;
  const std::lock_guard lock(taken().mutex);
  do ++number_;
  while (!taken().numbers.insert(number_).second);
}

OwnPrograms::~OwnPrograms() {
  const std::lock_guard lock(taken().mutex);
  taken().numbers.erase(number_);
}

}  // namespace orrery
