#include "base/checksum.hpp"

#include <algorithm>
#include <bit>

#include "base/little_endian.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F, prime3 = 0x165667B19E3779F9,
                        prime4 = 0x85EBCA77C2B2AE63, prime5 = 0x27D4EB2F165667C5;

std::uint64_t round(std::uint64_t lane, std::uint64_t input) { return std::rotl(lane + input * prime2, 31) * prime1; }

// Processes whole stripes of 32 bytes.
void take_stripes(std::array<std::uint64_t, 4>& lanes, std::string_view stripes) {
  auto [a, b, c, d] = lanes;
  for (const char* at = stripes.data(); at != stripes.data() + stripes.size(); at += 32) {
    a = round(a, from_little_endian<std::uint64_t>(at));
    b = round(b, from_little_endian<std::uint64_t>(at + 8));
    c = round(c, from_little_endian<std::uint64_t>(at + 16));
    d = round(d, from_little_endian<std::uint64_t>(at + 24));
  }
  lanes = {a, b, c, d};
}

std::uint64_t with_rest(std::uint64_t sum, std::string_view rest) {
  for (; rest.size() >= 8; rest.remove_prefix(8))
    sum = std::rotl(sum ^ round(0, from_little_endian<std::uint64_t>(rest.data())), 27) * prime1 + prime4;
  if (rest.size() >= 4) {
    sum = std::rotl(sum ^ std::uint64_t{from_little_endian<std::uint32_t>(rest.data())} * prime1, 23) * prime2 + prime3;
    rest.remove_prefix(4);
  }
  for (const char byte : rest) sum = std::rotl(sum ^ static_cast<unsigned char>(byte) * prime5, 11) * prime1;
  return sum;
}

std::uint64_t mixed(std::uint64_t sum) {
  sum = (sum ^ sum >> 33) * prime2;
  sum = (sum ^ sum >> 29) * prime3;
  return sum ^ sum >> 32;
}

}  // namespace

Xxh64::Xxh64() : lanes_{prime1 + prime2, prime2, 0, 0 - prime1} {}

void Xxh64::add(std::string_view bytes) {
  const std::size_t kept = bytes_ % rest_.size();
  bytes_ += bytes.size();
  if (kept > 0) {
    const std::string_view more = bytes.substr(0, rest_.size() - kept);
    std::ranges::copy(more, rest_.data() + kept);
    if (kept + more.size() < rest_.size()) return;
    take_stripes(lanes_, {rest_.data(), rest_.size()});
    bytes.remove_prefix(more.size());
  }
  const std::size_t whole = bytes.size() / rest_.size() * rest_.size();
  take_stripes(lanes_, bytes.substr(0, whole));
  std::ranges::copy(bytes.substr(whole), rest_.data());
}

std::string Xxh64::text() const {
  std::uint64_t sum = lanes_[2] + prime5;
  if (bytes_ >= rest_.size()) {
    sum = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) sum = (sum ^ round(0, lane)) * prime1 + prime4;
  }
  sum = mixed(with_rest(sum + bytes_, {rest_.data(), bytes_ % rest_.size()}));
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[sum >> shift & 0xf];
  return digits;
}

}  // namespace orrery
