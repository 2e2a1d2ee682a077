/// OpenGL objects that release themselves. Window thread only, with a current context.
#pragma once

#include <glad/gl.h>

#include <glm/glm.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/image.hpp"

namespace orrery::gl {

/// Owns one GL name. `Free` deletes it.
template <void (*Free)(GLuint)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(GLuint name) : name_(name) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, 0);
    }
    return *this;
  }
  GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }
  void reset() {
    if (name_ != 0) Free(std::exchange(name_, 0));
  }

 private:
  GLuint name_ = 0;
};

/// True if OpenGL has no device: Mesa draws on the processor.
bool draws_on_processor();

void free_buffer(GLuint name);
void free_texture(GLuint name);
void free_framebuffer(GLuint name);
void free_vertex_array(GLuint name);
void free_program(GLuint name);
void free_shader(GLuint name);

using Buffer = Handle<free_buffer>;
using Texture = Handle<free_texture>;
using Framebuffer = Handle<free_framebuffer>;
using VertexArray = Handle<free_vertex_array>;

Buffer make_buffer();
Texture make_texture();
Framebuffer make_framebuffer();
VertexArray make_vertex_array();
/// A texture with that picture, interpolated when enlarged.
Texture picture_texture(const Image& picture);

/// Reads the lower left part of that size from the framebuffer bound for reading. Waits for drawing.
Image read_picture(glm::ivec2 size);

/// A linked program of files in the shader folder. Lines `#include "FILE"` are replaced by the text of that file.
/// A driver may compile it in the background: the first use() waits for that, and throws an Error with the files and
/// the driver's log if it failed.
class ShaderProgram {
 public:
  /// `definitions` are #define lines at the top of the fragment shader. Throws an Error for files that cannot be read.
  ShaderProgram(std::string_view vertex_file, std::string_view fragment_file, std::string_view definitions = {});
  /// A compute program.
  explicit ShaderProgram(std::string_view compute_file);
  void use() const {
    if (!shaders_.empty()) check();
    glUseProgram(program_.name());
  }
  /// Sets a uniform of the current program; names removed by the linker are ignored.
  void set(const char* name, int value) const;
  void set(const char* name, float value) const;
  void set(const char* name, glm::ivec2 value) const;
  void set(const char* name, glm::vec2 value) const;
  void set(const char* name, glm::vec3 value) const;
  void set(const char* name, glm::vec4 value) const;
  void set(const char* name, const glm::mat4& value) const;

 private:
  GLint location(const char* name) const { return glGetUniformLocation(program_.name(), name); }
  void add(GLenum stage, std::string_view file, std::string_view definitions = {});
  void check() const;

  Handle<free_program> program_;
  struct Shader {
    Handle<free_shader> handle;
    std::string file;
  };
  mutable std::vector<Shader> shaders_;  // kept until linking has succeeded
};

/// Draws one triangle that covers the viewport; the vertex shader (fullscreen.vert) derives it from gl_VertexID and
/// passes `uv` (0 … 1, origin bottom left).
class FullscreenTriangle {
 public:
  FullscreenTriangle();
  void draw() const;

 private:
  VertexArray array_;
};

/// A colour texture and its framebuffer, recreated when the size changes.
class RenderTarget {
 public:
  explicit RenderTarget(GLenum internal_format) : format_(internal_format) {}
  /// Binds the framebuffer and sets the viewport; the content is undefined after a change of size.
  void bind(glm::ivec2 size);
  GLuint texture() const { return texture_.name(); }
  GLuint framebuffer() const { return framebuffer_.name(); }
  glm::ivec2 size() const { return size_; }

 private:
  GLenum format_;
  glm::ivec2 size_{0, 0};
  Texture texture_;
  Framebuffer framebuffer_;
};

}  // namespace orrery::gl
