#include "scenes/particles/window/pick.hpp"

#include <algorithm>
#include <array>

#include "scenes/particles/window/renderer.hpp"

namespace orrery {
namespace {

constexpr GLuint group = 256, most_groups = 4096;  // shaders/particles/particle_pick.comp
constexpr std::uint32_t no_particle = 0xffffffffU;
enum Stage { nearest, lowest, read };  // likewise

// As std430 lays it out.
struct Result {
  std::uint32_t nearest = 0x7f7fffffU, best = no_particle;
  std::array<std::uint32_t, 2> unused{};
  std::array<float, 4> place_and_radius{}, quantities{};
};

}  // namespace

ParticlePick::ParticlePick(float largest) : program_("particle_pick.comp"), largest_(largest) {}

void ParticlePick::begin(const ParticlesPicture& picture, unsigned surface_buffer, std::uint32_t best) {
  asked_ = {best == no_particle, picture.generation, {}};
  const Result nothing{.best = best};
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, result_.buffer());
  glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof nothing, &nothing, GL_DYNAMIC_READ);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface_buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, result_.buffer());
  program_.use();
  program_.set("particles", static_cast<int>(picture.particles));
}

void ParticlePick::run(int stage, unsigned groups) {
  program_.set("stage", stage);
  glDispatchCompute(groups, 1, 1);
  glMemoryBarrier(stage == Stage::read ? GL_BUFFER_UPDATE_BARRIER_BIT : GL_SHADER_STORAGE_BARRIER_BIT);
}

void ParticlePick::end() {
  run(Stage::read, 1);
  result_.begin();
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
}

void ParticlePick::search(const ParticlesPicture& picture, unsigned surface_buffer, glm::vec2 cursor, float reach) {
  begin(picture, surface_buffer, no_particle);
  program_.set("view", picture.camera.view());
  program_.set("projection", picture.camera.projection(picture.size));
  program_.set("half_size", glm::vec2(picture.size) / 2.0F);
  program_.set("focal_pixels", static_cast<float>(picture.camera.focal_pixels(picture.size.y)));
  program_.set("grown", static_cast<float>(picture.look.size));
  program_.set("cursor", cursor);
  program_.set("largest", largest_);
  program_.set("reach", reach);
  const GLuint groups = std::clamp((static_cast<GLuint>(picture.particles) + group - 1) / group, 1U, most_groups);
  run(Stage::nearest, groups);
  run(Stage::lowest, groups);
  end();
}

void ParticlePick::look(const ParticlesPicture& picture, unsigned surface_buffer, std::uint32_t particle) {
  if (result_.under_way() || particle >= picture.particles) return;
  begin(picture, surface_buffer, particle);
  end();
}

std::optional<ParticlePick::Answer> ParticlePick::poll() {
  Result result;
  if (!result_.take(&result, sizeof result)) return std::nullopt;
  if (result.best == no_particle) return asked_;
  const auto& p = result.place_and_radius;
  const auto& q = result.quantities;
  asked_.particle = {result.best, {p[0], p[1], p[2]}, p[3], q[0], q[1], q[2], static_cast<std::uint32_t>(q[3] + 0.5F)};
  return asked_;
}

}  // namespace orrery
