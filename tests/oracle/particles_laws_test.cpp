/// Typed laws: the ready-made ones match the literature, and wrong ones are refused with their line.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "bench.hpp"
#include "particles_worlds.hpp"
#include "scenes/particles/laws/law_text.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

World with_snippet(const std::string& snippet) {
  World world = fluid(64, 0.3, 0.1);
  world.pairs = {{.name = "mine", .snippet = snippet, .parameters = {{.name = "k", .value = 2}}, .cutoff = 2}};
  return world;
}

/// The message of the Error; empty if the law is accepted.
std::string refusal(const World& world) {
  try {
    make_law_kernels(bench().programs, world, {});
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage) << error.what();
    return error.what();
  }
}

World chain_with(const GroupLaw& law) {
  World world = empty_world(4);
  world.particles.position = {{0, 0, 0}, {1, 0.1, 0}, {1.4, 0.9, 0.2}, {2.2, 1, 1}};
  Groups groups{law, {}, {}};
  for (std::uint32_t k = 0; k < law.members; ++k) groups.members.push_back(k);
  world.groups = {groups};
  return world;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(ParticleLaws, ReadyMadeOnesAreTheirOwnDerivatives) {
  for (const PairLaw& law : ready_pair_laws()) {
    World world = fluid(64, 0.3, 0.1);
    for (std::size_t i = 0; i < 64; ++i) world.particles.charge[i] = i % 2 == 0 ? 1 : -1;
    if (law.cutoff == 0 || law.cutoff > 2.9) world.box.lengths.reset();
    world.pairs = {law};
    EXPECT_EQ(refusal(world), "") << law.name;
  }
  for (const GroupLaw& law : ready_group_laws()) EXPECT_EQ(refusal(chain_with(law)), "") << law.name;
}

TEST(ParticleLaws, AreRefusedWithTheUsersLine) {
  const std::string message = refusal(with_snippet("energy += k * r;\n\ndEdR += k * nonsense;\n"));
  EXPECT_TRUE(has(message, "mine:3")) << message;
  EXPECT_TRUE(has(message, "nonsense")) << message;
  try {
    make_law_kernels(bench().programs, with_snippet("energy += 1;\nenergy +;\n"), {});
    FAIL();
  } catch (const Error& error) {
    const auto told = message_of(error);
    ASSERT_TRUE(told);
    EXPECT_EQ(told->file, "mine");
    EXPECT_EQ(told->line, 2);
    EXPECT_EQ(told->column, 8);
  }
}

TEST(ParticleLaws, AreRefusedWhenTheDerivativeIsWrong) {
  const std::string message = refusal(with_snippet("energy += k * r2;\ndEdR += k * r;\n"));
  EXPECT_TRUE(has(message, "not the derivative")) << message;
  EXPECT_EQ(refusal(with_snippet("energy += k * r2;\ndEdR += 2 * k * r;\n")), "");
  GroupLaw bond = ready_group_law("harmonic-bond");
  bond.snippet += "force1 += 0.01f * f;\n";
  EXPECT_TRUE(has(refusal(chain_with(bond)), "not minus the derivative"));
}

TEST(ParticleLaws, NeedOnlyAnEnergy) {
  // In double, the two differ by rounding only.
  const ForceVariant exact{.precision = Precision::double_};
  const auto forces = [&](const World& world) {
    return Engine(bench().programs, world, exact).forces_blocking(bench().queue);
  };
  const auto without_forces = [](std::string snippet) {
    std::string energy;
    for (std::size_t at = 0, end = 0; at < snippet.size(); at = end + 1) {
      end = snippet.find('\n', at);
      const std::string line = snippet.substr(at, end - at);
      if (!line.starts_with("dEdR") && !line.starts_with("force")) energy += line + "\n";
    }
    return energy;
  };
  const auto compare = [&](const World& by_hand, const World& derived, const std::string& name) {
    const auto expected = forces(by_hand), found = forces(derived);
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        ASSERT_NEAR(found[i][k], expected[i][k], 1e-7 * (1 + std::abs(expected[i][k]))) << name;
  };
  World by_hand = fluid(64, 0.3, 0.1);
  for (std::size_t i = 0; i < 64; ++i) by_hand.particles.charge[i] = i % 2 == 0 ? 1 : -1;
  by_hand.pairs.clear();
  for (const PairLaw& law : ready_pair_laws()) {
    by_hand.pairs.push_back(law);
    by_hand.pairs.back().cutoff = 2.5;
  }
  by_hand.pairs.front().switch_from = 2;
  World derived = by_hand;
  for (PairLaw& law : derived.pairs) law.snippet = without_forces(law.snippet);
  compare(by_hand, derived, "pairs");
  derived.pairs = {by_hand.pairs[2]};
  by_hand.pairs = derived.pairs;
  derived.pairs.front().snippet = "energy += 4 * epsilon * (pow(sigma / r, 12) - pow(sigma / r, 6));";
  compare(by_hand, derived, "lennard-jones");
  for (const GroupLaw& law : ready_group_laws()) {
    World chain = chain_with(law), own = chain;
    own.groups.front().law.snippet = without_forces(law.snippet);
    compare(chain, own, law.name);
  }
}

TEST(ParticleLaws, OfEveryKindCompile) {
  for (
      const char* snippet :
      {"int n = 7; uint m = 3u; bool b = n > 2;\nreal s = n / 2 + m % 2u - (b ? 1 : 0) + (int)r + (uint)r2 + abs(-n);\n"
       "n *= -3; --n; ++m; energy += s * r + n + (bool)m + min(n, 3) + clamp(n, 1, 2) + n % 4 - (real)body2;",
       "real4 d = delta; d.x -= 1; d /= 2;\nenergy += dot(d, d) + length(cross(d, position1)) + normalize(d).z + "
       "distance(d, delta) + fmax(d, delta).y;",
       "energy += native_exp(-r) + native_sqrt(r) + native_rsqrt(r) + native_powr(r, 2.5f) + native_sin(r) + "
       "native_log(r) + native_divide(r, k) + native_recip(r);",
       "energy += exp(-r) + exp2(-r) + exp10(-r) + expm1(-r) + log(r) + log2(r) + log10(r) + log1p(r) + cbrt(r) + "
       "hypot(r, k) + atan2(r, k) + fmod(r, 0.3f) + fdim(r, 1);",
       "energy += sin(r) + cos(r) + tan(r / 9) + asin(r / 9) + acos(r / 9) + atan(r) + sinh(r) + cosh(r) + tanh(r) + "
       "asinh(r) + acosh(1 + r) + atanh(r / 9) + erf(r) + erfc(r);",
       "energy += floor(r) + ceil(r) + round(r) + trunc(r) + rint(r) + sign(r - 1) + radians(r) + degrees(r) + fabs(-r) + "
       "pow(r, k) + pow(k, r) + powr(r, 2.2) + pown(r, 3) + pown(r, (int)k);",
       "energy += mix(r, k, 0.3) + step(1, r) * r + smoothstep(0.5, 2, r) + fma(r, k, r2) + mad(r, k, r2) + "
       "select(r, r2, r > 1) + clamp(r, 0.7, 1.5) + (isnan(r) || isinf(r) || !isfinite(r) ? 1 : 0);",
       "energy += isExcluded ? 1 : mass1 * charge2 * r + size1 * M_PI;\nfor (int n = 0; n < 9; ++n) {\n  if (n == 3) "
       "continue;\n  if (n > 5) break;\n  energy += pow(r, n) * n;\n  do energy *= 0.5; while (energy > 100);\n}"}) {
    World world = with_snippet(snippet);
    world.particles.columns = {{"size", std::vector<double>(world.particles.size(), 2)}};
    EXPECT_EQ(refusal(world), "") << snippet;
  }
}

TEST(ParticleLaws, MayHaveNamesThatAreWordsOfOpenCl) {
  World world = with_snippet("energy += total * exp(-r) + patience + kernel1 * half2 * sliders + exp * r;");
  for (const char* name : {"if", "int", "real", "total", "patience", "sliders", "exp"})
    world.pairs.front().parameters.push_back({.name = name});
  for (const char* name : {"kernel", "half", "while"})
    world.particles.columns.push_back({name, std::vector<double>(world.particles.size(), 1)});
  EXPECT_EQ(refusal(world), "");
  world.pairs.front().name = "a\rname\n#define real";
  EXPECT_TRUE(has(refusal(world), "the name of a pair law"));
  world.pairs.front().name = "mine";
  world.particles.columns.front().name = "a = 0; __asm__ volatile(\"hlt\"); real b";
  EXPECT_TRUE(has(refusal(world), "the name of a column"));
}

TEST(ParticleLaws, AreRefusedWhenEndlessOrNotFinite) {
  EXPECT_TRUE(has(refusal(with_snippet("while (r > 0) energy += 0;\n")), "has not ended"));
  EXPECT_TRUE(has(refusal(with_snippet("for (;;) { energy += 0; }\n")), "has not ended"));
  EXPECT_TRUE(has(refusal(with_snippet("int n = 0;\ndo { ++n; } while (n > 0 || n < 1);\n")), "has not ended"));
  EXPECT_TRUE(has(refusal(with_snippet("energy += sqrt(-r);\n")), "NaN"));
  EXPECT_EQ(refusal(with_snippet(
                "real sum = 0;\nfor (int n = 1; n < 5; ++n) sum += n;\nint m = 3;\nwhile (m > 0) { --m; sum += 1; }\n"
                "energy += sum * r;\ndEdR += sum;\n")),
            "");
}

TEST(ParticleLaws, RejectCodeOutsideTheLanguage) {
  for (const std::string bad :
       {"#define r 2\n", "goto out;", "energy += sliders[3];", "*(float*)0 = 1;", "} kernel void x() {",
        "energy += 1; }", "real x; real* p = &x;", "/* no end", "return;", "__asm__(\"hlt\");", "barrier(1);",
        "energy += (1;", "%:include </etc/passwd>",
        "?"
        "?=include </etc/passwd>",
        "%:define W whi%:%:le", "real q = sincos(r, total + (int)(k * 500000000));", "energy += pair_law_0(r);",
        "real *p = total;", "*(total + 9) = 1;"}) {
    const std::string message = refusal(with_snippet(bad));
    EXPECT_TRUE(message.starts_with("mine:")) << bad << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_NE(refusal(with_snippet(std::string(20000, ' '))), "");
}

TEST(ParticleLaws, LeaveTheOldOneRunningWhenRefused) {
  World world = fluid(100, 0.5, 0.1);
  Engine engine(bench().programs, world, ForceVariant{});
  const auto before = engine.forces_blocking(bench().queue);
  world.pairs.front().snippet = "energy += oops;";
  EXPECT_NE(refusal(world), "");
  EXPECT_EQ(engine.forces_blocking(bench().queue), before);
  world.pairs.front() = ready_pair_law("soft-sphere");
  world.pairs.front().cutoff = 2.5;
  engine.use(make_law_kernels(bench().programs, world, engine.variant()), world);
  EXPECT_NE(engine.forces_blocking(bench().queue), before);
  engine.set_parameter("soft-sphere", "epsilon", 0);
  for (const Vector& f : engine.forces_blocking(bench().queue)) EXPECT_EQ(f, Vector{});
  EXPECT_THROW(engine.set_parameter("soft-sphere", "epsilon", -1), Error);
  EXPECT_THROW(engine.set_parameter("soft-sphere", "delta", 1), Error);
}
