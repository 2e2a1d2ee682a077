#include "scenes/nbody/headless/contender.hpp"

namespace orrery::cli {
namespace {

class SimulationContender : public NbodyContender {
 public:
  SimulationContender(std::span<ProgramLibrary* const> programs, Exchange exchange, const BenchStart& start,
                      const NbodySettings& settings)
      : device_(programs.front()->device()),
        devices_(programs.size()),
        exchange_(exchange),
        queue_(device_),
        start_(start),
        settings_(settings),
        simulation_(nbody_simulation(programs, settings, start.bodies, {}, {exchange})) {}

  std::string name() const override { return "nbody"; }
  Precision precision() const override { return simulation_.precision(); }

  nlohmann::ordered_json parameters() const override {
    const NbodyVariant& variant = simulation_.kernels().variant;
    nlohmann::ordered_json parameters = {{"integrator", settings_.integrator},
                                         {"forces", name_of(variant.forces)},
                                         {"work_group", variant.work_group},
                                         {"lanes", variant.lanes}};
    if (variant.forces == Forces::tree) {
      const bool by_angle = settings_.opening_angle > 0;
      parameters["order"] = settings_.order;
      parameters[by_angle ? "opening_angle" : "force_error"] =
          by_angle ? settings_.opening_angle : settings_.force_error;
    }
    if (variant.tile > 0) parameters["tile"] = variant.tile;
    if (devices_ > 1) {
      parameters["devices"] = devices_;
      parameters["exchange"] = exchange_ == Exchange::direct ? "direct" : "host";
    }
    return parameters;
  }

  // Nothing is published: the potential is not needed.
  void step(std::int64_t steps) override {
    run_burst(simulation_, queue_, {steps, start_.dt, start_.softening, false});
  }

  std::int64_t evaluations() const override { return simulation_.kernels().variant.integrator->evaluations(); }

  std::size_t devices() const override { return devices_; }

  Bodies bodies() override { return bodies_of(device_, queue_, simulation_); }

  std::vector<Acceleration> accelerations() override {
    step(0);
    return precision() == Precision::double_ ? read<cl_double4>() : read<cl_float4>();
  }

 private:
  template <class Real4>
  std::vector<Acceleration> read() {
    std::vector<Acceleration> result;
    for (const Real4& a : queue_.read_blocking<Real4>(simulation_.buffers().accelerations, simulation_.bodies()))
      result.push_back({a.s[0], a.s[1], a.s[2]});
    return result;
  }

  const Device& device_;
  std::size_t devices_;
  Exchange exchange_;
  Queue queue_;
  const BenchStart& start_;
  NbodySettings settings_;
  NbodySimulation simulation_;
};

}  // namespace

std::string_view name_of(Precision precision) {
  return precision == Precision::double_ ? "double" : precision == Precision::mixed ? "mixed" : "single";
}

std::unique_ptr<NbodyContender> simulation_contender(std::span<ProgramLibrary* const> devices, Exchange exchange,
                                                     const BenchStart& start, const NbodySettings& settings) {
  return std::make_unique<SimulationContender>(devices, exchange, start, settings);
}

}  // namespace orrery::cli
