/// Returns to the system what abandoned devices and compilers leave behind.
///
/// Window thread; free memory is returned on a worker thread.
#pragma once

#include "base/work/background.hpp"

namespace orrery::shell {

class Tidier {
 public:
  /// Free memory has been left behind, or is going to be.
  void note_litter() { littered_ = true; }
  /// Each frame. While compilers are `compiling`, their memory is not free yet.
  void follow(bool compiling, double now);
  /// Waits until everything that was abandoned is released; false where something is left after `timeout` seconds.
  static bool finish(double timeout);

 private:
  bool littered_ = false;  // since memory was returned last
  double released_ = 0;    // when abandoned objects were looked at last
  double returned_ = 0;    // when memory was returned last
  Background<bool> returning_;
};

}  // namespace orrery::shell
