/// The tour that is shown: its present step, and what was shown before it. Window thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "shell/files/tour.hpp"

namespace orrery::shell {

class TourGuide {
 public:
  /// The session before a tour; what makes the state may be called once, later.
  struct Before {
    std::function<StateTables()> state;
    std::string scene;
  };

  /// From its first step on. A tour that begins during another keeps what was before that one.
  void begin(Tour tour, Before before, double now);
  /// The step to go to, so many from here; null where there is none, or no tour.
  const TourStep* go(int direction, double now);
  /// Something was pressed or moved: the time of the step begins again.
  void touched(double now);
  /// The step's time is over.
  bool due(double now) const;
  void close();
  /// What was shown before, of the scenes that the tour has changed; the offer ends.
  std::optional<std::pair<StateTables, std::string>> leave(bool back);

  bool shows() const { return std::holds_alternative<Walk>(phase_); }
  bool offers() const { return std::holds_alternative<Left>(phase_); }
  TourSnapshot snapshot(double now) const;

 private:
  struct Walk {
    Tour tour;
    Before before;
    std::size_t at = 0;
    double since = 0;  ///< seconds; the step's beginning, or the last input in it
  };
  struct Left {
    Before before;
    StateTables changed;  ///< the tour's last state
  };
  std::variant<std::monostate, Walk, Left> phase_;
};

}  // namespace orrery::shell
