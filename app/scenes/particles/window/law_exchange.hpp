/// Builds laws that the user has edited, and gives them to the running particles. Window thread; never waits.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/work/announced.hpp"
#include "base/work/background.hpp"
#include "scenes/particles/window/law_book.hpp"

namespace orrery {

/// Laws on their way from the law book to an engine: they are built, wait for the engine to rest, and are used.
class LawExchange {
 public:
  /// Laws that have been built.
  struct Built {
    EditedLaws laws;
    PreparedLaws prepared;
  };

  /// Begins to build the laws that the book wants, unless they run already. The newest text displaces an older one.
  void build(const LawBook& book, ProgramLibrary& programs, const PreparedParticles& now);
  /// True while a compiler is at work.
  bool building() const { return building_.busy(); }
  /// The text shown while building(): "building the laws: 2 of 3, only once".
  std::string status() const;
  /// Takes laws that have been built. Throws the error of building them: then requested() was refused.
  void poll();
  const EditedLaws& requested() const { return requested_; }
  /// True while laws wait for the engine.
  bool ready() const { return ready_.has_value(); }
  std::optional<Built> take() { return std::exchange(ready_, {}); }
  /// These laws are in use: begins to build the kernel for unobserved steps.
  void complete(const Built& used, ProgramLibrary& programs, const particles::ForceVariant& variant);
  /// Returns that kernel once, when it has been built.
  std::optional<cl::Kernel> take_unobserved_pairs();

  /// Drops laws that are being built or wait.
  void give_up();
  /// The same when the device is released.
  void leave();

 private:
  Background<PreparedLaws> building_;
  std::shared_ptr<Announced<ProgramPlan>> plan_;  // of the laws being built
  EditedLaws requested_;
  std::optional<Built> ready_;
  Background<std::optional<cl::Kernel>> completing_;
};

}  // namespace orrery
