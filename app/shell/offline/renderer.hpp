/// Draws scenes into pictures without a window, at times given by the caller; scenes are called in the window's order.
/// A simulation advances only by requested bursts, and a picture is drawn when it is complete. So equal calls make
/// equal pictures on machines of any speed.
///
/// Main thread; waits for the device.
#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/files/image.hpp"
#include "render/gl.hpp"
#include "scene/scene.hpp"
#include "shell/devices/open_devices.hpp"
#include "shell/files/document.hpp"
#include "shell/window/offscreen_context.hpp"

namespace orrery::shell {

class OfflineRenderer {
 public:
  /// Scenes must outlive it, and the context must outlive the scenes, which keep OpenGL objects. `check` is called
  /// repeatedly during waits, and ends them by throwing. Throws a usage Error for a size that the driver cannot draw.
  OfflineRenderer(const OffscreenContext& context, const Scenes& scenes, std::vector<DeviceInfo> devices,
                  glm::ivec2 size, std::function<void()> check);
  ~OfflineRenderer();
  OfflineRenderer(const OfflineRenderer&) = delete;
  OfflineRenderer& operator=(const OfflineRenderer&) = delete;

  /// Computes one burst of a simulation; no effect on other scenes.
  void compute_burst(Scene& scene);
  /// Advances time, and all motion that depends on it, by that many seconds.
  void pass(Scene& scene, double seconds);
  /// Waits until the scene's picture is complete. Pauses a running simulation. Throws a failure if the picture cannot
  /// be completed: non-finite numbers, kernels that do not build.
  Image draw(Scene& scene);
  /// True if draw() would make a different picture.
  bool has_news(Scene& scene) const { return !scene.status().complete || scene.news(view_) != News::none; }
  /// Waits after draw() until Scene::copy() has the drawn state.
  void await_copy(Scene& scene);

  const DeviceInfo& device() const { return devices_->device(); }

 private:
  void update(Scene& scene, double frame);
  void wait_until(Scene& scene, const std::function<bool()>& done);
  void check_health(Scene& scene);

  const Scenes& scenes_;
  std::function<void()> check_;
  gl::RenderTarget target_{GL_RGBA8};
  Viewport view_;
  std::unique_ptr<OpenDevices> devices_;
  double time_ = 0;               // elapsed time in seconds
  const Scene* shown_ = nullptr;  // scene of the last picture
  std::string told_;              // last reported fault
};

}  // namespace orrery::shell
