/// Two particles at one place: pair laws take their limits, and an error names laws without a limit.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "bench.hpp"
#include "particles_worlds.hpp"
#include "scenes/particles/laws/law_text.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

constexpr double pi = std::numbers::pi, a = 0.75;

struct Meeting {
  std::string formula;  ///< depends on r, the parameters a = 0.75 and n = 2.5, and the charges 2 and 3
  double limit;
};

const std::vector<Meeting> with_limit{
    {"1", 1},
    {"r", 0},
    {"r2", 0},
    {"cos(r)", 1},
    {"exp(-r2)", 1},
    {"exp(-a * r)", 1},
    {"rsqrt(r2 + a * a)", 1 / a},
    {"sin(r) / r", 1},
    {"sin(a * r) / r", a},
    {"sin(r) / (a * r)", 1 / a},
    {"charge1 * charge2 * sin(r) / r", 6},
    {"exp(-r / a) * native_sin(r) * invR", 1},
    {"tanh(r) / r", 1},
    {"(1 - exp(-r)) / r", 1},
    {"(exp(a * r) - 1) / r", a},
    {"expm1(r) / r", 1},
    {"erf(r) / r", 2 / std::sqrt(pi)},
    {"erf(a * r) / r", 2 * a / std::sqrt(pi)},
    {"log1p(r) / r", 1},
    {"log(1 + a * r) / r", a},
    {"(log(a + r) - log(a)) / r", 1 / a},
    {"atan(r) / r", 1},
    {"asin(r / 4) / r", 0.25},
    {"atanh(r / 4) / r", 0.25},
    {"asinh(r) / r", 1},
    {"sinh(r) / r", 1},
    {"tan(r / 2) / r", 0.5},
    {"(pi2 - acos(r / 4)) / r", 0.25},
    {"(1 - cos(r)) / r2", 0.5},
    {"(1 - a * cos(r) - (1 - a)) / r2", a / 2},
    {"(cosh(r) - 1) * invR * invR", 0.5},
    {"(sqrt(1 + r2) - 1) / r2", 0.5},
    {"(sqrt(a + r2) - sqrt(a)) / r2", 0.5 / std::sqrt(a)},
    {"(pow(1 + r, n) - 1) / r", 2.5},
    {"(r - sin(r)) / pow(r, 3)", 1.0 / 6},
    {"sin(r) / r2 - 1 / r", 0},
    {"1 / r2 - 1 / (r * sin(r))", -1.0 / 6},
    {"1 / r - 1 / sinh(r)", 0},
    {"r / expm1(r)", 1},
    {"r / tanh(r)", 1},
    {"(1 - exp(-r) * (1 + r * (1 + r / 2 * (1 + r / 3 * (1 + r / 4))))) / pow(r, 4)", 0},
    {"r2 * log(r)", 0},
    {"r * r2 * log(r) * log(r)", 0},
    {"pow(r, r2)", 1},
    {"pow(r, 1.5)", 0},
    {"r * sqrt(r)", 0},
    {"pow(r, n)", 0},
    {"exp(-pow(r, n))", 1},
    {"cbrt(r * r2) + 2", 2},
    {"hypot(r, 0.5)", 0.5},
    {"exp(-1 / r)", 0},
    {"exp(-1 / r2) / r2", 0},
    {"tanh(1 / r)", 1},
    {"erf(1 / r)", 1},
    {"atan(1 / r)", pi / 2},
    {"erfc(r)", 1},
    {"fmin(r, 0.5) + 1", 1},
    {"clamp(r, 0.25, 1)", 0.25},
    {"smoothstep(0, 1, r)", 0},
    {"floor(r + 0.5) + ceil(r)", 1},
    {"r < 1 ? cos(r) : invR", 1},
    {"a < 1 ? sin(r) / r : invR", 1},
    {"length(delta) / r", 1},
    {"sin(length(position2 - position1)) / r", 1},
    {"dot(delta, delta) / r2", 1},
};

const std::vector<std::string> without_limit{"1 / r",
                                             "invR * invR",
                                             "pow(a / r, 12) - pow(a / r, 6)",
                                             "exp(-r / a) / r",
                                             "log(r)",
                                             "sqrt(r)",
                                             "cbrt(r) + 1",
                                             "sqrt(r) * cos(r)",
                                             "pow(r, 0.75)",
                                             "pow(r, a)",
                                             "pow(r, -n)",
                                             "r * log(r)",
                                             "r * log(invR)",
                                             "sin(r) / r2",
                                             "sin(r) / (r * r2)",
                                             "(1 - a * cos(r)) / r2",
                                             "1 / expm1(r)",
                                             "1 / tanh(r)",
                                             "acosh(1 + r)",
                                             "asin(1 - r / 2)",
                                             "cos(1 / r)",
                                             "r * sin(1 / r)",
                                             "exp(1 / r)",
                                             "delta.x / r",
                                             "rsqrt(r2 + (a - 0.75) * (a - 0.75))"};

PairLaw law_with(const std::string& name, const std::string& snippet, double strength) {
  return {.name = name,
          .snippet = snippet,
          .parameters = {{.name = "k", .value = strength, .minimum = 0, .maximum = 10},
                         {.name = "a", .value = a, .minimum = 0, .maximum = 4},
                         {.name = "n", .value = 2.5, .minimum = 0, .maximum = 4}},
          .cutoff = 2};
}
PairLaw law_of(const std::string& formula, double strength) {
  return law_with(formula, "const real pi2 = M_PI_2;\nenergy += k * (" + formula + ");", strength);
}

/// Two particles at one place, and a third one far away.
World meeting() {
  World world = empty_world(3);
  world.particles.position = {{0.25, 0.5, -1}, {0.25, 0.5, -1}, {9, 0, 0}};
  world.particles.charge = {2, 3, 1};
  return world;
}

/// The message of the Error; empty if all forces are finite.
std::string refusal(Engine& engine) {
  try {
    run_burst(engine, bench().queue, {0, true});
    return {};
  } catch (const CannotGoOn& error) {
    return error.what();
  }
}

double energy_of(Engine& engine, std::size_t law = 0) {
  EXPECT_EQ(refusal(engine), "");
  return observe_blocking(engine, bench().queue).energies.at(law).energy;
}

/// Calls `each(some, precision)` for all laws in each precision, 8 at a time, the most in a world. Mixed precision has
/// the laws of single precision, so that 8 of them are enough.
template <class T, class F>
void in_portions(std::span<const T> all, F&& each) {
  const bool doubles = bench().device.info().fp64;
  if (doubles) each(all.first(8), Precision::mixed);
  for (; !all.empty(); all = all.subspan(std::min<std::size_t>(8, all.size()))) {
    const std::span<const T> some = all.first(std::min<std::size_t>(8, all.size()));
    each(some, Precision::single);
    if (doubles) each(some, Precision::double_);
  }
}

}  // namespace

TEST(ParticlesAtOnePlace, HaveTheLimitOfTheEnergyAndNoForce) {
  in_portions(std::span(with_limit), [&](std::span<const Meeting> some, Precision precision) {
    World world = meeting();
    for (const Meeting& each : some) world.pairs.push_back(law_of(each.formula, 1));
    Engine engine(bench().programs, world, ForceVariant{.precision = precision});
    ASSERT_EQ(refusal(engine), "");
    const Observables seen = observe_blocking(engine, bench().queue);
    const double rounding = precision == Precision::double_ ? 1e-14 : 1e-6;
    for (std::size_t k = 0; k < some.size(); ++k)
      EXPECT_NEAR(seen.energies.at(k).energy, some[k].limit, rounding * (1 + std::abs(some[k].limit)))
          << some[k].formula;
    for (const Vector& force : engine.forces_blocking(bench().queue)) EXPECT_EQ(force, (Vector{0, 0, 0}));
  });
}

TEST(ParticlesAtOnePlace, NeedNothingMoreInTheKernelsOfReadyMadeLaws) {
  World world = meeting();
  world.pairs.assign(ready_pair_laws().begin(), ready_pair_laws().end());
  world.pairs.push_back(law_of("pow(a / r, 12) - pow(a / r, 6)", 1));
  EXPECT_EQ(pair_law_text(world).find("AT_ONE_PLACE"), std::string::npos) << pair_law_text(world);
}

TEST(ParticlesAtOnePlace, HaveTheLimitOfLawsWithStatements) {
  World world = meeting();
  world.pairs = {
      law_with("by hand", "energy += k * sin(r) / r;\ndEdR += k * (cos(r) / r - sin(r) / r2);", 2),
      law_with("loop", "for (int i = 1; i < 4; ++i) {\n  if (i == 2) continue;\n  energy += k * sin(i * r) / r;\n}", 2),
      law_with("branch", "if (r < a) energy += k * (1 - cos(r)) / r2;\nelse energy += k * invR;", 2)};
  Engine engine(bench().programs, world, ForceVariant{});
  EXPECT_NEAR(energy_of(engine, 0), 2, 1e-5);
  EXPECT_NEAR(energy_of(engine, 1), 8, 1e-5);
  EXPECT_NEAR(energy_of(engine, 2), 1, 1e-5);
}

TEST(ParticlesAtOnePlace, AreNamedWithALawWithoutALimit) {
  in_portions(std::span(without_limit), [&](std::span<const std::string> some, Precision precision) {
    World world = meeting();
    for (const std::string& formula : some) world.pairs.push_back(law_of(formula, 0));
    Engine weak(bench().programs, world, ForceVariant{.precision = precision});
    EXPECT_EQ(energy_of(weak), 0) << "strengths of 0";
    for (std::size_t k = 0; k < some.size(); ++k) {
      world.pairs[k].parameters.front().value = 1;
      Engine engine(bench().programs, world, ForceVariant{.precision = precision});
      const std::string said = refusal(engine);
      EXPECT_NE(said.find("the law " + some[k] + " gives no finite force between particles 0 and 1 at step 0"),
                std::string::npos)
          << some[k] << ": " << said;
      world.pairs[k].parameters.front().value = 0;
    }
  });
}

TEST(ParticlesAtOnePlace, HaveTheLimitOfThePresentParameters) {
  struct Live {
    const char* formula;
    double a;
    std::optional<double> limit;
  };
  for (const Live& each :
       {Live{"(a - cos(r)) / r2", 1, 0.5}, Live{"(a - cos(r)) / r2", 2, {}}, Live{"(a + sin(r)) * invR", 0, 1},
        Live{"(a + sin(r)) * invR", 1, {}}, Live{"sin(r) / (a + r)", 0, 1}, Live{"sin(r) / (a + r)", 2, 0},
        Live{"rsqrt(r2 + a * a)", 2, 0.5}, Live{"rsqrt(r2 + a * a)", 0, {}}, Live{"sin(r) * rsqrt(r2 + a * a)", 0, 1},
        Live{"pow(r, a)", 2, 0}, Live{"pow(r, a)", 0, 1}, Live{"pow(r, a)", 0.5, {}},
        Live{"sin(a * r) / (a * r)", 3, 1}, Live{"a > 1 ? sin(r) / r : 2", 2, 1},
        Live{"a > 1 ? sin(r) / r : 2", 0.5, 2}, Live{"a * log(r) + 2", 0, 2}, Live{"a * log(r) + 2", 1, {}}}) {
    World world = meeting();
    world.pairs = {law_of(each.formula, 1)};
    Engine engine(bench().programs, world, ForceVariant{});
    refusal(engine);
    engine.set_parameter(each.formula, "a", each.a);
    if (each.limit)
      EXPECT_NEAR(energy_of(engine), *each.limit, 1e-6) << each.formula << ", a = " << each.a;
    else
      EXPECT_NE(refusal(engine), "") << each.formula << ", a = " << each.a;
  }
}
