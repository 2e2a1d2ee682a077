/// What panels ask of the kernel editor. Plain values.
#pragma once

#include <string>

namespace orrery::command {

/// Shows the file in the editor; no name: none any more.
struct ShowKernel {
  std::string file;
};
/// From now on this text runs, as soon as it builds.
struct SaveKernel {
  std::string file, text;
};
/// The installation's file runs again. The edited copy is moved aside.
struct RestoreKernel {
  std::string file;
};
/// The copy of an earlier session runs.
struct UseKeptKernel {
  std::string file;
};
/// Programs that take long to compile are given up, and what they were to be part of: what ran before goes on.
struct GiveUpBuilding {};
/// Opens the copy in the person's own editor.
struct OpenKernelElsewhere {
  std::string file;
};

}  // namespace orrery::command
