/// Returns memory of abandoned devices and compilers to the system.
///
/// Window thread; free memory is returned on a worker thread.
#pragma once

#include "base/work/background.hpp"

namespace orrery::shell {

class Tidier {
 public:
  /// Notes that free memory has been or will be left behind.
  void note_litter() { littered_ = true; }
  /// Called each frame. While compilers are `compiling`, their memory is not free.
  void follow(bool compiling, double now);
  /// Waits until all abandoned objects are released; false if some are left after `timeout` seconds.
  static bool finish(double timeout);

 private:
  bool littered_ = false;  // litter since memory was returned last
  double released_ = 0;    // time of the last check of abandoned objects
  double returned_ = 0;    // time of the last return of memory
  Background<bool> returning_;
};

}  // namespace orrery::shell
