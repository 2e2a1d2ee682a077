#include "model/particles/law_text.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery::particles {
namespace {

constexpr std::size_t longest_snippet = 16384;  // characters

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// What would reach beyond the law's own numbers.
constexpr std::string_view forbidden[] = {"goto",
                                          "asm",
                                          "return",
                                          "barrier",
                                          "kernel",
                                          "global",
                                          "local",
                                          "constant",
                                          "private",
                                          "printf",
                                          "struct",
                                          "union",
                                          "static",
                                          "extern",
                                          "switch",
                                          "typedef",
                                          "vload2",
                                          "vload3",
                                          "vload4",
                                          "vload8",
                                          "vload16",
                                          "vstore2",
                                          "vstore3",
                                          "vstore4",
                                          "vstore8",
                                          "vstore16",
                                          "mem_fence",
                                          "sizeof",
                                          "get_pipe_num_packets",
                                          "sliders",
                                          "patience"};

/// Reads a snippet once, from its beginning, and writes it again with guarded loops.
class Guard {
 public:
  Guard(const std::string& law, const std::string& text) : law_(law), text_(text) {}

  std::string guarded() {
    if (text_.size() > longest_snippet) refuse("is longer than", std::to_string(longest_snippet) + " characters");
    while (at_ < text_.size()) step();
    if (!open_.empty())
      refuse_at("has a bracket that is not closed", std::string(1, open_.back().bracket), open_.back().line);
    return out_;
  }

 private:
  struct Open {
    char bracket;
    int line;
    std::string closing;  // text that follows the bracket that closes it
  };

  [[noreturn]] void refuse_at(const std::string& what, const std::string& value, int line) const {
    throw usage_error("the law " + law_ + " " + what, value, "a law is formulas: numbers, conditions and loops",
                      law_ + ":" + std::to_string(line));
  }
  [[noreturn]] void refuse(const std::string& what, const std::string& value) const { refuse_at(what, value, line_); }

  void put(char c) {
    if (c == '\n') ++line_;
    out_ += c;
  }

  void step() {
    const char c = text_[at_];
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (c == '/' && next == '/') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '/' && next == '*') {
      skip_comment();
    } else if (begins_name(c)) {
      take_name();
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (at_ < text_.size() && (continues_name(text_[at_]) || text_[at_] == '.')) put(text_[at_++]);
    } else {
      take_sign(c, next);
    }
  }

  void skip_comment() {
    const int began = line_;
    const auto end = text_.find("*/", at_ + 2);
    if (end == std::string::npos) refuse_at("has a comment that does not end", "/*", began);
    for (; at_ < end + 2; ++at_)
      if (text_[at_] == '\n') put('\n');
    put(' ');
  }

  void take_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (name.starts_with("__") || name.starts_with("atom_") || name.starts_with("atomic_") || name.starts_with("as_") ||
        std::ranges::find(forbidden, name) != std::end(forbidden))
      refuse("cannot say", name);
    out_ += name;
    loop_ = name == "for" || name == "while" ? name : std::string();
  }

  void take_sign(char c, char next) {
    if (c == '#' || c == '[' || c == ']' || c == '\\' || c == '"' || c == '\'' || c == '`' || c == '@' || c == '$' ||
        static_cast<unsigned char>(c) > 127)
      refuse("cannot say", std::string(1, c));
    if (c == '-' && next == '>') refuse("cannot say", "->");
    if (c == '*' && (next == ')' || next == '*' || after_star_closes())) refuse("cannot say", "a pointer");
    if (c == '&') {
      if (next == '&')
        put(text_[at_++]);  // && only: an address, and bits, are not needed
      else
        refuse("cannot say", "&");
    }
    if (c == '(' || c == '{') {
      open_.push_back({c, line_, {}});
      put(c);
      if (c == '(' && loop_ == "while") {
        out_ += "--patience > 0 && (";
        open_.back().closing = ")";
      } else if (c == '(' && loop_ == "for") {
        open_.back().closing = " if (--patience < 0) break; else ";
      }
    } else if (c == ')' || c == '}') {
      if (open_.empty() || open_.back().bracket != (c == ')' ? '(' : '{'))
        refuse("has a bracket too many", std::string(1, c));
      const std::string closing = open_.back().closing;
      open_.pop_back();
      if (closing == ")") out_ += closing;
      put(c);
      if (closing != ")") out_ += closing;
    } else {
      put(c);
    }
    if (std::isspace(static_cast<unsigned char>(c)) == 0) loop_.clear();
    ++at_;
  }

  // "(float * )"
  bool after_star_closes() const {
    const auto after = text_.find_first_not_of(" \t\n", at_ + 1);
    return after != std::string::npos && text_[after] == ')';
  }

  const std::string& law_;
  const std::string& text_;
  std::string out_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::string loop_;
  std::vector<Open> open_;
};

/// Whether the text has `name` as a word.
bool mentions(const std::string& text, const std::string& name) {
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !continues_name(text[at - 1]);
    const bool ends = at + name.size() >= text.size() || !continues_name(text[at + name.size()]);
    if (begins && ends) return true;
  }
  return false;
}

/// By its name in the sources: a quote or a line break in it would end the directive.
std::string line_directive(const std::string& name) {
  std::string file = name;
  std::ranges::replace_if(
      file, [](char c) { return c == '"' || c == '\\' || c == '\n'; }, '_');
  return "#line 1 \"" + file + "\"\n";
}

std::string real_text(double value) { return "(real)" + digits17(value); }

std::string parameters_text(const std::vector<LawParameter>& parameters, std::size_t first) {
  std::string text;
  for (const LawParameter& p : parameters)
    text += "  const real " + p.name + " = sliders[" + std::to_string(first++) + "];\n";
  return text;
}

/// What a processor computes for several particles at once; with anything else a law is asked only for pairs that it
/// acts on.
bool side_by_side(const std::string& snippet) {
  static const std::set<std::string, std::less<>> vectorised = {
      "real", "float",      "double",      "int",          "uint", "real4", "float4", "sqrt", "rsqrt",
      "fabs", "abs",        "fmin",        "fmax",         "min",  "max",   "clamp",  "fma",  "mad",
      "exp",  "native_exp", "native_sqrt", "native_rsqrt", "dot",  "mix",   "select", "if"};
  for (std::size_t at = 0; at < snippet.size();) {
    if (!begins_name(snippet[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < snippet.size() && continues_name(snippet[at])) ++at;
    const std::string_view name = std::string_view(snippet).substr(begin, at - begin);
    const std::size_t after = snippet.find_first_not_of(" \t\n", at);
    if (name == "for" || name == "while" || name == "do") return false;
    if (after != std::string::npos && snippet[after] == '(' && !vectorised.contains(name)) return false;
  }
  return true;
}

// The person's lines in a block of their own, so that their names are theirs.
std::string snippet_text(const std::string& name, const std::string& snippet) {
  return "  {\n" + line_directive(name) + guarded_snippet(name, snippet) + "\n;\n#line 1 \"law\"\n  }\n" +
         "  if (patience <= 0) energy = NAN;\n";
}

constexpr const char* pair_arguments =
    "real4 position1, real4 position2, real4 delta, real r2, real r, real invR, uint body1, uint body2, bool "
    "isExcluded, "
    "const real* columns1, const real* columns2, constant real* sliders";
constexpr const char* pair_values =
    "position1, position2, delta, r2, r, invR, body1, body2, isExcluded, columns1, columns2, sliders";

std::string one_pair_law(const World& world, std::size_t index, std::size_t first_slider) {
  const PairLaw& law = world.pairs[index];
  std::string text =
      "static real OVERLOADED pair_law_" + std::to_string(index) + "(" + pair_arguments + ", real* total) {\n";
  text += "  real energy = 0, dEdR = 0;\n  int patience = PATIENCE;\n";
  const std::vector<std::string> columns = pair_columns(world);
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (const char* which : {"1", "2"})
      if (mentions(law.snippet, columns[c] + which))
        text += "  const real " + columns[c] + which + " = columns" + which + "[" + std::to_string(c) + "];\n";
  text += parameters_text(law.parameters, first_slider) + snippet_text(law.name, law.snippet);
  if (law.switch_from > 0 && law.cutoff > law.switch_from) {
    // E·S(x) with S = 1 − 10x³ + 15x⁴ − 6x⁵, x = (r − from) / (cutoff − from).
    text += "  const real x = clamp((r - " + real_text(law.switch_from) + ") * " +
            real_text(1 / (law.cutoff - law.switch_from)) + ", (real)0, (real)1);\n" +
            "  const real s = 1 + x * x * x * (-10 + x * (15 - 6 * x));\n" +
            "  const real slope = x * x * (-30 + x * (60 - 30 * x)) * " +
            real_text(1 / (law.cutoff - law.switch_from)) + ";\n  dEdR = s * dEdR + slope * energy;\n  energy *= s;\n";
  }
  return text + "  *total = energy;\n  return dEdR;\n}\n";
}

}  // namespace

std::string guarded_snippet(const std::string& law, const std::string& snippet) {
  return Guard(law, snippet).guarded();
}

std::vector<std::string> column_names(const World& world) {
  std::vector<std::string> names{"mass", "charge"};
  for (const Column& column : world.particles.columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> columns_of(const World& world, const std::string& snippet) {
  std::vector<std::string> used;
  for (const std::string& name : column_names(world)) {
    bool seen = false;
    for (char member = '1'; member <= '8'; ++member) seen = seen || mentions(snippet, name + member);
    if (seen) used.push_back(name);
  }
  return used;
}

std::vector<std::string> pair_columns(const World& world) {
  std::string all;
  for (const PairLaw& law : world.pairs) all += law.snippet + "\n";
  return columns_of(world, all);
}

std::vector<double> slider_values(const World& world) {
  std::vector<double> values;
  for (const PairLaw& law : world.pairs)
    for (const LawParameter& p : law.parameters) values.push_back(p.value);
  return values;
}

std::vector<double> slider_values(const GroupLaw& law) {
  std::vector<double> values;
  for (const LawParameter& p : law.parameters) values.push_back(p.value);
  return values;
}

std::string pair_law_text(const World& world) {
  const auto law_count = std::to_string(world.pairs.size());
  bool bodies = false;
  for (const PairLaw& law : world.pairs) bodies = bodies || mentions(law.snippet, "body2");
  const double cutoff = cutoff_of(world);
  std::string text = "#define LAWS " + law_count + "\n#define COLUMNS " + std::to_string(pair_columns(world).size()) +
                     "\n#define NEEDS_BODIES " + (bodies ? "1" : "0") + "\n#define LARGEST_CUTOFF2 " +
                     (cutoff > 0 ? real_text(cutoff * cutoff) : std::string("((real)INFINITY)")) +
                     "\n#ifndef PATIENCE\n#define PATIENCE 4096\n#endif\n#ifdef CHECKED\n#define OVERLOADED "
                     "__attribute__((overloadable))\n#else\n#define OVERLOADED\n#endif\n";
  std::string all, one;
  std::size_t slider = 0;
  for (std::size_t k = 0; k < world.pairs.size(); ++k) {
    const PairLaw& law = world.pairs[k];
    text += one_pair_law(world, k, slider);
    slider += law.parameters.size();
    const std::string call = "pair_law_" + std::to_string(k) + "(" + pair_values + ", ";
    std::string condition = law.excluded == PairLaw::Excluded::skip ? "apart && !isExcluded" : "apart";
    if (law.cutoff > 0) condition += " && r2 < " + real_text(law.cutoff * law.cutoff);
    all += "  {\n    const bool acts = " + condition + ";\n    real energy = 0, slope = 0;\n    if (" +
           (side_by_side(law.snippet) ? "LANES > 1 || acts" : "acts") + ") slope = " + call +
           "&energy);\n    energies[" + std::to_string(k) +
           "] += acts ? energy : (real)0;\n    sum += acts ? slope : (real)0;\n  }\n";
    one += "  if (law == " + std::to_string(k) + ") return " + call + "energy);\n";
  }
  text += std::string("static real OVERLOADED pair_laws(") + pair_arguments +
          ", bool apart, real* energies) {\n  real sum = 0;\n" + all + "  return sum;\n}\n";
  text += std::string("static real OVERLOADED single_law(uint law, ") + pair_arguments + ", real* energy) {\n" + one +
          "  return 0;\n}\n";
  return text;
}

std::string group_law_text(const World& world, const GroupLaw& law) {
  const std::vector<std::string> columns = columns_of(world, law.snippet);
  std::string text = "#define MEMBERS " + std::to_string(law.members) + "\n#define MEMBER_COLUMNS " +
                     std::to_string(columns.size()) + "\n#define GROUP_COLUMNS " + std::to_string(law.columns.size()) +
                     "\n#ifndef PATIENCE\n#define PATIENCE 4096\n#endif\n";
  text +=
      "static real group_law(const real4* positions, const uint* bodies, const real* columns, const real* values, "
      "constant real* sliders, real4* forces) {\n  real energy = 0;\n  int patience = PATIENCE;\n";
  for (std::size_t k = 0; k < law.members; ++k) {
    const std::string number = std::to_string(k + 1), index = std::to_string(k);
    text += "  const real4 position" + number + " = positions[" + index + "];\n  const uint body" + number +
            " = bodies[" + index + "];\n  real4 force" + number + " = (real4)(0);\n";
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (mentions(law.snippet, columns[c] + number))
        text += "  const real " + columns[c] + number + " = columns[" + std::to_string(k * columns.size() + c) + "];\n";
  }
  for (std::size_t c = 0; c < law.columns.size(); ++c)
    text += "  const real " + law.columns[c] + " = values[" + std::to_string(c) + "];\n";
  text += parameters_text(law.parameters, 0) + snippet_text(law.name, law.snippet);
  for (std::size_t k = 0; k < law.members; ++k)
    text += "  forces[" + std::to_string(k) + "] = force" + std::to_string(k + 1) + ";\n";
  return text + "  return energy;\n}\n";
}

}  // namespace orrery::particles
