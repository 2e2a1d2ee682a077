/// Builds laws that a person has edited, and gives them to the running particles. Window thread; never waits.
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

  /// Begins to build what the book wants, if it is not what runs. The newest text displaces an older one.
  void build(const LawBook& book, ProgramLibrary& programs, const PreparedParticles& now);
  /// A compiler is at work.
  bool building() const { return building_.busy(); }
  /// The window says this while building(): "building the laws: 2 of 3, only once".
  std::string status() const;
  /// Takes laws that have been built. Throws what building them threw: then requested() was refused.
  void poll();
  const EditedLaws& requested() const { return requested_; }
  /// Laws wait for the engine.
  bool ready() const { return ready_.has_value(); }
  std::optional<Built> take() { return std::exchange(ready_, {}); }
  /// These laws are in use: begins to build the kernel that they do without at first.
  void complete(const Built& used, ProgramLibrary& programs, const particles::ForceVariant& variant);
  /// Returns that kernel once, when it has been built.
  std::optional<cl::Kernel> take_unobserved_pairs();

  /// What is being built or waits is not wanted any more.
  void give_up();
  /// The same where the device is let go.
  void leave();

 private:
  Background<PreparedLaws> building_;
  std::shared_ptr<Announced<ProgramPlan>> plan_;  // of what is being built
  EditedLaws requested_;
  std::optional<Built> ready_;
  Background<std::optional<cl::Kernel>> completing_;
};

}  // namespace orrery
