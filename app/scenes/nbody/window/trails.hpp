/// Trails: where bodies were in the last published frames, kept on the GPU and drawn as fading lines.
///
/// A ring of slots in a GL buffer, one slot a published frame, written from the surface by the GPU; nothing passes
/// through the host. Memory is bounded: of more bodies than that allows, every n-th has a trail. Window thread.
#pragma once

#include "scenes/nbody/bodies/body_edit.hpp"
#include "scenes/nbody/window/picture.hpp"

namespace orrery {

struct TrailPlan {
  std::size_t length = 0;  ///< published frames
  std::size_t bodies = 0;  ///< bodies with a trail …
  std::size_t every = 1;   ///< … their indices are the multiples of this
  bool operator==(const TrailPlan&) const = default;
};

/// Most positions that trails hold, 16 bytes each.
inline constexpr std::size_t most_trail_points = std::size_t{1} << 20;
TrailPlan plan_trails(std::size_t bodies, std::size_t length);

/// Whether the look requests trails for this number of bodies.
bool wants_trails(const NbodyLook& look, std::size_t bodies);

class BodyTrails {
 public:
  BodyTrails();

  /// Keeps the published frame in `surface_buffer` (publisher.hpp says what it holds), unless it is kept already.
  void record(const BodyPicture& picture, unsigned surface_buffer);
  /// Adds this share of the light of all trails to the bound framebuffer; palette texture in unit 0, blending set up.
  void draw(const BodyPicture& picture, const SpriteScale& scale, float share) const;
  /// The bodies of this generation are the previous ones after the edit: paths of unchanged bodies are kept, if each
  /// has one.
  void carry(const BodyEdit& edit, std::int64_t generation);
  /// Discards all kept frames.
  void clear();

 private:
  void begin(const BodyPicture& picture, const TrailPlan& plan);
  void begin_trail(std::size_t lane) const;
  void forget_what_changed(const BodyPicture& picture);
  std::size_t lanes() const { return plan_.bodies + 1; }  // the last lane is the followed body's

  gl::ShaderProgram keep_, draw_;
  gl::VertexArray array_;
  gl::Buffer ring_;
  gl::Texture view_of_ring_;
  TrailPlan plan_;
  std::int64_t generation_ = -1, step_ = -1;  // generation and step of the newest slot
  std::size_t newest_ = 0, kept_ = 0;         // slots
  std::size_t colored_ = 0;                   // … with the present quantity
  std::size_t referred_ = 0;                  // … with the present followed body in the last lane
  std::optional<std::size_t> young_;          // lane of a body that has just been added
  std::string color_by_;
  std::optional<std::uint32_t> followed_;
};

}  // namespace orrery
