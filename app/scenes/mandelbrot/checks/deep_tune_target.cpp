#include <cstring>

#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/tuning/device_tune_target.hpp"
#include "scenes/mandelbrot/checks/proof.hpp"
#include "scenes/mandelbrot/checks/tune_targets.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {
namespace {

// Beside the Feigenbaum point: perturbation at 1e-50, and the ladder nearer to the point.
Frame deep_frame(const DeviceInfo& device, Precision precision) {
  const bool cpu = device.device_class == DeviceClass::cpu, ladder = is_ladder(precision);
  const View view = ladder
                        ? View{Decimal::parse("-1.4011551890920506005238267878938612922263080433973", "re"),
                               Decimal::parse("1e-7", "im"), Decimal::parse("1e-6", "span")}
                        : View{Decimal::parse("-1.401216504309415209025911160197722460155146622425298246526439", "re"),
                               Decimal(0.0), Decimal::parse("1e-50", "span")};
  Frame frame = whole_frame(view, cpu ? Size{256, 160} : Size{1920, 1080});
  frame.limit = ladder ? 60000 : 10000;
  frame.progressive = false;
  return frame;
}

class DeepTarget : public DeviceTuneTarget {
 public:
  DeepTarget(ProgramLibrary& programs, Precision precision)
      : DeviceTuneTarget(programs.device()),
        programs_(programs),
        standard_(standard_variant(device().info(), precision, 0)),
        space_(tune_space(device().info(), standard_)),
        subject_(tune_subject(precision, TuneView::boundary)),
        frame_(deep_frame(device().info(), precision)) {
    const std::size_t pixels = frame_.size.pixels();
    buffers_ = {.pixels = pixels,
                .cells = add_output("the cells", pixels * sizeof(Cell)),
                .orbits = add_output("the orbits", pixels * PixelBuffers::bytes_of_orbit(standard_)),
                .details = {},
                .lists = {add_output("the first list", pixels * sizeof(cl_uint)),
                          add_output("the second list", pixels * sizeof(cl_uint)),
                          add_output("the third list", pixels * sizeof(cl_uint))}};
  }

  ~DeepTarget() override { end_check(); }

  const TuneSubject& subject() const override { return subject_; }
  const TuneSpace& space() const override { return space_; }
  TuneValues standard() const override { return tune_values(standard_); }
  bool keeps_bits(const TuneValues& values) const override { return variant_of(values).lanes == standard_.lanes; }
  std::string refuse(const TuneValues& values) const override {
    return work_group_refusal(variant_of(values).work_group, device().info());
  }

  // All candidates share the reference orbit and the estimate of the device's speed, by which launches are cut.
  void prepare_reference() override {
    const Kernels kernels(programs_, standard_, Kernels::Warm::yes);
    seconds_per_iteration_ = kernels.seconds_per_iteration;
    references_ = kernels.references;
    Queue alone(device());
    Renderer renderer(device(), alone, kernels);
    renderer.begin(frame_);
    renderer.finish_blocking(alone, 0.1);
    subject_.work = renderer.progress().iterations;
    proved_frame_ = renderer.published_frame();
    exponent_ = renderer.value_exponent();
  }
  std::unique_ptr<TuneRun> prepare(const TuneValues& values) override;

  const Frame& frame() const { return frame_; }
  const PixelBuffers& buffers() const { return buffers_; }
  using DeviceTuneTarget::device;
  using DeviceTuneTarget::queue;
  using DeviceTuneTarget::timer;

 protected:
  std::string judge(const TuneValues& values, std::span<const std::byte> content) override {
    std::vector<Cell> picture(content.size() / sizeof(Cell));
    std::memcpy(picture.data(), content.data(), content.size());
    // A picture with the bits of a verified picture needs no check of its own.
    if (!standard_picture_.empty() && keeps_bits(values)) return difference(picture);
    std::string fault = proved_fault(picture);
    if (fault.empty() && standard_picture_.empty()) standard_picture_ = std::move(picture);
    return fault;
  }

 private:
  Variant variant_of(const TuneValues& values) const { return mandelbrot::variant_of(values, standard_); }

  std::string proved_fault(const std::vector<Cell>& picture) const {
    const ProofResult proof = prove({.frame = proved_frame_,
                                     .exponent = exponent_,
                                     .pixels = pick_pixels(proved_frame_, picture, 24, 7),
                                     .most_iterations = 2e6})
                                  .value_or(ProofResult{});
    if (!proof.fails_in_chaos()) return {};
    return "of " + std::to_string(proof.checked) + " pixels in " + std::to_string(proof.bits) + " bits, " +
           std::to_string(proof.wrong_kind + proof.misses) + " differ";
  }

  std::string difference(const std::vector<Cell>& picture) const {
    std::size_t different = 0;
    for (std::size_t k = 0; k < picture.size(); ++k) different += !(picture[k] == standard_picture_[k]);
    if (different == 0) return {};
    return std::to_string(different) + " pixels differ from the standard's, although only the work-group changed";
  }

  ProgramLibrary& programs_;
  Variant standard_;
  TuneSpace space_;
  TuneSubject subject_;
  Frame frame_, proved_frame_;
  int exponent_ = 0;
  PixelBuffers buffers_;
  double seconds_per_iteration_ = 0;
  std::shared_ptr<References> references_;
  std::vector<Cell> standard_picture_;
};

/// A whole picture, as the renderer computes it.
class DeepRun : public TuneRun {
 public:
  DeepRun(DeepTarget& target, Kernels kernels)
      : target_(target), renderer_(target.device(), target.queue(), std::move(kernels)) {
    renderer_.use(target.buffers());
  }

  void begin() override { renderer_.begin(target_.frame()); }
  bool enqueue(double budget) override {
    target_.timer().time([&] { renderer_.enqueue_slice(target_.queue(), budget); });
    return renderer_.enqueued_all();
  }
  std::optional<Times> poll() override {
    if (renderer_.busy()) return std::nullopt;
    return target_.timer().poll();
  }

 private:
  DeepTarget& target_;
  Renderer renderer_;
};

std::unique_ptr<TuneRun> DeepTarget::prepare(const TuneValues& values) {
  Kernels kernels(programs_, variant_of(values));
  kernels.seconds_per_iteration = seconds_per_iteration_;
  if (references_) kernels.references = references_;
  return std::make_unique<DeepRun>(*this, std::move(kernels));
}

}  // namespace

std::unique_ptr<TuneTarget> deep_tune_target(ProgramLibrary& programs, Precision precision) {
  return std::make_unique<DeepTarget>(programs, precision);
}

}  // namespace orrery::mandelbrot
