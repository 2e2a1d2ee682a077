/// Random bits without a state: a block is a function of a counter and a key, so that each object can have its own
/// numbers, drawn in any order and on any thread. kernels/common/random.clh has the same blocks.
///
/// Philox4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC'11.
#pragma once

#include <array>
#include <cstdint>

namespace orrery {

using PhiloxBlock = std::array<std::uint32_t, 4>;

constexpr PhiloxBlock philox4x32(PhiloxBlock counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t first = 0xD2511F53, second = 0xCD9E8D57;      // the multipliers
  constexpr std::uint32_t golden = 0x9E3779B9, root_of_3 = 0xBB67AE85;  // Weyl sequences of the key
  const auto high = [](std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32); };
  const auto low = [](std::uint64_t product) { return static_cast<std::uint32_t>(product); };
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t one = first * counter[0], two = second * counter[2];
    counter = {high(two) ^ counter[1] ^ key[0], low(two), high(one) ^ counter[3] ^ key[1], low(one)};
    key[0] += golden;
    key[1] += root_of_3;
  }
  return counter;
}

/// The bits of the object with this number, for RandomNumbers; up to 2³² objects per purpose.
class PhiloxBits {
 public:
  PhiloxBits(std::uint64_t seed, std::uint64_t number, std::uint32_t purpose)
      : key_{low(seed), low(seed >> 32)}, counter_{low(number), low(number >> 32), 0, purpose} {}

  std::uint64_t operator()() {
    half_ = !half_;
    if (!half_) return std::uint64_t{block_[3]} << 32 | block_[2];
    block_ = philox4x32(counter_, key_);
    ++counter_[2];
    return std::uint64_t{block_[1]} << 32 | block_[0];
  }

 private:
  static constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

  std::array<std::uint32_t, 2> key_;
  PhiloxBlock counter_;
  PhiloxBlock block_{};
  bool half_ = false;  // half of the block is used
};

}  // namespace orrery
