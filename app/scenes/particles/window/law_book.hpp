/// The laws of the running particles, and the texts that the user has typed in their place: building, running or
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

/// The original versions of these laws: from the world's file, or else from the list of ready-made ones. A law that is
/// in neither is missing.
EditedLaws originals_of(const EditedLaws& laws, const std::optional<EditedLaws>& of_world);

class LawBook {
 public:
  /// Takes the laws of another world, and forgets the texts that were typed for the old one.
  void open(const particles::World& world);

  /// The next seven throw a usage Error for an unknown law or parameter, and for a value out of range.
  void edit(const std::string& law, const std::string& text);
  /// Adds a law, which in a periodic box ends at `cutoff`; returns its name.
  std::string add(const particles::PairLaw& ready, double cutoff);
  /// Requests the law's refused text again, with one more parameter.
  void add_parameter(const std::string& law, const std::string& name);
  void remove(const std::string& law);
  /// Restores the original law except for its parameters, which set() resets.
  void reset(const std::string& law, const EditedLaws& originals);
  /// "lennard-jones/sigma". A cutoff is a constant of the law's kernel: the law has to be built again.
  void set(const std::string& number, const Value& value);
  /// Requests earlier versions of all laws: a law keeps its name, and group laws are those of the world.
  void want(const EditedLaws& laws);

  /// True if other laws are wanted than those that run.
  bool wants_building() const { return !(wanted_ == running_); }
  /// True if a refused text is shown.
  bool refuses() const { return !refused_.empty(); }
  const EditedLaws& wanted() const { return wanted_; }
  const EditedLaws& running() const { return running_; }
  /// Notes that these laws run now; texts typed since then are still wanted.
  void accept(const EditedLaws& built);
  /// Notes that these laws were refused; running laws stay, and other wanted laws may be built. False if no law's text
  /// is to blame: then no view shows the error.
  bool refuse(const EditedLaws& built, const Error& error);

  /// Drops the wanted laws; those that run stay.
  void give_up();

  /// The laws as panels show them; `building`: a compiler is at work; `originals`: the laws to which they can be reset.
  std::vector<LawView> views(bool building, const EditedLaws& originals = {}) const;

 private:
  struct Refused {
    std::string text, why;
    std::string unknown;  // a name in the text
    std::optional<CompilerMessage> message;
    std::optional<particles::PairLaw> never_ran = {};  // a new law: not wanted until its text is edited
  };
  void take_back(const std::string& law);
  /// Wants the running laws again; other texts stay on screen as refused. False if there are none.
  bool take_all_back(const std::string& why);
  /// Wants a refused new law again.
  void want_again(const std::string& law);

  EditedLaws running_, wanted_;
  std::map<std::string, Refused> refused_;
  std::uint64_t revision_ = 0;
  particles::Box box_;
};

}  // namespace orrery
