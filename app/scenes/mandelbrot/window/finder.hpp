/// Looks for the copy of the set in a view, on a worker thread, and remembers what was found last.
///
/// Window thread; never waits, but for the end of a search that is called off.
#pragma once

#include <optional>
#include <stop_token>
#include <variant>

#include "base/work/background.hpp"
#include "scenes/mandelbrot/deep/copy_search.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"
#include "scenes/mandelbrot/window/anchor.hpp"

namespace orrery {

class CopyFinder {
 public:
  CopyFinder() = default;
  ~CopyFinder() { stop_.request_stop(); }
  CopyFinder(const CopyFinder&) = delete;
  CopyFinder& operator=(const CopyFinder&) = delete;

  /// Another search is called off.
  void begin(const mandelbrot::View& view, mandelbrot::Size size, std::size_t most_steps);
  /// Takes note of the end; true where it has come.
  bool update();
  /// The copy that was found last; nullptr while there is none.
  const mandelbrot::FoundCopy* copy() const { return std::get_if<mandelbrot::FoundCopy>(&result_); }
  std::optional<Anchor> anchor() const;
  CopySnapshot snapshot() const;

 private:
  struct NotAsked {};
  struct Nothing {};
  Background<std::optional<mandelbrot::FoundCopy>> search_;
  std::stop_source stop_;
  std::variant<NotAsked, Nothing, mandelbrot::FoundCopy> result_;
};

}  // namespace orrery
