// The language of laws: the OpenCL generated from any text has only the tokens listed here.
#include <algorithm>
#include <functional>
#include <iterator>
#include <stdexcept>

#include "base/error.hpp"
#include "fuzz/targets.hpp"
#include "scenes/particles/laws/law_text.hpp"
#include "scenes/particles/laws/law_tree.hpp"

namespace orrery::fuzz {
namespace {

void require(bool kept, const std::string& promise) {
  if (!kept) throw std::logic_error(promise);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// v12, m3.
bool is_numbered(std::string_view word) {
  for (const std::string_view stem : {"v", "m"})
    if (word.starts_with(stem) && word.size() > stem.size() && std::ranges::all_of(word.substr(stem.size()), is_digit))
      return true;
  return false;
}

bool is_allowed(std::string_view word) {
  static constexpr std::string_view own[] = {
      // OpenCL's
      "static", "const", "constant", "real", "real4", "int", "uint", "bool", "true", "false", "if", "else", "while",
      "break", "continue", "return", "NAN", "INFINITY",
      // names in the functions around a law
      "PATIENCE", "patience", "LAW_ENDED", "ended", "PAIR_LAW", "CHECKED_PAIR_LAW", "PAIR_LAW_GIVES", "EXACT_SLOPE",
      "AT_ONE_PLACE", "END_PAIR_LAW", "ADD_PAIR_LAW", "CHECK_PAIR_LAW", "apart", "GROUP_LAW", "CHECKED_GROUP_LAW",
      "GROUP_FORCE", "EXACT_FORCE", "GROUP_LAW_GIVES", "x",
      // inputs of a law
      "r", "r2", "invR", "delta", "position1", "position2", "body1", "body2", "isExcluded", "columns1", "columns2",
      "sliders", "positions", "bodies", "columns", "values", "forces", "y", "z",
      // whole numbers
      "law_int", "law_uint", "law_quotient", "law_remainder", "law_natural_quotient", "law_natural_remainder",
      "law_fast"};
  if (std::ranges::find(own, word) != std::end(own) || is_numbered(word)) return true;
  const auto* function = particles::language::find_function(word);
  return function != nullptr && function->written;
}

/// Requires that all tokens are allowed ones and that the only directives define constants.
void require_only_allowed(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (text[at] == '#') {
      static constexpr std::string_view directives[] = {
          "#define LAWS 1",           "#define COLUMNS ",       "#define NEEDS_BODIES ",
          "#define LARGEST_CUTOFF2 ", "#define MEMBERS ",       "#define MEMBER_COLUMNS ",
          "#define GROUP_COLUMNS ",   "#define EACH_PAIR_LAW ", "#define CHECK_EACH_PAIR_LAW "};
      const auto known = std::ranges::find_if(directives, [&](auto each) { return text.substr(at).starts_with(each); });
      require((at == 0 || text[at - 1] == '\n') && known != std::end(directives), "a directive is the writer's own");
      at += known->size();
    } else if (is_letter(text[at])) {
      while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
      require(is_allowed(text.substr(begin, at - begin)),
              "a word of a written law is allowed: " + std::string(text.substr(begin, at - begin)));
    } else if (is_digit(text[at])) {
      while (at < text.size() && (is_digit(text[at]) || text[at] == '.')) ++at;
      if (at < text.size() && text[at] == 'e') ++at;
      if (at < text.size() && text[at - 1] == 'e' && (text[at] == '-' || text[at] == '+')) ++at;
      while (at < text.size() && is_digit(text[at])) ++at;
      if (at < text.size() && text[at] == 'u') ++at;
      require(at == text.size() || (!is_letter(text[at]) && text[at] != '.'), "a number is a number");
    } else {
      static constexpr std::string_view signs = "+-*/?:<>=!&|(){}[],.; \n";
      require(signs.find(text[at]) != signs.npos, "a sign of a written law is allowed");
      const std::string_view two = text.substr(at, 2);
      require(two != "//" && two != "/*" && two != "<:" && two != "->" && two != "??", "signs are no others together");
      ++at;
    }
  }
}

/// Requires a short message of printable characters, such as "fuzz:3:14: …".
void require_one_line(const Error& error) {
  const std::string_view what = error.what();
  require(error.fault() == Fault::usage && what.starts_with("fuzz:") && what.size() > 5 && is_digit(what[5]),
          "an error names its place: " + std::string(what));
  require(what.size() < 300 && std::ranges::all_of(what, [](char c) { return c >= ' ' && c <= '~'; }),
          "an error is one short line: " + std::string(what));
}

}  // namespace

// Generates a pair law and a group law, with names that are words of OpenCL and of the generated text.
void written_law(std::string_view bytes) {
  particles::World world;
  world.particles.columns = {{"if", {}}, {"kernel", {}}, {"a = 0; b", {}}, {"total", {}}};
  const std::vector<particles::LawParameter> parameters{{.name = "k"},     {.name = "sigma"}, {.name = "int"},
                                                        {.name = "total"}, {.name = "exp"},   {.name = "#x"}};
  world.pairs = {{.name = "fuzz", .snippet = std::string(bytes), .parameters = parameters}};
  const particles::GroupLaw group{
      .name = "fuzz", .members = 3, .snippet = std::string(bytes), .parameters = parameters, .columns = {"rest"}};
  const std::function<std::string()> texts[] = {[&] { return particles::pair_law_text(world); },
                                                [&] { return particles::checked_pair_law_text(world); },
                                                [&] { return particles::group_law_text(world, group); },
                                                [&] { return particles::checked_group_law_text(world, group); }};
  for (const auto& text : texts) {
    try {
      require_only_allowed(text());
    } catch (const Error& error) {
      require_one_line(error);
    }
  }
}

}  // namespace orrery::fuzz
