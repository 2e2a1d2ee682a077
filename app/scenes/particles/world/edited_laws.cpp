#include "scenes/particles/world/edited_laws.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/interned.hpp"
#include "base/text.hpp"

namespace orrery::particles {
namespace {

constexpr double most_in_open_space = 1000;

template <class Law>
std::vector<Parameter> own_parameters(Law& law) {
  std::vector<Parameter> list;
  for (LawParameter& p : law.parameters) {
    const std::string label = as_symbol(p.name);
    const std::string in_text = label == capitalised(p.name) ? "" : p.name + " in the text of the law";
    const std::string help = p.help + (p.help.empty() || in_text.empty() ? "" : "\n") + in_text;
    list.push_back({{.name = interned(law.name + "/" + p.name),
                     .label = interned(label),
                     .unit = interned(p.unit),
                     .help = interned(help),
                     .minimum = p.minimum,
                     .maximum = p.maximum,
                     .place = ParameterPlace::law},
                    &p.value});
  }
  return list;
}

// The switch keeps its place relative to the cutoff, and without one there is no tail.
void follow_cutoff(PairLaw& law, double before) {
  if (law.cutoff == before) return;
  if (law.switch_from > 0) law.switch_from *= law.cutoff / before;
  if (law.cutoff == 0) law.tail = false;
}

std::string names_of(EditedLaws laws, const Box& box) {
  std::string names;
  const auto add = [&](auto& all) {
    for (auto& law : all)
      for (const Parameter& each : parameters(law, box))
        names += (names.empty() ? "" : " | ") + std::string(each.info().name);
  };
  add(laws.pairs);
  add(laws.groups);
  return names.empty() ? "none: there are no laws" : names;
}

}  // namespace

EditedLaws laws_of(const World& world) {
  EditedLaws laws{world.pairs, {}};
  for (const Groups& groups : world.groups) laws.groups.push_back(groups.law);
  return laws;
}

const LawParameter* find_parameter(const EditedLaws& laws, const std::string& law, const std::string& parameter) {
  const LawParameter* found = nullptr;
  const auto search = [&](const auto& all) {
    for (const auto& each : all)
      for (const LawParameter& one : each.parameters)
        if (each.name == law && one.name == parameter) found = &one;
  };
  search(laws.groups);
  search(laws.pairs);
  return found;
}

World with_laws(const World& world, const EditedLaws& laws) {
  World changed = world;
  changed.pairs = laws.pairs;
  for (Groups& groups : changed.groups) {
    const auto found = std::ranges::find(laws.groups, groups.law.name, &GroupLaw::name);
    if (found != laws.groups.end()) groups.law = *found;
  }
  return changed;
}

std::vector<Parameter> parameters(PairLaw& law, const Box& box) {
  const bool named_so = std::ranges::find(law.parameters, "cutoff", &LawParameter::name) != law.parameters.end();
  const double most = box.lengths ? *std::ranges::min_element(*box.lengths) / 2 : most_in_open_space;
  std::vector<Parameter> list = own_parameters(law);
  list.push_back({{.name = interned(law.name + (named_so ? "/(cutoff)" : "/cutoff")),
                   .label = "Cutoff",
                   .unit = "length",
                   .help = box.lengths ? "The law does not act beyond this distance; at most half of the box"
                                       : "The law does not act beyond this distance; 0: no limit",
                   .minimum = box.lengths ? 0.01 * most : 0,
                   .maximum = most,
                   .logarithmic = !box.lengths,
                   .place = ParameterPlace::law},
                  &law.cutoff});
  return list;
}

std::vector<Parameter> parameters(GroupLaw& law, const Box&) { return own_parameters(law); }

NumberName number_name(const std::string& name) {
  const std::size_t slash = std::min(name.rfind('/'), name.size());
  return {name.substr(0, slash), name.substr(std::min(slash + 1, name.size()))};
}

void set_number(EditedLaws& laws, const Box& box, const std::string& name, const Value& value) {
  const auto assigned = [&](auto& law) {
    std::vector<Parameter> list = parameters(law, box);
    Parameter* const number = find(list, name);
    if (number != nullptr) number->assign(value);
    return number != nullptr;
  };
  for (PairLaw& law : laws.pairs)
    if (const double before = law.cutoff; assigned(law)) return follow_cutoff(law, before);
  for (GroupLaw& law : laws.groups)
    if (assigned(law)) return;
  throw usage_error("the number of a law", name, names_of(laws, box));
}

}  // namespace orrery::particles
