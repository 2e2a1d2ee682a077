#include "scenes/particles/window/law_exchange.hpp"

#include "base/log.hpp"
#include "base/work/abandon.hpp"

namespace orrery {

void LawExchange::build(const LawBook& book, ProgramLibrary& programs, const PreparedParticles& now) {
  ready_.reset();
  completing_.forget();
  if (!book.wants_building()) return building_.forget();
  requested_ = book.wanted();
  const bool other_cutoff = particles::cutoff_of(requested_.pairs) != particles::cutoff_of(book.running().pairs);
  plan_ = std::make_shared<Announced<ProgramPlan>>();
  building_.start([&programs, request = LawsRequest{now.world, requested_, now.engine, other_cutoff}, plan = plan_] {
    return prepare_laws(programs, request, *plan);
  });
}

std::string LawExchange::status() const {
  const std::shared_ptr<const ProgramPlan> plan = plan_->told();
  const std::string counted = plan != nullptr ? plan->status("the laws") : std::string();
  return counted.empty() ? "building the laws" : counted;
}

void LawExchange::poll() {
  if (auto prepared = building_.poll()) ready_ = Built{requested_, std::move(*prepared)};
}

// Without this kernel, the one for observed steps serves all.
std::optional<cl::Kernel> LawExchange::take_unobserved_pairs() {
  try {
    return completing_.poll().value_or(std::nullopt);
  } catch (const Error& error) {
    log(Level::warning, error.what());
    return std::nullopt;
  }
}

void LawExchange::complete(const Built& used, ProgramLibrary& programs, const particles::ForceVariant& variant) {
  completing_.start([&programs, world = used.prepared.world, variant] {
    return particles::build_unobserved_pairs(programs, *world, variant);
  });
}

void LawExchange::give_up() {
  ready_.reset();
  abandon(building_);
  abandon(completing_);
}

void LawExchange::leave() {
  ready_.reset();
  orrery::leave(building_);
  orrery::leave(completing_);
}

}  // namespace orrery
