/// The laws of the running particles, and the texts that a person has typed in their place: building, running or
/// refused.
///
/// Plain values; any one thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "scenes/particles/panels/snapshot.hpp"
#include "scenes/particles/window/preparation.hpp"

namespace orrery {

/// The laws, of these, as they were at first: in the world's file, or else in the list of ready-made ones. A law that
/// is in neither is missing.
EditedLaws originals_of(const EditedLaws& laws, const std::optional<EditedLaws>& of_world);

class LawBook {
 public:
  /// Takes the laws of another world, and forgets the texts that were typed for the old one.
  void open(const particles::World& world);

  /// The next seven throw a usage Error for an unknown law or parameter, and for a value out of range.
  void edit(const std::string& law, const std::string& text);
  /// Adds a law, which in a periodic box ends at `cutoff`; the name that it has then.
  std::string add(const particles::PairLaw& ready, double cutoff);
  /// The refused text of the law is wanted again, with one more parameter.
  void add_parameter(const std::string& law, const std::string& name);
  void remove(const std::string& law);
  /// The text of the original and all else but its parameters, which set() resets.
  void reset(const std::string& law, const EditedLaws& originals);
  /// "lennard-jones/sigma". A cutoff is a constant of the law's kernel: the law has to be built anew.
  void set(const std::string& number, const Value& value);
  /// All laws at once, as they were before: a law keeps its name, and group laws are those of the world.
  void want(const EditedLaws& laws);

  /// Other laws are wanted than those that run.
  bool wants_building() const { return !(wanted_ == running_); }
  /// A text is shown that was refused.
  bool refuses() const { return !refused_.empty(); }
  const EditedLaws& wanted() const { return wanted_; }
  const EditedLaws& running() const { return running_; }
  /// These laws run now; texts that have been typed since are still wanted.
  void accept(const EditedLaws& built);
  /// These laws were refused; those that run go on, and the others that are wanted may be built. False where no law's
  /// text is to blame: then no view tells the error.
  bool refuse(const EditedLaws& built, const Error& error);

  /// The laws that are wanted are not built; those that run go on.
  void give_up();

  /// The laws as panels show them; `building` tells whether a compiler is at work, `originals` what resets them.
  std::vector<LawView> views(bool building, const EditedLaws& originals = {}) const;

 private:
  struct Refused {
    std::string text, why;
    std::string unknown;  // a name in the text
    std::optional<CompilerMessage> message;
    std::optional<particles::PairLaw> never_ran = {};  // a new law: not wanted before another text is typed
  };
  void take_back(const std::string& law);
  /// The laws that run are wanted again; texts that do not run stay on screen as refused. False where there is none.
  bool take_all_back(const std::string& why);
  /// A new law that was refused is wanted again.
  void want_again(const std::string& law);

  EditedLaws running_, wanted_;
  std::map<std::string, Refused> refused_;
  std::uint64_t revision_ = 0;
  particles::Box box_;
};

}  // namespace orrery
