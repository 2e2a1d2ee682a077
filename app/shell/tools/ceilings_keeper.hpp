/// The ceilings of the device in use: from disk, or measured beside the scene, a millisecond now and then.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "base/work/background.hpp"
#include "compute/device/device.hpp"
#include "compute/measure/roofline.hpp"

namespace orrery::shell {

/// Window thread; never waits but in its destructor, for one run.
class CeilingsKeeper {
 public:
  CeilingsKeeper() = default;
  ~CeilingsKeeper() { *stop_ = true; }
  CeilingsKeeper(const CeilingsKeeper&) = delete;
  CeilingsKeeper& operator=(const CeilingsKeeper&) = delete;

  /// Another device is in use.
  void follow(const DeviceInfo& device);
  void measure(const Device& device);
  bool measuring() const { return work_.busy(); }
  /// Throws what the measurement threw, once.
  void poll();
  const std::optional<Ceilings>& known() const { return known_; }

 private:
  struct Measured {
    std::string of;
    std::optional<Ceilings> ceilings;  // nothing where it was given up
  };
  std::string of_;
  std::optional<Ceilings> known_;
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
  Background<Measured> work_;
};

}  // namespace orrery::shell
