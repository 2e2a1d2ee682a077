#include "scenes/mandelbrot/deep/ladder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <span>

#include "base/text.hpp"
#include "scenes/mandelbrot/deep/reference.hpp"

namespace orrery::mandelbrot {
namespace {

// On its way to an escape, an orbit with a passage comes down to level 0 from any level.
constexpr int rows_of(LadderPoint point) { return has_passage(point) ? passage_top + 1 : ladder_depth + 2; }

// Made once, at the first call.
template <class T>
class OfEachPoint {
 public:
  template <class Make>
  const T& at(LadderPoint point, Make&& make) {
    const auto index = static_cast<std::size_t>(point);
    std::call_once(once_[index], [&] { all_[index].emplace(make()); });
    return *all_[index];
  }

 private:
  std::array<std::once_flag, ladder_points> once_;
  std::array<std::optional<T>, ladder_points> all_;
};

// ---- extents

// The sums of coefficients below which no digit changes: of all, and of those whose low parts count in pairs.
struct Tolerance {
  double all = 0;
  double paired = 0;
};

Tolerance tolerance_of(LadderNumbers numbers) {
  switch (numbers) {
    case LadderNumbers::float_pairs:
      return {0x1p-49, 0x1p-25};
    case LadderNumbers::doubles:
      return {0x1p-54, 0x1p-54};
    case LadderNumbers::double_pairs:
      return {0x1p-107, 0x1p-54};
  }
  return {};
}

// The number of terms of that order that count for |x| <= 1 and |w| <= radius.
int terms_of(const LadderTable& table, int order, double radius, double tolerance) {
  const double power = std::pow(radius, order);
  double sum = 0;
  for (int term = table.extent().terms; term-- > 0;) {
    double largest = 0;
    for (int level = 1; level < table.extent().levels; ++level)
      largest = std::max(largest, std::abs(table.at(level, order, term).high));
    sum += largest * power;
    if (sum > tolerance) return term + 1;
  }
  return 0;
}

// The number of terms that count, for each order; at least one order and one term.
std::vector<int> extent_of(const LadderTable& table, int row, double tolerance) {
  const double delta = ladder_scales(table.point(), 53).delta.value();
  const double radius = ladder_radius_of(table.point()) * std::pow(delta, -row);
  std::vector<int> extent;
  for (int order = 0; order < table.extent().orders; ++order)
    extent.push_back(terms_of(table, order, radius, tolerance));
  while (extent.size() > 1 && extent.back() == 0) extent.pop_back();
  for (int& terms : extent) terms = std::max(terms, 1);
  return extent;
}

// The number of levels; beyond them the table stays the same.
int levels_of(const LadderTable& table, double tolerance) {
  int level = 1;
  for (; level + 1 < table.extent().levels; ++level) {
    double change = 0;
    for (int n = 0; n < table.extent().orders; ++n)
      for (int m = 0; m < table.extent().terms; ++m) {
        const Pair &a = table.at(level, n, m), &b = table.at(level + 1, n, m);
        change = std::max(change,
                          std::abs((a.high - b.high) + (a.low - b.low)) * std::pow(ladder_radius_of(table.point()), n));
      }
    if (change < tolerance) break;
  }
  return level + 1;
}

// The number rounded to that kind of numbers.
Pair rounded(const Pair& number, LadderNumbers kind) {
  if (is_double(kind)) return number;
  const auto high = static_cast<float>(number.high);
  return {static_cast<double>(high), static_cast<double>(static_cast<float>(number.high - static_cast<double>(high)))};
}

}  // namespace

// ---- places

const LadderTable& ladder_table_of_doubles(LadderPoint point) {
  static OfEachPoint<LadderTable> tables;
  const auto& extent = has_passage(point) ? LadderTable::passage_for_doubles : LadderTable::for_doubles;
  return tables.at(point, [&] { return LadderTable(extent, point); });
}

const LadderTable& ladder_table_of_pairs(LadderPoint point) {
  static OfEachPoint<LadderTable> tables;
  const auto& extent = has_passage(point) ? LadderTable::passage_for_pairs : LadderTable::for_pairs;
  return tables.at(point, [&] { return LadderTable(extent, point); });
}

double ladder_step_error(LadderNumbers numbers) {
  constexpr double roundings = 64;
  switch (numbers) {
    case LadderNumbers::float_pairs:
      return roundings * 0x1p-46;
    case LadderNumbers::doubles:
      return roundings * 0x1p-53;
    case LadderNumbers::double_pairs:
      return roundings * 0x1p-104;
  }
  return 1;
}

namespace {

// Each coefficient counts with its size, whatever its sign.
double curvature_of(LadderPoint point) {
  const LadderTable& table = ladder_table_of_doubles(point);
  const int each = has_passage(point) ? 1 : 2;  // power of x per term
  double most = 0;
  for (int level = 0; level < table.extent().levels; ++level) {
    double sum = 0;
    for (int n = 0; n < table.extent().orders; ++n)
      for (int m = 1; m < table.extent().terms; ++m)
        sum += std::abs(table.at(level, n, m).high) * std::pow(ladder_radius_of(point), n) * each * m * (each * m - 1) *
               std::pow(1 + ladder_margin, each * m - 2);
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

double ladder_curvature(LadderPoint point) {
  static OfEachPoint<double> all;
  return all.at(point, [&] { return curvature_of(point); });
}

namespace {

// In w, the outside of the set is no wider than this beside a passage; at c∞ filaments fill all widths.
double sliver_of(const LadderPlace& place) {
  constexpr int sliver = 9;
  return has_passage(place.point) ? std::ldexp(1.0, -place.top - sliver) : 1.0;
}

}  // namespace

double ladder_shift(const LadderPlace& place, LadderNumbers numbers) {
  constexpr double steps_that_count = 16;
  return steps_that_count * ladder_step_error(numbers) / std::min(place.finest_spacing, sliver_of(place));
}

double largest_ladder_shift(const LadderPlace& place, Purpose purpose) {
  constexpr int hair_begins = 6;
  constexpr double depth_begins = 0x1p-30;
  if (purpose != Purpose::data) return 0x1p-3;
  const double levels = has_passage(place.point) ? 0 : std::max(0, place.top - hair_begins);
  const double depth = std::max(0.0, std::log2(depth_begins * sliver_of(place) / place.finest_spacing));
  return 0x1p-20 * std::exp2(-2 * levels - 0.25 * depth);
}

// The bits of all digits of the texts and of c∞ that move a pixel; texts may be much longer.
mpfr_prec_t ladder_bits(const View& view, Size size) {
  const auto digits = static_cast<mpfr_prec_t>(std::max(view.re.text().size(), view.im.text().size()));
  return std::min(4 * digits, bits_for(view, size)) + 640;
}

namespace {

std::optional<LadderPlace> place_at(LadderPoint point, const View& view, Size size) {
  const mpfr_prec_t bits = ladder_bits(view, size);
  const LadderScales scales = ladder_scales(point, bits);
  const BigFloat x = BigFloat(bits, view.re.text()) - scales.point, y(bits, view.im.text()),
                 span(bits, view.span.text());
  const BigFloat spacing = span / BigFloat(bits, static_cast<double>(size.width));
  const Matrix turn = matrix_of(view.turn);
  const auto farthest = [&](const BigFloat& center, double across, double up) {
    const BigFloat reach = spacing * BigFloat(bits, 0.5 * (std::abs(across) * size.width + std::abs(up) * size.height));
    return center < BigFloat(bits) ? reach - center : reach + center;
  };
  const BigFloat across = farthest(x, turn.xx, turn.xy), up = farthest(y, turn.yx, turn.yy);
  BigFloat distance(bits);
  mpfr_hypot(distance.raw(), across.raw(), up.raw(), MPFR_RNDU);
  // With a passage, w is in units of Λ_0.
  if (has_passage(point)) distance = distance / scales.lambda;
  BigFloat log(bits), step(bits);
  mpfr_log(log.raw(), (BigFloat(bits, ladder_radius_of(point)) / distance).raw(), MPFR_RNDD);
  mpfr_log(step.raw(), scales.delta.raw(), MPFR_RNDU);
  const double top = std::floor((log / step).value());
  if (!(top >= 1) || (has_passage(point) && top > passage_top)) return std::nullopt;
  BigFloat scale = power(scales.delta, static_cast<long>(top));
  if (has_passage(point)) scale = scale / scales.lambda;
  const BigFloat pixel = spacing * scale;
  const auto part_of_pixel = [&](double part) { return pair_of(pixel * BigFloat(bits, part)); };
  return LadderPlace{.point = point,
                     .top = static_cast<int>(top),
                     .center_re = pair_of(x * scale),
                     .center_im = pair_of(y * scale),
                     .spacing = pair_of(pixel),
                     .finest_spacing = pixel.value() / view.turn.reach(),
                     .right_re = part_of_pixel(turn.xx),
                     .right_im = part_of_pixel(turn.yx),
                     .up_re = part_of_pixel(turn.xy),
                     .up_im = part_of_pixel(turn.yy)};
}

}  // namespace

std::optional<LadderPlace> ladder_place(const View& view, Size size) {
  if (!view.formula.quadratic()) return std::nullopt;
  using enum LadderPoint;
  for (const LadderPoint point : {feigenbaum, cusp, valley})
    if (auto place = place_at(point, view, size)) return place;
  return std::nullopt;
}

// ---- for the device

PackedLadder::PackedLadder(LadderPoint ladder_point, LadderNumbers numbers_kind)
    : point(ladder_point), kind(numbers_kind), rows(rows_of(point)) {
  const LadderTable& table =
      kind == LadderNumbers::double_pairs ? ladder_table_of_pairs(point) : ladder_table_of_doubles(point);
  const Tolerance tolerance = tolerance_of(kind);
  std::vector<std::vector<int>> all, paired;
  for (int row = 0; row < rows; ++row) {
    all.push_back(extent_of(table, row, tolerance.all));
    paired.push_back(extent_of(table, row, tolerance.paired));
  }
  // Level 0 is 1 + c∞·x² + w/c∞, or ±x + Λ_0·x² + w.
  for (auto* extent : {&all, &paired}) extent->push_back({has_passage(point) ? 3 : 2, 1});
  levels = levels_of(table, tolerance.all);
  for (const std::vector<int>& extent : all) {
    orders = std::max(orders, static_cast<int>(extent.size()));
    terms = std::max(terms, *std::ranges::max_element(extent));
  }
  for (std::size_t row = 0; row < all.size(); ++row) {
    extents.push_back(static_cast<std::uint8_t>(all[row].size()));
    for (const auto* extent : {&all[row], &paired[row]})
      for (std::size_t order = 0; order < static_cast<std::size_t>(orders); ++order)
        extents.push_back(static_cast<std::uint8_t>(order < extent->size() ? (*extent)[order] : 1));
  }

  std::vector<Pair> section;
  const auto append = [&](bool low_parts) {
    for (const Pair& number : section) numbers.push_back(rounded(number, kind).high);
    for (const Pair& number : section)
      if (low_parts) numbers.push_back(rounded(number, kind).low);
    section.clear();
  };
  constexpr mpfr_prec_t bits = 256;
  const LadderScales scales = ladder_scales(point, bits);
  const BigFloat inverse_mu =
      has_passage(point) ? BigFloat(bits, 1.0) / scales.mu : BigFloat(bits) - feigenbaum_alpha(bits);
  section = {pair_of(BigFloat(bits, 1.0) / inverse_mu), pair_of(inverse_mu)};
  append(true);
  for (int row = 0; row < rows; ++row) section.push_back(pair_of(power(scales.delta, -row)));
  append(true);
  for (int level = 0; level < levels && !has_passage(point); ++level)
    for (const double coefficient : table.disc(level).coefficients) section.push_back({coefficient, 0});
  append(false);
  for (int level = 0; level < levels; ++level)
    for (int order = 0; order < orders; ++order)
      for (int term = 0; term < terms; ++term) section.push_back(table.at(level, order, term));
  append(is_pairs(kind));
}

std::map<std::string, std::string> PackedLadder::definitions() const {
  std::map<std::string, std::string> all{{"LEVELS", std::to_string(levels)},
                                         {"ORDERS", std::to_string(orders)},
                                         {"TERMS", std::to_string(terms)},
                                         {"ROWS", std::to_string(rows)},
                                         {"CURVATURE", shortest(ladder_curvature(point))},
                                         {"STEP_ERROR", shortest(ladder_step_error(kind))}};
  all["PASSAGE"] = std::to_string(static_cast<int>(point));
  all["DISC_TERMS"] = std::to_string(has_passage(point) ? 0 : CascadeDisc::terms);
  if (is_double(kind)) all["DOUBLE"] = "1";
  if (is_pairs(kind)) all["PAIRS"] = "1";
  return all;
}

// For each order, Goertzel's recurrence takes two slots a term and five around it, and Horner's rule in w four; u and
// its norm take eight.
double PackedLadder::operations_of_step() const {
  const std::size_t width = 1 + 2 * static_cast<std::size_t>(orders);
  double sum = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const auto extent = std::span(extents).subspan(row * width, width);
    sum += 8;
    for (std::size_t order = 0; order < extent[0]; ++order) sum += 2.0 * extent[1 + order] + 9;
  }
  return sum / rows;
}

const PackedLadder& packed_ladder(LadderPoint point, LadderNumbers numbers) {
  static std::array<OfEachPoint<PackedLadder>, 4> all;
  return all[static_cast<std::size_t>(numbers)].at(point, [&] { return PackedLadder(point, numbers); });
}

}  // namespace orrery::mandelbrot
