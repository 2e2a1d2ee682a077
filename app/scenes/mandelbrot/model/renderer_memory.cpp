// The device memory of a picture.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "compute/device/refusal.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {
namespace {

/// A buffer's bytes for each pixel.
struct PixelBytes {
  explicit PixelBytes(const Variant& variant)
      : orbit(PixelBuffers::bytes_of_orbit(variant)), detail(PixelBuffers::bytes_of_details(variant)) {}

  std::size_t orbit, detail;
  std::size_t largest() const { return std::max(sizeof(Cell), orbit); }
  std::size_t all() const { return sizeof(Cell) + orbit + detail + 3 * sizeof(cl_uint); }
};

std::string text_of(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

// A size of the same shape with at most that many pixels.
Size shrunk_to(Size size, std::size_t pixels) {
  const double factor = std::sqrt(static_cast<double>(pixels) / static_cast<double>(size.pixels()));
  const auto side = [&](std::uint32_t length) {
    return std::max(1u, static_cast<std::uint32_t>(std::floor(factor * length)));
  };
  return {side(size.width), side(size.height)};
}

Error with_largest_picture(const Error& error, const DeviceInfo& device, PixelBytes bytes, Size size) {
  const std::size_t most = std::min(device.allocation_bytes / bytes.largest(), device.global_bytes / bytes.all());
  ErrorDetails details = error.details();
  details.what = "out of memory for a picture of " + text_of(size) + ": " + details.what;
  details.advice = "the largest picture of this shape in the device's " +
                   bytes_text(static_cast<double>(device.global_bytes)) + " is " + text_of(shrunk_to(size, most)) +
                   ", if no other program uses it";
  return {error.fault(), std::move(details)};
}

}  // namespace

std::size_t PixelBuffers::bytes_of_orbit(const Variant& variant) {
  const std::size_t real = variant.doubles() ? sizeof(double) : sizeof(float);
  const std::size_t derivative = variant.detail ? 2 * real : 0;
  switch (variant.precision) {
    case Precision::ladder:
    case Precision::cusp:
    case Precision::valley:
      return 4 * real + 2 * sizeof(cl_ulong) + derivative;
    case Precision::perturbation:
      return PerturbedFormat{variant.perturbed}.bytes_of_orbit(variant.detail);
    default:
      return 2 * real + derivative;
  }
}

std::uint32_t stackable(const DeviceInfo& device, const Variant& variant, Size part) {
  const PixelBytes bytes(variant);
  const std::size_t pixels = std::max<std::size_t>(part.pixels(), 1);
  const std::size_t most = std::min(device.allocation_bytes / bytes.largest(), device.global_bytes / 8 / bytes.all());
  const std::size_t worth = device.device_class == DeviceClass::cpu ? 2 : most_stacked;
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(most / pixels, 1, worth));
}

std::size_t stacks_that_fit(const DeviceInfo& device, const Variant& variant, Size stack) {
  return device.global_bytes / 4 / (PixelBytes(variant).all() * std::max<std::size_t>(stack.pixels(), 1));
}

// Replaces the buffers only if all of them fit: a picture under way needs the present ones.
void Renderer::allocate(Size part) {
  const std::size_t pixels = part.pixels();
  if (pixels <= buffers_.pixels) return;
  const PixelBytes bytes(kernels_.variant);
  try {
    PixelBuffers buffers{.pixels = pixels,
                         .cells = device_.buffer(pixels * sizeof(Cell)),
                         .orbits = device_.buffer(pixels * bytes.orbit),
                         .details = {},
                         .lists = {}};
    if (has_details()) buffers.details = device_.buffer(pixels * bytes.detail);
    for (cl::Buffer& list : buffers.lists) list = device_.buffer(pixels * sizeof(cl_uint));
    use(buffers);
  } catch (const Error& error) {
    if (!is_memory_refusal(error)) throw;
    throw with_largest_picture(error, device_.info(), bytes, part);
  }
}

}  // namespace orrery::mandelbrot
