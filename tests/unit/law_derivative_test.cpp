/// The exact derivatives of laws against finite differences of their energies in many digits.
#include "scenes/particles/laws/law_language.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "law_interpreter.hpp"

namespace orrery::particles::language {
namespace {

using Number = long double;
using Inputs = std::map<std::string, Number>;

/// The energy of a text with a, b, c, the vectors p and q, and k; `differentiated`: with all derivatives except by k.
Program program_of(const std::string& text, bool differentiated) {
  const LawTree tree = parse_law("test", text,
                                 {{"energy"},
                                  {"a", Type::real, true},
                                  {"b", Type::real, true},
                                  {"c", Type::real, true},
                                  {"p", Type::vector, true},
                                  {"q", Type::vector, true},
                                  {"k", Type::real, true}});
  constexpr std::size_t directions = 9;
  Builder builder;
  std::size_t direction = 0;
  const auto seeded = [&](const std::string& name) {
    Scalar scalar{builder.input(name, Type::real)};
    if (differentiated) scalar.along.assign(directions, none);
    if (differentiated) scalar.along[direction++] = builder.constant(1);
    return scalar;
  };
  const auto vector = [&](const std::string& name) {
    Value value{Type::vector, {}};
    for (const char* part : {".x", ".y", ".z"}) value.parts.push_back(seeded(name + part));
    value.parts.push_back({builder.constant(0)});
    return value;
  };
  std::vector<Value> given{{Type::real, {{builder.constant(0)}}}};
  for (const char* name : {"a", "b", "c"}) given.push_back({Type::real, {seeded(name)}});
  given.push_back(vector("p"));
  given.push_back(vector("q"));
  given.push_back({Type::real, {{builder.input("k", Type::real)}}});
  const Scalar energy =
      make_steps(builder, "test", tree, std::move(given), differentiated ? directions : 0).front().parts.front();
  std::vector<Node> results{energy.value};
  for (std::size_t d = 0; d < directions && differentiated; ++d)
    results.push_back(energy.along.empty() || energy.along[d] == none ? builder.constant(0) : energy.along[d]);
  return builder.finished(std::move(results));
}

const std::vector<std::string> coordinates{"a", "b", "c", "p.x", "p.y", "p.z", "q.x", "q.y", "q.z"};

/// Writes formulas that are finite and smooth almost everywhere for numbers of about 1.
class Author {
 public:
  explicit Author(std::uint64_t seed) : random_(seed) {}

  std::string law() {
    std::string text = "real u = " + number(2) + ", v = " + number(2) + ";\nreal4 w = " + vector(2) + ";\n";
    for (int k = 0; k < 4; ++k) text += statement(2);
    return text + "energy += " + number(3) + ";\nenergy -= u * v + w.x - w.y * w.z;\n";
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  template <class... Choices>
  std::string one_of(Choices... choices) {
    const std::vector<std::string> all{choices...};
    return all[below(all.size())];
  }

  std::string statement(int depth) {
    const std::string target = one_of("u", "v", "energy", "w.y", "w.z");
    switch (below(depth > 0 ? 9 : 4)) {
      case 0:
        return target + " += " + number(2) + ";\n";
      case 1:
        return target + " = 0.5 * " + target + " - " + number(2) + ";\n";
      case 2:
        return "w = 0.5 * (w - " + vector(1) + ");\n";
      case 3:
        return target + " *= " + one_of("0.5", "cos(" + number(1) + ")") + ";\n";
      case 4:
        return "if (" + condition() + ") {\n" + statement(depth - 1) + "} else {\n" + statement(depth - 1) + "}\n";
      case 5:
        return "if (" + condition() + ") {\n" + statement(depth - 1) + "}\n";
      case 6: {
        const std::string i = "i" + std::to_string(names_++);
        return "for (int " + i + " = 0; " + i + " < 3; ++" + i + ") {\n" + statement(depth - 1) + "if (" + condition() +
               ") " + one_of("break", "continue", "{ u += 0.1 * v; continue; }") + ";\n" + statement(depth - 1) + "}\n";
      }
      case 7: {
        const std::string n = "n" + std::to_string(names_++);
        return "int " + n + " = 2;\nwhile (" + n + " > 0) {\n--" + n + ";\n" + statement(depth - 1) +
               "v = tanh(v) + 0.1 * " + n + ";\n}\n";
      }
      default: {
        const std::string own = "t" + std::to_string(names_++);
        return "{\nconst real " + own + " = " + number(2) + ";\n" + target + " = " + own + " * sin(" + own + ");\n}\n";
      }
    }
  }

  std::string condition() {
    return number(1) + one_of(" < ", " > ", " <= ", " >= ") + number(1) +
           one_of("", "", " && a > -3", " || !(b < 0.2)");
  }

  std::string vector(int depth) {
    switch (below(6)) {
      case 0:
        return "(p - " + one_of("q", "k * q") + ")";
      case 1:
        return "cross(p, " + one_of("q", "p - q") + ")";
      case 2:
        return "(real4)(" + number(depth - 1) + ", a, " + number(depth - 1) + ", 0)";
      case 3:
        return "normalize(p + (real4)(3, 0, 0, 0))";
      case 4:
        return "sin(p + q)";
      default:
        return "(" + number(depth - 1) + " * p / 3)";
    }
  }

  std::string leaf() { return one_of("a", "b", "c", "k", "p.x", "q.y", "p.z", "0.5", "2", "1e-1", "3.25f"); }

  std::string number(int depth) {
    if (depth == 0) return leaf();
    const std::string x = number(depth - 1), y = number(depth - 1), square = "(" + x + ") * (" + x + ")";
    switch (below(26)) {
      case 0:
        return "(" + x + " + " + y + ")";
      case 1:
        return "(" + x + " - " + y + ")";
      case 2:
        return "sin(" + x + ") * (" + y + ")";
      case 3:
        return "(" + x + ") / (1 + " + square + ")";
      case 4:
        return one_of("sin", "cos", "tanh", "atan", "erf", "asinh", "erfc", "native_sin") + std::string("(") + x + ")";
      case 5:
        return one_of("exp", "exp2", "native_exp", "exp10", "expm1") + std::string("(-(") + square + "))";
      case 6:
        return one_of("sqrt", "rsqrt", "log", "log2", "log10", "log1p", "cbrt", "acosh", "native_sqrt") +
               std::string("(2 + ") + square + ")";
      case 7:
        return one_of("asin", "acos", "atanh", "tan", "sinh", "cosh") + std::string("(0.9 * sin(") + x + "))";
      case 8:
        return "pow(1.5 + " + square + ", " + one_of("3", "-2", "12", "0.5", "1.5", "-2.5", "k", "sin(" + y + ")") +
               ")" + " * 0.01";
      case 9:
        return "pow(sin(" + x + "), " + one_of("2", "3", "5") + ")";
      case 10:
        return one_of("fmin", "fmax", "min", "max") + std::string("(") + x + ", " + y + ")";
      case 11:
        return "clamp(" + x + ", -0.5, " + one_of("1", "1 + fabs(" + y + ")") + ")";
      case 12:
        return "((" + condition0() + ") ? (" + x + ") : (" + y + "))";
      case 13:
        return one_of("mix", "fma", "mad") + std::string("(") + x + ", " + y + ", " + leaf() + ")";
      case 14:
        return "hypot(1 + " + square + ", " + y + ")";
      case 15:
        return "atan2(" + x + ", 2 + " + leaf() + " * 0.1 + " + square + ")";
      case 16:
        return "length(" + vector(1) + " + (real4)(2, 1, 0, 0))";
      case 17:
        return "dot(" + vector(1) + ", " + vector(1) + ")";
      case 18:
        return vector(1) + ".y";
      case 19:
        return "smoothstep(-1, 2, " + x + ")";
      case 20:
        return "fdim(" + x + ", " + y + ")";
      case 21:
        return "fmod(" + x + ", 3 + " + square + ")";
      case 22:
        return "fabs(" + x + ") * step(0.3, " + y + ")";
      case 23:
        return "pown(1 + tanh(" + x + "), " + one_of("2", "3", "-1 + 3") + ")";
      case 24:
        return "select(" + x + ", " + y + ", " + leaf() + " > 0.3)";
      default:
        return "-(" + x + ")";
    }
  }
  std::string condition0() { return leaf() + " < " + leaf(); }

  std::mt19937_64 random_;
  int names_ = 0;
};

/// The central difference of fourth order; nothing near a kink or a jump.
std::optional<Number> difference(const Program& program, Inputs at, const std::string& coordinate) {
  const auto energy = [&](Number by) {
    Inputs moved = at;
    moved[coordinate] += by;
    return results_of(program, moved).front();
  };
  const auto of_step = [&](Number h) {
    return (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
  };
  const Number wide = of_step(2e-4L), narrow = of_step(1e-4L);
  if (!(std::fabs(wide - narrow) <= 1e-7L * (1 + std::fabs(narrow)))) return std::nullopt;
  return narrow;
}

// ORRERY_LAWS is the number of laws.
std::size_t laws_to_try() {
  const char* wanted = std::getenv("ORRERY_LAWS");
  return wanted != nullptr ? static_cast<std::size_t>(std::atoll(wanted)) : 300;
}

TEST(LawDerivative, MatchesTheEnergyOfRandomLaws) {
  std::size_t compared = 0, kinks = 0;
  for (std::uint64_t seed = 1; seed <= laws_to_try(); ++seed) {
    const std::string text = Author(seed).law();
    const Program plain = program_of(text, false), differentiated = program_of(text, true);
    std::mt19937_64 random(seed);
    Inputs at{{"k", 1.25L}};
    for (const std::string& each : coordinates) at[each] = std::uniform_real_distribution<double>(-1.5, 1.5)(random);
    const std::vector<Number> found = results_of(differentiated, at);
    ASSERT_EQ(found.front(), results_of(plain, at).front()) << text;
    if (!std::isfinite(found.front()) || std::fabs(found.front()) > 1e4L) continue;
    for (std::size_t d = 0; d < coordinates.size(); ++d) {
      const auto expected = difference(plain, at, coordinates[d]);
      kinks += expected ? 0 : 1;
      if (!expected) continue;
      ++compared;
      ASSERT_NEAR(static_cast<double>(found[1 + d]), static_cast<double>(*expected),
                  1e-6 * (1 + std::fabs(static_cast<double>(*expected))))
          << "seed " << seed << ", along " << coordinates[d] << " of\n"
          << text;
    }
  }
  EXPECT_GT(compared, 15 * (kinks + 1));
}

/// Energy of a pair law and its derivative by r, from the inputs of the pair.
Program pair_program(const std::string& text, bool differentiated) {
  const LawTree tree = parse_law("test", text,
                                 {{"energy"},
                                  {"r", Type::real, true},
                                  {"r2", Type::real, true},
                                  {"invR", Type::real, true},
                                  {"delta", Type::vector, true},
                                  {"k", Type::real, true}});
  Builder builder;
  const auto power = [&](const std::string& name, double degree) {
    const Node node = builder.input(name, Type::real);
    return differentiated ? power_of(builder, node, degree) : Scalar{node};
  };
  std::vector<Value> given{{Type::real, {{builder.constant(0)}}}};
  given.push_back({Type::real, {power("r", 1)}});
  given.push_back({Type::real, {power("r2", 2)}});
  given.push_back({Type::real, {power("invR", -1)}});
  builder.use_inverse(given[1].parts.front().value, given[3].parts.front().value);
  given.push_back(
      {Type::vector, {power("delta.x", 1), power("delta.y", 1), power("delta.z", 1), {builder.constant(0)}}});
  given.push_back({Type::real, {{builder.input("k", Type::real)}}});
  const Node inverse = given[3].parts.front().value;
  const Scalar energy = make_steps(builder, "test", tree, std::move(given), differentiated ? 1 : 0)[0].parts[0];
  std::vector<Node> results{energy.value};
  if (differentiated)
    results.push_back(builder.multiply(energy.along.empty() ? builder.constant(0) : energy.along[0], inverse));
  return builder.finished(std::move(results));
}

Inputs at_distance(Number r) {
  return {
      {"r", r},   {"r2", r * r}, {"invR", 1 / r}, {"delta.x", 0.48L * r}, {"delta.y", 0.6L * r}, {"delta.z", 0.64L * r},
      {"k", 2.5L}};
}

TEST(LawDerivative, PairForceIsAlongTheDistance) {
  for (const std::string text :
       {"energy += 4 * k * (pow(0.9 / r, 12) - pow(0.9 / r, 6));", "energy += k * invR * exp(-r / 2);",
        "const real s = sqrt(r2) + length(delta);\nenergy += s * s + dot(delta, delta) * r;",
        "energy += pow(1.1 / r, k) + pow(k, r) + r2 / r + sin(delta.x) * normalize(delta).y;",
        "real s = 0;\nfor (int n = 1; n < 5; ++n) s += pow(r, n) / n;\nenergy += log(s) * fmin(r, 3) + cbrt(r2);",
        "real x = r < 2 ? r * r : 4;\nif (x > 1) x *= invR; else x /= r2;\nenergy += x + fabs(-k * r) + rsqrt(r);",
        "energy += r - r + (r2 + r * r) * clamp(r, 0.1, 5) - max(r, k * invR) + 3;"}) {
    const Program plain = pair_program(text, false), differentiated = pair_program(text, true);
    for (const Number r : {0.8L, 1.07L, 1.53L, 2.4L}) {
      const auto energy = [&](Number x) { return results_of(plain, at_distance(x)).front(); };
      constexpr Number h = 1e-4L;
      const Number expected =
          (8 * (energy(r + h) - energy(r - h)) - (energy(r + 2 * h) - energy(r - 2 * h))) / (12 * h);
      const std::vector<Number> found = results_of(differentiated, at_distance(r));
      EXPECT_EQ(found[0], energy(r)) << text;
      EXPECT_NEAR(static_cast<double>(found[1]), static_cast<double>(expected),
                  1e-9 * (1 + std::fabs(static_cast<double>(expected))))
          << text << " at " << static_cast<double>(r);
    }
  }
}

TEST(LawDerivative, LennardJonesTakesNoMoreStepsThanByHand) {
  const std::string derived = "energy += 4 * k * (pow(0.9 / r, 12) - pow(0.9 / r, 6));";
  EXPECT_LE(written(pair_program(derived, true), true).steps, 13U);
  EXPECT_TRUE(written(pair_program(derived, true), true).vectorised);
  EXPECT_FALSE(written(pair_program("while (r < 0) energy += 1;", true), true).vectorised);
  EXPECT_FALSE(written(pair_program("energy += sin(r);", true), true).vectorised);
}

TEST(LawDerivative, IsAFiniteNumberWhereSymmetryLeavesNoDirection) {
  Inputs at;
  for (const std::string& each : coordinates) at[each] = 0;
  for (const char* text : {"energy += length(p);", "energy += acos(clamp(dot(normalize(p), q), -1, 1) + 1);",
                           "energy += sqrt(dot(p, p)) * hypot(a, b);", "energy += pow(a, 3) + pow(b, 2) + cbrt(c);"})
    for (const Number found : results_of(program_of(text, true), at)) EXPECT_TRUE(std::isfinite(found)) << text;
}

}  // namespace
}  // namespace orrery::particles::language
