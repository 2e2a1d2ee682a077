#include "scenes/particles/window/grains.hpp"

namespace orrery {
namespace {

constexpr std::size_t splat_group = 256;  // shaders/particles/grain_splat.comp
enum Search { cells, depth, number };     // likewise …
constexpr int cell = 4;                   // … and pixels

}  // namespace

Grains::Grains() : splat_("grain_splat.comp"), color_("fullscreen.vert", "grain_splat.frag") {}

void Grains::make_room(glm::ivec2 size) {
  for (gl::Buffer* buffer : {&nearest_, &foremost_, &filled_}) {
    if (size != size_) {
      const glm::ivec2 places = buffer == &filled_ ? (size + cell - 1) / cell : size;
      *buffer = gl::make_buffer();
      glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->name());
      glBufferData(GL_SHADER_STORAGE_BUFFER, GLsizeiptr{places.x} * places.y * GLsizeiptr{sizeof(GLuint)}, nullptr,
                   GL_DYNAMIC_COPY);
    }
    constexpr GLuint nothing = 0xffffffffU;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->name());
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
  }
  size_ = size;
}

void Grains::draw(unsigned surface_buffer, std::size_t particles, std::size_t every, glm::ivec2 size) {
  make_room(size);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface_buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, nearest_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, foremost_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, filled_.name());
  splat_.use();
  splat_.set("particles", static_cast<int>(particles));
  splat_.set("every", static_cast<int>(every));
  splat_.set("pixels", size);
  const std::size_t drawn = (particles + every - 1) / every;
  for (const Search what : {Search::cells, Search::depth, Search::number}) {
    splat_.set("stage", static_cast<int>(what));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glDispatchCompute(static_cast<GLuint>((drawn + splat_group - 1) / splat_group), 1, 1);
  }
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  color_.use();
  color_.set("particles", static_cast<int>(particles));
  color_.set("pixels", size);
  triangle_.draw();
  for (GLuint binding = 0; binding < 4; ++binding) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
}

}  // namespace orrery
