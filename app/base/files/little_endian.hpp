/// Numbers as bytes of files. Any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <string>
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

}  // namespace orrery
