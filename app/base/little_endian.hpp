/// Numbers as bytes of files. Any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace orrery {

/// The bytes of a number, the least significant one first.
template <class T>
void append_little_endian(std::string& bytes, T value) {
  const auto first = bytes.size();
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  if constexpr (std::endian::native == std::endian::big)
    for (std::size_t i = 0; i < sizeof value / 2; ++i) std::swap(bytes[first + i], bytes[first + sizeof value - 1 - i]);
}

/// The number whose bytes begin at `at`.
template <class T>
T from_little_endian(const char* at) {
  T value = 0;
  if constexpr (std::endian::native == std::endian::little)
    std::memcpy(&value, at, sizeof value);
  else
    for (std::size_t k = sizeof value; k-- > 0;) value = static_cast<T>(value << 8 | static_cast<unsigned char>(at[k]));
  return value;
}

/// A whole number of that many bytes, at most 8, from `at` on.
inline std::uint64_t little_endian_word(std::string_view bytes, std::size_t at, std::size_t count = 8) {
  std::uint64_t word = 0;
  for (std::size_t k = count; k-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + k]);
  return word;
}

}  // namespace orrery
