/// A picture in a file, computed again by safer methods as long as its proof finds errors.
///
/// Any thread; waits for compilers and the device.
#pragma once

#include <functional>
#include <string>

#include "compute/program/program.hpp"
#include "scenes/mandelbrot/model/precision.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/output/export.hpp"

namespace orrery::mandelbrot {

struct ProvenPicture {
  PictureResult result;
  PrecisionChoice choice;  ///< of the last method
  double seconds = 0;      ///< duration, without building kernels
  DiagramProof diagram = {};
};

/// Data for a .npy or .exr file, and for a picture without a file.
Purpose purpose_of(const std::filesystem::path& out);

/// Each method is safer than the one before; there are four at most. `report` receives the reason for the next one, and
/// in the end the remaining errors. Without `request.out`, no file is written.
ProvenPicture export_proven(ProgramLibrary& programs, const ExportRequest& request, const MandelbrotSettings& settings,
                            const std::function<void(const std::string&)>& report, const ShowProgress& show);

}  // namespace orrery::mandelbrot
