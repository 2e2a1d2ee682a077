#include "render/gl.hpp"

#include <algorithm>
#include <array>
#include <glm/gtc/type_ptr.hpp>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"

namespace orrery::gl {

bool draws_on_processor() {
  const std::string_view renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  constexpr std::array<std::string_view, 3> known{"llvmpipe", "softpipe", "swrast"};
  return std::ranges::any_of(known, [&](std::string_view name) { return renderer.find(name) != renderer.npos; });
}

namespace {

std::string info_log(GLuint object, bool program) {
  GLint length = 0;
  program ? glGetProgramiv(object, GL_INFO_LOG_LENGTH, &length) : glGetShaderiv(object, GL_INFO_LOG_LENGTH, &length);
  std::string text(static_cast<std::size_t>(std::max(length, 1)), '\0');
  program ? glGetProgramInfoLog(object, length, nullptr, text.data())
          : glGetShaderInfoLog(object, length, nullptr, text.data());
  return text.c_str();
}

Error shader_error(const std::string& what, const std::string& text) {
  return {Fault::failure, {what, {}, {}, {}, text.substr(0, text.find('\n')), text}};
}

// Inserted after the #version line.
std::string with_definitions(std::string source, std::string_view definitions) {
  source.insert(std::min(source.find('\n') + 1, source.size()), std::string(definitions));
  return source;
}

// The file's text, with each line `#include "FILE"` replaced by the text of that file.
std::string expanded(std::string_view file) {
  constexpr std::string_view directive = "#include \"";
  std::string source = read_file(find_below(shader_folder(), file), {"a shader", 1 << 20});
  for (std::size_t at = source.find(directive); at != std::string::npos; at = source.find(directive, at)) {
    const std::size_t name = at + directive.size();
    const std::size_t quote = std::min(source.find('"', name), source.size() - 1);
    source.replace(at, quote + 1 - at, expanded(source.substr(name, quote - name)));
  }
  return source;
}

}  // namespace

void free_buffer(GLuint name) { glDeleteBuffers(1, &name); }
void free_texture(GLuint name) { glDeleteTextures(1, &name); }
void free_framebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }
void free_vertex_array(GLuint name) { glDeleteVertexArrays(1, &name); }
void free_program(GLuint name) { glDeleteProgram(name); }
void free_shader(GLuint name) { glDeleteShader(name); }

namespace {

template <class Object>
Object made(void(GLAD_API_PTR* generate)(GLsizei, GLuint*)) {
  GLuint name = 0;
  generate(1, &name);
  return Object(name);
}

}  // namespace

Buffer make_buffer() { return made<Buffer>(glGenBuffers); }
Texture make_texture() { return made<Texture>(glGenTextures); }
Framebuffer make_framebuffer() { return made<Framebuffer>(glGenFramebuffers); }
VertexArray make_vertex_array() { return made<VertexArray>(glGenVertexArrays); }

Texture picture_texture(const Image& picture) {
  Texture texture = make_texture();
  glBindTexture(GL_TEXTURE_2D, texture.name());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, static_cast<GLsizei>(picture.width), static_cast<GLsizei>(picture.height), 0,
               GL_RGB, GL_UNSIGNED_BYTE, picture.rgb.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

Image read_picture(glm::ivec2 size) {
  Image image(static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y));
  std::vector<std::uint8_t> rows(image.rgb.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, size.x, size.y, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
  const std::size_t row = 3 * static_cast<std::size_t>(size.x);
  for (std::size_t y = 0; y < image.height; ++y)
    std::copy_n(rows.data() + (image.height - 1 - y) * row, row, image.rgb.data() + y * row);
  return image;
}

ShaderProgram::ShaderProgram(std::string_view vertex_file, std::string_view fragment_file, std::string_view definitions)
    : program_(glCreateProgram()) {
  add(GL_VERTEX_SHADER, vertex_file);
  add(GL_FRAGMENT_SHADER, fragment_file, definitions);
  glLinkProgram(program_.name());
}

ShaderProgram::ShaderProgram(std::string_view compute_file) : program_(glCreateProgram()) {
  add(GL_COMPUTE_SHADER, compute_file);
  glLinkProgram(program_.name());
}

void ShaderProgram::add(GLenum stage, std::string_view file, std::string_view definitions) {
  const std::string source = with_definitions(expanded(file), definitions);
  Shader& shader = shaders_.emplace_back(Handle<free_shader>(glCreateShader(stage)), std::string(file));
  const char* text = source.c_str();
  glShaderSource(shader.handle.name(), 1, &text, nullptr);
  glCompileShader(shader.handle.name());
  glAttachShader(program_.name(), shader.handle.name());
}

void ShaderProgram::check() const {
  std::string files;
  for (const auto& [shader, file] : shaders_) {
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &compiled);
    if (compiled != GL_TRUE)
      throw shader_error("the shader " + file + " does not compile", info_log(shader.name(), false));
    files += (files.empty() ? "" : " and ") + file;
  }
  GLint status = GL_FALSE;
  glGetProgramiv(program_.name(), GL_LINK_STATUS, &status);
  if (status != GL_TRUE)
    throw shader_error("the shader " + files + " cannot be linked", info_log(program_.name(), true));
  shaders_.clear();
}

void ShaderProgram::set(const char* name, int value) const { glUniform1i(location(name), value); }
void ShaderProgram::set(const char* name, float value) const { glUniform1f(location(name), value); }
void ShaderProgram::set(const char* name, glm::ivec2 value) const {
  glUniform2iv(location(name), 1, glm::value_ptr(value));
}
void ShaderProgram::set(const char* name, glm::vec2 value) const {
  glUniform2fv(location(name), 1, glm::value_ptr(value));
}
void ShaderProgram::set(const char* name, glm::vec3 value) const {
  glUniform3fv(location(name), 1, glm::value_ptr(value));
}
void ShaderProgram::set(const char* name, glm::vec4 value) const {
  glUniform4fv(location(name), 1, glm::value_ptr(value));
}
void ShaderProgram::set(const char* name, const glm::mat4& value) const {
  glUniformMatrix4fv(location(name), 1, GL_FALSE, glm::value_ptr(value));
}

FullscreenTriangle::FullscreenTriangle() : array_(make_vertex_array()) {}

void FullscreenTriangle::draw() const {
  glBindVertexArray(array_.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void RenderTarget::bind(glm::ivec2 size) {
  if (size != size_) {
    texture_ = make_texture();
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    glTexStorage2D(GL_TEXTURE_2D, 1, format_, std::max(size.x, 1), std::max(size.y, 1));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (!framebuffer_) framebuffer_ = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.name(), 0);
    size_ = size;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, size.x, size.y);
}

}  // namespace orrery::gl
