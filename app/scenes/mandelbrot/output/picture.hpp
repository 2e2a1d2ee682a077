/// A whole picture computed without a window, of any size, by bands of rows within bounded device memory.
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

/// Makes data right where a double's digits do not decide a pixel: so near to the set that ν hangs on the last of them.
///
/// A pixel is computed once more, from as far beside it as the first result may be off. Where ν differs, it is computed
/// in pairs of doubles, and likewise where these do not decide it either, in many bits on the host, as long as that
/// takes some seconds. Waits for the device; one thread at a time.
class Refinement {
 public:
  /// For pictures that these kernels compute; they must have `exact` ones.
  Refinement(const Device& device, Queue& queue, const Kernels& kernels);

  /// Puts what is computed again into the cells of the frame's rows, and the details where there are any, and returns
  /// how many pixels that were. Details of uncertain pixels are not numbers.
  std::size_t refine(Queue& queue, const Frame& frame, std::span<Cell> cells, std::span<float> details,
                     double slice_seconds, const std::function<void()>& during);
  /// Of the last refine().
  double iterations() const { return iterations_; }
  /// So many pixels of all pictures were left as they are although pairs of doubles do not decide them.
  std::size_t uncertain() const { return uncertain_; }

 private:
  std::vector<Cell> in_pairs(Queue& queue, const Frame& frame, const std::vector<cl_uint>& pixels, double slice_seconds,
                             const std::function<void()>& during);

  Renderer again_, exact_;
  double iterations_ = 0;
  double bits_left_;  // iterations in many bits that may still be spent
  std::size_t uncertain_ = 0;
};

/// What Renderer::value_exponent() will be of that picture.
int exponent_of(const Kernels& kernels, const Frame& frame);

/// Some pixels are proved, or all of few data, as far as they take no more iterations than about a second has.
inline constexpr int proved_in_passing = -1;

struct PictureRequest {
  View view;
  Size size;
  std::uint32_t limit = 100;  ///< 0: automatic
  double escape_radius = 100;
  int samples = 1;              ///< of each pixel
  std::uint32_t border = 0;     ///< rows above and below each band that are wanted with it
  double slice_seconds = 0.05;  ///< how long the device is kept from others
  int proved = 0;               ///< pixels that are proved in the end (proof.hpp), or proved_in_passing
  double slack = 0;             ///< ProofRequest::slack
  bool insists = false;         ///< Unproved is thrown where the proof fails
  bool many_bits = false;       ///< every pixel by plain iteration in many bits, on the host and without details
};

struct PictureResult {
  std::uint32_t limit = 0;  ///< the one that was used, in units of 2^exponent
  int exponent = 0;         ///< cells count in such units as well: see Renderer::value_exponent()
  double iterations = 0;
  double seconds = 0;         ///< in which the cells were computed
  std::size_t interior = 0;   ///< of all samples
  std::size_t undecided = 0;  ///< of those, how many no proof holds, only the limit
  std::size_t refined = 0;    ///< computed again in pairs of doubles
  std::size_t uncertain = 0;  ///< of those, how many are nearer to the set than pairs tell, and were left so
  std::optional<ProofResult> proof;

  /// All of it is interior, and some of that only because no more iterations were asked for.
  bool blank(const PictureRequest& request) const {
    return undecided > 0 && interior == request.size.pixels() * static_cast<std::size_t>(request.samples);
  }
};

/// Some rows of a picture. Their cells come with `above` and `below` rows of their neighbours, as far as there are any.
struct Band {
  std::uint32_t first = 0, rows = 0;
  std::uint32_t above = 0, below = 0;
  /// Of those cells, where the kernels tell them: Renderer::details_blocking().
  std::span<const float> details = {};
};
/// Called for each band and sample, in that order; on another thread, while the next is computed.
using TakeRows = std::function<void(const Band& band, std::span<const Cell> cells, int sample)>;

/// Called now and then with the part that is done. False gives up: Cancelled is thrown.
using ShowProgress = std::function<bool(double fraction)>;
struct Cancelled {};
/// Thrown, before a file is in place, where a proof fails and the request insists.
struct Unproved {
  ProofResult proof;
};

/// Where the sample of that index lies in its pixel: M. Roberts' R2 sequence, of which any number of samples is spread
/// evenly. The first lies in the middle.
SampleShift sample_shift(int sample);
/// The frame with those samples of each pixel, `count` from `first` on, at most `most_stacked`.
Frame with_samples(Frame frame, int first, std::uint32_t count);

/// What a small picture of the same view tells.
struct Preview {
  std::uint32_t limit = 0;    ///< of the request, or what AutomaticLimit finds, in units of 2^exponent …
  int exponent = 0;           ///< … as the whole picture counts
  Equalization equalization;  ///< where it is wanted
};
Preview preview_of(const Device& device, const Kernels& kernels, const PictureRequest& request, bool equalized,
                   const ShowProgress& show);

PictureResult compute_picture(const Device& device, const Kernels& kernels, const PictureRequest& request,
                              std::uint32_t limit, const TakeRows& take, const ShowProgress& show);

}  // namespace orrery::mandelbrot
