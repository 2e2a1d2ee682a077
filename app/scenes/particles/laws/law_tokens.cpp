#include "scenes/particles/laws/law_tokens.hpp"

#include <array>
#include <charconv>
#include <cstdio>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace orrery::particles::language {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_word(char c) { return begins_word(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::array<std::string_view, 13> long_signs{
    "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "++", "--"};
constexpr std::string_view short_signs = "+-*/%(){};,.?:<>=!";

constexpr std::size_t longest_shown = 40;  // bytes

std::string shown(std::string_view value) {
  std::string text;
  for (const char c : value.substr(0, longest_shown)) {
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += c >= ' ' && c <= '~' ? std::string(1, c) : std::string(code);
  }
  return value.size() > longest_shown ? text + "..." : text;
}

class Reader {
 public:
  Reader(const std::string& law, std::string_view text) : law_(law), text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    for (;;) {
      skip_blanks();
      tokens.push_back(next());
      if (tokens.back().kind == Token::Kind::end) return tokens;
    }
  }

 private:
  char look(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const auto byte = static_cast<unsigned char>(text_[at_++]);
    if (byte == '\n') {
      ++place_.line;
      place_.column = 1;
    } else if ((byte & 0xC0) != 0x80) {  // a continuation byte of UTF-8 is no character
      ++place_.column;
    }
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_blank(look())) {
        step();
      } else if (look() == '/' && look(1) == '/') {
        while (at_ < text_.size() && look() != '\n') step();
      } else if (look() == '/' && look(1) == '*') {
        const Place began = place_;
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) refuse(law_, began, "expected */ after the comment that begins here");
        while (at_ < end + 2) step();
      } else {
        return;
      }
    }
  }

  Token next() {
    Token token{.place = place_};
    const std::size_t begin = at_;
    if (at_ == text_.size()) return token;
    if (begins_word(look())) {
      token.kind = Token::Kind::word;
      while (continues_word(look())) step();
    } else if (is_digit(look()) || (look() == '.' && is_digit(look(1)))) {
      token.kind = Token::Kind::number;
      skip_number();
    } else {
      token.kind = Token::Kind::sign;
      skip_sign();
    }
    token.text = text_.substr(begin, at_ - begin);
    if (token.kind == Token::Kind::number) read(token);
    return token;
  }

  // Includes characters that were probably meant as part of the number: "0x1g", "1e+5".
  void skip_number() {
    while (continues_word(look()) || look() == '.') {
      const bool hexadecimal = text_.substr(at_, 2) == "0x";
      const bool exponent = !hexadecimal && !in_hexadecimal_ && (look() == 'e' || look() == 'E');
      in_hexadecimal_ = in_hexadecimal_ || hexadecimal;
      step();
      if (exponent && (look() == '+' || look() == '-')) step();
    }
    in_hexadecimal_ = false;
  }

  void skip_sign() {
    for (const std::string_view sign : long_signs)
      if (text_.substr(at_, 2) == sign) {
        step();
        step();
        return;
      }
    if (short_signs.find(look()) == std::string_view::npos || look() == '\0') {
      std::size_t bytes = 1;
      while (bytes < 4 && at_ + bytes < text_.size() && (static_cast<unsigned char>(text_[at_ + bytes]) & 0xC0) == 0x80)
        ++bytes;
      refuse(law_, place_, "a law cannot contain", text_.substr(at_, bytes),
             "a law consists of names, numbers, comments and the signs + - * / % ( ) { } ; , . ? : < > = ! && ||");
    }
    step();
  }

  void read(Token& token) const {
    std::string_view digits = token.text;
    const auto unreadable = [&] {
      refuse(law_, token.place, "expected a number, got", token.text, "for example: 12, 0.5, 1e-4, 0.5f");
    };
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    const bool natural = digits.ends_with('u') || digits.ends_with('U');
    const bool single = !hexadecimal && (digits.ends_with('f') || digits.ends_with('F'));
    if (natural || single) digits.remove_suffix(1);
    if (hexadecimal) digits.remove_prefix(2);
    const bool whole = hexadecimal || (!single && digits.find_first_of(".eE") == std::string_view::npos);
    if (natural && !whole) unreadable();
    std::uint64_t count = 0;
    const char* const end = digits.data() + digits.size();
    const auto found = std::from_chars(digits.data(), end, count, hexadecimal ? 16 : 10);
    if (whole && found.ec == std::errc() && found.ptr == end && count <= 0xFFFFFFFF &&
        (natural || count <= 0x7FFFFFFF)) {
      token.number = static_cast<double>(count);
      token.type = natural ? Type::uint : Type::int_;
      return;
    }
    if (hexadecimal || natural) unreadable();
    const auto real = std::from_chars(digits.data(), end, token.number);
    if (real.ec == std::errc::result_out_of_range)
      refuse(law_, token.place, "this number is out of range:", token.text,
             "expected 0, or a magnitude from 1e-300 to 1e300");
    if (real.ec != std::errc() || real.ptr != end) unreadable();
  }

  const std::string& law_;
  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
  bool in_hexadecimal_ = false;
};

}  // namespace

Error error_at(const std::string& law, Place place, std::string what, std::string_view value, std::string advice) {
  if (!value.empty()) what += ' ' + in_quotes(shown(value));
  return usage_error(std::move(what), {}, std::move(advice),
                     law + ":" + std::to_string(place.line) + ":" + std::to_string(place.column));
}

void refuse(const std::string& law, Place place, std::string what, std::string_view value, std::string advice) {
  throw error_at(law, place, std::move(what), value, std::move(advice));
}

std::vector<Token> tokens_of(const std::string& law, std::string_view text) { return Reader(law, text).all(); }

}  // namespace orrery::particles::language
