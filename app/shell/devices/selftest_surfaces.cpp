#include "shell/devices/selftest_surfaces.hpp"

#include <glad/gl.h>

#include <optional>

#include "base/error.hpp"
#include "interop/sharing.hpp"
#include "shell/window.hpp"

namespace orrery::shell {
namespace {

constexpr cl_uint count = 65536 + 3;

/// The window, once it is needed.
class Screen {
 public:
  const Window& window() {
    if (!reason_.empty()) throw NotHere{reason_};
    if (window_) return *window_;
    try {
      return window_.emplace(glm::ivec2{320, 200}, "Orrery", false, Window::Show::no);
    } catch (const Error& error) {
      reason_ = error.details().what;
      throw NotHere{reason_};
    }
  }

 private:
  std::optional<Window> window_;
  std::string reason_;
};

std::vector<cl_uint> read_by_opengl(unsigned buffer) {
  std::vector<cl_uint> values(count);
  glBindBuffer(GL_COPY_READ_BUFFER, buffer);
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(cl_uint)), values.data());
  return values;
}

void write_by_opencl(ProgramLibrary& programs, Queue& queue, Surface& surface, cl_uint seed) {
  cl::Kernel kernel = programs.build({"selftest.cl", {{"WORK_GROUP", "1"}}})->kernel("fill_pattern");
  {
    auto lease = surface.lease(queue);
    kernel.setArg(0, lease.buffer());
    kernel.setArg(1, count);
    kernel.setArg(2, seed);
    queue.launch("fill", kernel, {round_up(count, 64)});
  }
  queue.finish();
  if (!surface.arrived()) throw failure("a surface that was handed over did not arrive");
}

std::string check_surfaces(const DeviceInfo& info, Screen& screen, bool shared) {
  const GlShareProperties properties = screen.window().share_properties();
  const OpenedDevice opened = open_for_window(info, properties, shared);
  if (shared && !opened.sharing.shared) throw NotHere{opened.sharing.reason};
  ProgramLibrary programs(opened.device);
  Queue queue(opened.device);
  const auto factory = make_surface_factory(opened.device, opened.sharing);
  SurfacePair pair(*factory, count * sizeof(cl_uint), queue);
  for (cl_uint seed = 1; seed <= 4; ++seed) {  // front and back in turn
    write_by_opencl(programs, queue, pair.back(), seed);
    pair.flip();
    const std::vector<cl_uint> seen = read_by_opengl(pair.front().gl_buffer());
    pair.front().drawn();
    for (cl_uint i = 0; i < count; ++i)
      if (seen[i] != (i + seed) * 2654435761u)
        throw failure("OpenGL reads another value " + std::to_string(i) + " than OpenCL wrote");
    glFinish();
  }
  return "4 hand-overs of 65,539 values";
}

}  // namespace

std::vector<SelftestItem> surface_selftests(const DeviceInfo& info) {
  const auto screen = std::make_shared<Screen>();
  return {{"surfaces, shared", [info, screen] { return check_surfaces(info, *screen, true); }},
          {"surfaces, copied", [info, screen] { return check_surfaces(info, *screen, false); }}};
}

}  // namespace orrery::shell
