/// A law's text as words, numbers and signs, and the errors that name a place in it. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "scenes/particles/laws/law_tree.hpp"

namespace orrery::particles::language {

struct Token {
  enum class Kind { word, number, sign, end };
  Kind kind = Kind::end;
  std::string_view text = {};
  Place place = {};
  double number = 0;
  Type type = Type::real;  ///< type of a number
};

/// A usage Error whose place is "LAW:line:column". Texts are made printable on one line.
Error error_at(const std::string& law, Place place, std::string what, std::string_view value = {},
               std::string advice = {});
/// Throws error_at().
[[noreturn]] void refuse(const std::string& law, Place place, std::string what, std::string_view value = {},
                         std::string advice = {});

/// Comments and blanks are left out; the last token is the end. The texts point into `text`.
std::vector<Token> tokens_of(const std::string& law, std::string_view text);

}  // namespace orrery::particles::language
