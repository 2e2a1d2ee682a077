#include "scenes/mandelbrot/checks/diagram_proof.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace orrery::mandelbrot {
namespace {

constexpr int orbits_of_column = 4;                                // per column, spread over its width
constexpr std::size_t settle = 1024, counted = 4096, fewest = 64;  // visits
constexpr std::size_t most_iterations = 400'000;                   // per orbit, in many bits
constexpr int rows_apart = 2;
constexpr double largest_difference = 0.08, largest_drift = 0.03;

/// The orbit of one c, from the point where the device's orbits begin.
class ManyBits {
 public:
  ManyBits(const DiagramFrame& frame, double column)
      : formula_(frame.view.formula), bits_(bits_for(frame.view, {frame.columns, 1})), x_(bits_), c_(bits_) {
    const BigFloat part(bits_, column / frame.columns - 0.5);
    c_ = BigFloat(bits_, frame.view.re.text()) + BigFloat(bits_, frame.view.span.text()) * part;
    x_ = BigFloat(bits_, frame.cascade->nearest);
  }
  virtual ~ManyBits() = default;
  /// Makes a step and returns x; NaN once the orbit has escaped.
  virtual double next() {
    x_ = formula_.next(x_, c_);
    const double x = x_.value();
    return std::abs(x) < 4 ? x : NAN;
  }

 protected:
  Formula formula_;
  mpfr_prec_t bits_;
  BigFloat x_, c_;
};

class OnLadder final : public ManyBits {
 public:
  OnLadder(const DiagramFrame& frame, double column)
      : ManyBits(frame, column),
        place_(*cascade_place(frame.view, frame.columns, 0)),
        scales_(ladder_scales(LadderPoint::feigenbaum, bits)),
        unit_(scales_.lambda * power(scales_.mu, place_.top)),
        level_(place_.top) {
    const auto big = [](const Pair& pair) { return BigFloat(bits, pair.high) + BigFloat(bits, pair.low); };
    w_ = big(place_.center_re) + big(place_.spacing) * BigFloat(bits, column - 0.5 * frame.columns);
    x_ = BigFloat(bits, frame.cascade->nearest) / unit_;
  }
  double next() override {
    x_ = polynomial(map_of(level_), x_ * x_);
    BigFloat unit = unit_;
    for (int level = level_; level < place_.top; ++level) unit = unit / scales_.mu;
    const double x = (x_ * unit).value();
    for (; level_ < place_.top && std::abs(x_.value()) <= std::abs(scales_.mu.value()); ++level_) x_ = x_ / scales_.mu;
    for (; level_ > 0 && std::abs(x_.value()) > 1; --level_) x_ = x_ * scales_.mu;
    return std::abs(x_.value()) < 4 ? x : NAN;
  }

 private:
  static constexpr mpfr_prec_t bits = 160;
  // Each is made once.
  const std::vector<BigFloat>& map_of(int level) {
    const auto [known, missing] = maps_.try_emplace(level);
    if (missing) known->second = ladder_table_of_pairs().map_at(level, w_ * power(scales_.delta, level - place_.top));
    return known->second;
  }

  LadderPlace place_;
  LadderScales scales_;
  BigFloat unit_, w_{bits};
  int level_;
  std::map<int, std::vector<BigFloat>> maps_;
};

// Visits of a column's orbits to each row, in the first half of their steps and in the second.
struct Visits {
  std::vector<double> first, second;
  bool settled = true;  ///< every orbit has had time to reach its attractor
};

Visits visits_of(const DiagramFrame& frame, DiagramWay way, std::uint32_t column, const Watch& watch) {
  constexpr double enough = 12;  // e-foldings
  Visits visits{std::vector<double>(frame.rows, 0), std::vector<double>(frame.rows, 0)};
  const std::size_t period = way == DiagramWay::ladder ? 1 : std::max<std::size_t>(1, frame.cascade->period);
  for (int k = 0; k < orbits_of_column && !watch.cancelled(); ++k) {
    const double place = column + (k + 0.5) / orbits_of_column;
    const std::unique_ptr<ManyBits> orbit =
        way == DiagramWay::ladder ? std::make_unique<OnLadder>(frame, place) : std::make_unique<ManyBits>(frame, place);
    const std::size_t begin = std::min(settle * period, most_iterations / 2),
                      half = std::min(counted * period, most_iterations / 2) / 2;
    double growth = 0;
    for (std::size_t n = 0; n < begin + 2 * half; ++n) {
      const double x = orbit->next();
      if (std::isnan(x)) break;
      growth += std::log(std::abs(frame.view.formula.slope(x)) + 1e-30);
      const double row = 0.5 * frame.rows - (x - frame.middle) / frame.half_height * 0.5 * frame.rows;
      if (n < begin || !(row >= 0 && row < frame.rows)) continue;
      ++(n < begin + half ? visits.first : visits.second)[static_cast<std::size_t>(row)];
    }
    visits.settled = visits.settled && (way == DiagramWay::ladder || std::abs(growth) > enough);
  }
  return visits;
}

double sum_of(std::span<const double> visits) { return std::accumulate(visits.begin(), visits.end(), 0.0); }

// The part of the visits above each row; zeros without visits.
std::vector<double> parts_above(std::span<const double> visits) {
  std::vector<double> parts{0};
  for (const double each : visits) parts.push_back(parts.back() + each);
  const double all = std::max(1.0, parts.back());
  for (double& each : parts) each /= all;
  return parts;
}

// The largest difference, allowing for shifts by two rows.
double difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  const auto size = static_cast<std::ptrdiff_t>(a.size());
  for (std::ptrdiff_t row = 0; row < size; ++row) {
    const auto above = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, row - rows_apart)),
               below = static_cast<std::size_t>(std::min(size - 1, row + rows_apart));
    const double here = a[static_cast<std::size_t>(row)];
    // At the edges, a visit may be inside one diagram and outside the other.
    largest = std::max({largest, b[above] - here, here - b[below]});
  }
  return largest;
}

}  // namespace

DiagramProof prove_diagram(const DiagramFrame& frame, DiagramWay way, std::span<const float> values, int columns,
                           const Watch& watch) {
  DiagramProof proof;
  std::mt19937 random(7);  // NOLINT: the same columns each time
  for (int k = 0; k < columns && !watch.cancelled(); ++k) {
    const std::uint32_t column = static_cast<std::uint32_t>(random()) % frame.columns;
    std::vector<double> told;
    for (std::uint32_t row = 0; row < frame.rows; ++row)
      told.push_back(static_cast<double>(values[std::size_t{row} * frame.columns + column]));
    const Visits found = visits_of(frame, way, column, watch);
    const double first = sum_of(found.first), second = sum_of(found.second), seen = sum_of(told);
    const std::vector<double> parts = parts_above(found.second);
    // Beside a doubling orbits settle slowly, and near a copy of the set few of them visit the rows.
    const bool few = first + second < fewest && seen > 0;
    const bool drifts =
        !found.settled || (first > 0) != (second > 0) || difference(parts, parts_above(found.first)) > largest_drift;
    if (few || drifts) {
      ++proof.left_out;
      continue;
    }
    const double away = second > 0 && seen > 0 ? difference(parts_above(told), parts) : second != seen ? 1 : 0;
    ++proof.checked;
    proof.largest = std::max(proof.largest, away);
    proof.wrong += away > largest_difference ? 1 : 0;
  }
  return proof;
}

}  // namespace orrery::mandelbrot
