#include "base/error.hpp"

#include <algorithm>
#include <utility>

#include "base/printable.hpp"

namespace orrery {
namespace {

// Sentences of this program; texts of other origin may be part of them.
std::string sentence(std::string text, std::size_t most) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return printable(text, most);
}

// Bad input has one form for all values: --span: expected a number above 0, got "abc".
std::string one_line(Fault fault, const ErrorDetails& d) {
  constexpr std::size_t most_of_place = 200, most_of_sentence = 300, most_of_advice = 1000;
  std::string line;
  if (!d.where.empty()) line += printable(d.where, most_of_place) + ": ";
  line += sentence(d.what, most_of_sentence);
  const bool is_expectation = fault == Fault::usage && d.code.empty() && d.value && !d.advice.empty();
  if (is_expectation) return line + ": expected " + sentence(d.advice, most_of_advice) + ", got " + in_quotes(*d.value);
  if (d.value) line += " " + in_quotes(*d.value);
  if (!d.code.empty()) line += " (" + d.code + ")";
  if (!d.advice.empty()) line += "; " + sentence(d.advice, most_of_advice);
  return line;
}

}  // namespace

Error::Error(Fault fault, ErrorDetails details)
    : fault_(fault), details_(std::move(details)), line_(one_line(fault, details_)) {}

Error usage_error(std::string what, std::optional<std::string> value, std::string expected, std::string where) {
  return {Fault::usage, {std::move(what), std::move(value), std::move(where), {}, std::move(expected), {}}};
}

Error failure(std::string what, std::string advice) {
  return {Fault::failure, {std::move(what), {}, {}, {}, std::move(advice), {}}};
}

}  // namespace orrery
