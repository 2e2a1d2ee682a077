/// Proves a picture: a few of its pixels are iterated again in enough bits that rounding does not matter, and compared
/// with the published values. They are picked where errors are likely, on both sides of the edge in the picture and in
/// interior far from any edge, and at random.
///
/// Where counts are beyond plain iteration, near c∞ and in passages, the ladder's table is evaluated in many bits
/// instead: this proves the device's arithmetic; tests/oracle proves the table.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "scenes/mandelbrot/deep/kernel_arguments.hpp"

namespace orrery::mandelbrot {

struct ProofPixel {
  std::uint32_t i = 0, j = 0;  ///< in the whole picture
  float published = 0;         ///< as from Renderer::publish()
  bool at_edge = false;        ///< picked because a neighbour is of the other kind
};

struct ProofRequest {
  Frame frame;       ///< of the picture: Renderer::published_frame() once it is complete
  int exponent = 0;  ///< Renderer::value_exponent()
  std::vector<ProofPixel> pixels;
  /// Iterations for all pixels together (Verdict::cost), about 5·10⁶ a second; dearer pixels are left out.
  double most_iterations = 4e6;
  /// Allowed distance of the iterated point from the pixel, in pixels.
  double slack = 0;
};
/// In pictures, as opposed to data, the colour of a point next to the pixel is as good as its own.
inline constexpr double slack_of_pictures = 0x1p-4;

struct ProofResult {
  int checked = 0;
  int left_out = 0;                            ///< pixels that would have cost too much
  int wrong_kind = 0;                          ///< interior and exterior confused
  int misses = 0;                              ///< of the right kind, and |ν − ν_ref| > proof_tolerance
  int nearby = 0;                              ///< pixels that the ν of a point within the slack explains instead
  double median_error = 0, largest_error = 0;  ///< |ν − ν_ref| of the right kind, beyond a float's rounding
  ProofPixel worst;                            ///< of the wrong kind, if there is any, else the largest error
  double worst_reference = 0;                  ///< its ν_ref, −1 for interior
  int bits = 0;                                ///< of the arithmetic, at most
  double iterations = 0, seconds = 0;          ///< cost and time of the proof

  bool fails() const { return wrong_kind + misses > 0; }
  /// For busy views, where one pixel in five may be chaotic: over a tenth is of the wrong kind, or a third is off.
  bool fails_in_chaos() const { return checked < 6 || 10 * wrong_kind > checked || 3 * misses > checked; }
};
/// Tolerance of |ν − ν_ref|, in units of the published values.
inline constexpr double proof_tolerance = 1e-3;
/// The number of pixels that differ, out of those checked.
std::string text_of(const ProofResult& proof);

/// Some rows of a picture, ascending, and the published values of their pixels.
struct ProofRows {
  std::uint32_t width = 0;
  std::vector<std::uint32_t> rows;
  std::vector<float> values;

  /// Keeps the wanted rows that a band of cells contains; bands come in ascending order.
  void take(std::uint32_t first, std::span<const Cell> cells);
  static ProofRows wanted(Size size, std::size_t most, std::uint64_t seed);
};

/// Up to half of them in pairs across the edge, some in the middle of the widest interior, the others at random,
/// without duplicates. The first ones are a mixture of all these.
std::vector<ProofPixel> pick_pixels(const ProofRows& rows, std::size_t count, std::uint64_t seed);
/// Pixels at random, without their values; the same seed picks the same ones.
std::vector<ProofPixel> pick_pixels(const Frame& frame, std::size_t count, std::uint64_t seed);
/// The same with their values, from the cells of the frame's rows.
std::vector<ProofPixel> pick_pixels(const Frame& frame, std::span<const Cell> cells, std::size_t count,
                                    std::uint64_t seed);
/// The same with published values.
std::vector<ProofPixel> pick_pixels(const Frame& frame, std::span<const float> published, std::size_t count,
                                    std::uint64_t seed);

/// Takes about a second. Nothing when cancelled. Any thread.
std::optional<ProofResult> prove(const ProofRequest& request, const std::stop_token& stop = {});

/// Proves one picture at a time on its own thread.
class Prover {
 public:
  Prover();
  ~Prover();
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  /// Cancels the proof under way. Never waits.
  void begin(ProofRequest request);
  void cancel();
  bool busy() const;
  /// The proof of the picture begun last, once; never waits.
  std::optional<ProofResult> collect();

 private:
  void work(const std::stop_token& stop);

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<ProofRequest> wanted_;
  std::optional<ProofResult> result_;
  std::stop_source current_stop_;
  bool busy_ = false;
  std::jthread worker_;
};

}  // namespace orrery::mandelbrot
