#include "scenes/nbody/window/trails.hpp"

#include <algorithm>
#include <utility>

namespace orrery {
namespace {

constexpr std::size_t most_automatic = 64;  // bodies with trails, unless asked for
constexpr std::size_t most_ribbons = 512;   // beyond that, cheaper lines are drawn
constexpr GLuint trail_group = 64;          // shaders/nbody/trail.comp

int as_int(std::size_t value) { return static_cast<int>(value); }

// Overlapping trails need less light each.
float light_of(std::size_t trails, const SpriteScale& scale) {
  const float crowd = std::min(1.0F, 64.0F / static_cast<float>(std::max<std::size_t>(trails, 1)));
  return 0.04F + 0.21F * std::max(scale.disc, crowd);
}

}  // namespace

TrailPlan plan_trails(std::size_t bodies, std::size_t length) {
  if (bodies == 0 || length == 0) return {};
  const std::size_t affordable = std::max<std::size_t>(most_trail_points / length, 2) - 1;
  const std::size_t every = (bodies + affordable - 1) / affordable;
  return {length, (bodies + every - 1) / every, every};
}

bool wants_trails(const NbodyLook& look, std::size_t bodies) {
  return look.trails == "on" || (look.trails == "auto" && bodies <= most_automatic);
}

BodyTrails::BodyTrails()
    : keep_("trail.comp"),
      draw_("trail.vert", "trail.frag"),
      array_(gl::make_vertex_array()),
      view_of_ring_(gl::make_texture()) {}

void BodyTrails::clear() {
  ring_.reset();
  plan_ = {};
  kept_ = 0;
}

void BodyTrails::begin(const BodyPicture& picture, const TrailPlan& plan) {
  plan_ = plan;
  young_.reset();
  generation_ = picture.generation;
  step_ = -1;
  newest_ = plan.length - 1;
  kept_ = colored_ = referred_ = 0;
  ring_ = gl::make_buffer();
  glBindBuffer(GL_TEXTURE_BUFFER, ring_.name());
  glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(plan.length * lanes() * sizeof(glm::vec4)), nullptr,
               GL_DYNAMIC_COPY);
  glBindTexture(GL_TEXTURE_BUFFER, view_of_ring_.name());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, ring_.name());
}

void BodyTrails::carry(const BodyEdit& edit, std::int64_t generation) {
  if (std::holds_alternative<SetAdded>(edit)) return;  // all trails restart
  const auto* const removed = std::get_if<BodyRemoved>(&edit);
  const bool adds = std::holds_alternative<BodyAdded>(edit) || std::holds_alternative<BodyDuplicated>(edit);
  const std::size_t bodies = plan_.bodies + (adds ? 1 : 0) - (removed != nullptr ? 1 : 0);
  const TrailPlan plan = plan_trails(bodies, plan_.length);
  if (!ring_ || plan_.every != 1 || plan.every != 1 || bodies == 0) return;
  const std::size_t from_lanes = lanes(), row = sizeof(glm::vec4);
  const gl::Buffer before = std::exchange(ring_, gl::make_buffer());
  plan_ = plan;
  generation_ = generation;
  glBindBuffer(GL_COPY_READ_BUFFER, before.name());
  glBindBuffer(GL_TEXTURE_BUFFER, ring_.name());
  glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(plan.length * lanes() * row), nullptr, GL_DYNAMIC_COPY);
  // Lanes from `first` on move, including the last one, of the followed body.
  const std::size_t first = removed != nullptr ? removed->index : std::min(from_lanes, lanes()) - 1;
  const auto copy = [&](std::size_t slot, std::size_t from, std::size_t to, std::size_t count) {
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_TEXTURE_BUFFER, static_cast<GLintptr>((slot * from_lanes + from) * row),
                        static_cast<GLintptr>((slot * lanes() + to) * row), static_cast<GLsizeiptr>(count * row));
  };
  for (std::size_t slot = 0; slot < plan.length; ++slot) {
    copy(slot, 0, 0, first);
    if (removed != nullptr)
      copy(slot, first + 1, first, lanes() - first);
    else
      copy(slot, from_lanes - 1, lanes() - 1, 1);
  }
  if (adds) young_ = plan.bodies - 1;
  step_ = -1;
  glBindTexture(GL_TEXTURE_BUFFER, view_of_ring_.name());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, ring_.name());
}

// Places stay valid; colours and reference belong to the earlier choice.
void BodyTrails::forget_what_changed(const BodyPicture& picture) {
  if (color_by_ != picture.look.color_by) colored_ = 0;
  if (followed_ != picture.followed) referred_ = 0;
  color_by_ = picture.look.color_by;
  followed_ = picture.followed;
}

void BodyTrails::record(const BodyPicture& picture, unsigned surface_buffer) {
  const TrailPlan plan = plan_trails(picture.bodies, static_cast<std::size_t>(picture.look.trail_length));
  if (!ring_ || plan != plan_ || picture.generation != generation_) begin(picture, plan);
  forget_what_changed(picture);
  if (picture.step == step_) return;
  step_ = picture.step;
  newest_ = (newest_ + 1) % plan_.length;
  for (std::size_t* slots : {&kept_, &colored_, &referred_}) *slots = std::min(*slots + 1, plan_.length);
  keep_.use();
  keep_.set("bodies", as_int(picture.bodies));
  keep_.set("lanes", as_int(plan_.bodies));
  keep_.set("every", as_int(plan_.every));
  keep_.set("followed", static_cast<int>(picture.followed.value_or(0)));
  keep_.set("slot", as_int(newest_));
  set_quantity_uniforms(keep_, picture);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface_buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, ring_.name());
  glDispatchCompute((static_cast<GLuint>(lanes()) + trail_group - 1) / trail_group, 1, 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  if (young_) begin_trail(*std::exchange(young_, {}));
}

// An added body has been at its present place in all slots.
void BodyTrails::begin_trail(std::size_t lane) const {
  const auto at = [&](std::size_t slot) { return static_cast<GLintptr>((slot * lanes() + lane) * sizeof(glm::vec4)); };
  glBindBuffer(GL_COPY_WRITE_BUFFER, ring_.name());
  for (std::size_t slot = 0; slot < plan_.length; ++slot)
    if (slot != newest_)
      glCopyBufferSubData(GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER, at(newest_), at(slot), sizeof(glm::vec4));
}

void BodyTrails::draw(const BodyPicture& picture, const SpriteScale& scale, float share) const {
  // With a lane for every body, its own lane reaches back before it was followed; else only the last lane has its path.
  const bool lane_of_its_own = plan_.every == 1 && picture.followed;
  const std::size_t length = picture.followed && !lane_of_its_own ? std::min(kept_, referred_) : kept_;
  if (!ring_ || length < 2) return;
  const bool ribbons = plan_.bodies <= most_ribbons;
  const std::size_t reference = lane_of_its_own ? *picture.followed : plan_.bodies;
  draw_.use();
  set_palette_uniforms(draw_, picture);
  draw_.set("ring", 1);
  draw_.set("stride", as_int(lanes()));
  draw_.set("slots", as_int(plan_.length));
  draw_.set("newest", as_int(newest_));
  draw_.set("length", as_int(length));
  draw_.set("colored", as_int(colored_));
  draw_.set("reference", picture.followed ? as_int(reference) : -1);
  draw_.set("sides", ribbons ? 2 : 1);
  draw_.set("view", picture.camera.view());
  draw_.set("projection", picture.camera.projection(picture.size));
  draw_.set("half_size", glm::vec2(picture.size) / 2.0F);
  draw_.set("half_width", 1.6F * picture.scale);
  draw_.set("trail_light", share * light_of(plan_.bodies, scale));
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_BUFFER, view_of_ring_.name());
  glBindVertexArray(array_.name());
  glDrawArraysInstanced(ribbons ? GL_TRIANGLE_STRIP : GL_LINE_STRIP, 0, as_int(length * (ribbons ? 2 : 1)),
                        as_int(plan_.bodies));
}

}  // namespace orrery
