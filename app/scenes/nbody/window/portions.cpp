#include "scenes/nbody/window/portions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

namespace orrery {
namespace {

const void* offset(std::size_t index) { return reinterpret_cast<const void*>(index * sizeof(std::uint16_t)); }

}  // namespace

// By Fisher and Yates.
std::vector<std::uint16_t> shuffled_block(std::size_t count) {
  std::vector<std::uint16_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::uint16_t{0});
  std::mt19937_64 random(count);
  for (std::size_t i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[random() % i]);
  return numbers;
}

void PortionPacer::measured(double bodies, double seconds) {
  constexpr double rise = 0.5, fall = 0.2;
  if (!(bodies > 0) || !(seconds > 0)) return;
  const double now = seconds / bodies;
  each_ += (now > each_ ? rise : fall) * (now - each_);
}

std::size_t PortionPacer::one_in(std::size_t bodies) {
  constexpr double spare = 0.7;  // of the time, or a smaller portion remains
  if (bodies <= most_drawn_at_once) return 1;
  const auto least = [&](double seconds) {
    const double times = std::ceil(static_cast<double>(bodies) * each_ / seconds);
    return std::bit_ceil(static_cast<std::size_t>(std::clamp(times, 1.0, double{BodyOrder::places})));
  };
  one_in_ = std::clamp(one_in_, least(in_motion), least(spare * in_motion));
  return one_in_;
}

BodyOrder::BodyOrder() : indices_(gl::make_buffer()) {
  const std::vector<std::uint16_t> block = shuffled_block(places);
  glBindBuffer(GL_COPY_WRITE_BUFFER, indices_.name());
  glBufferData(GL_COPY_WRITE_BUFFER, 2 * places * sizeof(std::uint16_t), nullptr, GL_STATIC_DRAW);
  glBufferSubData(GL_COPY_WRITE_BUFFER, 0, places * sizeof(std::uint16_t), block.data());
}

void BodyOrder::shuffle_rest(std::size_t rest) {
  if (rest == rest_) return;
  rest_ = rest;
  const std::vector<std::uint16_t> block = shuffled_block(rest);
  glBindBuffer(GL_COPY_WRITE_BUFFER, indices_.name());
  glBufferSubData(GL_COPY_WRITE_BUFFER, places * sizeof(std::uint16_t),
                  static_cast<GLsizeiptr>(rest * sizeof(std::uint16_t)), block.data());
}

void BodyOrder::draw(std::size_t bodies, std::uint32_t first, std::uint32_t end) {
  if (first == 0 && end == places) return glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(bodies));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.name());
  const std::size_t blocks = bodies / places, rest = bodies % places;
  const std::vector<GLsizei> counts(blocks, static_cast<GLsizei>(end - first));
  const std::vector<const void*> from(blocks, offset(first));
  std::vector<GLint> bases(blocks);
  for (std::size_t k = 0; k < blocks; ++k) bases[k] = static_cast<GLint>(k * places);
  glMultiDrawElementsBaseVertex(GL_POINTS, counts.data(), GL_UNSIGNED_SHORT, from.data(), static_cast<GLsizei>(blocks),
                                bases.data());
  const std::size_t rest_first = rest * first / places, rest_end = rest * end / places;
  if (rest_end == rest_first) return;
  shuffle_rest(rest);
  glDrawElementsBaseVertex(GL_POINTS, static_cast<GLsizei>(rest_end - rest_first), GL_UNSIGNED_SHORT,
                           offset(places + rest_first), static_cast<GLint>(blocks * places));
}

}  // namespace orrery
