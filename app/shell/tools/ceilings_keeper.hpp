/// The ceilings of the device in use: read from disk, or measured beside the scene in runs of a millisecond.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "base/work/background.hpp"
#include "compute/device/device.hpp"
#include "compute/measure/roofline.hpp"

namespace orrery::shell {

/// Window thread. Only the destructor waits, for one run.
class CeilingsKeeper {
 public:
  CeilingsKeeper() = default;
  ~CeilingsKeeper() { *stop_ = true; }
  CeilingsKeeper(const CeilingsKeeper&) = delete;
  CeilingsKeeper& operator=(const CeilingsKeeper&) = delete;

  /// Each frame: the device in use.
  void follow(const DeviceInfo& device);
  void measure(const Device& device);
  bool measuring() const { return work_.busy(); }
  /// Throws what the measurement threw, once.
  void poll();
  const std::optional<Ceilings>& known() const { return known_; }

 private:
  struct Measured {
    std::string of;
    std::optional<Ceilings> ceilings;  // nothing where it was cancelled
  };
  std::string of_;  // the identity of the device in use
  std::optional<Ceilings> known_;
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
  Background<Measured> work_;
};

}  // namespace orrery::shell
