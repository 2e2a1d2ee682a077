#include "scenes/mandelbrot/output/export.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "base/files/exr_stream.hpp"
#include "base/files/file.hpp"
#include "base/files/image_stream.hpp"
#include "base/files/npy.hpp"
#include "base/platform/parallel.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr int largest_exponent_of_data = 1023 - 32, largest_exponent_of_single = 127 - 32;

void check_exponent(int exponent, int largest, const char* type) {
  if (exponent > largest)
    throw failure("ν reaches 2^" + std::to_string(exponent + 32) + ", which " + type + " cannot hold",
                  "write a .png or .ppm picture");
}

// The distance of an escaping point to the set in pixels, or the period of an interior one, negated.
float detail_of(const Cell& cell, float detail) { return cell.interior() ? -detail : detail; }

// The rise of ν at a pixel of `cells`, across columns and rows; 0 across an edge of the set.
Slope slope_at(std::span<const Cell> cells, std::size_t width, std::size_t i, std::size_t j) {
  const std::size_t height = cells.size() / width;
  const auto rise = [&](std::size_t from, std::size_t to, std::size_t steps) {
    if (steps == 0 || cells[from].interior() || cells[to].interior()) return 0.0;
    return (cells[to].value() - cells[from].value()) / static_cast<double>(steps);
  };
  const std::size_t left = i > 0 ? i - 1 : i, right = i + 1 < width ? i + 1 : i;
  const std::size_t above = j > 0 ? j - 1 : j, below = j + 1 < height ? j + 1 : j;
  return {rise(j * width + left, j * width + right, right - left),
          rise(below * width + i, above * width + i, below - above)};
}

ImageTexts texts_of(const ExportRequest& request, const Preview& preview) {
  ImageTexts texts = request.texts;
  texts["iterations"] = preview.exponent == 0 ? std::to_string(preview.limit) : "auto";
  return texts;
}

struct ValueFiles {
  std::ostream& out;
  std::ostream* detail;  ///< may be null
};

PictureResult write_values(const Device& device, const Kernels& kernels, const ExportRequest& request,
                           const Preview& preview, const ValueFiles& files, const ShowProgress& show) {
  std::ostream& out = files.out;
  std::ostream* const detail = files.detail;
  const Size size = request.picture.size;
  for (std::ostream* each : {&out, detail})
    if (each != nullptr) *each << npy_header(std::array<std::size_t, 2>{size.height, size.width});
  std::vector<double> values;
  const int exponent = preview.exponent;
  check_exponent(exponent, largest_exponent_of_data, "float64");
  const auto take = [&](const Band& band, std::span<const Cell> cells, int) {
    values.resize(cells.size());
    std::ranges::transform(cells, values.begin(), [&](const Cell& cell) { return value_of(cell, exponent); });
    write_npy_values(out, values);
    if (detail == nullptr) return;
    for (std::size_t i = 0; i < cells.size(); ++i)
      values[i] = static_cast<double>(detail_of(cells[i], band.details[i]));
    write_npy_values(*detail, values);
  };
  return compute_picture(device, kernels, request.picture, preview.limit, take, show);
}

PictureResult write_exr(const Device& device, const Kernels& kernels, const ExportRequest& request,
                        const Preview& preview, std::ostream& out, const ShowProgress& show) {
  check_exponent(preview.exponent, largest_exponent_of_single, "the 32 bits of an .exr channel");
  const Size size = request.picture.size;
  ExrStream exr(out, size.width, size.height, {"distance", "nu"}, texts_of(request, preview));
  std::vector<float> row(std::size_t{2} * size.width);
  const auto take = [&](const Band& band, std::span<const Cell> cells, int) {
    for (std::size_t first = 0; first < cells.size(); first += size.width) {
      for (std::size_t i = 0; i < size.width; ++i) {
        const Cell& cell = cells[first + i];
        row[i] = detail_of(cell, band.details[first + i]);
        row[size.width + i] = static_cast<float>(value_of(cell, preview.exponent));
      }
      exr.write_row(row);
    }
  };
  return compute_picture(device, kernels, request.picture, preview.limit, take, show);
}

PictureResult write_colors(const Device& device, const Kernels& kernels, const ExportRequest& request,
                           const Preview& preview, const DiagramRows* diagram, std::ostream& out,
                           const ShowProgress& show) {
  const Size size = request.picture.size;
  PictureRequest picture = request.picture;
  const Colorist colorist(request.colors, preview.limit, preview.equalization, size.width, preview.exponent);
  picture.border = colorist.shades() ? 1 : 0;
  BandColorist bands(colorist, picture);
  std::optional<PngStream> png;
  if (request.out.extension() == ".png") {
    png.emplace(out, size.width, size.height, texts_of(request, preview));
  } else {
    out << ppm_header(size.width, size.height);
  }
  const auto take = [&](const Band& band, std::span<const Cell> cells, int sample) {
    if (!bands.take(band, cells, sample)) return;
    const std::span<std::uint8_t> rows = bands.rows();
    if (diagram != nullptr) diagram->lay_over(band.first, rows);
    png ? png->write(rows)
        : void(out.write(reinterpret_cast<const char*>(rows.data()), static_cast<std::streamsize>(rows.size())));
  };
  const PictureResult result = compute_picture(device, kernels, picture, preview.limit, take, show);
  if (png) png->finish();
  return result;
}

}  // namespace

void BandColorist::color_row(const Band& band, std::span<const Cell> cells, std::uint32_t row) {
  const std::size_t j = row + band.above;
  const double down = 0.5 + band.first + row - 0.5 * size_.height;
  const auto cascade = [&](std::size_t i) {
    return cascade_.at(0.5 + static_cast<double>(i) - 0.5 * size_.width, down);
  };
  for (std::size_t i = 0; i < size_.width; ++i) {
    const Cell& cell = cells[j * size_.width + i];
    const std::size_t pixel = std::size_t{row} * size_.width + i;
    if (!light_ && !colorist_.shades() && band.details.empty()) {
      std::ranges::copy(cell.interior() ? colorist_.interior() : colorist_.color(cell.value(), cascade(i)),
                        &rgb_[3 * pixel]);
      continue;
    }
    const Slope slope = colorist_.shades() ? slope_at(cells, size_.width, i, j) : Slope{};
    const float detail = band.details.empty() ? 0.0F : band.details[j * size_.width + i];
    const Light light =
        cell.interior() ? colorist_.interior_light(detail) : colorist_.light(cell.value(), slope, detail, cascade(i));
    light_ ? light_->add(pixel, light) : void(std::ranges::copy(encoded(light), &rgb_[3 * pixel]));
  }
}

bool BandColorist::take(const Band& band, std::span<const Cell> cells, int sample) {
  const std::size_t pixels = std::size_t{size_.width} * band.rows;
  rgb_.resize(3 * pixels);
  if (sample == 0 && samples_ > 1) light_.emplace(pixels);
  in_parallel(band.rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) color_row(band, cells, static_cast<std::uint32_t>(row));
  });
  if (sample + 1 < samples_) return false;
  if (light_)
    in_parallel(pixels, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) std::ranges::copy(light_->mean(i, samples_), &rgb_[3 * i]);
    });
  return true;
}

bool holds_data(const std::filesystem::path& out) { return out.extension() == ".npy" || out.extension() == ".exr"; }

bool holds_details(const ExportRequest& request) {
  return request.out.extension() == ".exr" || !request.detail.empty();
}

void check_export(const std::filesystem::path& out, int samples) {
  const std::string format = out.extension().string();
  if (!holds_data(out) && format != ".png" && format != ".ppm")
    throw usage_error("--out", out.string(), "FILE.npy, FILE.exr, FILE.png or FILE.ppm");
  if (holds_data(out) && samples != 1)
    throw usage_error("--samples", std::to_string(samples),
                      "1 for a " + format + " file, which holds one value per pixel (more for .png and .ppm)");
}

PictureResult export_picture(const Device& device, const Kernels& kernels, const ExportRequest& request,
                             const DiagramRows* diagram, const ShowProgress& show) {
  check_export(request.out, request.picture.samples);
  const bool is_exr = request.out.extension() == ".exr", values = holds_data(request.out);
  const bool equalized = !values && request.colors.scale == "histogram" && request.colors.palette != "classic";
  const Preview preview = preview_of(device, kernels, request.picture, equalized, show);
  PictureResult result;
  const auto write = [&](std::ostream* detail) {
    write_file(request.out, [&](std::ostream& out) {
      result = is_exr   ? write_exr(device, kernels, request, preview, out, show)
               : values ? write_values(device, kernels, request, preview, {out, detail}, show)
                        : write_colors(device, kernels, request, preview, diagram, out, show);
    });
  };
  request.detail.empty() ? write(nullptr) : write_file(request.detail, [&](std::ostream& detail) { write(&detail); });
  return result;
}

}  // namespace orrery::mandelbrot
