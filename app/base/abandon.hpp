/// Objects of a driver that does not answer any more: to destroy them would wait for it, for ever.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace orrery {

/// Keeps the value as it is until the process ends; the one that is left is empty. Window thread.
template <class T>
void abandon(T& value) {
  static auto& kept = *new std::vector<std::unique_ptr<T>>;
  kept.push_back(std::make_unique<T>(std::move(value)));
  std::destroy_at(&value);  // not assigned: g++ 12 warns of what an empty optional would hold
  std::construct_at(&value);
}

}  // namespace orrery
