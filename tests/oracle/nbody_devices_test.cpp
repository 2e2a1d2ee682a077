/// Several devices that share the bodies compute the same bits as one.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench.hpp"
#include "compute/device/device_list.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/model/simulation.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

using namespace orrery;

namespace {

/// The first device: undivided, as two halves in one context, and as two halves in separate contexts.
struct Machine {
  DeviceInfo info = choose_device(enumerate_devices(), "");
  Device whole{info};
  Queue queue{whole};
  std::vector<Device> together, apart;

  Machine() {
    if (info.max_parts < 2) return;
    const auto halves = split_device(info, 2);
    together = open_devices(halves);
    for (const DeviceInfo& half : halves) apart.emplace_back(half);
  }
};

Machine& machine() {
  static Machine instance;
  return instance;
}

struct Way {
  std::size_t bodies = 1000;
  std::string forces = "gather", precision = "single", integrator = "leapfrog";
  std::int64_t work_group = 0;
};

NbodySettings settings_of(const Way& run) {
  NbodySettings settings;
  settings.forces = run.forces;
  settings.precision = run.precision;
  settings.integrator = run.integrator;
  settings.work_group = run.work_group;
  return settings;
}

NbodyKernels kernels_for(const Device& device, const Way& run, double speed) {
  ProgramLibrary programs = uncached_programs(device);
  NbodyKernels kernels(programs, nbody_variant(device.info(), settings_of(run), run.bodies), run.bodies);
  kernels.speed = speed;
  return kernels;
}

std::vector<NbodyKernels> kernels_for(std::span<const Device> devices, const Way& run, std::vector<double> speeds) {
  std::vector<NbodyKernels> kernels;
  for (std::size_t k = 0; k < devices.size(); ++k) kernels.push_back(kernels_for(devices[k], run, speeds[k]));
  return kernels;
}

Bodies start_of(const Way& run) { return make_bodies("plummer", static_cast<std::int64_t>(run.bodies), 0, 11); }

NbodySimulation simulation_of(std::span<const Device> devices, const Way& run, std::vector<double> speeds,
                              Exchange exchange = Exchange::host) {
  NbodySimulation simulation(devices, start_of(run), precision_of(settings_of(run), machine().info), {}, exchange);
  simulation.use(kernels_for(devices, run, std::move(speeds)));
  return simulation;
}

/// Three bursts: one without steps, and two that differ in softening, so that the field is evaluated anew between
/// them. A tree's accuracy follows from errors at step 16.
template <class Run>
void bursts(NbodySimulation& simulation, Run&& run) {
  run({0, 0, 0.05});
  run({3, 0.01, 0.05});
  const std::size_t drawn = std::min<std::size_t>(simulation.bodies(), drawn_bodies);
  simulation.set_accuracy({.guard = 1.44, .error = 1e-3, .depth_error = 1}, 1e-3,
                          std::vector<double>(TreeControl::remembered_draws * drawn, 4e-3));
  run({15, 0.01, 0.02, false});
}

Bodies after_bursts(NbodySimulation& simulation, const Device& device, Queue& queue) {
  bursts(simulation, [&](const Burst& burst) { run_burst(simulation, queue, burst); });
  return bodies_of(device, queue, simulation);
}

Bodies on_one(const Way& run) {
  NbodySimulation simulation = simulation_of(std::span(&machine().whole, 1), run, {1});
  return after_bursts(simulation, machine().whole, machine().queue);
}

Bodies on_several(std::span<const Device> devices, const Way& run, std::vector<double> speeds,
                  Exchange exchange = Exchange::host) {
  NbodySimulation simulation = simulation_of(devices, run, std::move(speeds), exchange);
  Queue queue(devices.front());
  return after_bursts(simulation, devices.front(), queue);
}

/// The number of bodies whose bits differ.
std::size_t differing(const Bodies& a, const Bodies& b) {
  std::size_t count = a.size() == b.size() ? 0 : std::max(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

bool can_do(const Way& run) {
  return !machine().together.empty() && (run.precision != "double" || machine().info.fp64);
}

class NbodyOnDevices : public testing::TestWithParam<Way> {};

}  // namespace

TEST_P(NbodyOnDevices, GiveTheSameBitsAsOne) {
  const Way& run = GetParam();
  if (!can_do(run)) GTEST_SKIP() << "the device cannot be divided, or has no fp64";
  const Bodies expected = on_one(run);
  EXPECT_EQ(differing(on_several(machine().together, run, {1, 1}), expected), 0U) << "equal shares";
  EXPECT_EQ(differing(on_several(machine().together, run, {3, 1}, Exchange::direct), expected), 0U)
      << "unequal, copied directly";
  EXPECT_EQ(differing(on_several(machine().apart, run, {1, 4}), expected), 0U) << "unequal, a context each";
}

INSTANTIATE_TEST_SUITE_P(Ways, NbodyOnDevices,
                         testing::Values(Way{1000, "gather"}, Way{1001, "gather", "double", "yoshida4"},
                                         Way{777, "gather", "mixed"}, Way{1, "gather"}, Way{2, "pairs"},
                                         Way{65, "gather", "single", "tutorial"}, Way{1000, "pairs"},
                                         Way{1001, "pairs", "double", "yoshida4"}, Way{777, "pairs", "mixed"},
                                         Way{300, "pairs", "single", "tutorial"}, Way{1001, "pairs", "mixed", "pefrl"},
                                         Way{777, "gather", "single", "pefrl"}, Way{1001, "tree"}, Way{1, "tree"},
                                         Way{777, "tree", "mixed", "yoshida4"}, Way{777, "tree"},
                                         Way{4096, "gather", "single", "leapfrog", 8}));

TEST(NbodyDevices, ThreeOfDifferentSizesGiveTheSameBitsAsOne) {
  if (machine().together.empty()) GTEST_SKIP() << "the device cannot be divided";
  const std::vector<Device> three{machine().apart[0], machine().whole, machine().apart[1]};
  for (const Way& run : {Way{1111, "gather"}, Way{1111, "pairs", "mixed"}, Way{2, "pairs"}, Way{1111, "tree"}}) {
    const Bodies expected = on_one(run);
    EXPECT_EQ(differing(on_several(three, run, {1, 2, 1}), expected), 0U) << run.forces;
    EXPECT_EQ(differing(on_several(three, run, {1, 1e-9, 5}), expected), 0U) << run.forces << ", one without bodies";
  }
}

// The slices are so short that each contains one launch.
TEST(NbodyDevices, AnySlicesGiveTheSameBits) {
  if (machine().together.empty()) GTEST_SKIP() << "the device cannot be divided";
  for (const Way& run : {Way{3000, "gather", "single", "leapfrog", 8}, Way{3000, "pairs"}, Way{3000, "tree"}}) {
    const Bodies expected = on_one(run);
    NbodySimulation simulation = simulation_of(machine().apart, run, {2, 1});
    Queue queue(machine().apart.front());
    bursts(simulation, [&](const Burst& burst) {
      simulation.begin_burst(burst);
      for (double progress = 0; !simulation.enqueue_slice(queue, 1e-6); queue.finish()) {
        EXPECT_GE(simulation.burst_progress(), progress);
        progress = simulation.burst_progress();
      }
    });
    queue.finish();
    EXPECT_EQ(differing(bodies_of(machine().apart.front(), queue, simulation), expected), 0U) << run.forces;
  }
}

// The bodies change devices: other force kernels and other speeds divide them differently.
TEST(NbodyDevices, OtherKernelsContinueTheSameTrajectory) {
  if (machine().together.empty()) GTEST_SKIP() << "the device cannot be divided";
  const Way gather{1500, "gather"}, pairs{1500, "pairs"};
  const auto through = [&](std::span<const Device> devices, std::vector<double> before, std::vector<double> after) {
    NbodySimulation simulation = simulation_of(devices, gather, std::move(before));
    Queue queue(devices.front());
    run_burst(simulation, queue, {2, 0.01, 0.05});
    simulation.use(kernels_for(devices, pairs, std::move(after)));
    run_burst(simulation, queue, {2, 0.01, 0.05});
    return bodies_of(devices.front(), queue, simulation);
  };
  const Bodies expected = through(std::span(&machine().whole, 1), {1}, {1});
  EXPECT_EQ(differing(through(machine().together, {1, 1}, {1, 3}), expected), 0U);
  EXPECT_EQ(differing(through(machine().apart, {1, 1e-9}, {1, 1}), expected), 0U) << "the second had none at first";
}

// Publishing and diagnostics read the first device only.
TEST(NbodyDevices, TheFirstKnowsTheWholeState) {
  if (machine().together.empty()) GTEST_SKIP() << "the device cannot be divided";
  const Way run{900, "gather"};
  const auto diagnosed = [&](std::span<const Device> devices, std::vector<double> speeds) {
    NbodySimulation simulation = simulation_of(devices, run, std::move(speeds));
    Queue queue(devices.front());
    ProgramLibrary programs = uncached_programs(devices.front());
    run_burst(simulation, queue, {5, 0.01, 0.05});
    NbodyPublisher publisher(programs, simulation.precision(), simulation.bodies());
    publisher.diagnose(queue, simulation);
    queue.finish();
    return publisher.diagnostics();
  };
  const NbodyDiagnostics one = diagnosed(std::span(&machine().together.front(), 1), {1});
  const NbodyDiagnostics two = diagnosed(machine().together, {1, 2});
  EXPECT_EQ(two.kinetic, one.kinetic);
  EXPECT_EQ(two.potential, one.potential);
  EXPECT_EQ(two.acceleration.mean, one.acceleration.mean);
  EXPECT_EQ(two.step, 5);
}

// Each device walks its part; the first one knows the cost of all walks.
TEST(NbodyDevices, TheTreeOfTheFirstHasTheCostsOfAllBodies) {
  if (machine().together.empty()) GTEST_SKIP() << "the device cannot be divided";
  const Way run{3000, "tree"};
  std::vector<std::vector<float>> costs;
  for (const std::span<const Device> devices :
       {std::span<const Device>(&machine().whole, 1), std::span<const Device>(machine().apart)}) {
    NbodySimulation simulation = simulation_of(devices, run, std::vector<double>(devices.size(), 1));
    Queue queue(devices.front());
    run_burst(simulation, queue, {2, 0.01, 0.05});
    const cl::Buffer told = devices.front().buffer(run.bodies * sizeof(cl_float));
    simulation.count_interactions(queue, told);
    costs.push_back(queue.read_blocking<float>(told, run.bodies));
  }
  EXPECT_EQ(costs[0], costs[1]);
  EXPECT_LT(*std::ranges::min_element(costs[0]), *std::ranges::max_element(costs[0]));
}

TEST(NbodyDevices, CanBeReleasedDuringABurst) {
  if (machine().together.empty()) GTEST_SKIP() << "the device cannot be divided";
  for (int turn = 0; turn < 20; ++turn) {
    Queue queue(machine().apart.front());
    NbodySimulation simulation = simulation_of(machine().apart, {2000, "pairs"}, {1, 1});
    simulation.begin_burst({100, 0.01, 0.05});
    simulation.enqueue_slice(queue, 0.01);
  }
}
