/// Commands of the panels to the kernel editor. Plain values.
#pragma once

#include <string>

namespace orrery::command {

/// Shows the file in the editor; no name: closes the file.
struct ShowKernel {
  std::string file;
};
/// Saves this text and runs it once it builds.
struct SaveKernel {
  std::string file, text;
};
/// Runs the installation's file again and moves the edited copy aside.
struct RestoreKernel {
  std::string file;
};
/// Runs the edited copy from an earlier session.
struct UseKeptKernel {
  std::string file;
};
/// Cancels a long compilation and the change that needs it; the previous programs keep running.
struct GiveUpBuilding {};
/// Opens the copy in the person's preferred editor.
struct OpenKernelElsewhere {
  std::string file;
};

}  // namespace orrery::command
