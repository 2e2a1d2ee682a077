#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.hpp"
#include "cli/plain_loop.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/program/arguments.hpp"
#include "scenes/nbody/headless/contender.hpp"
#include "scenes/nbody/model/kernels.hpp"

namespace orrery::cli {
namespace {

constexpr std::string_view launch_name = "tutorial";

// ---- the kernel of tutorials

template <class Number, class Number4>
class TutorialContender : public NbodyContender {
 public:
  TutorialContender(ProgramLibrary& programs, const BenchStart& start, Precision precision)
      : device_(programs.device()), queue_(device_), start_(start), precision_(precision), count_(start.bodies.size()) {
    ProgramSpec spec{"nbody_tutorial.cl", {}};
    if (precision == Precision::double_) spec.definitions["DOUBLE"] = "1";
    kernel_ = programs.build(spec)->kernel("tutorial_step");
    const std::vector<Number4> nothing(count_);
    std::vector<Number4> positions;
    for (const Body& b : start.bodies) positions.push_back({{Number(b.x), Number(b.y), Number(b.z), Number(b.mass)}});
    for (cl::Buffer* buffer : {&positions_, &next_, &velocities_, &scratch_})
      *buffer = device_.buffer(count_ * sizeof(Number4));
    queue_.write_blocking(positions_, std::span<const Number4>(positions));
    queue_.write_blocking(velocities_, std::span<const Number4>(nothing));
    work_group_ = best_work_group();
  }

  std::string name() const override { return "nbody tutorial kernel"; }
  Precision precision() const override { return precision_; }
  nlohmann::ordered_json parameters() const override {
    return {{"integrator", "tutorial"}, {"work_group", work_group_}};
  }

  void step(std::int64_t steps) override {
    for (std::int64_t k = 0; k < steps; ++k) {
      launch(next_, velocities_, start_.dt, count_);
      std::swap(positions_, next_);
    }
    queue_.finish();
  }

  Bodies bodies() override {
    Bodies bodies;
    for (const Number4& x : queue_.read_blocking<Number4>(positions_, count_))
      bodies.push_back({x.s[3], x.s[0], x.s[1], x.s[2], 0, 0, 0});
    return bodies;
  }

  // A body at rest has this velocity after a step of length 1.
  std::vector<Acceleration> accelerations() override {
    const std::vector<Number4> at_rest(count_);
    queue_.write_blocking(scratch_, std::span<const Number4>(at_rest));
    launch(next_, scratch_, 1, count_);
    std::vector<Acceleration> result;
    for (const Number4& a : queue_.read_blocking<Number4>(scratch_, count_)) result.push_back({a.s[0], a.s[1], a.s[2]});
    return result;
  }

 private:
  void launch(const cl::Buffer& to, const cl::Buffer& velocities, double dt, std::size_t bodies) {
    set_arguments(kernel_, positions_, to, velocities, static_cast<cl_uint>(count_),
                  Real{start_.softening * start_.softening, precision_}, Real{dt, precision_});
    queue_.launch(launch_name, kernel_, {round_up(bodies, work_group_), work_group_});
  }

  // A part of the bodies is enough to fill a CPU's cores.
  std::size_t best_work_group() {
    constexpr std::array<std::size_t, 7> sizes{16, 32, 64, 128, 256, 512, 1024};
    const WorkGroupLimits limits = work_group_limits(kernel_, device_, "tutorial", 0);
    const bool cpu = device_.info().device_class == DeviceClass::cpu;
    const std::size_t bodies = cpu ? std::min<std::size_t>(count_, 2048) : count_;
    std::size_t best = 1;
    double shortest = 1e300;
    for (const std::size_t size : sizes) {
      if (size > limits.kernel_maximum) continue;
      work_group_ = size;
      for (int trial = 0; trial < 3; ++trial) {  // the first one may build
        const double began = now_seconds();
        launch(next_, scratch_, start_.dt, bodies);
        queue_.finish();
        if (const double seconds = now_seconds() - began; trial > 0 && seconds < shortest) {
          shortest = seconds;
          best = size;
        }
      }
    }
    return best;
  }

  const Device& device_;
  Queue queue_;
  const BenchStart& start_;
  Precision precision_;
  std::size_t count_;
  std::size_t work_group_ = 1;
  cl::Kernel kernel_;
  cl::Buffer positions_, next_, velocities_, scratch_;
};

// ---- a plain loop

template <class Number>
class LoopContender : public NbodyContender {
 public:
  LoopContender(const BenchStart& start, Precision precision) : start_(start), precision_(precision) {
    for (const Body& b : start.bodies) {
      mass_.push_back(Number(b.mass));
      for (std::size_t k = 0; k < 3; ++k) x_[k].push_back(Number(std::array{b.x, b.y, b.z}[k]));
    }
    for (std::size_t k = 0; k < 3; ++k) v_[k] = a_[k] = std::vector<Number>(mass_.size());
  }

  std::string name() const override { return "nbody plain loop"; }
  Precision precision() const override { return precision_; }
  nlohmann::ordered_json parameters() const override {
    return {{"integrator", "tutorial"}, {"threads", plain_loop_threads()}};
  }

  void step(std::int64_t steps) override {
    const auto dt = Number(start_.dt);
    for (std::int64_t step = 0; step < steps; ++step) {
      evaluate();
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < mass_.size(); ++i) {
          x_[k][i] += v_[k][i] * dt + a_[k][i] * dt * dt / 2;
          v_[k][i] += a_[k][i] * dt;
        }
    }
  }

  Bodies bodies() override {
    Bodies bodies(mass_.size());
    for (std::size_t i = 0; i < mass_.size(); ++i) bodies[i] = {mass_[i], x_[0][i], x_[1][i], x_[2][i], 0, 0, 0};
    return bodies;
  }

  std::vector<Acceleration> accelerations() override {
    evaluate();
    std::vector<Acceleration> result(mass_.size());
    for (std::size_t i = 0; i < mass_.size(); ++i) result[i] = {a_[0][i], a_[1][i], a_[2][i]};
    return result;
  }

 private:
  void evaluate() {
    const PlainBodies<Number> bodies{mass_.data(), x_[0].data(), x_[1].data(), x_[2].data(), mass_.size()};
    plain_accelerations(bodies, Number(start_.softening * start_.softening), a_[0].data(), a_[1].data(), a_[2].data());
  }

  const BenchStart& start_;
  Precision precision_;
  std::vector<Number> mass_;
  std::array<std::vector<Number>, 3> x_, v_, a_;
};

}  // namespace

std::unique_ptr<NbodyContender> tutorial_contender(ProgramLibrary& programs, const BenchStart& start,
                                                   Precision precision) {
  if (precision == Precision::double_)
    return std::make_unique<TutorialContender<cl_double, cl_double4>>(programs, start, precision);
  return std::make_unique<TutorialContender<cl_float, cl_float4>>(programs, start, precision);
}

std::unique_ptr<NbodyContender> loop_contender(const BenchStart& start, Precision precision) {
  if (!plain_loop_runs_here()) return nullptr;
  if (precision == Precision::double_) return std::make_unique<LoopContender<double>>(start, precision);
  return std::make_unique<LoopContender<float>>(start, precision);
}

}  // namespace orrery::cli
