/// Which of millions of bodies a frame draws, so that none takes long: a random portion, whose light stands for all.
/// While the picture stays the same, each frame adds another portion, until all bodies are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/gl.hpp"

namespace orrery {

/// Bodies that are drawn at once, whatever that takes.
inline constexpr std::size_t most_drawn_at_once = std::size_t{1} << 18;

/// How large a portion is, by what drawing bodies has taken. A plain value.
class PortionPacer {
 public:
  static constexpr double in_motion = 0.012, at_rest = 0.036;  // seconds of a frame

  /// `guess`: seconds a body until it is measured.
  explicit PortionPacer(double guess) : each_(guess) {}
  void measured(double bodies, double seconds);

  /// One body in how many is drawn of a picture that moves: a power of two, which changes rarely.
  std::size_t one_in(std::size_t bodies);
  /// The bodies that are added to a picture at rest.
  double added() const { return at_rest / each_; }

 private:
  double each_;
  std::size_t one_in_ = 1;
};

/// The numbers below `count`, at most 65,536, in random order; always the same one.
std::vector<std::uint16_t> shuffled_block(std::size_t count);

/// A random order of any number of bodies, in which each stretch is a portion of all. Window thread, with a GL context.
///
/// Bodies are shuffled in blocks, all full ones alike: places from 0 to `places` stand for the same share of each.
class BodyOrder {
 public:
  static constexpr std::uint32_t places = 1 << 16;

  BodyOrder();
  /// Draws the points of the bound vertex array from place `first` to `end`.
  void draw(std::size_t bodies, std::uint32_t first, std::uint32_t end);

 private:
  void shuffle_rest(std::size_t rest);

  gl::Buffer indices_;  // of a full block, then of the last block, which holds the rest of the bodies
  std::size_t rest_ = 0;
};

}  // namespace orrery
