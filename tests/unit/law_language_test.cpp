/// The language of laws, and its error messages.
#include "scenes/particles/laws/law_language.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "law_interpreter.hpp"

namespace orrery::particles::language {
namespace {

std::vector<Variable> given() {
  return {{"energy"},
          {"force1", Type::vector},
          {"r", Type::real, true},
          {"sigma", Type::real, true},
          {"position1", Type::vector, true},
          {"body1", Type::uint, true},
          {"total", Type::real, true},
          {"if", Type::real, true},
          {"exp", Type::real, true}};
}

Program program_of(const std::string& text) {
  const LawTree tree = parse_law("mine", text, given());
  Builder builder;
  std::vector<Value> values;
  for (const Variable& variable : tree.variables) {
    if (values.size() == given().size()) break;
    Value value{variable.type, {}};
    for (int part = 0; part < (variable.type == Type::vector ? 4 : 1); ++part)
      value.parts.push_back({variable.constant
                                 ? builder.input(variable.name + std::string(part, '\''),
                                                 variable.type == Type::vector ? Type::real : variable.type)
                                 : builder.constant(0)});
    values.push_back(std::move(value));
  }
  const auto after = make_steps(builder, "mine", tree, std::move(values), 0);
  return builder.finished({after[0].parts[0].value, after[1].parts[0].value, after[1].parts[2].value});
}

/// The energy at r = 2, sigma = 3, total = 5, exp = 7, position1 = (1, 10, 100), body1 = 4.
double energy_of(const std::string& text) {
  return results_of<double>(program_of(text), {{"r", 2},
                                               {"sigma", 3},
                                               {"total", 5},
                                               {"exp", 7},
                                               {"position1", 1},
                                               {"position1'", 10},
                                               {"position1''", 100},
                                               {"body1", 4}})
      .front();
}

std::string refusal(const std::string& text) {
  try {
    parse_law("mine", text, given());
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
}

TEST(LawLanguage, HasTheArithmeticOfOpenCl) {
  EXPECT_EQ(energy_of("energy += 1 + 2 * 3 - 8 / 4;"), 5);
  EXPECT_EQ(energy_of("energy = (1 + r) * -sigma;"), -9);
  EXPECT_EQ(energy_of("energy = 7; energy -= 1; energy *= 4; energy /= 3;"), 8);
  EXPECT_EQ(energy_of("energy = 2.0f / 4 + .5 + 1e1 + 0x10 + 1.;"), 28);
  EXPECT_EQ(energy_of("int a = 7, b = 2; energy = a / b + a % b;"), 4);
  EXPECT_EQ(energy_of("int a = 7; energy = a / (a - 7) + a % 0;"), 0);
  EXPECT_EQ(energy_of("int a = 2147483647; a++; energy = a;"), -2147483648.0);
  EXPECT_EQ(energy_of("uint a = 0; --a; energy = a;"), 4294967295.0);
  EXPECT_EQ(energy_of("int n = 2.9f; energy = n + (int)-1.5 + (real)n / 4;"), 1.5);
  EXPECT_EQ(energy_of("energy = r < sigma && !(r == 2) || r >= 2 ? 1 : 2;"), 1);
  EXPECT_EQ(energy_of("bool far = r > 1; energy = far + true;"), 2);
  EXPECT_EQ(energy_of("energy = body1 % 3u + max(3, 4) + min(r, 1) + abs(-3);"), 9);
  EXPECT_NEAR(energy_of("energy = M_PI_F + M_PI;"), 6.283185307179586, 1e-15);
  EXPECT_EQ(energy_of("energy = pow(r, 3) + pown(sigma, 2) + pow(4.0, 0.5);"), 19);
}

TEST(LawLanguage, KnowsVectors) {
  EXPECT_EQ(energy_of("const real4 d = position1 * 2 - (real4)(1, 2, 3, 0); energy = d.x + d.y + d.z + d.w;"), 216);
  EXPECT_EQ(energy_of("real4 d = (real4)(0); d.y += 3; d.x = 4; energy = length(d) + dot(d, d);"), 30);
  EXPECT_EQ(energy_of("energy = cross((float4)(1, 0, 0, 0), (real4)(0, 1, 0, 0)).z + position1.y;"), 11);
  EXPECT_EQ(energy_of("force1 += position1; force1.z -= 1; energy = force1.z + force1.x;"), 100);
  EXPECT_DOUBLE_EQ(energy_of("energy = normalize((real4)(0, 3, 4, 0)).y * 5 + distance(position1, position1);"), 3);
}

TEST(LawLanguage, KnowsConditionsAndLoops) {
  EXPECT_EQ(energy_of("if (r > 1) energy += 1; else energy += 2;"), 1);
  EXPECT_EQ(energy_of("if (r > 3) { energy += 1; } else if (r > 1) { energy += 2; } else energy += 3;"), 2);
  EXPECT_EQ(energy_of("for (int n = 1, m = 0; n <= 4; ++n, m += n) energy += n * m;"), 2 * 2 + 3 * 5 + 4 * 9);
  EXPECT_EQ(energy_of("int n = 5; while (n > 0) { --n; if (n == 3) continue; if (n == 1) break; energy += n; }"), 6);
  EXPECT_EQ(energy_of("int n = 0; do { n++; energy += n; } while (n < 3);"), 6);
  EXPECT_EQ(energy_of("for (;;) { energy += 1; if (energy > 6) break; }"), 7);
  EXPECT_EQ(
      energy_of("for (int i = 0; i < 3; ++i) for (int j = 0; j < i; ++j) { if (j == 1) break; energy += 10 * i + j; }"),
      30);
  EXPECT_EQ(
      energy_of(
          "for (int i = 0; i < 4; ++i) { if (i == 1) { energy += 100; continue; } else energy += 1; energy += i; }"),
      100 + 3 + 5);
  EXPECT_EQ(energy_of("real x = r; { real x = 10; energy += x; } energy += x;"), 12);
}

TEST(LawLanguage, NamesOfParametersMayBeWordsOfTheLanguage) {
  EXPECT_EQ(energy_of("energy = total + exp + exp(0);"), 13);
  EXPECT_EQ(energy_of("if (total > 4) energy = 1;"), 1);
  EXPECT_EQ(energy_of("const real kernel = 2, global = 3; real v1 = kernel * global; energy = v1;"), 6);
}

TEST(LawLanguage, RefusesWithLineColumnAndExpectation) {
  EXPECT_EQ(refusal("energy += 1;\nenergy +;\n"), "mine:2:8: expected =, +=, -=, *= or /=, got \"+\"");
  EXPECT_EQ(refusal("energy += 1;\nenergy += 2 *;\n"), "mine:2:14: expected a value, got \";\"");
  EXPECT_EQ(refusal("energy += sigm / r;"), "mine:1:11: unknown name \"sigm\"; do you mean sigma?");
  EXPECT_EQ(refusal("/* ä */ energy += sqt(r);"), "mine:1:19: unknown function \"sqt\"; do you mean sqrt?");
  EXPECT_EQ(refusal("enregy += r;"), "mine:1:1: unknown name \"enregy\"; do you mean energy?");
  EXPECT_EQ(refusal("energy += r"), "mine:1:12: expected ;, got the end of the law");
  EXPECT_EQ(refusal("energy += pow(r);"), "mine:1:11: expected 2 arguments of pow, got 1");
  EXPECT_EQ(refusal("r = 2;"), "mine:1:1: a law cannot change \"r\"; declare a variable: real mine = r;");
  EXPECT_EQ(refusal("energy += position1;"),
            "mine:1:11: expected a number, got a real4; take .x, .y or .z of it, or its length(...)");
  EXPECT_EQ(refusal("energy += 1 / 2 * r;"),
            "mine:1:13: the quotient of the whole numbers 1 and 2 is not a whole number; write 1.0 / 2");
  EXPECT_EQ(refusal("if (r > 1) {\n energy += 1;\n"),
            "mine:3:1: expected } for the { in line 1, got the end of the law");
}

TEST(LawLanguage, ReportsANameThatAParameterCouldHave) {
  const auto unknown = [](const char* text) -> std::string {
    try {
      (void)energy_of(text);
    } catch (const UnknownName& error) {
      return error.name();
    } catch (const Error&) {
    }
    return "none";
  };
  EXPECT_EQ(unknown("energy += strength * r;"), "strength");
  EXPECT_EQ(unknown("strength += r;"), "none") << "a law cannot change its parameters";
  EXPECT_EQ(unknown("energy += strength(r);"), "none");
}

TEST(LawLanguage, RefusesCodeOutsideTheLanguage) {
  for (const std::string bad : {"%:include </etc/passwd>",
                                "%:define J(a) %:a",
                                "?"
                                "?=include </etc/passwd>",
                                "#include \"x\"",
                                "int a<:3:>;",
                                "<% energy += 1; %>",
                                "real x; real* p = &x;",
                                "*(total + 1) = 1;",
                                "real q = sincos(r, total + 1);",
                                "energy = pair_law_0(r);",
                                "asm(\"hlt\");",
                                "__asm__ volatile(\"hlt\");",
                                "energy = fract(r, &energy);",
                                "goto out;",
                                "out: energy = 1;",
                                "return;",
                                "struct s { int a; };",
                                "int a[3];",
                                "energy = sliders[3];",
                                "printf(\"x\");",
                                "barrier(1);",
                                "energy = sizeof(r);",
                                "real f(real x) { return x; }",
                                "} kernel void x() {",
                                "energy += (1;",
                                "energy += 1);",
                                "/* no end",
                                "\\",
                                "energy = 'a';",
                                "energy = \"a\";",
                                "energy = position1.xyz;",
                                "patience = 1;",
                                "energy = r & 1;",
                                "energy = r, 1;",
                                "energy += r++;",
                                "long n = 1;",
                                "real;",
                                "const real x;",
                                "break;",
                                "energy;",
                                "real energy = 2;",
                                "energy = 1e999;",
                                "energy = 08x;",
                                "energy = v1;",
                                "switch (1) {}",
                                "else energy = 1;"}) {
    const std::string message = refusal(bad);
    EXPECT_TRUE(message.starts_with("mine:")) << bad << ": " << message;
    EXPECT_EQ(message.find("error:"), std::string::npos) << message;
  }
}

TEST(LawLanguage, GivesErrorsOfOneLineForAnyText) {
  const std::string zero(1, '\0');
  for (const std::string& text :
       {zero, "energy" + zero + "= 1;", std::string("energy = \x01;"), std::string("energy = \xff\xfe;"),
        std::string("energy = 1;\x1b[31m"), std::string(8000, '('), std::string(8000, '{'), std::string(8000, '-'),
        "energy = " + std::string(8000, '!') + "r;", "energy = " + std::string(300, 'a') + ";", std::string(20000, ' '),
        std::string(16000, '?'), "energy = 1" + std::string(400, '0') + ";"}) {
    const std::string message = refusal(text);
    EXPECT_TRUE(message.starts_with("mine:")) << message;
    EXPECT_LT(message.size(), 200U);
    for (const char c : message) EXPECT_TRUE(c >= ' ' && c <= '~') << message;
  }
  std::string sum = "energy = r";
  for (int k = 0; k < 4000; ++k) sum += "+r";
  EXPECT_NE(refusal(sum + ";"), "");
  std::string chain;
  for (int k = 0; k < 1000; ++k) chain += "if (r>1) ; else ";
  EXPECT_NE(refusal(chain + ";"), "");
  EXPECT_EQ(energy_of("energy = 1;\r\nenergy += 2; // \r energy = 9; %: \xc3\xa4\n"), 3);
}

TEST(LawLanguage, WritesNoPartOfTheUsersText) {
  const std::string text =
      written(program_of("const real mine = 2 * r; /* note */ real4 other = position1 * mine;\n"
                         "for (int count = 0; count < 3; ++count) { energy += other.x / (1 + count); }"),
              true)
          .statements;
  for (const char* name : {"mine", "other", "count", "note", "energy", "for"})
    EXPECT_EQ(text.find(name), std::string::npos) << text;
}

TEST(LawLanguage, SharesEqualStepsAndDropsUnusedOnes) {
  const auto steps = [](const std::string& text) { return written(program_of(text), true).steps; };
  EXPECT_EQ(steps("energy = (r * sigma) * (r * sigma);"), 2U);
  EXPECT_EQ(steps("energy = r * sigma; real unused = exp(r) + sin(sigma);"), 1U);
  EXPECT_EQ(steps("energy = pow(r, 12) + pow(r, 6);"), 5U);
  EXPECT_EQ(steps("if (r > 2) { real x = exp(r); } energy = r * r;"), 1U);
}

}  // namespace
}  // namespace orrery::particles::language
