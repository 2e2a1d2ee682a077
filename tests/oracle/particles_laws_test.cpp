/// Laws that a person types: the ready-made ones are what the literature says, wrong ones are refused with their line.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "bench.hpp"
#include "model/particles/law_text.hpp"
#include "particles_worlds.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

World with_snippet(const std::string& snippet) {
  World world = fluid(64, 0.3, 0.1);
  world.pairs = {{.name = "mine", .snippet = snippet, .parameters = {{.name = "k", .value = 2}}, .cutoff = 2}};
  return world;
}

/// The message of the Error; empty when the law is accepted.
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

TEST(ParticleLaws, AreRefusedWithThePersonsOwnLine) {
  const std::string message = refusal(with_snippet("energy += k * r;\n\ndEdR += k * nonsense;\n"));
  EXPECT_TRUE(has(message, "mine:3")) << message;
  EXPECT_TRUE(has(message, "nonsense")) << message;
  try {
    make_law_kernels(bench().programs, with_snippet("energy += 1;\nenergy +;\n"), {});
    FAIL();
  } catch (const Error& error) {
    const auto messages = messages_of(error);
    ASSERT_FALSE(messages.empty());
    EXPECT_EQ(messages.front().file, "mine");
    EXPECT_EQ(messages.front().line, 2);
  }
}

TEST(ParticleLaws, AreRefusedWhenTheDerivativeIsWrong) {
  const std::string message = refusal(with_snippet("energy += k * r2;\ndEdR += k * r;\n"));
  EXPECT_TRUE(has(message, "not the derivative")) << message;
  EXPECT_EQ(refusal(with_snippet("energy += k * r2;\ndEdR += 2 * k * r;\n")), "");
  GroupLaw bond = ready_group_law("harmonic-bond");
  bond.snippet += "force1 += 0.01f * f;\n";
  EXPECT_TRUE(has(refusal(chain_with(bond)), "not the derivative"));
}

TEST(ParticleLaws, AreRefusedWhenTheyDoNotEndOrAreNoNumbers) {
  EXPECT_TRUE(has(refusal(with_snippet("while (r > 0) energy += 0;\n")), "has not ended"));
  EXPECT_TRUE(has(refusal(with_snippet("for (;;) { energy += 0; }\n")), "has not ended"));
  EXPECT_TRUE(has(refusal(with_snippet("int n = 0;\ndo { ++n; } while (n > 0 || n < 1);\n")), "has not ended"));
  EXPECT_TRUE(has(refusal(with_snippet("energy += sqrt(-r);\n")), "not a number"));
  EXPECT_EQ(refusal(with_snippet(
                "real sum = 0;\nfor (int n = 1; n < 5; ++n) sum += n;\nint m = 3;\nwhile (m > 0) { --m; sum += 1; }\n"
                "energy += sum * r;\ndEdR += sum;\n")),
            "");
}

TEST(ParticleLaws, CannotReachBeyondThemselves) {
  for (const std::string bad : {"#define r 2\n", "goto out;", "energy += sliders[3];", "*(float*)0 = 1;",
                                "} kernel void x() {", "energy += 1; }", "real x; real* p = &x;", "/* no end",
                                "return;", "__asm__(\"hlt\");", "barrier(1);", "energy += (1;"})
    EXPECT_NE(refusal(with_snippet(bad)), "") << bad;
  EXPECT_THROW(guarded_snippet("mine", std::string(20000, ' ')), Error);
}

TEST(ParticleLaws, ThatAreRefusedLeaveTheOldOneRunning) {
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
