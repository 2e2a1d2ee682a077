/// The texts that the window shows until they are dismissed or replaced: a notice, the fault of the devices, the fault
/// of the scene. Window thread.
#pragma once

#include <string>
#include <utility>

#include "base/log.hpp"

namespace orrery::shell {

class Notices {
 public:
  /// `file`: that it is about, to be shown in its folder; empty: none.
  void show(std::string notice, std::string file = {}) {
    notice_ = std::move(notice);
    file_ = std::move(file);
  }
  /// Shows and logs it.
  void warn(std::string notice) {
    log(Level::warning, notice);
    show(std::move(notice));
  }
  const std::string& notice() const { return notice_; }
  const std::string& file() const { return file_; }

  /// `details`: the compiler's log, where there is one.
  void set_device_fault(std::string fault, std::string details = {}) {
    device_fault_ = std::move(fault);
    device_details_ = std::move(details);
  }
  const std::string& device_fault() const { return device_fault_; }
  const std::string& device_details() const { return device_details_; }

  /// Each frame; a new one is logged.
  void set_scene_fault(const std::string& fault) {
    if (!fault.empty() && fault != scene_fault_) log(Level::warning, fault);
    scene_fault_ = fault;
  }
  const std::string& scene_fault() const { return scene_fault_; }

  /// The user has read the notice and the fault of the devices.
  void dismiss() {
    show({});
    device_fault_.clear();
  }

 private:
  std::string notice_, file_;
  std::string device_fault_, device_details_;
  std::string scene_fault_;
};

}  // namespace orrery::shell
