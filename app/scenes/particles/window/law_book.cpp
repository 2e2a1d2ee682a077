#include "scenes/particles/window/law_book.hpp"

#include <algorithm>
#include <type_traits>

#include "base/text.hpp"
#include "scenes/particles/laws/law_language.hpp"
#include "scenes/particles/laws/laws.hpp"

namespace orrery {
namespace {

using particles::GroupLaw;
using particles::PairLaw;

template <class Law>
Law* find_law(std::vector<Law>& laws, const std::string& name) {
  const auto found = std::ranges::find(laws, name, &Law::name);
  return found == laws.end() ? nullptr : &*found;
}
template <class Law>
const Law* find_law(const std::vector<Law>& laws, const std::string& name) {
  const auto found = std::ranges::find(laws, name, &Law::name);
  return found == laws.end() ? nullptr : &*found;
}

std::string names_of(const EditedLaws& laws) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : " | ") + name; };
  for (const PairLaw& law : laws.pairs) add(law.name);
  for (const GroupLaw& law : laws.groups) add(law.name);
  return names;
}

/// Calls the action with the pair law or group law of that name.
template <class F>
void with_law(EditedLaws& laws, const std::string& name, F&& action) {
  if (PairLaw* pair = find_law(laws.pairs, name)) return action(*pair);
  if (GroupLaw* group = find_law(laws.groups, name)) return action(*group);
  throw usage_error("the law", name, names_of(laws));
}

std::string text_of(const EditedLaws& laws, const std::string& name) {
  if (const PairLaw* pair = find_law(laws.pairs, name)) return pair->snippet;
  const GroupLaw* group = find_law(laws.groups, name);
  return group != nullptr ? group->snippet : std::string();
}

using Parameters = std::vector<particles::LawParameter>;

const particles::LawParameter* find_parameter(const Parameters& parameters, const std::string& name) {
  const auto found = std::ranges::find(parameters, name, &particles::LawParameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

/// Replaces parameters by those of the same name in `newer`.
void follow(Parameters& parameters, const Parameters& newer) {
  for (particles::LawParameter& each : parameters)
    if (const auto* other = find_parameter(newer, each.name)) each = *other;
}

/// Adds the parameters that only `more` has.
void complete(Parameters& parameters, const Parameters& more) {
  for (const particles::LawParameter& each : more)
    if (find_parameter(parameters, each.name) == nullptr) parameters.push_back(each);
}

/// `original` may be null.
template <class Law>
LawView view_of(Law law, const particles::Box& box, const Law* original) {
  LawView view;
  view.can_reset = original != nullptr && !(*original == law);
  view.name = law.name;
  view.title = particles::law_title(law.name);
  view.pair = std::is_same_v<Law, PairLaw>;
  view.text = law.snippet;
  view.numbers = views(particles::parameters(law, box));
  Law first = original != nullptr ? *original : law;
  std::vector<Parameter> usual = particles::parameters(first, box);
  for (ParameterView& row : view.numbers) {
    row.open = true;
    if (const Parameter* same = find(usual, row.info.name); original != nullptr && same != nullptr)
      row.usual = same->value();
  }
  return view;
}

// The error names the law as its place: "lennard-jones:3:7".
std::string law_of(const Error& error, const EditedLaws& laws) {
  const auto message = particles::message_of(error);
  const bool known =
      message && (find_law(laws.pairs, message->file) != nullptr || find_law(laws.groups, message->file) != nullptr);
  return known ? message->file : std::string();
}

}  // namespace

void LawBook::open(const particles::World& world) {
  box_ = world.box;
  running_ = wanted_ = laws_of(world);
  refused_.clear();
  ++revision_;
}

void LawBook::want_again(const std::string& law) {
  const auto refused = refused_.find(law);
  if (refused != refused_.end() && refused->second.never_ran && find_law(wanted_.pairs, law) == nullptr)
    wanted_.pairs.push_back(*refused->second.never_ran);
}

void LawBook::edit(const std::string& law, const std::string& text) {
  want_again(law);
  with_law(wanted_, law, [&](auto& found) { found.snippet = text; });
  refused_.erase(law);
}

std::string LawBook::add(const PairLaw& ready, double cutoff) {
  PairLaw law = ready;
  const auto is_taken = [&] { return find_law(wanted_.pairs, law.name) != nullptr || refused_.contains(law.name); };
  for (int k = 2; is_taken(); ++k) law.name = ready.name + "-" + std::to_string(k);
  if (cutoff > 0) law.cutoff = cutoff;
  return wanted_.pairs.emplace_back(std::move(law)).name;
}

void LawBook::add_parameter(const std::string& law, const std::string& name) {
  want_again(law);
  const auto refused = refused_.find(law);
  with_law(wanted_, law, [&](auto& found) {
    complete(found.parameters, {{.name = name}});
    if (refused != refused_.end()) found.snippet = refused->second.text;
  });
  refused_.erase(law);
}

void LawBook::remove(const std::string& law) {
  want_again(law);
  if (std::erase_if(wanted_.pairs, [&](const PairLaw& pair) { return pair.name == law; }) == 0)
    throw usage_error("the pair law", law, names_of(wanted_));
  refused_.erase(law);
}

EditedLaws originals_of(const EditedLaws& laws, const std::optional<EditedLaws>& of_world) {
  EditedLaws originals = of_world.value_or(EditedLaws());
  for (const PairLaw& law : laws.pairs) {
    if (find_law(originals.pairs, law.name) != nullptr) continue;
    for (PairLaw ready : particles::ready_pair_laws())
      if (ready.name == law.name.substr(0, law.name.find_last_not_of("0123456789-") + 1)) {
        ready.name = law.name;
        ready.cutoff = law.cutoff;  // it suits the box
        originals.pairs.push_back(std::move(ready));
      }
  }
  return originals;
}

void LawBook::reset(const std::string& name, const EditedLaws& originals) {
  want_again(name);
  const auto from = [&](auto& law, const auto& all) {
    const auto* original = find_law(all, name);
    if (original == nullptr) throw usage_error("the law", name, names_of(originals));
    const Parameters present = std::move(law.parameters);
    law = *original;
    follow(law.parameters, present);
  };
  if (PairLaw* pair = find_law(wanted_.pairs, name))
    from(*pair, originals.pairs);
  else if (GroupLaw* group = find_law(wanted_.groups, name))
    from(*group, originals.groups);
  refused_.erase(name);
  ++revision_;
}

void LawBook::set(const std::string& number, const Value& value) {
  const auto [law, parameter] = particles::number_name(number);
  if (const auto refused = refused_.find(law); refused != refused_.end() && refused->second.never_ran) {
    EditedLaws alone{{*refused->second.never_ran}, {}};
    set_number(alone, box_, number, value);
    refused->second.never_ran = alone.pairs.front();
    return;
  }
  set_number(wanted_, box_, number, value);
  if (find_parameter(running_, law, parameter) != nullptr) set_number(running_, box_, number, value);
}

void LawBook::want(const EditedLaws& laws) {
  EditedLaws wanted{laws.pairs, wanted_.groups};
  for (GroupLaw& group : wanted.groups)
    if (const GroupLaw* law = find_law(laws.groups, group.name)) {
      if (law->members != group.members || law->columns != group.columns)
        throw usage_error("the law " + group.name, std::to_string(law->members) + " members",
                          std::to_string(group.members) + " members, and the columns of the world");
      group = *law;
    }
  wanted_ = std::move(wanted);
  refused_.clear();
  ++revision_;
}

// Parameters that were set meanwhile stay, because the engine has received them.
void LawBook::accept(const EditedLaws& built) {
  EditedLaws running = built;
  const auto follow_all = [](auto& laws, const auto& newer) {
    for (auto& law : laws)
      if (const auto* other = find_law(newer, law.name)) follow(law.parameters, other->parameters);
  };
  follow_all(running.pairs, wanted_.pairs);
  follow_all(running.groups, wanted_.groups);
  running_ = std::move(running);
}

// Added parameters stay, because the next text probably uses them.
void LawBook::take_back(const std::string& law) {
  const auto back = [](auto& refused, const auto& old) {
    const Parameters tried = std::move(refused.parameters);
    refused = old;
    complete(refused.parameters, tried);
  };
  if (PairLaw* pair = find_law(wanted_.pairs, law)) {
    if (const PairLaw* old = find_law(running_.pairs, law))
      back(*pair, *old);
    else
      refused_[law].never_ran = *pair, wanted_.pairs.erase(wanted_.pairs.begin() + (pair - wanted_.pairs.data()));
  } else if (GroupLaw* group = find_law(wanted_.groups, law)) {
    if (const GroupLaw* old = find_law(running_.groups, law)) back(*group, *old);
  }
}

bool LawBook::refuse(const EditedLaws& built, const Error& error) {
  const std::string law = law_of(error, built);
  const bool known = find_law(built.pairs, law) != nullptr || find_law(built.groups, law) != nullptr;
  if (!known) return take_all_back(error.what());  // no single law is to blame
  const std::string text = text_of(built, law);
  if (text_of(wanted_, law) != text) return true;  // a newer text is tried next
  const auto* unknown = dynamic_cast<const particles::language::UnknownName*>(&error);
  const std::string name = unknown != nullptr && particles::name_fault(unknown->name()).empty() ? unknown->name() : "";
  refused_[law] = {text, error.what(), name, particles::message_of(error)};
  take_back(law);
  return true;
}

bool LawBook::take_all_back(const std::string& why) {
  bool keeps = false;
  const auto keep = [&](const auto& law, const auto* running) {
    if ((running != nullptr && running->snippet == law.snippet) || refused_.contains(law.name)) return;
    refused_[law.name] = {law.snippet, why, {}, {}};
    keeps = true;
  };
  for (const PairLaw& law : wanted_.pairs) {
    const PairLaw* running = find_law(running_.pairs, law.name);
    keep(law, running);
    if (running == nullptr) refused_[law.name].never_ran = law;
  }
  for (const GroupLaw& law : wanted_.groups) keep(law, find_law(running_.groups, law.name));
  wanted_ = running_;
  return keeps;
}

void LawBook::give_up() { take_all_back("cancelled during compilation"); }

std::vector<LawView> LawBook::views(bool building, const EditedLaws& originals) const {
  std::vector<LawView> all;
  for (const PairLaw& law : wanted_.pairs) all.push_back(view_of(law, box_, find_law(originals.pairs, law.name)));
  for (const auto& [name, refused] : refused_)
    if (refused.never_ran && find_law(wanted_.pairs, name) == nullptr)
      all.push_back(view_of(*refused.never_ran, box_, find_law(originals.pairs, name)));
  for (const GroupLaw& law : wanted_.groups) all.push_back(view_of(law, box_, find_law(originals.groups, law.name)));
  for (LawView& view : all) {
    view.revision = revision_;
    view.building = building && view.text != text_of(running_, view.name);
    const auto refused = refused_.find(view.name);
    if (refused == refused_.end()) continue;
    view.text = refused->second.text;
    view.can_reset =
        find_law(originals.pairs, view.name) != nullptr || find_law(originals.groups, view.name) != nullptr;
    view.refused = refused->second.why;
    view.unknown = refused->second.unknown;
    if (refused->second.message) view.messages = {*refused->second.message};
  }
  return all;
}

}  // namespace orrery
