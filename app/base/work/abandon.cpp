#include "base/work/abandon.hpp"

#include <algorithm>
#include <vector>

namespace orrery::abandoned {
namespace {

using Things = std::vector<std::unique_ptr<Thing>>;

struct Group {
  Things things;
  std::function<bool()> answers;
};

struct All {
  Things open;
  std::vector<Group> closed;
};

// Never destroyed: values that remain at the end of the process cannot be released.
All& all() {
  static All& kept = *new All;
  return kept;
}

bool at_rest(const Things& things) {
  return std::ranges::all_of(things, [](const auto& thing) { return thing->at_rest(); });
}

}  // namespace

void keep(std::unique_ptr<Thing> thing) { all().open.push_back(std::move(thing)); }

void keep_alone(std::unique_ptr<Thing> thing) {
  Things alone;
  alone.push_back(std::move(thing));
  all().closed.push_back({std::move(alone), [] { return true; }});
}

bool working() { return !at_rest(all().open); }

void close(std::function<bool()> answers) {
  all().closed.push_back({std::exchange(all().open, {}), std::move(answers)});
}

void let_go() {
  std::erase_if(all().open, [](const auto& thing) { return thing->at_rest(); });
  std::vector<Group> going;  // taken out first, because a destructor may abandon more
  std::erase_if(all().closed, [&going](Group& group) {
    if (!group.answers() || !at_rest(group.things)) return false;
    going.push_back(std::move(group));
    return true;
  });
  for (Group& group : going)
    for (auto& thing : group.things) thing.reset();  // a vector would destroy them in any order
}

bool any() { return !all().open.empty() || !all().closed.empty(); }

}  // namespace orrery::abandoned
