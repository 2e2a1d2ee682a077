/// Ctrl+P searches one list of everything that can be done in the window; ranked() orders it for a typed text.
///
/// Plain values, made anew in each frame in which the search is open; nothing here draws. Any one thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/command.hpp"
#include "protocol/snapshot.hpp"

namespace orrery::ui {

struct SearchEntry {
  std::string kind;         ///< "Parameter": entries of a kind stand together under it while nothing is typed
  std::string title;        ///< "Time step"
  std::string detail = {};  ///< at the right: the key, or the present value
  /// Choosing the entry sends it. A gesture of the mouse has none, nor has a parameter whose value is to be typed.
  std::optional<command::Command> command = {};
  std::string also = {};                     ///< found by this as well: "dt"
  const ParameterView* parameter = nullptr;  ///< a typed value sets it; of the snapshot
  std::string section = {};                  ///< section of the column, shown when the entry is chosen
};
using SearchEntries = std::vector<SearchEntry>;

/// Adds what the snapshot offers, by kind: parameters and their choices, actions and their keys, scenes, presets,
/// tours, devices, and what the scene's own panels add.
SearchEntries search_entries(const WindowSnapshot& snapshot);

/// How well the words of a text match a title, in any order: each word occurs in it, or begins words of it ("ts",
/// "tist" and "step" match "Time step"). Beginnings of words count most, then letters side by side. Nothing where a
/// word does not match. Capitals do not count.
std::optional<int> match_score(std::string_view typed, std::string_view title);

/// An entry that matches. `value` is what is typed behind the parameter's title.
struct SearchMatch {
  const SearchEntry* entry;
  std::string value = {};
  bool recent = false;
};
/// Best first. Without a text: those used last, the latest first, then all in their order; `recent` has names_of them.
std::vector<SearchMatch> ranked(std::span<const SearchEntry> entries, std::string_view typed,
                                std::span<const std::string> recent);
/// The name by which a recent entry is remembered: "Parameter: Time step".
std::string name_of(const SearchEntry& entry);

}  // namespace orrery::ui
