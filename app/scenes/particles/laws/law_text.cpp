#include "scenes/particles/laws/law_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "scenes/particles/laws/law_language.hpp"
#include "scenes/particles/laws/law_program.hpp"
#include "scenes/particles/laws/law_tokens.hpp"

namespace orrery::particles {
namespace {

using language::Builder;
using language::InputKind;
using language::LawTree;
using language::Node;
using language::Scalar;
using language::Type;
using language::Value;
using language::Variable;
using language::Written;

constexpr std::size_t most_written = 20000;  // steps per law; compilers take seconds for more

enum class Purpose { run, check };

// The variables that a pair law receives, in this order.
enum PairGiven { energy, slope, r2, r, inverse_r, delta, position1, position2, body1, body2, is_excluded, pair_given };

std::string number(std::size_t value) { return std::to_string(value); }
std::string real_text(double value) { return "(real)" + digits17(value); }

std::vector<Variable> variables_of(const World& world, const PairLaw& law) {
  std::vector<Variable> given{{"energy"},
                              {"dEdR"},
                              {"r2", Type::real, true},
                              {"r", Type::real, true},
                              {"invR", Type::real, true},
                              {"delta", Type::vector, true},
                              {"position1", Type::vector, true},
                              {"position2", Type::vector, true},
                              {"body1", Type::uint, true},
                              {"body2", Type::uint, true},
                              {"isExcluded", Type::bool_, true}};
  for (const LawParameter& p : law.parameters) given.push_back({p.name, Type::real, true});
  for (const std::string& column : column_names(world))
    for (std::size_t k = 1; k <= 2; ++k) given.push_back({column + number(k), Type::real, true});
  return given;
}

// The energy; force, position and identity of each member; parameters; columns of the group; columns of each
// member.
std::vector<Variable> variables_of(const World& world, const GroupLaw& law) {
  std::vector<Variable> given{{"energy"}};
  for (std::size_t k = 1; k <= law.members; ++k) {
    given.push_back({"force" + number(k), Type::vector});
    given.push_back({"position" + number(k), Type::vector, true});
    given.push_back({"body" + number(k), Type::uint, true});
  }
  for (const LawParameter& p : law.parameters) given.push_back({p.name, Type::real, true});
  for (const std::string& column : law.columns) given.push_back({column, Type::real, true});
  for (const std::string& column : column_names(world))
    for (std::size_t k = 1; k <= law.members; ++k) given.push_back({column + number(k), Type::real, true});
  return given;
}

template <class Law>
LawTree tree_of(const World& world, const Law& law) {
  return language::parse_law(law.name, law.snippet, variables_of(world, law));
}

/// The columns, whose variables begin at `first`, that the law reads for at least one particle.
std::vector<std::string> read_columns(const World& world, const LawTree& tree, std::size_t first, std::size_t members) {
  std::vector<std::string> used;
  for (const std::string& name : column_names(world)) {
    bool seen = false;
    for (std::size_t k = 0; k < members; ++k) seen = tree.variables[first++].read || seen;
    if (seen) used.push_back(name);
  }
  return used;
}

std::size_t first_column(const PairLaw& law) { return pair_given + law.parameters.size(); }
std::size_t first_column(const GroupLaw& law) {
  return 1 + 3 * law.members + law.parameters.size() + law.columns.size();
}

Value real(Node node) { return {Type::real, {{node}}}; }

Value vector_of(Builder& builder, const std::string& name) {
  Value value{Type::vector, {}};
  for (const char* part : {".x", ".y", ".z"})
    value.parts.push_back({builder.input(name + part, Type::real, InputKind::place)});
  value.parts.push_back({builder.constant(0)});
  return value;
}

// Kernels in single precision treat smaller values as 0.
bool is_zero(double value) { return static_cast<float>(value) == 0; }

InputKind kind_of(const LawParameter& parameter) {
  const bool has_sign = parameter.minimum > 0 || parameter.maximum < 0;
  return has_sign && !is_zero(parameter.minimum) && !is_zero(parameter.maximum) ? InputKind::nonzero
                                                                                : InputKind::strength;
}
InputKind kind_of(const std::vector<double>& column) {
  return std::ranges::none_of(column, is_zero) ? InputKind::nonzero : InputKind::strength;
}

void add_sliders(Builder& builder, std::vector<Value>& given, std::size_t first,
                 const std::vector<LawParameter>& parameters) {
  for (std::size_t k = 0; k < parameters.size(); ++k)
    given.push_back(real(builder.input("sliders[" + number(first + k) + "]", Type::real, kind_of(parameters[k]))));
}

/// `place`: the expression of a particle's column, by the column's index among `used` and the particle's.
template <class Place>
void add_columns(Builder& builder, std::vector<Value>& given, const World& world, const std::vector<std::string>& used,
                 std::size_t members, Place&& place) {
  for (const std::string& column : column_names(world)) {
    const auto found = std::ranges::find(used, column);
    const auto index = static_cast<std::size_t>(found - used.begin());
    const InputKind kind = found == used.end() ? InputKind::strength : kind_of(column_of(world.particles, column));
    for (std::size_t k = 0; k < members; ++k)
      given.push_back(
          real(found == used.end() ? builder.constant(0) : builder.input(place(index, k), Type::real, kind)));
  }
}

Written written(const std::string& law, Builder& builder, std::vector<Node> results, Purpose purpose) {
  const language::Program program = builder.finished(std::move(results));
  Written text = language::written(program, purpose == Purpose::run);
  if (text.steps > most_written)
    language::refuse(law, {}, "the law and its derivatives take more than " + number(most_written) + " steps", {},
                     "write a shorter law, or one that adds its forces itself");
  if (!program.loops) return text;
  text.statements += "  LAW_ENDED\n";
  for (std::string& result : text.results) result += " + ended";
  return text;
}

Node derivative(Builder& builder, const Scalar& of, std::size_t direction) {
  const bool none = of.along.empty() || of.along[direction] == language::none;
  return none ? builder.constant(0) : of.along[direction];
}

/// The limit at distance 0 of a pair law with these results; `none` where its steps have it.
Node limit_of(Builder& b, const std::vector<Value>& given, bool periodic, language::PairResults results) {
  std::vector<language::Approach> approaches;
  for (const auto& [variable, degree] : {std::pair{r2, 2.0}, std::pair{r, 1.0}, std::pair{inverse_r, -1.0}})
    approaches.push_back({given[variable].parts.front().value, degree});
  for (int axis = 0; axis < 3; ++axis) {
    const auto part = [&](PairGiven variable) { return given[variable].parts[static_cast<std::size_t>(axis)].value; };
    approaches.push_back({part(delta), 1, axis});
    approaches.push_back({part(position2), 1, axis, part(periodic ? position2 : position1)});
  }
  return language::limit_at_zero(b, approaches, results);
}

/// The energy; the sum of what is added to dEdR, else the derivative; for a check also the derivative, else the limit
/// at distance 0 where the steps do not have it.
Written steps_of(const World& world, const PairLaw& law, std::size_t first_slider, Purpose purpose) {
  const LawTree tree = tree_of(world, law);
  const bool derived = !tree.variables[slope].written;
  const bool differentiated = derived || purpose == Purpose::check;
  Builder b;
  // All values of a pair are proportional to a power of r: the one direction is ln r.
  const auto power = [&](const Scalar& of, double degree) {
    return differentiated ? language::power_of(b, of.value, degree) : of;
  };
  const Node distance = b.input("r", Type::real, InputKind::place),
             inverse = b.input("invR", Type::real, InputKind::place);
  b.use_inverse(distance, inverse);
  b.use_box(world.box.lengths);
  std::vector<Value> given(pair_given);
  given[energy] = given[slope] = real(b.constant(0));
  given[r2] = {Type::real, {power({b.input("r2", Type::real, InputKind::place)}, 2)}};
  given[r] = {Type::real, {power({distance}, 1)}};
  given[inverse_r] = {Type::real, {power({inverse}, -1)}};
  given[delta] = vector_of(b, "delta");
  given[position1] = vector_of(b, "position1");
  given[position2] = vector_of(b, "position2");
  for (std::size_t k = 0; k < 3; ++k) {
    if (differentiated) given[position2].parts[k].along = {given[delta].parts[k].value};
    given[delta].parts[k] = power(given[delta].parts[k], 1);
  }
  given[body1] = {Type::uint, {{b.input("body1", Type::uint)}}};
  given[body2] = {Type::uint, {{b.input("body2", Type::uint)}}};
  given[is_excluded] = {Type::bool_, {{b.input("isExcluded", Type::bool_)}}};
  add_sliders(b, given, first_slider, law.parameters);
  add_columns(b, given, world, pair_columns(world), 2, [](std::size_t column, std::size_t member) {
    return "columns" + number(member + 1) + "[" + number(column) + "]";
  });
  const std::vector<Value> after = language::make_steps(b, law.name, tree, given, differentiated ? 1 : 0);
  const Scalar& total = after[energy].parts.front();
  std::vector<Node> results{total.value, after[slope].parts.front().value};
  if (differentiated) {
    const Node exact = b.multiply(derivative(b, total, 0), inverse);
    if (derived) results[1] = exact;
    if (purpose == Purpose::check) results.push_back(exact);
  }
  if (purpose == Purpose::run)
    if (const Node limit = limit_of(b, given, world.box.periodic(), {results[0], results[1], !derived});
        limit != language::none)
      results.push_back(limit);
  return written(law.name, b, std::move(results), purpose);
}

/// The energy; three components of each member's force, or of the derivative where the law adds no force; for a check
/// also three of each derivative.
Written steps_of(const World& world, const GroupLaw& law, Purpose purpose) {
  const LawTree tree = tree_of(world, law);
  bool derived = true;
  for (std::size_t k = 0; k < law.members; ++k) derived = derived && !tree.variables[1 + 3 * k].written;
  const std::size_t directions = derived || purpose == Purpose::check ? 3 * law.members : 0;
  const std::vector<std::string> used = read_columns(world, tree, first_column(law), law.members);
  Builder b;
  b.use_box(world.box.lengths);
  std::vector<Value> given{real(b.constant(0))};
  for (std::size_t k = 0; k < law.members; ++k) {
    given.push_back({Type::vector, std::vector<Scalar>(4, Scalar{b.constant(0)})});
    given.push_back(vector_of(b, "positions[" + number(k) + "]"));
    for (std::size_t axis = 0; axis < 3 && directions > 0; ++axis) {
      given.back().parts[axis].along.assign(directions, language::none);
      given.back().parts[axis].along[3 * k + axis] = b.constant(1);
    }
    given.push_back({Type::uint, {{b.input("bodies[" + number(k) + "]", Type::uint)}}});
  }
  add_sliders(b, given, 0, law.parameters);
  for (std::size_t c = 0; c < law.columns.size(); ++c)
    given.push_back(real(b.input("values[" + number(c) + "]", Type::real)));
  add_columns(b, given, world, used, law.members, [&](std::size_t column, std::size_t member) {
    return "columns[" + number(member * used.size() + column) + "]";
  });
  const std::vector<Value> after = language::make_steps(b, law.name, tree, std::move(given), directions);
  const Scalar& total = after[0].parts.front();
  std::vector<Node> results{total.value}, exact;
  for (std::size_t k = 0; k < directions; ++k) exact.push_back(b.negate(derivative(b, total, k)));
  for (std::size_t k = 0; k < law.members && !derived; ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) results.push_back(after[1 + 3 * k].parts[axis].value);
  if (derived) results.insert(results.end(), exact.begin(), exact.end());
  if (purpose == Purpose::check) results.insert(results.end(), exact.begin(), exact.end());
  return written(law.name, b, std::move(results), purpose);
}

bool is_switched(const PairLaw& law) { return law.switch_from > 0 && law.cutoff > law.switch_from; }

/// A use of a macro of particles_law_frame.clh.
std::string use(const std::string& macro, const std::vector<std::string>& arguments) {
  std::string text = macro + "(";
  for (std::size_t k = 0; k < arguments.size(); ++k) text += (k > 0 ? ", " : "") + arguments[k];
  return text + ")";
}

struct PairFunction {
  std::string text;
  bool vectorised;
};

PairFunction pair_function(const World& world, std::size_t index, std::size_t first_slider, Purpose purpose) {
  const PairLaw& law = world.pairs[index];
  const bool check = purpose == Purpose::check;
  const Written steps = steps_of(world, law, first_slider, purpose);
  std::string text = use(check ? "CHECKED_PAIR_LAW" : "PAIR_LAW", {number(index)}) + " {\n" + steps.statements + "  " +
                     use("PAIR_LAW_GIVES", {steps.results[0], steps.results[1]}) + "\n";
  if (steps.results.size() > 2) text += "  " + use(check ? "EXACT_SLOPE" : "AT_ONE_PLACE", {steps.results[2]}) + "\n";
  if (is_switched(law))
    text += "  " +
            use(check ? "SWITCH_CHECKED_PAIR_LAW" : "SWITCH_PAIR_LAW",
                {real_text(law.switch_from), real_text(1 / (law.cutoff - law.switch_from))}) +
            "\n";
  return {text + "  END_PAIR_LAW\n}\n", steps.vectorised};
}

/// Calls `each` with each law's index and first slider.
template <class F>
void for_each_pair_law(const World& world, F&& each) {
  std::size_t slider = 0;
  for (std::size_t k = 0; k < world.pairs.size(); ++k) {
    each(k, slider);
    slider += world.pairs[k].parameters.size();
  }
}

std::string group_text(const World& world, const GroupLaw& law, Purpose purpose) {
  const bool check = purpose == Purpose::check;
  const Written steps = steps_of(world, law, purpose);
  std::string text = "#define MEMBERS " + number(law.members) + "\n#define MEMBER_COLUMNS " +
                     number(columns_of(world, law).size()) + "\n#define GROUP_COLUMNS " + number(law.columns.size()) +
                     (check ? "\nCHECKED_GROUP_LAW {\n" : "\nGROUP_LAW {\n") + steps.statements;
  for (std::size_t k = 0; k < (check ? 2 : 1) * law.members; ++k)
    text += "  " +
            use(k < law.members ? "GROUP_FORCE" : "EXACT_FORCE", {number(k % law.members), steps.results[1 + 3 * k],
                                                                  steps.results[2 + 3 * k], steps.results[3 + 3 * k]}) +
            "\n";
  return text + "  " + use("GROUP_LAW_GIVES", {steps.results[0]}) + "\n}\n";
}

}  // namespace

std::vector<std::string> columns_of(const World& world, const GroupLaw& law) {
  return read_columns(world, tree_of(world, law), first_column(law), law.members);
}

std::vector<std::string> pair_columns(const World& world) {
  std::vector<std::string> all;
  for (const PairLaw& law : world.pairs) {
    const std::vector<std::string> used = read_columns(world, tree_of(world, law), first_column(law), 2);
    all.insert(all.end(), used.begin(), used.end());
  }
  std::vector<std::string> ordered;
  for (const std::string& name : column_names(world))
    if (std::ranges::find(all, name) != all.end()) ordered.push_back(name);
  return ordered;
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
  const bool bodies =
      std::ranges::any_of(world.pairs, [&](const PairLaw& law) { return tree_of(world, law).variables[body2].read; });
  const double cutoff = cutoff_of(world);
  std::string text = "#define LAWS " + number(world.pairs.size()) + "\n#define COLUMNS " +
                     number(pair_columns(world).size()) + "\n#define NEEDS_BODIES " + (bodies ? "1" : "0") +
                     "\n#define LARGEST_CUTOFF2 " +
                     (cutoff > 0 ? real_text(cutoff * cutoff) : std::string("((real)INFINITY)")) + "\n";
  std::string each = "#define EACH_PAIR_LAW";
  for_each_pair_law(world, [&](std::size_t k, std::size_t slider) {
    const PairLaw& law = world.pairs[k];
    const PairFunction function = pair_function(world, k, slider, Purpose::run);
    text += function.text;
    std::string condition = law.excluded == PairLaw::Excluded::skip ? "apart && !isExcluded" : "apart";
    if (law.cutoff > 0) condition += " && r2 < " + real_text(law.cutoff * law.cutoff);
    each += " " + use("ADD_PAIR_LAW", {number(k), condition, function.vectorised ? "1" : "0"});
  });
  return text + each + "\n";
}

std::string checked_pair_law_text(const World& world) {
  std::string text, each = "#define CHECK_EACH_PAIR_LAW";
  for_each_pair_law(world, [&](std::size_t k, std::size_t slider) {
    text += pair_function(world, k, slider, Purpose::check).text;
    each += " " + use("CHECK_PAIR_LAW", {number(k)});
  });
  return text + each + "\n";
}

std::string group_law_text(const World& world, const GroupLaw& law) { return group_text(world, law, Purpose::run); }

std::string checked_group_law_text(const World& world, const GroupLaw& law) {
  return group_text(world, law, Purpose::check);
}

}  // namespace orrery::particles
