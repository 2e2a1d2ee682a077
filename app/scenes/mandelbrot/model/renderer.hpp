/// Computes a picture by direct iteration: coarse to fine, in slices, resumable, and displaced by the next picture
/// within one slice.
///
/// A picture is computed in passes over ever finer grids, each in rounds: every undecided pixel advances by the same
/// number of steps, then those that are still undecided are packed into a list for the next round. Pixels undecided at
/// the limit stay in a list with their orbits, for raise_limit().
///
/// One thread at a time, with one in-order queue. Only the *_blocking functions wait.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "compute/queue/host_mirror.hpp"
#include "scenes/mandelbrot/deep/kernel_arguments.hpp"
#include "scenes/mandelbrot/deep/ladder_arguments.hpp"
#include "scenes/mandelbrot/deep/perturbation.hpp"
#include "scenes/mandelbrot/model/kernels.hpp"

namespace orrery::mandelbrot {

/// The progress of a picture, from the last slice whose results have come back.
struct Progress {
  std::size_t pixels = 0;
  std::size_t decided = 0;
  std::size_t escaped = 0;
  std::size_t late = 0;           ///< escapes in the last doubling of the limit
  std::size_t undecided = 0;      ///< at the limit, without proof that they are interior
  std::uint32_t limit = 0;        ///< to which every pixel is decided; 0 while the passes run
  std::uint32_t first_limit = 0;  ///< limit of the passes
  std::uint32_t longest = ~0u;    ///< the highest limit for which the device holds a reference
  std::uint32_t stride = 0;       ///< of the finest pass that is complete; 0 before the first
  double iterations = 0;          ///< since begin()
  bool renormalised = false;      ///< on the ladder: limits of other pictures do not apply to this one
  bool complete = false;          ///< nothing is left to do up to the limit

  double fraction() const { return pixels == 0 ? 0 : static_cast<double>(decided) / static_cast<double>(pixels); }
};

/// The buffers of pixels.
struct PixelBuffers {
  /// Bytes of each buffer, for one pixel; 0: there is none.
  static std::size_t bytes_of_orbit(const Variant& variant);
  static std::size_t bytes_of_details(const Variant& variant) { return variant.detail ? sizeof(cl_float) : 0; }

  std::size_t pixels = 0;  ///< capacity
  cl::Buffer cells, orbits, details;
  std::array<cl::Buffer, 3> lists;
};

class Renderer {
 public:
  /// Stride of the coarsest pass.
  static constexpr std::uint32_t coarsest = 8;

  Renderer(const Device& device, Queue& queue, Kernels kernels);

  /// Uses these buffers instead of its own, for pictures that fit them. To be called before the first picture.
  void use(const PixelBuffers& buffers) { buffers_ = buffers; }
  /// Computes the next picture as exactly as another renderer, and shares its reference of perturbed orbits. The
  /// present picture ends.
  void follow(const Renderer& other);
  /// The last few pixels of a picture leave a GPU nearly empty: they are computed in a separate queue, beside the
  /// work of other renderers. Their pictures have one limit, and are published when they are idle(). `number`
  /// distinguishes these renderers.
  void compute_few_beside(const Queue& queue, std::ptrdiff_t number);
  /// Begins a new picture with the next slice, replacing the present one.
  void begin(const Frame& frame);
  /// Begins only those pixels of it, by their index in its rows: perturbed orbits only.
  void begin_pixels(const Frame& frame, std::vector<cl_uint> pixels);
  /// Continues from the kept state, once the present picture is complete. Lower limits are ignored.
  void raise_limit(std::uint32_t limit);

  /// The allowed error of a table's step, relative to δ, from the next picture on. 0: default of the numbers; below 0
  /// there is no table, and every step is an iteration. On the ladder, above 0 selects pairs of numbers.
  void set_epsilon(double epsilon) { epsilon_ = epsilon; }

  /// Enqueues about `budget_seconds` of work, in launches of about `launch_seconds` at most, if the last slice is
  /// complete and there is something to do.
  bool enqueue_slice(Queue& queue, double budget_seconds, double launch_seconds);
  bool enqueue_slice(Queue& queue, double budget_seconds) {
    return enqueue_slice(queue, budget_seconds, budget_seconds);
  }
  /// Reads the results of the last slice if they have come back. enqueue_slice() does so itself.
  void collect();
  /// The next picture, or its higher limit, waits for a reference orbit that is being computed. The present picture
  /// continues up to its limit.
  bool waiting() const { return waiting_; }
  /// A slice is under way.
  bool busy() const { return !is_complete(in_flight_); }
  /// Nothing is under way and nothing is left to do.
  bool idle() const { return !pending_ && enqueued_.stage == Stage::done && wanted_limit_ <= frame_.limit && !busy(); }

  /// Enqueues the picture so far into `surface`: planes() of a float a pixel (see kernel_arguments.hpp), smooth values
  /// and, where the kernels compute them, details. `sample` selects one of several samples.
  void publish(Queue& queue, const cl::Buffer& surface, std::uint32_t sample = 0);

  /// The state of the picture for publish(): the finest pass that is enqueued completely (0 before the first), and
  /// whether it is complete.
  std::uint32_t enqueued_stride() const { return enqueued_.passed; }
  bool enqueued_all() const { return enqueued_.stage == Stage::done && !pending_ && wanted_limit_ <= frame_.limit; }

  /// A GPU has room for other work: it has few pixels to compute, or none.
  bool leaves_room() const;
  /// The picture for publish() continues to a higher limit.
  bool raises() const { return !pending_ && wanted_limit_ > frame_.limit; }

  /// The picture requested last, and the one for publish().
  const Frame& frame() const { return pending_ ? *pending_ : frame_; }
  const Frame& published_frame() const { return frame_; }
  const Progress& progress() const { return progress_; }
  /// Iterations of all pictures of this object, up to the last slice whose results have come back.
  double iterations() const { return iterations_; }
  const Kernels& kernels() const { return kernels_; }
  bool has_details() const { return kernels_.variant.detail; }
  std::size_t planes() const { return has_details() ? 2 : 1; }
  /// Published values, and those of cells, are in units of 2^exponent.
  int value_exponent() const { return place_ ? LadderCounting(*place_, frame_.automatic).exponent : 0; }

  /// Headless: computes the complete picture, and reads the cells, sample by sample. `during` is called after each
  /// slice. The memory of `room` is reused.
  void finish_blocking(Queue& queue, double budget_seconds, const std::function<void(const Progress&)>& during = {});
  /// One slice of finish_blocking(), if the last one is complete. Waits only for a reference orbit.
  void advance_blocking(Queue& queue, double budget_seconds);
  /// Waits for the last slice.
  void wait_blocking(Queue& queue);
  std::vector<Cell> cells_blocking(Queue& queue, std::vector<Cell> room = {}) const;
  /// For each cell the distance to the set in pixels, or the period of an interior one, 0 if unknown. Nothing where the
  /// kernels compute none.
  std::vector<float> details_blocking(Queue& queue, std::vector<float> room = {}) const;

 private:
  enum class Stage { pass, round, done };
  struct List {
    std::size_t bound = 0;  // upper bound of its length
    double expected = 0;    // expected length; both are exact once collected
    bool exact = true;
  };

  // Here n differs between pixels, so a round is a number of steps, not a range of n.
  bool by_steps() const { return is_perturbed() || is_ladder(kernels_.variant.precision); }
  std::uint32_t first_stride() const { return frame_.progressive ? coarsest : 1; }
  bool is_perturbed() const { return kernels_.variant.precision == Precision::perturbation; }
  Perturbation& perturbation() { return perturbations_[format_]; }
  const Perturbation& perturbation() const { return perturbations_[format_]; }
  bool has_reference(const Frame& frame, std::uint32_t limit, bool goes_on);
  bool passes() const { return is_perturbed() && perturbation().takes_passages(); }
  bool takes_passages(const Frame& frame) const;
  const std::optional<ParabolicPoint>& parabolic_beside(const Frame& frame);
  void check_reach(const ReferenceRequest& request);
  void load_reference(Queue& queue);
  std::uint32_t longest_limit() const;

  void start(Queue& queue);
  void find_place();
  void allocate(Size part);
  void clear(Queue& queue, const cl::Buffer& numbers, std::size_t first, std::size_t count);
  void plan_pass(Queue& queue, std::uint32_t stride);
  void plan_pixels(Queue& queue);
  void plan_round(Queue& queue, std::uint32_t from, std::uint32_t start);
  void plan_raise(Queue& queue);
  void finish_round(Queue& queue);
  void finish_pass(Queue& queue);
  std::uint32_t other_list(std::uint32_t list) const;
  void clear_list(Queue& queue, std::uint32_t list);

  void trace_few(const Queue& beside);
  void go_beside();
  void come_back(Queue& queue);
  void fill_slice(Queue& queue, double budget_seconds);
  double enqueue_portion(Queue& queue, double budget_seconds);
  bool must_wait(Queue& queue, double budget_seconds) const;
  double share_expected() const;
  double telling_work(Queue& queue) const;
  void launch(Queue& queue, std::size_t count);
  void set_arguments(cl::Kernel& kernel, const Round& launch) const;
  template <class Real>
  void set_plane(cl::Kernel& kernel, const Round& launch) const;
  cl::Kernel& pixel_kernel();
  static void publish_exact(Queue& queue, const cl::Buffer& surface, std::span<const std::uint32_t> pixels);
  /// The kinds of launches. With few pixels, a step of a round takes as long as for one of them.
  enum class Launch { begin, resume, resume_few };
  Launch next_launch() const;
  bool are_few(double pixels) const;
  std::string_view launch_name(Launch launch) const;
  UnitCost step_cost() const;
  double seconds_per_pixel(Queue& queue) const;
  double seconds_per_step_of_few(Queue& queue) const;
  double seconds_of(Queue& queue, double pixels) const;
  std::uint32_t longest_round(Queue& queue, double pixels) const;
  double pixels_felt(double pixels) const;
  bool takes_turns() const;

  Device device_;
  Kernels kernels_;
  HostMirror mirror_;
  struct Few {
    Queue queue;
    std::string lane;        // its name in the timeline
    bool has_slice = false;  // the last one
  };
  std::optional<Few> few_;  // for the last few pixels
  double launch_budget_ = 0.008;
  void tell_iterations(Queue& queue);
  double iterations_ = 0;
  /// Since the last launch that measured the device's speed.
  struct {
    std::array<double, 3> expected{};  // steps of the launches in flight, by kind
    double iterations = 0;             // of the picture, at that time
    int untold = 0;                    // launches
  } telling_;

  Frame frame_;
  std::optional<Frame> pending_;
  std::vector<cl_uint> pixels_;                    // the requested pixels; empty: all of them
  std::optional<LadderPlace> place_;               // of frame_, on the ladder
  std::vector<std::vector<std::uint32_t>> exact_;  // pixels from exact_interior(), by sample
  std::vector<Perturbation> perturbations_;        // parallel to kernels_.perturbed
  std::size_t format_ = 0;                         // index into these, or into kernels_.ladders, for frame_
  std::shared_ptr<const Reference> next_reference_;
  struct {
    View view;
    Size size;
    std::optional<ParabolicPoint> point;
  } parabolic_;  // of the last search
  double epsilon_ = 0;
  bool waiting_ = false, patient_ = false;
  std::uint32_t wanted_limit_ = 0;

  PixelBuffers buffers_;
  cl::Buffer counters_;
  std::array<List, 3> lists_;  // lengths of the lists in the buffers
  std::uint32_t kept_ = 2;     // the list of pixels undecided at the limit

  /// The progress of enqueueing.
  struct {
    Stage stage = Stage::done;
    Round round;               // under way; round.first pixels are enqueued …
    std::size_t length = 0;    // … of at most this many
    std::uint32_t passed = 0;  // stride of the finest pass that is enqueued completely
    bool raising = false;      // all passes are complete; kept pixels continue
    std::uint32_t late_from = 0;
    std::size_t late_before = 0;
  } enqueued_;
  std::array<double, 2> survival_{0.3, 0.7};  // the part that a pass's first round, or a later one, leaves undecided
  cl::Event in_flight_;
  bool uncollected_ = false;
  Progress progress_;
};

/// Most pixels of a shallow picture are decided by then; the others are packed before they continue.
inline constexpr std::uint32_t first_round_steps = 64;
/// The launch of the publishing kernel.
Range publishing(const ElementGroup& group, Size part);
/// The samples of a picture's pixels that may be computed together, at most `most_stacked`: those whose orbits fit an
/// eighth of the device's memory. Where orbits are long, the last few of one sample leave a GPU nearly empty; few
/// pixels fill a processor.
std::uint32_t stackable(const DeviceInfo& device, const Variant& variant, Size part);
/// The number of stacks of that many pixels that fit a quarter of the device's memory.
std::size_t stacks_that_fit(const DeviceInfo& device, const Variant& variant, Size stack);
/// The number of pixels that keep the whole device busy.
std::size_t filling(const DeviceInfo& device, const Variant& variant);

/// Launches each kernel on a tiny picture, on its own queue, then measures the seconds per iteration of a pixel while
/// the whole device is busy.
double warmed_up(const Device& device, const Kernels& kernels);

}  // namespace orrery::mandelbrot
