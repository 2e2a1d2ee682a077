/// Draws scenes into pictures without a window, by a time that the caller gives: the scenes are the window's own, and
/// are called in the same order. A simulation stands still but for the bursts that are asked for, and a picture is
/// drawn when all of it is known. So the same calls make the same pictures, however fast the machine is.
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
  /// Scenes and context must outlive it; scenes keep what they draw with until they end, and the context must outlive
  /// them. `check` is called again and again while it waits, and ends that by throwing. Throws a
  /// usage Error for a size that the driver cannot draw.
  OfflineRenderer(const OffscreenContext& context, const Scenes& scenes, std::vector<DeviceInfo> devices,
                  glm::ivec2 size, std::function<void()> check);
  ~OfflineRenderer();
  OfflineRenderer(const OfflineRenderer&) = delete;
  OfflineRenderer& operator=(const OfflineRenderer&) = delete;

  /// A simulation computes one burst; other scenes have none.
  void compute_burst(Scene& scene);
  /// Time goes on by so many seconds: what moves by itself moves on.
  void pass(Scene& scene, double seconds);
  /// Waits until the scene's picture is complete. A simulation that runs is paused. Throws a failure where something
  /// prevents that: numbers that are not finite, kernels that cannot be built.
  Image draw(Scene& scene);
  /// draw() would make another picture than the last one.
  bool has_news(Scene& scene) const { return !scene.status().complete || scene.news(view_) != News::none; }
  /// After draw(): waits until Scene::copy() tells what was drawn.
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
  double time_ = 0;               // that has passed, in seconds
  const Scene* shown_ = nullptr;  // whose picture was drawn last
  std::string told_;              // the fault that was told last
};

}  // namespace orrery::shell
