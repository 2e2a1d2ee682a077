/// The candidates of a sweep as bars or as a map. Hovering tells the numbers; a click chooses one that is right.
#pragma once

#include <optional>
#include <span>

#include "protocol/tuner_snapshot.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {

/// A bar each, as high as it is fast, with the confidence interval of its median, under the limit of the best where
/// that is known and near, and over its value where there is one axis. The candidate that was clicked.
const TuneEntry* tuner_bars(const Panel& panel, const TunerSnapshot& tuner, std::span<const TuneEntry* const> entries,
                            std::optional<std::size_t> axis, float height);
/// A cell for each pair of values of two axes: the fastest of the candidates there.
const TuneEntry* tuner_map(const Panel& panel, const TunerSnapshot& tuner, std::size_t across, std::size_t down);

/// Seconds that a run of it takes under the device's roofs; 0 where that is not known.
double limit_of(const TunerSnapshot& tuner, const TuneValues& values);

/// Some line or another about it, for tooltips: its numbers, its faults, what it is.
void describe(const TunerSnapshot& tuner, const TuneEntry& entry);

}  // namespace orrery::ui
