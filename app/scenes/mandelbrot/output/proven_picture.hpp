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
  double seconds = 0;      ///< that it took, without its kernels
  DiagramProof diagram = {};
};

/// A .npy or .exr file holds data, and so does a picture without a file.
Purpose purpose_of(const std::filesystem::path& out);

/// Each method is safer than the one before, so that there are four at most. `report` is told why the next one is
/// taken, and in the end what is still wrong. Without `request.out`, no file is written.
ProvenPicture export_proven(ProgramLibrary& programs, const ExportRequest& request, const MandelbrotSettings& settings,
                            const std::function<void(const std::string&)>& report, const ShowProgress& show);

}  // namespace orrery::mandelbrot
