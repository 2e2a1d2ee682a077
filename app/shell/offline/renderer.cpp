#include "shell/offline/renderer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/work/abandon.hpp"

namespace orrery::shell {
namespace {

constexpr std::chrono::microseconds poll_interval{200};
constexpr double checked_every = 0.1;                         // seconds
constexpr double launch_seconds = 0.05, ahead_seconds = 0.1;  // work in flight; frames have no deadline
const double longest_silence = patience(60);                  // seconds without an answer of a device
constexpr double gliding_seconds = 100;                       // seconds after which all gliding has ended

// Throws for OpenGL errors since the last call, mostly due to lack of memory.
void check_drawing(glm::ivec2 size) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  while (glGetError() != GL_NO_ERROR) continue;
  const std::string pixels = std::to_string(size.x) + "x" + std::to_string(size.y) + " pixels";
  if (error == GL_OUT_OF_MEMORY)
    throw failure("OpenGL has no memory for a picture of " + pixels, "try a smaller --size");
  throw failure("OpenGL could not draw a picture of " + pixels + " (error " + std::to_string(error) + ")",
                "update the graphics driver");
}

}  // namespace

OfflineRenderer::OfflineRenderer(const OffscreenContext& context, const Scenes& scenes, std::vector<DeviceInfo> devices,
                                 glm::ivec2 size, std::function<void()> check)
    : scenes_(scenes), check_(std::move(check)) {
  const int most = context.longest_side();
  if (size.x > most || size.y > most)
    throw usage_error(
        "--size", std::to_string(size.x) + "x" + std::to_string(size.y),
        "sides up to " + std::to_string(most) + " pixels, the most that " + context.renderer() + " draws");
  target_.bind(size);
  check_drawing(size);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw failure("OpenGL makes no framebuffer of " + std::to_string(size.x) + "x" + std::to_string(size.y),
                  "try a smaller --size");
  view_ = {.size = size, .framebuffer = size, .target = target_.framebuffer(), .kept = true, .offline = true};
  devices_ = std::make_unique<OpenDevices>(std::move(devices), GlShareProperties(), false);
  ComputeContext& compute = devices_->context();
  compute.launch_seconds = launch_seconds;
  compute.ahead_seconds = ahead_seconds;
  for (const auto& scene : scenes_) scene->attach(compute);
}

OfflineRenderer::~OfflineRenderer() {
  for (const auto& scene : scenes_) (void)scene->leave(Leaving::at_once);
  if (!abandoned::working()) return;
  abandon(devices_);  // unwanted kernels are still being built on them
  abandoned::close([] { return true; });
}

void OfflineRenderer::update(Scene& scene, double frame) {
  devices_->queue().harvest();
  scene.update(time_, frame, view_);
}

void OfflineRenderer::check_health(Scene& scene) {
  check_();
  if (const std::string notice = scene.take_notice(); !notice.empty()) log(Level::warning, notice);
  const SceneSnapshot seen = scene.snapshot();
  if (const std::string fault = (seen.fault_title.empty() ? "" : seen.fault_title + ": ") + seen.fault;
      !seen.fault.empty()) {
    const SceneStatus status = scene.status();
    if (status.stuck || status.replaced) throw Error(Fault::failure, {.what = fault, .log = seen.fault_log});
    if (fault != std::exchange(told_, fault)) log(Level::warning, fault);
  }
  if (devices_->measure_silence(now_seconds()) > longest_silence)
    throw failure(device().name + " has not answered for " + std::to_string(std::lround(longest_silence)) + " s",
                  "choose another device with --device");
}

void OfflineRenderer::wait_until(Scene& scene, const std::function<bool()>& done) {
  for (double checked = now_seconds(); !done(); std::this_thread::sleep_for(poll_interval)) {
    if (now_seconds() - checked < checked_every) continue;
    check_health(scene);
    checked = now_seconds();
  }
}

void OfflineRenderer::compute_burst(Scene& scene) {
  const auto before = scene.status().simulation;
  if (!before) return;
  scene.apply(command::StepOnce{});
  wait_until(scene, [&] {
    update(scene, 0);
    const SceneStatus now = scene.status();
    return now.simulation->pictures > before->pictures && scene.news(view_) != News::none;
  });
}

void OfflineRenderer::pass(Scene& scene, double seconds) {
  time_ += seconds;
  update(scene, seconds);
}

Image OfflineRenderer::draw(Scene& scene) {
  if (const auto running = scene.status().simulation; running && !running->paused)
    scene.apply(command::SetPaused{true});
  const auto complete = [&] {
    update(scene, 0);
    if (scene.news(view_) != News::none) {
      scene.draw(view_);
      glFlush();  // later reads complete
    }
    return scene.status().complete && scene.news(view_) == News::none;
  };
  wait_until(scene, complete);
  if (&scene != std::exchange(shown_, &scene)) {
    time_ += gliding_seconds;
    wait_until(scene, complete);
  }
  check_health(scene);
  check_drawing(view_.size);
  glBindFramebuffer(GL_FRAMEBUFFER, view_.target);
  return gl::read_picture(view_.size);
}

void OfflineRenderer::await_copy(Scene& scene) {
  wait_until(scene, [&] {
    update(scene, 0);
    return !scene.status().awaits_copy;
  });
}

}  // namespace orrery::shell
