/// A picture of any size as a file, band by band, so that memory does not grow with it.
///
/// Any thread; waits for the device. The file exists only once it is complete.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/files/image.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/output/diagram_rows.hpp"
#include "scenes/mandelbrot/output/picture.hpp"

namespace orrery::mandelbrot {

struct ExportRequest {
  PictureRequest picture;
  ColorSettings colors;
  DiagramSettings diagram = {};  ///< only for colours
  std::filesystem::path out;     ///< .png, .ppm (colours), .npy (ν, one sample) or .exr (ν and details)
  ImageTexts texts = {};         ///< for a .png and an .exr: view_texts()
  /// A second .npy beside that of ν: for escaping points the distance to the set in pixels, for interior ones the
  /// negated period, or 0 if unknown. It needs kernels that compute details.
  std::filesystem::path detail = {};
};

/// The file contains numbers, not colours.
bool holds_data(const std::filesystem::path& out);
/// The file contains details, beside ν or in request.detail.
bool holds_details(const ExportRequest& request);
/// Throws a usage Error where the extension or the number of samples does not fit.
void check_export(const std::filesystem::path& out, int samples);
/// `diagram` is laid over the colours unless it is null. Throws Cancelled, or an Error; the file is then unchanged.
PictureResult export_picture(const Device& device, const Kernels& kernels, const ExportRequest& request,
                             const DiagramRows* diagram, const ShowProgress& show);

/// Colours the cells of a band, which come with a row of neighbours where the colours are shaded; several samples are
/// averaged as light.
class BandColorist {
 public:
  BandColorist(const Colorist& colorist, const PictureRequest& picture)
      : colorist_(colorist),
        size_(picture.size),
        cascade_(cascade_of(picture.view, picture.size)),
        samples_(picture.samples) {}
  /// Returns true at the last sample of a band: rows() then are its colours.
  bool take(const Band& band, std::span<const Cell> cells, int sample);
  std::span<std::uint8_t> rows() { return rgb_; }

 private:
  void color_row(const Band& band, std::span<const Cell> cells, std::uint32_t row);

  const Colorist& colorist_;
  Size size_;
  Cascade cascade_;
  int samples_;
  std::vector<std::uint8_t> rgb_;
  std::optional<LightSum> light_;
};

}  // namespace orrery::mandelbrot
