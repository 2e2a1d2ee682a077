#include <cmath>
#include <cstring>
#include <random>

#include "compute/program/arguments.hpp"
#include "compute/tuning/device_tune_target.hpp"
#include "scenes/nbody/checks/tune_targets.hpp"

namespace orrery {
namespace {

constexpr double close_kick = 0.01, open_kick = 0.02, drift = 0.04;
constexpr cl_uint closes_and_opens = 3;

std::size_t bodies_for(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? std::size_t{1} << 18 : std::size_t{1} << 22;
}

std::vector<cl_float4> drawn(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<cl_float4> values(count);
  for (cl_float4& value : values)
    for (float& number : value.s) number = uniform(random);
  return values;
}

/// Leapfrog's two kicks and its drift, in single precision.
class AdvanceTarget : public ElementTarget {
 public:
  explicit AdvanceTarget(ProgramLibrary& programs)
      : ElementTarget(programs.device(), 1, advance_tune_subject(), bodies_for(programs.device().info())),
        bodies_(bodies_for(device().info())),
        kernels_(programs, nbody_tune_standard(device().info(), Precision::single, 1024), 1024),
        positions_(upload(old_positions_, 1)),
        start_(upload(old_velocities_, 2)),
        pulls_(upload(accelerations_, 3)) {
    const std::size_t bytes = bodies_ * sizeof(cl_float4);
    const cl::Buffer moved = add_output("the positions", bytes), velocities = add_output("the velocities", bytes);
    const cl::Buffer kept = add_output("the accelerations", bytes);
    const auto wide = [](double value) { return Wide{value, Precision::single, false}; };
    set_arguments(kernels_.advance, positions_, positions_, moved, kept, velocities, kept, pulls_, cl_uint{1}, kept,
                  static_cast<cl_uint>(bodies_), static_cast<cl_uint>(bodies_), closes_and_opens, wide(close_kick),
                  wide(open_kick), wide(drift), wide(1));
  }
  ~AdvanceTarget() override { end_check(); }

  void prepare_reference() override {}
  void restore() override { queue().copy(start_, output(1), bodies_ * sizeof(cl_float4)); }
  void launch(const ElementGroup& group) override {
    queue().launch(nbody_launch::advance, kernels_.advance, elementwise(group, bodies_));
  }

 protected:
  const cl::Kernel& kernel() const override { return kernels_.advance; }

  // Checked in double; the kernel rounds each of its six operations to a float.
  std::string judge(const TuneValues&, std::span<const std::byte> content) override {
    constexpr double tolerance = 8 * 0x1p-24 * 2;
    for (std::size_t i = 0; i < bodies_; ++i) {
      cl_float4 moved;
      std::memcpy(&moved, content.data() + i * sizeof moved, sizeof moved);
      for (int k = 0; k < 3; ++k) {
        const double pull = static_cast<double>(accelerations_[i].s[k]);
        const double speed = static_cast<double>(old_velocities_[i].s[k]) + pull * (close_kick + open_kick);
        const double expected = static_cast<double>(old_positions_[i].s[k]) + speed * drift;
        if (!(std::abs(static_cast<double>(moved.s[k]) - expected) <= tolerance))
          return "body " + std::to_string(i) + " has a wrong position";
      }
      if (std::memcmp(&moved.s[3], &old_positions_[i].s[3], sizeof(float)) != 0)
        return "body " + std::to_string(i) + " has a wrong mass";
    }
    return {};
  }

 private:
  cl::Buffer upload(std::vector<cl_float4>& values, unsigned seed) {
    values = drawn(bodies_, seed);
    cl::Buffer buffer = device().buffer(bodies_ * sizeof(cl_float4));
    queue().write_blocking<cl_float4>(buffer, values);
    return buffer;
  }

  std::size_t bodies_;
  NbodyKernels kernels_;
  std::vector<cl_float4> old_positions_, old_velocities_, accelerations_;
  cl::Buffer positions_, start_, pulls_;
};

}  // namespace

TuneSubject advance_tune_subject() {
  return {.kernel = std::string(tuned_advance),
          .problem = std::string(any_elements),
          .files = {"nbody_advance.cl"},
          .work = 0,
          .unit = "bodies"};
}

std::unique_ptr<TuneTarget> advance_tune_target(ProgramLibrary& programs) {
  return std::make_unique<AdvanceTarget>(programs);
}

}  // namespace orrery
