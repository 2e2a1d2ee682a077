/// XXH64, a checksum as fast as memory: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace orrery {

/// XXH64 with the seed 0, of bytes that come in pieces: detects damage, but not forgery. A change within 8 bytes at a
/// multiple of 8 always changes it. One thread at a time.
class Xxh64 {
 public:
  Xxh64();
  void add(std::string_view bytes);
  /// 16 hexadecimal digits, of all bytes so far.
  std::string text() const;

 private:
  std::array<std::uint64_t, 4> lanes_;
  std::array<char, 32> rest_{};  // bytes not yet in the lanes
  std::uint64_t bytes_ = 0;
};

}  // namespace orrery
