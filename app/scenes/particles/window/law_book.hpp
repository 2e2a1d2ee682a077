/// The laws of the running particles, and what a person has typed in their place: building, running or refused.
///
/// Plain values; any one thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "protocol/particles_snapshot.hpp"
#include "scenes/particles/window/preparation.hpp"

namespace orrery {

class LawBook {
 public:
  /// Another world: what was typed for the old one is forgotten.
  void open(const particles::World& world);

  /// Throw a usage Error for a law or a parameter that is not there, and for values out of range.
  void edit(const std::string& law, const std::string& text);
  /// A ready-made law, which in a periodic box ends at `cutoff`.
  void add(const particles::PairLaw& ready, double cutoff);
  void remove(const std::string& law);
  void set(const std::string& law, const std::string& parameter, double value);
  /// Of a pair law, which is then wanted anew: a constant of its kernel.
  void set_cutoff(const std::string& law, double cutoff);

  /// What runs is not what is wanted.
  bool wants_building() const { return !(wanted_ == running_); }
  const EditedLaws& wanted() const { return wanted_; }
  const EditedLaws& running() const { return running_; }
  /// These run now; what has been typed since is still wanted.
  void accept(const EditedLaws& built);
  /// They were refused; what runs goes on. What is left then may be built. False where no law is to blame, so that none
  /// of the views tells it.
  bool refuse(const EditedLaws& built, const Error& error);

  /// What is wanted is not built; what runs goes on.
  void give_up();

  /// As panels show them; `building` while something is being tried.
  std::vector<LawView> views(bool building) const;

 private:
  struct Refused {
    std::string text, why;
    std::optional<CompilerMessage> message;
  };
  void take_back(const std::string& law);

  EditedLaws running_, wanted_;
  std::map<std::string, Refused> refused_;
  std::uint64_t revision_ = 0;
  double least_cutoff_ = 0, most_cutoff_ = 0;
};

}  // namespace orrery
