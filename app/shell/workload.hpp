/// The users of the open devices: scenes, tuner and edited kernels attach and leave together.
///
/// Window thread.
#pragma once

#include "base/timeline.hpp"
#include "shell/devices/device_session.hpp"
#include "shell/files/document.hpp"
#include "shell/tidier.hpp"
#include "shell/tools/kernel_editor.hpp"
#include "shell/tools/tuner.hpp"

namespace orrery::shell {

class Workload final : public DeviceUsers {
 public:
  /// The arguments must outlive the workload.
  Workload(const Scenes& scenes, Tuner& tuner, KernelEditor& editor, Timeline& timeline, Tidier& tidier)
      : scenes_(scenes), tuner_(tuner), editor_(editor), timeline_(timeline), tidier_(tidier) {}

  void attach(OpenDevices& devices) override;
  HostCopy copy_to_host() override;
  void withdraw_edits(const std::string& reason) override { editor_.withdraw(reason); }
  void release() override;
  void abandon() override;

  /// True while a driver's compiler runs, which cannot be cancelled.
  bool compiling() const;

 private:
  const Scenes& scenes_;
  Tuner& tuner_;
  KernelEditor& editor_;
  Timeline& timeline_;
  Tidier& tidier_;
};

}  // namespace orrery::shell
