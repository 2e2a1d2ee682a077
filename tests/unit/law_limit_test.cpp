/// Limits of random pair laws at distance 0 against their values at small distances in many digits.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "law_interpreter.hpp"
#include "scenes/particles/laws/law_language.hpp"

namespace orrery::particles::language {
namespace {

template <class Real>
using NumbersOf = std::map<std::string, Real>;

/// Writes formulas of r and the numbers a and k.
class FormulaAuthor {
 public:
  explicit FormulaAuthor(std::uint64_t seed) : random_(seed) {}

  std::string formula(int depth) {
    if (depth == 0) return one_of("r", "r", "r", "r2", "invR", "a", "k", "1.0", "0.5", "2.0");
    const std::string x = formula(depth - 1);
    switch (random_() % 8) {
      case 0:
      case 1:
        return one_of("sin", "cos", "tan", "exp", "expm1", "log1p", "tanh", "atan", "erf", "sinh", "cosh", "asinh",
                      "erfc", "sqrt", "log", "cbrt", "fabs") +
               "(" + x + ")";
      case 2:
        return "pow(" + x + ", " + one_of("2", "3", "1.5", "0.5", "a") + ")";
      case 3:
        return one_of("fmin", "fmax", "hypot") + "(" + x + ", " + formula(depth - 1) + ")";
      case 4:
        return "(" + x + ") / (" + formula(depth - 1) + ")";
      case 5:
        return "(" + x + ") * (" + formula(depth - 1) + ")";
      default:
        return "(" + x + one_of(" + ", " - ") + formula(depth - 1) + ")";
    }
  }

 private:
  template <class... Choices>
  std::string one_of(Choices... choices) {
    const std::vector<std::string> all{choices...};
    return all[random_() % all.size()];
  }

  std::mt19937_64 random_;
};

struct PairPrograms {
  Program law;    ///< energy and slope
  Program limit;  ///< at distance 0
};

PairPrograms programs_of(const std::string& text) {
  const LawTree tree = parse_law("test", text,
                                 {{"energy"},
                                  {"r", Type::real, true},
                                  {"r2", Type::real, true},
                                  {"invR", Type::real, true},
                                  {"a", Type::real, true},
                                  {"k", Type::real, true}});
  Builder builder;
  std::vector<Value> given{{Type::real, {{builder.constant(0)}}}};
  std::vector<Approach> approaches;
  for (const auto& [name, degree] : {std::pair{"r", 1.0}, std::pair{"r2", 2.0}, std::pair{"invR", -1.0}}) {
    const Node node = builder.input(name, Type::real, InputKind::place);
    given.push_back({Type::real, {power_of(builder, node, degree)}});
    approaches.push_back({node, degree});
  }
  const Node inverse = given[3].parts.front().value;
  builder.use_inverse(given[1].parts.front().value, inverse);
  for (const char* name : {"a", "k"}) given.push_back({Type::real, {{builder.input(name, Type::real)}}});
  const Scalar energy = make_steps(builder, "test", tree, std::move(given), 1)[0].parts[0];
  const Node slope = builder.multiply(energy.along.empty() ? builder.constant(0) : energy.along[0], inverse);
  const Node limit = limit_at_zero(builder, approaches, {energy.value, slope, false});
  Program law = builder.so_far({energy.value, slope});
  return {std::move(law), limit == none ? Program{} : builder.finished({limit})};
}

/// The energy at distance 0 of kernels in double; NaN if the pair is refused.
double at_zero(const PairPrograms& programs, NumbersOf<double> numbers) {
  if (!programs.limit.results.empty()) return results_of(programs.limit, numbers).front();
  numbers.insert({{"r", 0}, {"r2", 0}, {"invR", 1e300}});
  const std::vector<double> found = results_of(programs.law, numbers);
  return std::fabs(found[1]) < 1e154 ? found[0] : std::nan("");
}

long double energy_at(const PairPrograms& programs, NumbersOf<long double> numbers, long double r) {
  numbers.insert({{"r", r}, {"r2", r * r}, {"invR", 1 / r}});
  return results_of(programs.law, numbers).front();
}

}  // namespace

TEST(LawLimit, IsTheLimitOfTheEnergyOfRandomLaws) {
  std::size_t compared = 0, refused = 0, missed = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const std::string text = "energy += " + FormulaAuthor(seed).formula(2 + static_cast<int>(seed % 2)) + ";";
    const PairPrograms programs = programs_of(text);
    for (const auto& [a, k] : {std::pair{0.75, 1.25}, std::pair{1.0, 2.0}, std::pair{2.0, 0.0}}) {
      const auto energy = [&, a = a, k = k](long double r) {
        return static_cast<double>(energy_at(programs, {{"a", a}, {"k", k}}, r));
      };
      const double far = energy(2e-4L), near = energy(1e-4L), limit = at_zero(programs, {{"a", a}, {"k", k}});
      // Neither a pole nor a steep slope.
      const bool settles = std::fabs(far - near) < 5e-4 * (1 + std::fabs(near));
      if (!std::isfinite(limit)) {
        ++refused;
        missed += settles ? 1 : 0;
        continue;
      }
      ++compared;
      EXPECT_NEAR(limit, 2 * near - far, 1e-3 * (1 + std::fabs(near)))
          << "seed " << seed << ": " << text << " a = " << a << ", k = " << k;
    }
  }
  EXPECT_GT(compared, refused);
  EXPECT_LT(20 * missed, compared);  // mostly powers whose exponent is a parameter
}

}  // namespace orrery::particles::language
