#include "scene/nbody_pick.hpp"

#include <algorithm>
#include <array>

namespace orrery {
namespace {

constexpr GLuint group = 256, most_groups = 4096;  // shaders/pick.comp
constexpr std::uint32_t nobody = 0xffffffffU, index_bits = 0xffffffU;

struct Result {
  std::uint32_t best = nobody;
  std::array<float, 3> place{};
};

}  // namespace

BodyPick::BodyPick() : search_("pick.comp"), result_(gl::make_buffer()) {}

void BodyPick::forget() {
  if (fence_ != nullptr) glDeleteSync(fence_);
  fence_ = nullptr;
}

void BodyPick::begin(const BodyPicture& picture, const SpriteScale& scale, unsigned surface_buffer, glm::vec2 cursor,
                     float reach) {
  forget();
  const Result nothing;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, result_.name());
  glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof nothing, &nothing, GL_DYNAMIC_READ);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface_buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, result_.name());
  search_.use();
  set_sprite_uniforms(search_, scale);
  search_.set("bodies", static_cast<int>(picture.bodies));
  search_.set("view", picture.camera.view());
  search_.set("projection", picture.camera.projection(picture.size));
  search_.set("half_size", glm::vec2(picture.size) / 2.0F);
  search_.set("cursor", cursor);
  search_.set("reach", reach);
  search_.set("visible", scale.visible());
  search_.set("decided", 0);
  glDispatchCompute(std::clamp((static_cast<GLuint>(picture.bodies) + group - 1) / group, 1U, most_groups), 1, 1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  search_.set("decided", 1);
  glDispatchCompute(1, 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::optional<BodyPick::Answer> BodyPick::poll() {
  if (fence_ == nullptr) return std::nullopt;
  const GLenum state = glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED) return std::nullopt;
  forget();
  Result result;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, result_.name());
  glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof result, &result);
  if (result.best == nobody) return Answer{};
  return Answer{PickedBody{result.best & index_bits, {result.place[0], result.place[1], result.place[2]}}};
}

}  // namespace orrery
