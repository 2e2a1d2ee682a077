/// A whole picture of any size, computed without a window, by bands of rows within bounded device memory.
///
/// Any thread; waits for the device.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "scenes/mandelbrot/checks/proof.hpp"
#include "scenes/mandelbrot/model/iteration_limit.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/output/equalization.hpp"

namespace orrery::mandelbrot {

/// Corrects data where a double's digits do not decide a pixel: so near to the set that ν depends on the last digits.
///
/// A pixel is computed again, displaced by the possible error of the first result. Where ν differs, it is computed in
/// pairs of doubles; where these do not decide it either, in many bits on the host, for at most some seconds. Waits for
/// the device; one thread at a time.
class Refinement {
 public:
  /// For pictures by these kernels, which must have `exact` ones.
  Refinement(const Device& device, Queue& queue, const Kernels& kernels);

  /// Replaces the recomputed cells of the frame's rows, and the details if any, and returns the number of recomputed
  /// pixels. Details of uncertain pixels are NaN.
  std::size_t refine(Queue& queue, const Frame& frame, std::span<Cell> cells, std::span<float> details,
                     double slice_seconds, const std::function<void()>& during);
  /// Iterations of the last refine().
  double iterations() const { return iterations_; }
  /// The number of pixels of all pictures that pairs of doubles do not decide and that were left unchanged.
  std::size_t uncertain() const { return uncertain_; }

 private:
  std::vector<Cell> in_pairs(Queue& queue, const Frame& frame, const std::vector<cl_uint>& pixels, double slice_seconds,
                             const std::function<void()>& during);

  Renderer again_, exact_;
  double iterations_ = 0;
  double bits_left_;  // remaining iterations in many bits
  std::size_t uncertain_ = 0;
};

/// The value that Renderer::value_exponent() will have for that picture.
int exponent_of(const Kernels& kernels, const Frame& frame);

/// Proves some pixels, or all of few data, within about a second.
inline constexpr int proved_in_passing = -1;

struct PictureRequest {
  View view;
  Size size;
  std::uint32_t limit = 100;  ///< 0: automatic
  double escape_radius = 100;
  int samples = 1;              ///< samples of each pixel
  std::uint32_t border = 0;     ///< rows above and below each band to be passed with it
  double slice_seconds = 0.05;  ///< time for which the device is kept from others
  int proved = 0;               ///< number of pixels proved at the end (proof.hpp), or proved_in_passing
  double slack = 0;             ///< ProofRequest::slack
  bool insists = false;         ///< throws Unproved where the proof fails
  bool many_bits = false;  ///< computes every pixel by plain iteration in many bits, on the host and without details
};

struct PictureResult {
  std::uint32_t limit = 0;  ///< limit in use, in units of 2^exponent
  int exponent = 0;         ///< also the unit of cells: see Renderer::value_exponent()
  double iterations = 0;
  double seconds = 0;         ///< time in which the cells were computed
  std::size_t interior = 0;   ///< interior pixels of all samples
  std::size_t undecided = 0;  ///< interior pixels at the limit, without proof
  std::size_t refined = 0;    ///< computed again in pairs of doubles
  std::size_t uncertain = 0;  ///< refined pixels too near to the set for pairs, left unchanged
  std::optional<ProofResult> proof;

  /// All of it is interior, but not all of that is proved: a higher limit may show more.
  bool blank(const PictureRequest& request) const {
    return undecided > 0 && interior == request.size.pixels() * static_cast<std::size_t>(request.samples);
  }
};

/// Some rows of a picture. Their cells come with up to `above` and `below` rows of their neighbours.
struct Band {
  std::uint32_t first = 0, rows = 0;
  std::uint32_t above = 0, below = 0;
  /// The details of those cells, where the kernels compute them: Renderer::details_blocking().
  std::span<const float> details = {};
};
/// Called for each band and sample, in that order; on another thread, while the next one is computed.
using TakeRows = std::function<void(const Band& band, std::span<const Cell> cells, int sample)>;

/// Called now and then with the completed part. Returning false cancels: Cancelled is thrown.
using ShowProgress = std::function<bool(double fraction)>;
struct Cancelled {};
/// Thrown, before a file is in place, where a proof fails and the request insists on it.
struct Unproved {
  ProofResult proof;
  std::uint32_t limit = 0;  ///< of the picture; 0: no 32 bits hold it
};

/// The place of that sample in its pixel: M. Roberts' R2 sequence, in which any number of samples is spread evenly. The
/// first lies in the middle.
SampleShift sample_shift(int sample);
/// The frame with `count` samples of each pixel, from `first` on, at most `most_stacked`.
Frame with_samples(Frame frame, int first, std::uint32_t count);

/// The results of a small picture of the same view.
struct Preview {
  std::uint32_t limit = 0;    ///< of the request, or from AutomaticLimit, in units of 2^exponent …
  int exponent = 0;           ///< … as in the whole picture
  Equalization equalization;  ///< if requested
};
Preview preview_of(const Device& device, const Kernels& kernels, const PictureRequest& request, bool equalized,
                   const ShowProgress& show);

PictureResult compute_picture(const Device& device, const Kernels& kernels, const PictureRequest& request,
                              std::uint32_t limit, const TakeRows& take, const ShowProgress& show);

}  // namespace orrery::mandelbrot
