#include "scenes/nbody/window/pick.hpp"

#include <algorithm>
#include <array>

namespace orrery {
namespace {

constexpr GLuint pick_group = 256, most_groups = 4096;  // shaders/nbody/pick.comp
constexpr std::uint32_t nobody = 0xffffffffU, index_bits = 0x3ffffffU;

struct Result {
  std::uint32_t best = nobody;
  std::array<float, 3> place{};
};

}  // namespace

BodyPick::BodyPick() : search_("pick.comp") {}

void BodyPick::begin(const BodyPicture& picture, const SpriteScale& scale, unsigned surface_buffer, glm::vec2 cursor,
                     float reach) {
  const Result nothing;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, result_.buffer());
  glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof nothing, &nothing, GL_DYNAMIC_READ);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface_buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, result_.buffer());
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
  glDispatchCompute(std::clamp((static_cast<GLuint>(picture.bodies) + pick_group - 1) / pick_group, 1U, most_groups), 1,
                    1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  search_.set("decided", 1);
  glDispatchCompute(1, 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  result_.begin();
}

std::optional<BodyPick::Answer> BodyPick::poll() {
  Result result;
  if (!result_.take(&result, sizeof result)) return std::nullopt;
  if (result.best == nobody) return Answer{};
  return Answer{PickedBody{result.best & index_bits, {result.place[0], result.place[1], result.place[2]}}};
}

}  // namespace orrery
