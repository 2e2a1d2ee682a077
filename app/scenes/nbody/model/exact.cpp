#include "scenes/nbody/model/exact.hpp"

#include <bit>
#include <charconv>
#include <optional>

#include "base/error.hpp"

namespace orrery {
namespace {

constexpr std::size_t digits = 8;  // hexadecimal, of a float

void append_word(std::string& text, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[bits >> shift & 15U];
}

std::optional<float> word_of(std::string_view text) {
  std::uint32_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::bit_cast<float>(bits);
}

}  // namespace

std::string text_of(const TreeMemory& memory) {
  if (memory.of.empty()) return {};
  std::string text = memory.of + "; ";
  append_word(text, memory.accuracy);
  append_word(text, memory.field_accuracy);
  for (const float error : memory.errors) append_word(text, error);
  return text;
}

TreeMemory parse_tree_memory(std::string_view text, std::string_view key) {
  const auto wrong = [&] {
    return usage_error(
        std::string(key), std::string(text.substr(0, 60)),
        "a tree and its error, a semicolon, and floats of eight hexadecimal digits as Orrery saves them");
  };
  TreeMemory memory;
  if (text.empty()) return memory;
  const std::size_t end = text.find("; ");
  if (end == std::string_view::npos || end == 0) throw wrong();
  memory.of = text.substr(0, end);
  const std::string_view words = text.substr(end + 2);
  if (words.size() % digits != 0 || words.size() < 2 * digits) throw wrong();
  for (std::size_t at = 0; at < words.size(); at += digits) {
    const auto word = word_of(words.substr(at, digits));
    if (!word) throw wrong();
    memory.errors.push_back(*word);
  }
  memory.accuracy = memory.errors[0];
  memory.field_accuracy = memory.errors[1];
  memory.errors.erase(memory.errors.begin(), memory.errors.begin() + 2);
  return memory;
}

}  // namespace orrery
