/// On Windows, every process is alone: its launchers of ranks (MS-MPI) are untested.
#include "base/work/ranks.hpp"

#include <cstdlib>
#include <utility>

#include "base/work/rank_watch.hpp"

namespace orrery {

class Ranks::Shim {};
RankWatch::~RankWatch() = default;

std::optional<RankPlace> rank_place() { return std::nullopt; }
void silence_other_ranks() {}
void let_first_rank_speak() {}

Ranks::Ranks(RankPlace place) : place_(std::move(place)) {
  throw failure("processes that share bodies cannot be started on this system");
}
Ranks::~Ranks() = default;
std::string Ranks::name(int rank) const { return "rank " + std::to_string(rank); }
std::size_t Ranks::machines() const { return 1; }
std::vector<std::string> Ranks::all(const std::string& own) { return {own}; }
std::string Ranks::of_first(const std::string& text) { return text; }
void Ranks::of_first(std::span<std::byte>) {}
void Ranks::swap(std::function<void()>, std::vector<Message>, std::function<void(bool arrived)>) {}
void Ranks::set_remedy(const std::string&) {}
void Ranks::fail(const std::string&, int code) { std::exit(code); }
void Ranks::finish() {}

}  // namespace orrery
