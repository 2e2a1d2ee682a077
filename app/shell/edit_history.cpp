#include "shell/edit_history.hpp"

#include <algorithm>

namespace orrery::shell {
namespace {

std::optional<Value> value_at(const StateSection& section, const std::string& key) {
  const Value* const value = value_of(section, key);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

void set(StateSection& section, const std::string& key, const std::optional<Value>& value) {
  const auto found = std::ranges::find(section, key, [](const auto& entry) { return entry.first; });
  if (!value) {
    if (found != section.end()) section.erase(found);
  } else if (found != section.end()) {
    found->second = *value;
  } else {
    section.emplace_back(key, *value);
  }
}

}  // namespace

std::vector<Change> changes_between(const StateSection& before, const StateSection& after) {
  std::vector<Change> changes;
  for (const auto& [key, value] : before)
    if (const auto now = value_at(after, key); now != value) changes.push_back({key, value, now});
  for (const auto& [key, value] : after)
    if (value_of(before, key) == nullptr) changes.push_back({key, std::nullopt, value});
  return changes;
}

StateSection with_step(StateSection present, const EditStep& step, EditDirection direction) {
  for (const Change& change : step.changes)
    set(present, change.key, direction == EditDirection::undo ? change.before : change.after);
  return present;
}

bool EditHistory::note(const StateSection& before, const StateSection& after, bool held) {
  std::vector<Change> changes = changes_between(before, after);
  if (changes.empty()) return false;
  if (open_ && done_ == steps_.size() && done_ > 0) {
    std::vector<Change>& all = steps_.back().changes;
    for (Change& change : changes) {
      const auto known = std::ranges::find(all, change.key, &Change::key);
      if (known == all.end())
        all.push_back(std::move(change));
      else
        known->after = std::move(change.after);
    }
    std::erase_if(all, [](const Change& change) { return change.before == change.after; });
    if (all.empty()) steps_.pop_back(), --done_, open_ = false;
    return false;
  }
  add({std::move(changes)});
  open_ = held;
  return true;
}

void EditHistory::add(EditStep step) {
  forget_undone();
  for (EditStep& older : steps_) older.moment.reset();
  steps_.push_back(std::move(step));
  const auto has_too_many = [&] {
    const auto opens = [](const EditStep& each) { return each.opening != nullptr; };
    return steps_.size() > most_steps || static_cast<std::size_t>(std::ranges::count_if(steps_, opens)) > most_openings;
  };
  while (has_too_many()) steps_.pop_front();
  done_ = steps_.size();
  open_ = false;
}

const EditStep* EditHistory::next(EditDirection direction) const {
  if (direction == EditDirection::undo) return done_ > 0 ? &steps_[done_ - 1] : nullptr;
  return done_ < steps_.size() ? &steps_[done_] : nullptr;
}

void EditHistory::take(EditDirection direction) {
  open_ = false;
  direction == EditDirection::undo ? --done_ : ++done_;
}

EditStep* EditHistory::last() { return done_ > 0 && done_ == steps_.size() ? &steps_.back() : nullptr; }

}  // namespace orrery::shell
