#include "scenes/nbody/window/splat.hpp"

#include <algorithm>
#include <array>
#include <glm/vec4.hpp>
#include <numeric>
#include <random>

namespace orrery {
namespace {

constexpr std::size_t group = 256;     // shaders/nbody/body_splat.comp
constexpr std::size_t channels = 4;    // channels of a pixel
constexpr std::size_t alignment = 16;  // bodies: the largest alignment of a range in any driver
constexpr float quanta = 1 << 27;      // quanta of the light in the middle of a sprite
constexpr std::size_t command_bytes = 8 * sizeof(GLuint);
constexpr GLuint large_place = command_bytes / sizeof(GLuint);
// The same values as in the shader.
namespace splat_binding {
enum : GLuint { positions, published, order, low, high, large, count };
}

GLintptr bytes_of(std::size_t bodies) { return static_cast<GLintptr>(bodies * sizeof(glm::vec4)); }

std::size_t largest_block() {
  GLint bytes = 0;
  glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : std::size_t{1} << 27;
}

void allocate(gl::Buffer& buffer, std::size_t bytes) {
  buffer = gl::make_buffer();
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer.name());
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
}

}  // namespace

// The shuffle of Fisher and Yates.
std::vector<std::uint16_t> shuffled_block(std::size_t count) {
  std::vector<std::uint16_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::uint16_t{0});
  std::mt19937_64 random(count);
  for (std::size_t i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[random() % i]);
  return numbers;
}

BodySplat::BodySplat()
    : scatter_("body_splat.comp"),
      gather_("fullscreen.vert", "body_splat.frag"),
      order_(gl::make_buffer()),
      largest_block_(largest_block()) {
  const std::vector<std::uint16_t> block = shuffled_block(Portion::places);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, order_.name());
  glBufferData(GL_SHADER_STORAGE_BUFFER, 2 * Portion::places * sizeof(std::uint16_t), nullptr, GL_STATIC_DRAW);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, Portion::places * sizeof(std::uint16_t), block.data());
}

void BodySplat::shuffle_rest(std::size_t rest) {
  if (rest == rest_) return;
  rest_ = rest;
  const std::vector<std::uint16_t> block = shuffled_block(rest);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, order_.name());
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, Portion::places * sizeof(std::uint16_t),
                  static_cast<GLsizeiptr>(rest * sizeof(std::uint16_t)), block.data());
}

void BodySplat::make_room(std::size_t bodies, std::size_t words) {
  if (words > words_) {
    for (gl::Buffer* const buffer : {&low_, &high_}) allocate(*buffer, words * sizeof(GLuint));
    words_ = words;
  }
  if (bodies <= most_large_) return;
  allocate(large_, command_bytes + bodies * sizeof(GLuint));
  most_large_ = bodies;
}

void BodySplat::draw(const Bodies& bodies, const Portion& portion, glm::ivec2 size, float surface_light) {
  const std::size_t words_of_row = channels * static_cast<std::size_t>(size.x);
  const auto rows = static_cast<int>(
      std::clamp<std::size_t>(largest_block_ / (sizeof(GLuint) * words_of_row), 1, static_cast<std::size_t>(size.y)));
  make_room(bodies.count, words_of_row * static_cast<std::size_t>(rows));
  shuffle_rest(bodies.count % Portion::places);
  const std::array<GLuint, 8> none{0, 1, large_place, 0, 0};
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, large_.name());
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof none, none.data());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, splat_binding::order, order_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, splat_binding::low, low_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, splat_binding::high, high_.name());
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, splat_binding::large, large_.name(), 0,
                    static_cast<GLsizeiptr>(command_bytes + bodies.count * sizeof(GLuint)));
  const float quantum = surface_light / quanta;
  for (Band band{0, 0}; band.first < size.y; band.first = band.end) {
    band.end = std::min(band.first + rows, size.y);
    for (const gl::Buffer* const buffer : {&low_, &high_}) {
      glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->name());
      glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    scatter_.use();
    scatter_.set("pixels", size);
    scatter_.set("band", glm::ivec2(band.first, band.end));
    scatter_.set("quantum", quantum);
    if (band.first == 0) timer_.begin();
    scatter(bodies, portion);
    if (band.first == 0)
      timer_.end(portion.share() * static_cast<double>(bodies.count) * static_cast<double>(rows) /
                 static_cast<double>(size.y));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT);
    gather(size, band, quantum);
  }
  for (GLuint binding = 0; binding < splat_binding::count; ++binding)
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
}

// Works in chunks of full blocks, limited by the largest buffer range of a shader; the last chunk includes the rest.
void BodySplat::scatter(const Bodies& bodies, const Portion& portion) const {
  const std::size_t block = Portion::places,
                    chunk = std::max<std::size_t>(largest_block_ / sizeof(glm::vec4) / block / 2, 1) * block;
  const std::size_t span = portion.end - portion.first;
  for (std::size_t first = 0; first < bodies.count; first += chunk) {
    const std::size_t count = std::min(chunk, bodies.count - first), blocks = count / block, rest = count % block;
    const std::size_t rest_first = rest * portion.first / block, rest_end = rest * portion.end / block;
    const std::size_t drawn = blocks * span + rest_end - rest_first;
    if (drawn == 0) continue;
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, splat_binding::positions, bodies.surface_buffer, bytes_of(first),
                      bytes_of(count));
    const std::size_t beyond = (bodies.count + first) % alignment;
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, splat_binding::published, bodies.surface_buffer,
                      bytes_of(bodies.count + first - beyond), bytes_of(count + beyond));
    scatter_.set("first_published", static_cast<int>(beyond));
    scatter_.set("first_body", static_cast<int>(first));
    scatter_.set("blocks", static_cast<int>(blocks));
    scatter_.set("rest", static_cast<int>(rest));
    scatter_.set("places", glm::ivec2(portion.first, portion.end));
    scatter_.set("rest_places", glm::ivec2(rest_first, rest_end));
    glDispatchCompute(static_cast<GLuint>((drawn + group - 1) / group), 1, 1);
  }
}

void BodySplat::gather(glm::ivec2 size, const Band& band, float quantum) const {
  gather_.use();
  gather_.set("pixels", size);
  gather_.set("band", glm::ivec2(band.first, band.end));
  gather_.set("quantum", quantum);
  triangle_.draw();
}

void BodySplat::draw_large() const {
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, large_.name());
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, large_.name());
  glDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_INT, nullptr);
}

}  // namespace orrery
