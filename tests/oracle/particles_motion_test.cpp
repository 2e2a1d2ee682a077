/// Time steps of particles against conservation laws and statistical mechanics.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "bench.hpp"
#include "particles_worlds.hpp"
#include "scenes/particles/files/world_file.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

/// A liquid whose potential and slope vanish smoothly at the cutoff.
World smooth_liquid(std::size_t particles) {
  World world = fluid(particles, 0.8, 0.1);
  world.pairs.front().switch_from = 2;
  world.ensemble.dt = 0.002;
  draw_velocities(world, 1.4);
  return world;
}

/// 512 particles with sixteen chains of eight: stairs in the planes of the lattice, bent by right angles.
World polymer() {
  World world = smooth_liquid(512);
  Groups bonds{ready_group_law("fene"), {}, {}}, angles{ready_group_law("harmonic-angle"), {}, {}},
      torsions{ready_group_law("periodic-torsion"), {}, {}};
  bonds.law.parameters[1].value = 2;  // R0: longer than the lattice's spacing
  angles.law.parameters[1].value = std::numbers::pi / 2;
  for (std::uint32_t chain = 0; chain < 16; ++chain) {
    const auto bead = [&](std::uint32_t k) { return 64 * (chain / 2) + 8 * (4 * (chain % 2) + k / 2) + (k + 1) / 2; };
    for (std::uint32_t k = 0; k < 7; ++k) {
      world.bonds.push_back({bead(k), bead(k + 1)});
      bonds.members.insert(bonds.members.end(), {bead(k), bead(k + 1)});
      if (k < 6) angles.members.insert(angles.members.end(), {bead(k), bead(k + 1), bead(k + 2)});
      if (k < 5) torsions.members.insert(torsions.members.end(), {bead(k), bead(k + 1), bead(k + 2), bead(k + 3)});
    }
  }
  world.excluded_bonds = 0;
  world.groups = {bonds, angles, torsions};
  return world;
}

/// Energies per particle during a time of 2: standard deviation, and slope of the fitted line.
struct Drift {
  double spread = 0, slope = 0;
};

Drift drift_of(World world, double dt) {
  const auto particles = static_cast<double>(world.particles.size());
  world.ensemble.dt = dt;
  Engine engine(bench().programs, world, ForceVariant{.precision = Precision::mixed});
  run_burst(engine, bench().queue, {std::lround(0.4 / dt)});  // away from the lattice
  std::vector<double> energies;
  for (int block = 0; block < 20; ++block) {
    run_burst(engine, bench().queue, {std::lround(0.1 / dt), true});
    energies.push_back(observe_blocking(engine, bench().queue).total() / particles);
  }
  const Observables o = observe_blocking(engine, bench().queue);
  for (const double p : o.momentum) EXPECT_LT(std::abs(p), 1e-4);
  EXPECT_EQ(o.step, std::lround(2.4 / dt));
  double slope = 0, norm = 0, spread = 0;
  for (std::size_t k = 0; k < energies.size(); ++k) {
    const double t = (static_cast<double>(k) - 9.5) * 0.1;
    slope += t * energies[k];
    norm += t * t;
    for (const double e : energies) spread += (energies[k] - e) * (energies[k] - e);
  }
  return {std::sqrt(spread / 800), slope / norm};
}

}  // namespace

// The energy of velocity Verlet does not drift but oscillates by O(dt²): a quarter for half the step.
TEST(ParticleMotion, KeepsEnergyAndMomentum) {
  const Drift coarse = drift_of(smooth_liquid(512), 0.004), fine = drift_of(smooth_liquid(512), 0.002);
  EXPECT_GT(coarse.spread / fine.spread, 2.5);
  EXPECT_LT(coarse.spread / fine.spread, 6);
  // Three standard errors of the slope of twenty values with that spread: spread/√Σt².
  EXPECT_LT(std::abs(fine.slope), 3 * fine.spread / std::sqrt(6.65));
}

TEST(ParticleMotion, IsTheSameForAnyCutIntoBursts) {
  const World world = smooth_liquid(300);
  Engine whole(bench().programs, world, ForceVariant{}), cut(bench().programs, world, ForceVariant{});
  run_burst(whole, bench().queue, {60});
  for (int k = 0; k < 20; ++k) run_burst(cut, bench().queue, {3, k % 2 == 0}, {}, 1e-6);
  EXPECT_EQ(whole.snapshot_blocking(bench().queue).position.size(), 300u);
  const Snapshot a = whole.snapshot_blocking(bench().queue), b = cut.snapshot_blocking(bench().queue);
  double most = 0;
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(a.position[i][k] - b.position[i][k]));
  EXPECT_LT(most, 1e-4);  // forces of an observed step may be rounded differently
}

// Chains with bonds, angles and torsions in a solvent: only the total energy of all laws is conserved.
TEST(ParticleMotion, KeepsTheEnergyOfAPolymer) {
  const Drift coarse = drift_of(polymer(), 0.004), fine = drift_of(polymer(), 0.002);
  EXPECT_GT(coarse.spread / fine.spread, 2.5);
  EXPECT_LT(coarse.spread / fine.spread, 6);
  EXPECT_LT(std::abs(fine.slope), 3 * fine.spread / std::sqrt(6.65));
}

// A particle has half of each pair's energy and an equal share of each group's: their sum is the measured energy.
TEST(ParticleMotion, PublishesAllOfTheEnergy) {
  for (const bool fixed_atomics : {true, false}) {
    const World world = polymer();
    Engine engine(bench().programs, world, {.precision = Precision::mixed, .fixed_atomics = fixed_atomics});
    run_burst(engine, bench().queue, {20, true});
    const Observables o = observe_blocking(engine, bench().queue);
    const cl::Buffer surface = bench().device.buffer(engine.size() * published_bytes);
    engine.publish(bench().queue, surface);
    const auto published = bench().queue.read_blocking<cl_float4>(surface, 2 * engine.size());
    double sum = 0, of_groups = 0;
    for (std::size_t i = 0; i < engine.size(); ++i) sum += static_cast<double>(published[engine.size() + i].s[2]);
    ASSERT_EQ(o.energies.size(), 4u);
    for (std::size_t law = 1; law < 4; ++law) {
      EXPECT_GT(std::abs(o.energies[law].energy), 1) << o.energies[law].law;
      of_groups += o.energies[law].energy;
    }
    EXPECT_NEAR(sum, o.potential, 1e-5 * (std::abs(o.energies[0].energy) + of_groups));
  }
}

// N independent oscillators: ⟨x²⟩ = kT/k and ⟨v²⟩ = kT/m, each with a relative standard error of √(2/3N).
TEST(ParticleMotion, LangevinGivesTemperatureAndTheOscillatorsSpread) {
  constexpr std::size_t n = 4096;
  World world = empty_world(n);
  GroupLaw spring{.name = "spring",
                  .members = 1,
                  .snippet = "energy += 0.5f * k * dot(position1, position1);\nforce1 -= k * position1;",
                  .parameters = {{.name = "k", .value = 3}}};
  Groups groups{spring, {}, {}};
  for (std::uint32_t i = 0; i < n; ++i) groups.members.push_back(i);
  world.groups = {groups};
  world.ensemble = {.thermostat = Thermostat::langevin, .dt = 0.1, .temperature = 1.5, .friction = 2};
  for (const ForceVariant& variant : {ForceVariant{}, {.precision = Precision::mixed, .fixed_atomics = false}}) {
    Engine engine(bench().programs, world, variant);
    run_burst(engine, bench().queue, {200});
    double x2 = 0, v2 = 0, samples = 0;
    for (int k = 0; k < 8; ++k) {
      run_burst(engine, bench().queue, {40});
      const Snapshot now = engine.snapshot_blocking(bench().queue);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
          x2 += now.position[i][c] * now.position[i][c];
          v2 += now.velocity[i][c] * now.velocity[i][c];
          samples += 1;
        }
    }
    const double sigma = std::sqrt(2 / samples);
    EXPECT_NEAR(x2 / samples * 3 / 1.5, 1, 4 * sigma);  // BAOAB's positions are exact here
    EXPECT_NEAR(v2 / samples / 1.5, 1 - 3 * 0.1 * 0.1 / 4,
                4 * sigma);  // velocities are half a kick behind: 1 − (ω dt)²/4
  }
}

TEST(ParticleMotion, DrawsTheSameNumbersForOneSeed) {
  World world = smooth_liquid(100);
  world.ensemble.thermostat = Thermostat::langevin;
  Engine first(bench().programs, world, ForceVariant{}), second(bench().programs, world, ForceVariant{.work_group = 1});
  run_burst(first, bench().queue, {20});
  run_burst(second, bench().queue, {20});
  EXPECT_EQ(first.snapshot_blocking(bench().queue), second.snapshot_blocking(bench().queue));
}

// A new cutoff during a run gives the same result as a run that begins at that state with the new cutoff.
TEST(ParticleMotion, ContinuesWhenTheCutoffChanges) {
  World world = smooth_liquid(300);
  Engine engine(bench().programs, world, {.precision = Precision::double_});
  run_burst(engine, bench().queue, {40});
  for (const double cutoff : {1.6, 3.2, 0.0, 2.5}) {
    if (cutoff == 0)
      world.pairs.clear();
    else if (!world.pairs.empty())
      world.pairs = {ready_pair_law("lennard-jones")};
    else  // after a while without forces some particles overlap
      world.pairs = {{.name = "soft", .snippet = "energy += (2.5f - r) * (2.5f - r);\ndEdR -= 2 * (2.5f - r);\n"}};
    if (cutoff > 0) world.pairs.front().cutoff = cutoff;
    const Snapshot moment = engine.snapshot_blocking(bench().queue);
    auto laws = make_law_kernels(bench().programs, world, engine.variant());
    EXPECT_THROW(engine.use(laws, world), Error);
    engine.use(laws, world, engine.lists_for(bench().programs, world));
    EXPECT_EQ(engine.snapshot_blocking(bench().queue), moment);
    Engine anew(bench().programs, world, engine.variant());
    anew.restore(bench().queue, moment);
    for (Engine* each : {&engine, &anew}) run_burst(*each, bench().queue, {40});
    EXPECT_EQ(engine.clock().step, anew.clock().step);
    EXPECT_EQ(anew.snapshot_blocking(bench().queue).position, engine.snapshot_blocking(bench().queue).position)
        << cutoff;
  }
}

TEST(ParticleMotion, IsTheSameWithAndWithoutTheKernelOfUnobservedPairs) {
  World world = smooth_liquid(300);
  const ForceVariant variant{.work_group = 128, .lanes = 1, .split = 4};
  const auto moved = [&](LawParts parts, bool completes) {
    Engine engine(bench().programs, world, variant);
    engine.use(make_law_kernels(bench().programs, world, variant, parts), world);
    run_burst(engine, bench().queue, {10});
    if (completes) engine.take_unobserved_pairs(build_unobserved_pairs(bench().programs, world, variant).value());
    run_burst(engine, bench().queue, {20, true});
    return engine.snapshot_blocking(bench().queue);
  };
  const Snapshot all = moved(LawParts::all, false);
  EXPECT_EQ(moved(LawParts::needed_at_once, false), all);
  EXPECT_EQ(moved(LawParts::needed_at_once, true), all);
  EXPECT_FALSE(build_unobserved_pairs(bench().programs, world, {.lanes = 1, .split = 1}));
}

namespace {

/// Another engine that continues from the contents of a state file: the world as text, the clock, and the unit of the
/// forces' sums.
Engine reopened(Engine& engine) {
  World world = engine.world();
  const Snapshot moment = engine.snapshot_blocking(bench().queue);
  world.particles.position = moment.position;
  world.particles.velocity = moment.velocity;
  const World read = parse_world(world_text(world), "state");
  Engine other(bench().programs, read, engine.variant());
  other.restore(bench().queue, {moment.clock, read.particles.position, read.particles.velocity, moment.force_exponent});
  return other;
}

}  // namespace

// Random forces depend only on the seed and the step, so that they continue instead of repeating.
TEST(ParticleMotion, ContinuesFromAFileWithTheSameRandomForces) {
  World oscillators = empty_world(200);
  Groups springs{{.name = "spring",
                  .members = 1,
                  .snippet = "energy += 0.5f * dot(position1, position1);\n"
                             "force1 -= position1;"},
                 {},
                 {}};
  for (std::uint32_t i = 0; i < 200; ++i) springs.members.push_back(i);
  oscillators.groups = {springs};
  for (World world : {oscillators, smooth_liquid(300)}) {
    world.ensemble = {.thermostat = Thermostat::langevin, .dt = 0.004, .temperature = 1.2, .friction = 3};
    world.seed = 77;
    Engine engine(bench().programs, world, {.precision = Precision::mixed});
    run_burst(engine, bench().queue, {50});
    Engine other = reopened(engine);
    EXPECT_EQ(other.snapshot_blocking(bench().queue), engine.snapshot_blocking(bench().queue));
    for (Engine* each : {&engine, &other}) run_burst(*each, bench().queue, {25});
    const Snapshot a = engine.snapshot_blocking(bench().queue), b = other.snapshot_blocking(bench().queue);
    EXPECT_EQ(a.clock.step, 75);
    if (world.pairs.empty()) {
      EXPECT_EQ(a, b);  // to the last bit
      continue;
    }
    double most = 0;
    for (std::size_t i = 0; i < a.position.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(a.position[i][k] - b.position[i][k]));
    EXPECT_LT(most, 1e-5);  // lists made at another step add floats in another order; the noise moves particles by 0.07
                            // in that time
  }
}
