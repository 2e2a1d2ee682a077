/// Tables of the legal transitions of a life cycle. Plain values.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

namespace orrery {

/// A transition: the event leads from one phase to another.
template <class Phase, class Event>
struct Transition {
  Phase from;
  Event event;
  Phase to;
};

/// The phase that the event leads to; nothing where the table has no such transition.
template <class Phase, class Event, std::size_t rows>
constexpr std::optional<Phase> looked_up(const std::array<Transition<Phase, Event>, rows>& table, Phase from,
                                         Event event) {
  const auto found =
      std::ranges::find_if(table, [&](const auto& row) { return row.from == from && row.event == event; });
  return found != table.end() ? std::optional(found->to) : std::nullopt;
}

}  // namespace orrery
