/// Bodies drawn at random, one after another or all at once. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/philox.hpp"
#include "base/platform/parallel.hpp"
#include "base/random.hpp"
#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// The source of a body's random numbers.
enum class Draws {
  in_sequence,  ///< those after the previous body's; used for sets of up to 1,048,576 bodies
  each_by_body  ///< a function of seed and index, so that all cores draw the same bits
};

/// Bodies are drawn in double on the host, because OpenCL devices may round logarithms and sines differently.
inline Draws draws_of(std::size_t bodies) {
  constexpr std::size_t most_in_sequence = std::size_t{1} << 20;
  return bodies > most_in_sequence ? Draws::each_by_body : Draws::in_sequence;
}

class BodyDraw {
 public:
  BodyDraw(std::uint64_t seed, Draws draws) : seed_(seed), draws_(draws), sequence_(seed) {}

  Draws draws() const { return draws_; }

  /// Appends the bodies `one(random, i)`, i = 0 … count − 1, where `random` are RandomNumbers.
  template <class One>
  void append(Bodies& bodies, std::size_t count, const One& one) {
    if (draws_ == Draws::in_sequence) {
      for (std::size_t i = 0; i < count; ++i) bodies.push_back(one(sequence_, i));
      return;
    }
    const std::size_t first = bodies.size();
    bodies.resize(first + count);
    in_parallel(count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        RandomNumbers random(PhiloxBits(seed_, first_ + i, purpose));
        bodies[first + i] = one(random, i);
      }
    });
    first_ += count;
  }

 private:
  static constexpr std::uint32_t purpose = 0x626F6479;  // "body": no other numbers of this seed share a block

  std::uint64_t seed_;
  Draws draws_;
  Random sequence_;
  std::uint64_t first_ = 0;  // index of the next body
};

}  // namespace orrery
