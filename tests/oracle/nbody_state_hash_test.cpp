/// The checksum of the exact state of the bodies.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "bench.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

using namespace orrery;

namespace {

StateHash hash_of(const NbodySimulation& simulation) {
  NbodyHasher hasher(bench().programs, bench().queue, simulation.precision(), simulation.bodies());
  hasher.hash(bench().queue, simulation);
  bench().queue.finish();
  return hasher.state_hash();
}

StateHash hash_of(const Bodies& bodies, Precision precision = Precision::single) {
  return hash_of(NbodySimulation(bench().device, bodies, precision));
}

NbodySimulation moved(const Bodies& bodies, std::string_view precision, std::int64_t work_group, std::int64_t steps,
                      std::int64_t burst) {
  NbodySettings settings;
  settings.precision = precision;
  settings.work_group = work_group;
  const DeviceInfo& info = bench().device.info();
  NbodySimulation simulation(bench().device, bodies, precision_of(settings, info));
  simulation.use(NbodyKernels(bench().programs, nbody_variant(info, settings, bodies.size()), bodies.size()));
  for (std::int64_t done = 0; done < steps; done += burst)
    run_burst(simulation, bench().queue, {burst, 0.01, 0.05, done + burst == steps});
  return simulation;
}

/// The formula of nbody_hash.cl on the host, for each word of the buffers.
template <class Real>
StateHash expected_hash(const NbodySimulation& simulation) {
  const std::size_t n = simulation.bodies();
  const auto numbers = [&](const cl::Buffer& buffer) { return bench().queue.read_blocking<Real>(buffer, 4 * n); };
  std::vector<std::pair<std::vector<Real>, std::size_t>> arrays{{numbers(simulation.buffers().positions), 4},
                                                                {numbers(simulation.buffers().velocities), 3}};
  if (simulation.precision() == Precision::mixed) {
    arrays.emplace_back(numbers(simulation.corrections().positions), 3);
    arrays.emplace_back(numbers(simulation.corrections().velocities), 3);
  }
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t> words{i};
    for (const auto& [array, count] : arrays)
      for (std::size_t k = 0; k < count; ++k)
        if constexpr (sizeof(Real) == 8) {
          const auto bits = std::bit_cast<std::uint64_t>(array[4 * i + k]);
          words.push_back(static_cast<std::uint32_t>(bits));
          words.push_back(static_cast<std::uint32_t>(bits >> 32));
        } else {
          words.push_back(std::bit_cast<std::uint32_t>(array[4 * i + k]));
        }
    words.push_back(0);
    std::uint64_t state = 0;
    for (const std::uint32_t word : words) {
      state = (state ^ word) * 11400714819323198485ULL;
      state ^= state >> 32;
    }
    sum += state;
  }
  return shortened(sum);
}

Bodies plummer(std::int64_t count) { return make_bodies("plummer", count, 0, 7); }

}  // namespace

TEST(NbodyStateHash, IsTheFormula) {
  for (const std::int64_t count : {1, 63, 5000}) {
    for (const std::string_view precision : {"single", "mixed"}) {
      const NbodySimulation simulation = moved(plummer(count), precision, 0, 1, 1);
      EXPECT_EQ(hash_of(simulation), expected_hash<float>(simulation)) << precision << " " << count;
    }
    if (!bench().device.info().fp64) continue;
    const NbodySimulation simulation = moved(plummer(count), "double", 0, 1, 1);
    EXPECT_EQ(hash_of(simulation), expected_hash<double>(simulation)) << count;
  }
}

TEST(NbodyStateHash, HasEightDigits) {
  for (std::uint64_t sum = 0; sum < 1000; ++sum) {
    EXPECT_GE(shortened(sum * 0x1234567887654321ULL), 10'000'000U);
    EXPECT_LE(shortened(sum * 0x1234567887654321ULL), 99'999'999U);
  }
}

TEST(NbodyStateHash, IsTheSameForAnyWorkGroupAndBurst) {
  const Bodies bodies = plummer(777);
  for (const std::string_view precision : {"single", "mixed"}) {
    const StateHash expected = hash_of(moved(bodies, precision, 0, 6, 1));
    EXPECT_EQ(hash_of(moved(bodies, precision, 5, 6, 1)), expected);
    EXPECT_EQ(hash_of(moved(bodies, precision, 64, 6, 6)), expected);
    EXPECT_EQ(hash_of(moved(bodies, precision, 250, 6, 2)), expected);
    EXPECT_NE(hash_of(moved(bodies, precision, 0, 5, 1)), expected);
  }
}

TEST(NbodyStateHash, ChangesWithTheLastBitOfAnyNumber) {
  const Bodies bodies = plummer(300);
  const StateHash before = hash_of(bodies);
  for (double Body::*of : {&Body::mass, &Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz}) {
    Bodies other = bodies;
    other[137].*of = std::nextafter(static_cast<float>(other[137].*of), 1e9F);
    EXPECT_NE(hash_of(other), before);
  }
}

TEST(NbodyStateHash, ChangesWithTheExtraDigitsOfMixedPrecision) {
  const Bodies bodies = plummer(300);
  Bodies other = bodies;
  other[299].vy += std::ldexp(std::abs(other[299].vy), -40);  // far below a float's last bit
  EXPECT_EQ(hash_of(other), hash_of(bodies));
  EXPECT_NE(hash_of(other, Precision::mixed), hash_of(bodies, Precision::mixed));
}

TEST(NbodyStateHash, ChangesWhenBodiesSwapPlaces) {
  const Bodies bodies = plummer(300);
  Bodies other = bodies;
  std::swap(other[3], other[250]);
  EXPECT_NE(hash_of(other), hash_of(bodies));
}

TEST(NbodyStateHash, IsARowsLastColumn) {
  NbodyPublisher publisher(bench().programs, Precision::single, 100);
  NbodySimulation simulation = moved(plummer(100), "single", 0, 1, 1);
  publisher.diagnose(bench().queue, simulation);
  bench().queue.finish();
  EXPECT_TRUE(csv_header_of_diagnostics().ends_with(",virial,hash"));
  EXPECT_TRUE(csv_row(publisher.diagnostics()).ends_with("," + std::to_string(hash_of(simulation))));
}
