#include "shell/tidier.hpp"

#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/platform/heap.hpp"
#include "base/work/abandon.hpp"

namespace orrery::shell {

void Tidier::follow(bool compiling, double now) {
  constexpr double release_interval = 0.5, return_interval = 10;  // seconds
  if (compiling) littered_ = true;
  if (now - released_ < release_interval) return;
  released_ = now;
  abandoned::let_go();
  (void)returning_.poll();
  if (compiling || now - returned_ < return_interval || !std::exchange(littered_, false)) return;
  returned_ = now;
  returning_.start([] { return return_free_memory(), true; });
}

bool Tidier::finish(double timeout) {
  abandoned::let_go();
  for (const double began = now_seconds(); abandoned::any() && now_seconds() - began < timeout; abandoned::let_go())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return !abandoned::any();
}

}  // namespace orrery::shell
