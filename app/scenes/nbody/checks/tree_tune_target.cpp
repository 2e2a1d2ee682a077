#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/statistics.hpp"
#include "base/text.hpp"
#include "compute/tuning/device_tune_target.hpp"
#include "scenes/nbody/checks/field_check.hpp"
#include "scenes/nbody/checks/tune_targets.hpp"
#include "scenes/nbody/tuning/tree_calibration.hpp"

namespace orrery {
namespace {

class TreeTuneTarget;

/// One evaluation of the field, at the accuracy that was calibrated for the variant.
class TreeTuneRun : public TuneRun {
 public:
  TreeTuneRun(TreeTuneTarget& target, NbodyKernels kernels, NbodyTree tree, TreeControl control)
      : target_(target), kernels_(std::move(kernels)), tree_(std::move(tree)), control_(std::move(control)) {}
  void begin() override { tree_.begin(false); }
  bool enqueue(double budget) override;
  std::optional<Times> poll() override;

 private:
  TreeTuneTarget& target_;
  NbodyKernels kernels_;
  NbodyTree tree_;
  TreeControl control_;
};

class TreeTuneTarget : public DeviceTuneTarget {
 public:
  TreeTuneTarget(ProgramLibrary& programs, std::size_t bodies)
      : DeviceTuneTarget(programs.device()),
        programs_(programs),
        bodies_(tuning_bodies(bodies, Precision::single)),
        standard_(tree_tune_standard(device().info(), bodies)),
        space_(tree_tune_space(device().info(), standard_)),
        subject_(tree_tune_subject(bodies)),
        positions_(device().buffer(bodies * sizeof(cl_float4))) {
    settings_.softening = tuning_softening;
    add_output("the field", bodies * sizeof(cl_float4));
    std::vector<cl_float4> positions;
    for (const Body& b : bodies_) {
      const auto real = [](double value) { return static_cast<cl_float>(value); };
      positions.push_back({{real(b.x), real(b.y), real(b.z), real(b.mass)}});
    }
    queue().write_blocking(positions_, std::span<const cl_float4>(positions));
  }

  ~TreeTuneTarget() override { end_check(); }

  const TuneSubject& subject() const override { return subject_; }
  const TuneSpace& space() const override { return space_; }
  TuneValues standard() const override { return tree_tune_values(space_, standard_); }
  bool keeps_bits(const TuneValues& values) const override {
    return keeps_tree_bits(device().info(), variant_of(values), standard_);
  }
  std::string refuse(const TuneValues& values) const override {
    return tree_refusal(device().info(), variant_of(values));
  }

  void prepare_reference() override {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(bodies_.size(), drawn_bodies));
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::size_t body = drawn_body(checked_draw, k, bodies_.size());
      expected_.push_back({body, expected_acceleration(bodies_, body, Precision::single, tuning_softening).value});
    }
  }

  std::unique_ptr<TuneRun> prepare(const TuneValues& values) override {
    const NbodyVariant variant = variant_of(values);
    NbodyKernels kernels(programs_, variant, bodies_.size());
    TreeControl control(device(), bodies_.size(), kernels.tree->errors);
    NbodySimulation simulation(device(), bodies_, Precision::single);
    simulation.use(NbodyKernels(programs_, variant, bodies_.size()));
    control.set(calibrate_tree(programs_, simulation, settings_), 0, {});
    NbodyTree tree(device(), bodies_.size(), output(0), variant.tree);
    return std::make_unique<TreeTuneRun>(*this, std::move(kernels), std::move(tree), std::move(control));
  }

  bool enqueue(NbodyTree& tree, NbodyKernels& kernels, const TreeControl& control, double budget) {
    timer().time([&] {
      for (double spent = 0; !tree.complete() && spent < budget;)
        spent += tree.enqueue(queue(), kernels, control, positions_, tuning_softening, budget - spent);
    });
    return tree.complete();
  }
  std::optional<TuneRun::Times> poll() { return timer().poll(); }

 protected:
  std::string judge(const TuneValues& values, std::span<const std::byte> content) override {
    std::vector<double> errors;
    for (const auto& [body, expected] : expected_) {
      std::array<cl_float, 4> found{};
      std::memcpy(found.data(), content.data() + body * sizeof found, sizeof found);
      const double error = relative_error(expected, found);
      if (!std::isfinite(error)) return "the acceleration of body " + std::to_string(body) + " is NaN or infinite";
      errors.push_back(error);
    }
    const double found = quantile(std::move(errors), 0.99);
    if (breaks_promise(found, settings_.force_error))
      return "99 of 100 accelerations have a relative error below " + brief(found) + ", but " +
             brief(settings_.force_error) + " is allowed";
    if (standard_field_.empty())
      standard_field_.assign(content.begin(), content.end());
    else if (keeps_bits(values) && std::memcmp(standard_field_.data(), content.data(), content.size()) != 0)
      return "the field is not bit-identical to the standard's, although only list, unrolling and work-group changed";
    return {};
  }

 private:
  static constexpr std::uint64_t checked_draw = std::uint64_t{1} << 33;  // no calibration draws these bodies
  struct Expected {
    std::size_t body;
    std::array<long double, 3> acceleration;
  };

  static double relative_error(const std::array<long double, 3>& expected, const std::array<cl_float, 4>& found) {
    long double off = 0, size = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      off += (expected[k] - found[k]) * (expected[k] - found[k]);
      size += expected[k] * expected[k];
    }
    return static_cast<double>(std::sqrt(off / size));
  }
  NbodyVariant variant_of(const TuneValues& values) const { return tree_variant_of(space_, values, standard_); }

  ProgramLibrary& programs_;
  Bodies bodies_;
  NbodySettings settings_;  // the default force error
  NbodyVariant standard_;
  TuneSpace space_;
  TuneSubject subject_;
  cl::Buffer positions_;
  std::vector<Expected> expected_;
  std::vector<std::byte> standard_field_;
};

bool TreeTuneRun::enqueue(double budget) { return target_.enqueue(tree_, kernels_, control_, budget); }
std::optional<TuneRun::Times> TreeTuneRun::poll() { return target_.poll(); }

}  // namespace

std::unique_ptr<TuneTarget> tree_tune_target(ProgramLibrary& programs, std::size_t bodies) {
  return std::make_unique<TreeTuneTarget>(programs, bodies);
}

}  // namespace orrery
