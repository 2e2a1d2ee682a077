/// The weights of the integrators against the order conditions, without a device.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenes/nbody/model/settings.hpp"

using namespace orrery;

namespace {

/// A word of kicks and drifts: bit k is the kind of letter k.
struct Word {
  unsigned bits = 0;
  int length = 0;
};

/// The coefficient of each word up to `longest` letters in a product of exponentials exp(w·letter). The exact flow
/// exp(kick + drift) has 1/n! for every word of n letters (Hairer, Lubich and Wanner, III.5).
class WordSeries {
 public:
  explicit WordSeries(int longest) : coefficients_(static_cast<std::size_t>(longest) + 1) {
    for (std::size_t n = 0; n < coefficients_.size(); ++n) coefficients_[n].assign(std::size_t{1} << n, 0);
    coefficients_[0][0] = 1;
  }

  double of(const Word& word) const { return coefficients_[static_cast<std::size_t>(word.length)][word.bits]; }

  // Adds to each word the coefficient of the word without its last m letters, all equal to `letter`, times w^m/m!.
  void multiply(unsigned letter, double weight) {
    std::vector<std::vector<double>> product = coefficients_;
    for (std::size_t n = 1; n < coefficients_.size(); ++n)
      for (unsigned bits = 0; bits < coefficients_[n].size(); ++bits) {
        double power = 1;
        unsigned rest = bits;
        for (std::size_t m = 1; m <= n && (rest & 1U) == letter; ++m) {
          rest >>= 1U;
          power *= weight / static_cast<double>(m);
          product[n][bits] += power * coefficients_[n - m][rest];
        }
      }
    coefficients_ = std::move(product);
  }

  /// The largest difference from the exact flow among the words of n letters.
  double error(int n) const {
    double largest = 0;
    for (unsigned bits = 0; bits < (1U << static_cast<unsigned>(n)); ++bits)
      largest = std::max(largest, std::abs(of({bits, n}) - 1 / std::tgamma(n + 1)));
    return largest;
  }

 private:
  std::vector<std::vector<double>> coefficients_;  // indexed by length and bits of the word
};

WordSeries series_of(const Integrator& integrator) {
  constexpr unsigned kick = 0, drift = 1;
  WordSeries series(integrator.order + 1);
  for (const Substep& substep : integrator.substeps()) {
    series.multiply(kick, substep.kick);
    series.multiply(drift, substep.drift);
    series.multiply(kick, substep.kick_after);
  }
  return series;
}

bool is_of_kicks_and_drifts(const Integrator& integrator) { return integrator.definition.empty(); }

}  // namespace

// Rounding: the weights are below 1.5, and a word's coefficient is a sum of products of them.
TEST(NbodyIntegrator, WeightsMeetTheOrderConditionsAndNoFurtherOnes) {
  for (const Integrator& integrator : integrators()) {
    if (!is_of_kicks_and_drifts(integrator)) continue;
    const WordSeries series = series_of(integrator);
    for (int n = 1; n <= integrator.order; ++n) EXPECT_LT(series.error(n), 1e-14) << integrator.name << ", order " << n;
    EXPECT_GT(series.error(integrator.order + 1), 1e-6) << integrator.name;
  }
}

TEST(NbodyIntegrator, KicksAndDriftsReadTheSameBackwards) {
  for (const Integrator& integrator : integrators()) {
    if (!is_of_kicks_and_drifts(integrator)) continue;
    std::vector<double> weights;
    for (const Substep& substep : integrator.substeps())
      weights.insert(weights.end(), {substep.kick, substep.drift, substep.kick_after});
    std::erase(weights, 0);  // substeps need not begin or end with a kick
    EXPECT_EQ(weights, std::vector<double>(weights.rbegin(), weights.rend())) << integrator.name;
  }
}

TEST(NbodyIntegrator, EvaluationsAreThoseOfTheLiterature) {
  for (const auto& [name, evaluations] :
       {std::pair{"leapfrog", 1}, {"yoshida4", 3}, {"pefrl", 4}, {"yoshida6", 7}, {"tutorial", 1}})
    EXPECT_EQ(integrator_of(name).evaluations(), evaluations) << name;
}

TEST(NbodyIntegrator, EachRowIsAChoiceOfTheParameter) {
  NbodySettings settings;
  std::vector<Parameter> declared = parameters(settings, true);
  Parameter& parameter = *find(declared, "integrator");
  EXPECT_EQ(settings.integrator, "leapfrog");
  ASSERT_EQ(parameter.info().choices.size(), integrators().size());
  for (const Integrator& integrator : integrators()) {
    parameter.assign_text(integrator.name);
    EXPECT_EQ(settings.integrator, integrator.name);
    EXPECT_EQ(&integrator_of(settings.integrator), &integrator);
    EXPECT_NE(parameter.info().help.find(integrator.name), std::string_view::npos);
  }
}
