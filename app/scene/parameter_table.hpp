/// The parameters of a scene, declared once by `std::vector<Parameter> parameters(Settings&)` and kept with the
/// settings that they are bound to: widgets, options, keys in state files and defaults follow from it. Window thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/scene_kind.hpp"

namespace orrery {

template <class Settings>
class ParameterTable {
 public:
  ParameterTable() : table_(parameters(settings_)) {}
  ParameterTable(const ParameterTable&) = delete;
  ParameterTable& operator=(const ParameterTable&) = delete;

  const Settings& settings() const { return settings_; }
  std::vector<ParameterView> views() const {
    Settings usual;
    return orrery::views(table_, parameters(usual));
  }

  /// False when there is no parameter of that name. Throws a usage Error for a value out of its range.
  bool assign(std::string_view name, const Value& value) {
    Parameter* const parameter = find(table_, name);
    if (parameter != nullptr) parameter->assign(value);
    return parameter != nullptr;
  }

  StateSection save() const {
    StateSection state;
    add_values(state, table_);
    return state;
  }
  /// Applies the known keys, all or none; returns the others.
  StateSection load(const StateSection& state) {
    const Settings before = settings_;
    StateSection others;
    try {
      for (const auto& [key, value] : state)
        if (!assign(key, value)) others.emplace_back(key, value);
    } catch (...) {
      settings_ = before;
      throw;
    }
    return others;
  }

 private:
  Settings settings_;
  std::vector<Parameter> table_;
};

inline std::vector<std::string> keys_of(const StateSection& state) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : state) keys.push_back(key);
  return keys;
}

/// The value of that key if it has that type, removed from `state`.
template <class T>
std::optional<T> take_key(StateSection& state, std::string_view key) {
  for (auto entry = state.begin(); entry != state.end(); ++entry) {
    if (entry->first != key || !std::holds_alternative<T>(entry->second)) continue;
    const T value = std::get<T>(entry->second);
    state.erase(entry);
    return value;
  }
  return std::nullopt;
}

}  // namespace orrery
