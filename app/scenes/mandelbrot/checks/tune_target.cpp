#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/tuning/device_tune_target.hpp"
#include "scenes/mandelbrot/checks/escape_check.hpp"
#include "scenes/mandelbrot/checks/tune_targets.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {
namespace {

// Seahorse valley, and the middle of the cardioid.
const View boundary_view{Decimal(-0.7463), Decimal(0.1102), Decimal(0.02)};
const View interior_view{Decimal(-0.1), Decimal(0.0), Decimal(0.2)};

Frame frame_of(const DeviceInfo& device, TuneView view) {
  const bool cpu = device.device_class == DeviceClass::cpu;
  Frame frame =
      whole_frame(view == TuneView::boundary ? boundary_view : interior_view, cpu ? Size{384, 256} : Size{1920, 1080});
  frame.limit = cpu ? 1000 : view == TuneView::boundary ? 4000 : 10000;
  return frame;
}

// Assumed speed for cutting launches, the same for all candidates: steps of all pixels together, per second.
double guessed_rate(const DeviceInfo& device) { return device.device_class == DeviceClass::cpu ? 1e9 : 1e12; }

// Every pixel takes 64 steps, then each undecided one three times as many as before: the rounds of the renderer.
std::vector<Round> rounds_to(std::uint32_t limit) {
  std::vector<Round> rounds;
  for (std::uint32_t start = 0; start < limit - 1;) {
    const std::uint32_t left = limit - 1 - start, steps = std::min(left, std::max(3 * start, first_round_steps));
    const auto index = static_cast<std::uint32_t>(rounds.size());
    rounds.push_back({.start = start,
                      .steps = steps,
                      .from = (index + 1) % 2,
                      .to = index % 2,
                      .last = steps == left,
                      .stride = 1,
                      .refines = 0});
    start += steps;
  }
  return rounds;
}

enum Output : std::size_t { cells, orbits, first_list, second_list };

class DirectTarget : public DeviceTuneTarget {
 public:
  DirectTarget(ProgramLibrary& programs, Precision precision, TuneView view)
      : DeviceTuneTarget(programs.device()),
        programs_(programs),
        frame_(frame_of(device().info(), view)),
        rounds_(rounds_to(frame_.limit)),
        standard_(standard_variant(device().info(), precision, 0)),
        space_(tune_space(device().info(), standard_)),
        counters_(device().buffer(sizeof(Counters))),
        lengths_(device().buffer(rounds_.size() * sizeof(cl_uint))),
        told_(device(), queue(), rounds_.size() * sizeof(cl_uint) + sizeof(Counters), HostMirror::Mapping::queued) {
    standard_.interior_tests = view == TuneView::boundary;
    subject_ = tune_subject(precision, view);
    const std::size_t pixels = frame_.size.pixels();
    add_output("the cells", pixels * sizeof(Cell));
    add_output("the orbits", pixels * 2 * (standard_.doubles() ? sizeof(double) : sizeof(float)));
    add_output("the first list", pixels * sizeof(cl_uint));
    add_output("the second list", pixels * sizeof(cl_uint));
  }

  ~DirectTarget() override { end_check(); }

  const TuneSubject& subject() const override { return subject_; }
  const TuneSpace& space() const override { return space_; }
  TuneValues standard() const override { return tune_values(standard_); }
  bool keeps_bits(const TuneValues& values) const override { return variant_of(values).lanes == standard_.lanes; }
  std::string refuse(const TuneValues& values) const override {
    return work_group_refusal(variant_of(values).work_group, device().info());
  }
  void prepare_reference() override {
    constexpr double single = 0x1p-24, double_ = 0x1p-53;
    reference_.emplace(frame_, standard_.doubles() ? double_ : single);
    if (reference_->certain() == 0) throw failure("rounding errors make every pixel uncertain");
  }
  std::unique_ptr<TuneRun> prepare(const TuneValues& values) override;

  const Frame& frame() const { return frame_; }
  const std::vector<Round>& rounds() const { return rounds_; }
  const cl::Buffer& counters() const { return counters_; }
  const cl::Buffer& lengths() const { return lengths_; }
  /// Reads the counters of a run and the number of undecided pixels after each round, once the queue has come this far.
  void ask_counts() {
    const std::size_t bytes = rounds_.size() * sizeof(cl_uint);
    queue().read(lengths_, told_.data(), bytes);
    queue().read(counters_, static_cast<std::byte*>(told_.data()) + bytes, sizeof(Counters));
  }
  std::vector<cl_uint> told_lengths() {
    const auto lengths = told_.as<cl_uint>(rounds_.size());
    Counters counters;
    std::memcpy(&counters, static_cast<const void*>(lengths.data() + lengths.size()), sizeof counters);
    subject_.work = std::max(subject_.work, counters.iterations());
    return {lengths.begin(), lengths.end()};
  }
  using DeviceTuneTarget::device;
  using DeviceTuneTarget::output;
  using DeviceTuneTarget::queue;
  using DeviceTuneTarget::timer;

 protected:
  std::string judge(const TuneValues& values, std::span<const std::byte> content) override {
    std::vector<Cell> picture(content.size() / sizeof(Cell));
    std::memcpy(picture.data(), content.data(), content.size());
    std::string fault = reference_->fault(picture);
    if (!fault.empty()) return fault;
    if (standard_picture_.empty()) {
      standard_picture_ = std::move(picture);
      return {};
    }
    // Where the digits may differ, only pixels that rounding does not decide can be compared.
    return keeps_bits(values) ? difference(picture) : std::string();
  }

 private:
  Variant variant_of(const TuneValues& values) const { return mandelbrot::variant_of(values, standard_); }

  std::string difference(const std::vector<Cell>& picture) const {
    std::size_t different = 0;
    for (std::size_t k = 0; k < picture.size(); ++k) different += picture[k].value() != standard_picture_[k].value();
    if (different == 0) return {};
    return std::to_string(different) +
           " pixels differ from the standard's, although only work-group and unrolling changed";
  }

  ProgramLibrary& programs_;
  Frame frame_;
  std::vector<Round> rounds_;
  Variant standard_;
  TuneSpace space_;
  TuneSubject subject_;
  cl::Buffer counters_, lengths_;
  HostMirror told_;
  std::optional<EscapeReference> reference_;
  std::vector<Cell> standard_picture_;
};

/// The first run, which is checked, learns how many pixels each round leaves.
class DirectRun : public TuneRun {
 public:
  DirectRun(DirectTarget& target, Kernels kernels) : target_(target), kernels_(std::move(kernels)) {}

  void begin() override {
    if (complete() && lengths_.empty()) lengths_ = target_.told_lengths();
    round_ = 0;
    done_ = 0;
    target_.queue().fill(target_.output(cells), cl_uchar{0}, target_.frame().size.pixels() * sizeof(Cell));
    target_.queue().fill(target_.counters(), cl_uchar{0}, sizeof(Counters));
  }

  bool enqueue(double budget) override {
    target_.timer().time([&] {
      for (double spent = 0; !complete() && spent < budget;) spent += launch(budget - spent);
    });
    return complete();
  }
  std::optional<Times> poll() override { return target_.timer().poll(); }

 private:
  bool complete() const { return round_ == target_.rounds().size(); }

  std::size_t pixels_of_round() const {
    return round_ == 0 || lengths_.empty() ? target_.frame().size.pixels() : lengths_[round_ - 1];
  }

  double launch(double budget) {
    Round part = target_.rounds()[round_];
    const std::size_t pixels = pixels_of_round();
    if (done_ == 0 && round_ > 0)
      target_.queue().fill(target_.counters(), cl_uchar{0}, sizeof(cl_uint), part.to * sizeof(cl_uint));
    const double rate = guessed_rate(target_.device().info());
    const auto affordable = static_cast<std::size_t>(std::max(budget, 1e-6) * rate / part.steps);
    const std::size_t count =
        std::min(pixels - done_, std::max(affordable, filling(target_.device().info(), kernels_.variant)));
    part.first = static_cast<std::uint32_t>(done_);
    part.count = static_cast<std::uint32_t>(count);
    if (count > 0) enqueue_part(part);
    done_ += count;
    if (done_ == pixels) finish_round(part);
    return static_cast<double>(count) * part.steps / rate + 1e-6;
  }

  void finish_round(const Round& part) {
    if (lengths_.empty())
      target_.queue().copy(target_.counters(), target_.lengths(), sizeof(cl_uint), part.to * sizeof(cl_uint),
                           round_ * sizeof(cl_uint));
    done_ = 0;
    ++round_;
    if (complete() && lengths_.empty()) target_.ask_counts();
  }

  void enqueue_part(const Round& part) {
    cl::Kernel& kernel = round_ == 0 ? kernels_.begin : kernels_.resume;
    kernels_.variant.doubles() ? set_arguments<double>(kernel, part) : set_arguments<float>(kernel, part);
    const std::size_t items = round_up(part.count, kernels_.variant.pixels_per_group()) / kernels_.variant.lanes;
    target_.queue().launch(round_ == 0 ? launch::begin : launch::resume, kernel, {items, kernels_.variant.work_group});
  }

  template <class Real>
  void set_arguments(cl::Kernel& kernel, const Round& part) {
    const std::uint32_t late = std::numeric_limits<std::uint32_t>::max();
    kernel.setArg(0, PlaneArgument<Real>(target_.frame()));
    kernel.setArg(1, RoundArgument<Real>(part, target_.frame().escape_radius, late));
    kernel.setArg(2, target_.output(cells));
    kernel.setArg(3, target_.output(orbits));
    kernel.setArg(4, target_.output(first_list + part.to));
    kernel.setArg(5, target_.counters());
    if (round_ > 0) kernel.setArg(6, target_.output(first_list + part.from));
  }

  DirectTarget& target_;
  Kernels kernels_;
  std::vector<cl_uint> lengths_;  // undecided pixels after each round; empty before the end of the first run
  std::size_t round_ = 0, done_ = 0;
};

std::unique_ptr<TuneRun> DirectTarget::prepare(const TuneValues& values) {
  return std::make_unique<DirectRun>(*this, Kernels(programs_, variant_of(values)));
}

}  // namespace

std::unique_ptr<TuneTarget> tune_target(ProgramLibrary& programs, Precision precision, TuneView view) {
  if (is_direct(precision)) return std::make_unique<DirectTarget>(programs, precision, view);
  if (view != TuneView::boundary)
    throw usage_error("--view", std::string(tuned_problem(view)),
                      "boundary for the precision " + std::string(name_of(precision)));
  return deep_tune_target(programs, precision);
}

}  // namespace orrery::mandelbrot
