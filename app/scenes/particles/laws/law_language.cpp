#include "scenes/particles/laws/law_language.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "scenes/particles/laws/law_tokens.hpp"

namespace orrery::particles::language {
namespace {

// Limits for the stack of all recursive walks through the tree. Compilers support at least 256 nested blocks, a few of
// which are the kernel's around a law.
constexpr int deepest_nesting = 200, highest_expression = 400;

constexpr auto type_words = std::to_array<std::pair<std::string_view, Type>>({{"real", Type::real},
                                                                              {"float", Type::real},
                                                                              {"double", Type::real},
                                                                              {"real4", Type::vector},
                                                                              {"float4", Type::vector},
                                                                              {"double4", Type::vector},
                                                                              {"int", Type::int_},
                                                                              {"uint", Type::uint},
                                                                              {"bool", Type::bool_}});
constexpr auto other_keywords = std::to_array<std::string_view>(
    {"const", "if", "else", "for", "while", "do", "break", "continue", "true", "false"});

constexpr auto constants =
    std::to_array<std::pair<std::string_view, double>>({{"M_PI", std::numbers::pi},
                                                        {"M_PI_2", std::numbers::pi / 2},
                                                        {"M_PI_4", std::numbers::pi / 4},
                                                        {"M_1_PI", std::numbers::inv_pi},
                                                        {"M_2_PI", 2 * std::numbers::inv_pi},
                                                        {"M_2_SQRTPI", 2 * std::numbers::inv_sqrtpi},
                                                        {"M_SQRT2", std::numbers::sqrt2},
                                                        {"M_SQRT1_2", std::numbers::sqrt2 / 2},
                                                        {"M_E", std::numbers::e},
                                                        {"M_LOG2E", std::numbers::log2e},
                                                        {"M_LOG10E", std::numbers::log10e},
                                                        {"M_LN2", std::numbers::ln2},
                                                        {"M_LN10", std::numbers::ln10},
                                                        {"INFINITY", std::numeric_limits<double>::infinity()},
                                                        {"NAN", std::numeric_limits<double>::quiet_NaN()}});

struct Binary {
  std::string_view sign;
  int precedence;
  Operator op;
  bool swapped = false;  // a > b is read as b < a
};
constexpr auto binaries = std::to_array<Binary>({{"||", 1, Operator::either},
                                                 {"&&", 2, Operator::both},
                                                 {"==", 3, Operator::equal},
                                                 {"!=", 3, Operator::not_equal},
                                                 {"<", 4, Operator::less},
                                                 {">", 4, Operator::less, true},
                                                 {"<=", 4, Operator::less_equal},
                                                 {">=", 4, Operator::less_equal, true},
                                                 {"+", 5, Operator::add},
                                                 {"-", 5, Operator::subtract},
                                                 {"*", 6, Operator::multiply},
                                                 {"/", 6, Operator::divide},
                                                 {"%", 6, Operator::remainder}});

const Type* find_type(std::string_view word) {
  const auto found = std::ranges::find(type_words, word, [](const auto& each) { return each.first; });
  return found == type_words.end() ? nullptr : &found->second;
}
bool is_keyword(std::string_view word) {
  return find_type(word) != nullptr || std::ranges::find(other_keywords, word) != other_keywords.end();
}
// M_PI and M_PI_F are the same.
const double* find_constant(std::string_view word) {
  if (word.starts_with("M_") && word.ends_with("_F")) word.remove_suffix(2);
  const auto found = std::ranges::find(constants, word, [](const auto& each) { return each.first; });
  return found == constants.end() ? nullptr : &found->second;
}

/// The number of letters that are left out, added, changed, or swapped with the next (optimal string alignment).
std::size_t distance_of(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    last = now;
  }
  return last[b.size()];
}

class Parser {
 public:
  Parser(const std::string& law, const std::string& text, std::vector<Variable> given)
      : law_(law), tokens_(tokens_of(law, text)), given_(given.size()) {
    tree_.variables = std::move(given);
    scopes_.emplace_back();
    for (std::size_t k = 0; k < given_; ++k) scopes_.back().emplace(tree_.variables[k].name, static_cast<int>(k));
  }

  LawTree parsed() {
    tree_.body = new_block();
    scopes_.emplace_back();
    while (token().kind != Token::Kind::end) statement(tree_.body);
    return std::move(tree_);
  }

 private:
  // Tokens.

  const Token& token(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool is_sign(std::string_view sign, std::size_t ahead = 0) const {
    return token(ahead).kind == Token::Kind::sign && token(ahead).text == sign;
  }
  bool is_word(std::string_view word) const { return token().kind == Token::Kind::word && token().text == word; }
  bool take_sign(std::string_view sign) { return is_sign(sign) && ++at_; }
  bool take_word(std::string_view word) { return is_word(word) && ++at_; }

  [[noreturn]] void fail(Place place, std::string what, std::string_view value = {}, std::string advice = {}) const {
    refuse(law_, place, std::move(what), value, std::move(advice));
  }
  [[noreturn]] void expected(const std::string& what, const std::string& advice = {}) const {
    if (token().kind == Token::Kind::end)
      fail(token().place, "expected " + what + ", got the end of the law", {}, advice);
    fail(token().place, "expected " + what + ", got", token().text, advice);
  }
  void expect(std::string_view sign) {
    if (!take_sign(sign)) expected(std::string(sign));
  }

  /// Counts one level of nesting while it exists.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > deepest_nesting)
        parser_.fail(parser_.token().place,
                     "brackets and blocks are nested more than " + std::to_string(deepest_nesting) + " deep", {},
                     "give parts of the formula names of their own");
    }
    ~Level() { --parser_.nesting_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  // Names.

  int find_variable(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->find(name); found != scope->end()) return found->second;
    return -1;
  }

  std::string nearest(std::string_view name, bool call) const {
    std::string best;
    std::size_t least = name.size() < 4 ? 2 : 3;
    const auto offer = [&](std::string_view candidate) {
      if (candidate.size() > 2 * name.size() + 4 || name.size() > 60) return;
      if (const std::size_t distance = distance_of(name, candidate); distance < least) {
        least = distance;
        best = candidate;
      }
    };
    if (!call)
      for (const auto& scope : scopes_)
        for (const auto& each : scope) offer(each.first);
    if (!call)
      for (const auto& each : constants) offer(each.first);
    for (const Function& each : functions()) offer(each.name);
    return best.empty() ? "" : "do you mean " + best + "?";
  }

  // The tree.

  int new_block() {
    tree_.blocks.emplace_back();
    return static_cast<int>(tree_.blocks.size()) - 1;
  }
  void add(int block, Statement statement) { tree_.blocks[static_cast<std::size_t>(block)].push_back(statement); }
  Expression& at(int expression) { return tree_.expressions[static_cast<std::size_t>(expression)]; }
  Type type(int expression) { return at(expression).type; }

  int add(Expression expression) {
    int height = 1;
    for (const int child : expression.children)
      height = std::max(height, 1 + heights_[static_cast<std::size_t>(child)]);
    if (height > highest_expression)
      fail(expression.place, "a formula has more than " + std::to_string(highest_expression) + " parts in a row", {},
           "write it as several statements");
    tree_.expressions.push_back(std::move(expression));
    heights_.push_back(height);
    return static_cast<int>(tree_.expressions.size()) - 1;
  }

  int number(double value, Type type, Place place) {
    return add({.kind = Expression::Kind::number, .type = type, .place = place, .number = value});
  }
  int value_of(int variable, Place place) {
    tree_.variables[static_cast<std::size_t>(variable)].read = true;
    return add({.kind = Expression::Kind::variable,
                .type = tree_.variables[static_cast<std::size_t>(variable)].type,
                .place = place,
                .index = variable});
  }

  int as(int expression, Type wanted) {
    const Type from = type(expression);
    if (from == wanted) return expression;
    const Place place = at(expression).place;
    if (from == Type::vector)
      fail(place, "expected a number, got a real4", {}, "take .x, .y or .z of it, or its length(...)");
    if (at(expression).kind == Expression::Kind::number && from == Type::int_ && wanted == Type::real)
      return number(at(expression).number, Type::real, place);
    if (wanted == Type::vector) expression = as(expression, Type::real);
    return add({.kind = Expression::Kind::cast, .type = wanted, .place = place, .children = {expression}});
  }

  Type common(Type a, Type b) const {
    if (a == Type::vector || b == Type::vector) return Type::vector;
    if (a == Type::real || b == Type::real) return Type::real;
    return a == Type::uint || b == Type::uint ? Type::uint : Type::int_;
  }

  int combined(const Binary& sign, int left, int right, Place place) {
    if (sign.swapped) std::swap(left, right);
    if (sign.op == Operator::both || sign.op == Operator::either)
      return binary(sign.op, Type::bool_, as(left, Type::bool_), as(right, Type::bool_), place);
    const Type shared = common(type(left), type(right));
    const bool compares = sign.precedence == 3 || sign.precedence == 4;
    if (compares && shared == Type::vector)
      fail(place, "expected numbers on both sides of " + std::string(sign.sign) + ", got a real4", {},
           "compare .x, .y, .z, or the length(...)");
    if (sign.op == Operator::remainder && (shared == Type::real || shared == Type::vector))
      fail(place, "expected whole numbers on both sides of %", {}, "use fmod(a, b) for other numbers");
    if (sign.op == Operator::divide && shared != Type::real && shared != Type::vector)
      check_quotient(left, right, place);
    return binary(sign.op, compares ? Type::bool_ : shared, as(left, shared), as(right, shared), place);
  }

  // 1 / 2 would be 0 in OpenCL, which is never intended.
  void check_quotient(int left, int right, Place place) {
    if (at(left).kind != Expression::Kind::number || at(right).kind != Expression::Kind::number) return;
    const double a = at(left).number, b = at(right).number;
    if (b == 0 || std::fmod(a, b) != 0) {
      const auto whole = [](double x) { return std::to_string(static_cast<std::int64_t>(x)); };
      fail(place, "the quotient of the whole numbers " + whole(a) + " and " + whole(b) + " is not a whole number", {},
           "write " + whole(a) + ".0 / " + whole(b));
    }
  }

  int binary(Operator op, Type type, int left, int right, Place place) {
    return add({.kind = Expression::Kind::binary, .type = type, .place = place, .children = {left, right}, .op = op});
  }

  // Expressions.

  int expression() {
    const int condition = binary_from(1);
    const Place place = token().place;
    if (!take_sign("?")) return condition;
    const Level level(*this);
    const int yes = expression();
    expect(":");
    const int no = expression();
    const Type shared = type(yes) == type(no) ? type(yes) : common(type(yes), type(no));
    return add({.kind = Expression::Kind::conditional,
                .type = shared,
                .place = place,
                .children = {as(condition, Type::bool_), as(yes, shared), as(no, shared)}});
  }

  const Binary* binary_here(int least) const {
    if (token().kind != Token::Kind::sign) return nullptr;
    const auto found = std::ranges::find(binaries, token().text, &Binary::sign);
    return found != binaries.end() && found->precedence >= least ? &*found : nullptr;
  }

  int binary_from(int least) {
    int left = unary();
    while (const Binary* sign = binary_here(least)) {
      const Place place = token().place;
      ++at_;
      const int right = binary_from(sign->precedence + 1);
      left = combined(*sign, left, right, place);
    }
    return left;
  }

  int unary() {
    const Place place = token().place;
    if (take_sign("+")) return operand();
    if (take_sign("-")) {
      int child = operand();
      if (type(child) == Type::bool_) child = as(child, Type::int_);
      return add({.kind = Expression::Kind::negate, .type = type(child), .place = place, .children = {child}});
    }
    if (take_sign("!"))
      return add({.kind = Expression::Kind::not_,
                  .type = Type::bool_,
                  .place = place,
                  .children = {as(operand(), Type::bool_)}});
    if (is_sign("++") || is_sign("--")) expected("a value", "++ and -- are statements of their own: n++;");
    if (is_sign("(") && token(1).kind == Token::Kind::word && find_type(token(1).text) != nullptr) return cast();
    return components(primary());
  }

  int operand() {
    const Level level(*this);
    return unary();
  }

  int cast() {
    const Level level(*this);
    const Place place = token().place;
    const Type wanted = *find_type(token(1).text);
    at_ += 2;
    if (!take_sign(")")) expected(")", "a conversion is written (real)x");
    if (wanted != Type::vector || !is_sign("(")) return as(unary(), wanted);
    ++at_;
    std::vector<int> parts{expression()};
    while (take_sign(",")) parts.push_back(expression());
    expect(")");
    if (parts.size() == 1) return components(as(parts.front(), Type::vector));
    if (parts.size() != 4) fail(place, "expected 1 or 4 numbers in a real4, got " + std::to_string(parts.size()));
    for (int& part : parts) part = as(part, Type::real);
    return components(
        add({.kind = Expression::Kind::vector, .type = Type::vector, .place = place, .children = std::move(parts)}));
  }

  /// The component after the point; −1 for an unknown one.
  int component() {
    if (!take_sign(".")) return -1;
    static constexpr std::array<std::string_view, 4> names{"x", "y", "z", "w"};
    const auto found = std::ranges::find(names, token().text);
    if (token().kind != Token::Kind::word || found == names.end()) expected("x, y, z or w");
    ++at_;
    return static_cast<int>(found - names.begin());
  }

  int components(int value) {
    while (is_sign(".")) {
      const Place place = token().place;
      if (type(value) != Type::vector) fail(place, "expected a real4 before the point, got", name_of(type(value)));
      value = add({.kind = Expression::Kind::component,
                   .type = Type::real,
                   .place = place,
                   .children = {value},
                   .index = component()});
    }
    return value;
  }

  int primary() {
    const Place place = token().place;
    if (take_sign("(")) {
      const Level level(*this);
      const int inner = expression();
      expect(")");
      return inner;
    }
    if (token().kind == Token::Kind::number) {
      const Token& read = token();
      ++at_;
      return number(read.number, read.type, place);
    }
    if (token().kind != Token::Kind::word) expected("a value");
    if (is_word("true") || is_word("false")) {
      const bool value = is_word("true");
      ++at_;
      return number(value ? 1 : 0, Type::bool_, place);
    }
    if (is_sign("(", 1)) return call();
    const std::string_view name = token().text;
    if (is_keyword(name)) expected("a value");
    if (const int variable = find_variable(name); variable >= 0) {
      ++at_;
      return value_of(variable, place);
    }
    if (const double* constant = find_constant(name)) {
      ++at_;
      return number(*constant, Type::real, place);
    }
    if (find_function(name) != nullptr) {
      ++at_;
      expected("( after the function " + std::string(name));
    }
    throw UnknownName(error_at(law_, place, "unknown name", name, nearest(name, false)), std::string(name));
  }

  int call() {
    const Level level(*this);
    const Place place = token().place;
    std::string_view name = token().text;
    if (find_type(name) != nullptr) expected("a value", "a conversion is written (" + std::string(name) + ")(...)");
    if (is_keyword(name)) expected("a value");
    if (name.starts_with("fast_")) name.remove_prefix(5);
    const Function* function = find_function(name);
    if (function == nullptr && find_variable(name) >= 0) fail(place, "expected a function, got the number", name);
    if (function == nullptr) fail(place, "unknown function", name, nearest(name, true));
    at_ += 2;
    std::vector<int> arguments;
    if (!is_sign(")")) {
      arguments.push_back(expression());
      while (take_sign(",")) arguments.push_back(expression());
    }
    expect(")");
    if (arguments.size() != function->arguments)
      fail(place, "expected " + std::to_string(function->arguments) + " argument" +
                      (function->arguments == 1 ? "" : "s") + " of " + std::string(name) + ", got " +
                      std::to_string(arguments.size()));
    const Type result = convert_arguments(*function, arguments);
    return add({.kind = Expression::Kind::call,
                .type = result,
                .place = place,
                .children = std::move(arguments),
                .function = function});
  }

  Type convert_arguments(const Function& function, std::vector<int>& arguments) {
    const auto all = [&](Type wanted) {
      for (int& argument : arguments) argument = as(argument, wanted);
      return wanted;
    };
    Type shared = type(arguments.front());
    for (const int argument : arguments) shared = common(shared, type(argument));
    switch (function.shape) {
      case Shape::each:
        return all(shared == Type::vector ? Type::vector : Type::real);
      case Shape::numbers:
        return all(shared);
      case Shape::of_whole:
        arguments[0] = as(arguments[0], Type::real);
        arguments[1] = as(arguments[1], Type::int_);
        return Type::real;
      case Shape::question:
        all(Type::real);
        return Type::bool_;
      case Shape::choose:
        arguments[2] = as(arguments[2], Type::bool_);
        shared = common(type(arguments[0]), type(arguments[1]));
        arguments[0] = as(arguments[0], shared);
        arguments[1] = as(arguments[1], shared);
        return shared;
      case Shape::length:
      case Shape::pair:
      case Shape::vectors:
        break;
    }
    for (const int argument : arguments)
      if (type(argument) != Type::vector)
        fail(at(argument).place, "expected a real4 as an argument of " + std::string(function.name) + ", got",
             name_of(type(argument)));
    return function.shape == Shape::vectors ? Type::vector : Type::real;
  }

  // Statements.

  void statement(int block) {
    const Level level(*this);
    if (take_sign(";")) return;
    if (is_sign("{")) {
      add(block, {.kind = Statement::Kind::block, .body = braces()});
    } else if (take_word("if")) {
      branch(block);
    } else if (take_word("while")) {
      const int condition = bracketed_condition();
      add(block, {.kind = Statement::Kind::loop, .value = condition, .body = round()});
    } else if (take_word("do")) {
      const int body = round();
      if (!take_word("while")) expected("while");
      const int condition = bracketed_condition();
      expect(";");
      add(block, {.kind = Statement::Kind::loop, .value = condition, .body = body, .at_least_once = true});
    } else if (take_word("for")) {
      for_loop(block);
    } else if (is_word("break") || is_word("continue")) {
      const bool leaves = is_word("break");
      if (rounds_ == 0) fail(token().place, "expected a loop around", token().text);
      ++at_;
      expect(";");
      add(block, {.kind = leaves ? Statement::Kind::leave : Statement::Kind::again});
    } else {
      simple(block);
      expect(";");
    }
  }

  int braces() {
    const int block = new_block();
    const Place began = token().place;
    expect("{");
    scopes_.emplace_back();
    while (!take_sign("}")) {
      if (token().kind == Token::Kind::end)
        fail(token().place, "expected } for the { in line " + std::to_string(began.line) + ", got the end of the law");
      statement(block);
    }
    scopes_.pop_back();
    return block;
  }

  /// A statement in its own block and scope.
  int scoped() {
    if (is_sign("{")) return braces();
    const int block = new_block();
    scopes_.emplace_back();
    statement(block);
    scopes_.pop_back();
    return block;
  }
  int round() {
    ++rounds_;
    const int block = scoped();
    --rounds_;
    return block;
  }

  int bracketed_condition() {
    expect("(");
    const int condition = as(expression(), Type::bool_);
    expect(")");
    return condition;
  }

  void branch(int block) {
    const int condition = bracketed_condition(), body = scoped();
    const int otherwise = take_word("else") ? scoped() : -1;
    add(block, {.kind = Statement::Kind::branch, .value = condition, .body = body, .otherwise = otherwise});
  }

  void for_loop(int outer) {
    const int block = new_block();
    scopes_.emplace_back();
    expect("(");
    if (!is_sign(";")) simple(block);
    expect(";");
    const int condition = is_sign(";") ? -1 : as(expression(), Type::bool_);
    expect(";");
    const int step = new_block();
    if (!is_sign(")")) {
      assignment(step);
      while (take_sign(",")) assignment(step);
    }
    expect(")");
    add(block, {.kind = Statement::Kind::loop, .value = condition, .body = round(), .step = step});
    scopes_.pop_back();
    add(outer, {.kind = Statement::Kind::block, .body = block});
  }

  /// A declaration, or assignments.
  void simple(int block) {
    const bool is_type = token().kind == Token::Kind::word && find_type(token().text) != nullptr;
    if (is_type || is_word("const")) return declaration(block);
    assignment(block);
    while (take_sign(",")) assignment(block);
  }

  void declaration(int block) {
    const bool constant = take_word("const");
    const Type* type = token().kind == Token::Kind::word ? find_type(token().text) : nullptr;
    if (type == nullptr) expected("a type: real, real4, int, uint or bool");
    ++at_;
    do declare(block, *type, constant);
    while (take_sign(","));
  }

  void declare(int block, Type type, bool constant) {
    const Place place = token().place;
    if (token().kind != Token::Kind::word) expected("a name", "there are no pointers and arrays");
    const std::string_view name = token().text;
    if (is_keyword(name)) expected("a name", "this word has a meaning of its own");
    ++at_;
    int value = -1;
    if (take_sign("="))
      value = expression();
    else if (constant)
      expected("= and a value of the constant " + std::string(name));
    else
      value = number(0, Type::int_, place);
    value = as(value, type);
    const int hidden = find_variable(name);
    if (hidden >= 0 && static_cast<std::size_t>(hidden) < given_ &&
        !tree_.variables[static_cast<std::size_t>(hidden)].constant)
      fail(place, "a law cannot redeclare", name, "add to it: " + std::string(name) + " += ...");
    const int variable = static_cast<int>(tree_.variables.size());
    if (!scopes_.back().emplace(name, variable).second)
      fail(place, "declared twice in one block:", name, "give one of them another name");
    tree_.variables.push_back({.name = std::string(name), .type = type, .constant = constant});
    add(block, {.kind = Statement::Kind::set, .variable = variable, .value = value});
  }

  void assignment(int block) {
    const bool before = is_sign("++") || is_sign("--");
    const std::string_view counted = before ? token().text : std::string_view();
    if (before) ++at_;
    const Place place = token().place;
    const int variable = target();
    const int part = is_sign(".") ? vector_component(variable) : -1;
    Statement statement{.kind = Statement::Kind::set, .variable = variable, .component = part};
    const Type wanted = part >= 0 ? Type::real : tree_.variables[static_cast<std::size_t>(variable)].type;
    const std::string_view sign = before ? counted : token().text;
    if (!before && token().kind != Token::Kind::sign) expected("=, +=, -=, *= or /=");
    if (!before) ++at_;
    int value = -1;
    if (sign == "=") {
      value = expression();
    } else if (sign == "++" || sign == "--") {
      value = changed(variable, part, sign.substr(0, 1), number(1, Type::int_, place), place);
    } else if (sign.size() == 2 && sign[1] == '=' &&
               std::string_view("+-*/%").find(sign[0]) != std::string_view::npos) {
      const int by = expression();
      if (wanted != Type::vector && type(by) == Type::vector) as(by, wanted);  // refused later, at its own place
      value = changed(variable, part, sign.substr(0, 1), by, place);
    } else {
      --at_;
      expected("=, +=, -=, *= or /=");
    }
    statement.value = as(value, wanted);
    tree_.variables[static_cast<std::size_t>(variable)].written = true;
    add(block, statement);
  }

  int target() {
    if (token().kind != Token::Kind::word) expected("a statement");
    const std::string_view name = token().text;
    if (name == "else") expected("a statement", "there is no if that it belongs to");
    if (is_keyword(name)) expected("a statement");
    const int variable = find_variable(name);
    if (variable < 0) {
      if (token(1).kind == Token::Kind::word) expected("a type or a variable", "types: real, real4, int, uint, bool");
      if (is_sign("(", 1)) expected("a statement", "a value has to go to a variable: energy += ...");
      fail(token().place, "unknown name", name, nearest(name, false));
    }
    if (tree_.variables[static_cast<std::size_t>(variable)].constant)
      fail(token().place, "a law cannot change", name, "declare a variable: real mine = " + std::string(name) + ";");
    ++at_;
    return variable;
  }

  int vector_component(int variable) {
    if (tree_.variables[static_cast<std::size_t>(variable)].type != Type::vector)
      fail(token().place, "expected a real4 before the point, got",
           name_of(tree_.variables[static_cast<std::size_t>(variable)].type));
    return component();
  }

  int changed(int variable, int part, std::string_view sign, int by, Place place) {
    int old = value_of(variable, place);
    if (part >= 0)
      old = add(
          {.kind = Expression::Kind::component, .type = Type::real, .place = place, .children = {old}, .index = part});
    return combined(*std::ranges::find(binaries, sign, &Binary::sign), old, by, place);
  }

  const std::string& law_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0, given_;
  int nesting_ = 0, rounds_ = 0;
  std::vector<std::map<std::string, int, std::less<>>> scopes_;
  std::vector<int> heights_;  // heights of the expressions
  LawTree tree_;
};

}  // namespace

LawTree parse_law(const std::string& law, const std::string& text, std::vector<Variable> given) {
  if (text.size() > longest_law)
    refuse(law, {}, "a law has more than " + std::to_string(longest_law) + " characters", {}, {});
  return Parser(law, text, std::move(given)).parsed();
}

}  // namespace orrery::particles::language
