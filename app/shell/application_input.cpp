// Input: what the pointer and the keys do, outside the panels.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <iterator>

#include "base/clock.hpp"
#include "protocol/particles_snapshot.hpp"
#include "shell/application.hpp"

namespace orrery::shell {
namespace {

constexpr double double_click_seconds = 0.35;
constexpr float double_click_pixels = 5;

std::optional<PointerButton> known_button(int button) {
  switch (button) {
    case GLFW_MOUSE_BUTTON_LEFT:
      return PointerButton::left;
    case GLFW_MOUSE_BUTTON_MIDDLE:
      return PointerButton::middle;
    case GLFW_MOUSE_BUTTON_RIGHT:
      return PointerButton::right;
    default:
      return std::nullopt;
  }
}

}  // namespace

void Application::handle(const InputEvent& event) {
  std::visit([this](const auto& e) { handle(e); }, event);
}

void Application::send(PointerEvent event) {
  if (scene_ == nullptr) return;
  const Viewport view = viewport();
  const glm::vec2 top_left(view.origin.x, view.framebuffer.y - view.origin.y - view.size.y);
  event.position = pointer_ - top_left;
  event.left_down = down_[0];
  event.middle_down = down_[1];
  event.right_down = down_[2];
  event.shift = (modifiers_ & GLFW_MOD_SHIFT) != 0;
  event.control = (modifiers_ & GLFW_MOD_CONTROL) != 0;
  scene_->pointer(event);
}

void Application::handle(const MouseMove& event) {
  pointer_ = event.position;
  if (dragging_ || !imgui_.has_pointer()) send({PointerEvent::Kind::move});
}

void Application::handle(const MouseButton& event) {
  const auto button = known_button(event.button);
  if (!button) return;
  modifiers_ = event.modifiers;
  if (event.pressed && imgui_.has_pointer()) return;
  if (!event.pressed && !dragging_) return;
  down_[static_cast<std::size_t>(*button)] = event.pressed;
  dragging_ = down_[0] || down_[1] || down_[2];
  send({event.pressed ? PointerEvent::Kind::press : PointerEvent::Kind::release, *button});
  if (!event.pressed || *button != PointerButton::left) return;
  const double now = now_seconds();
  const bool again =
      now - last_press_ < double_click_seconds && glm::distance(pointer_, last_press_at_) < double_click_pixels;
  if (again) send({PointerEvent::Kind::double_click, *button});
  last_press_ = again ? -1 : now;
  last_press_at_ = pointer_;
}

void Application::handle(const MouseWheel& event) {
  if (scene_ == nullptr || imgui_.has_pointer()) return;
  const Viewport view = viewport();
  const glm::vec2 top_left(view.origin.x, view.framebuffer.y - view.origin.y - view.size.y);
  scene_->scroll({pointer_ - top_left, event.steps});
}

void Application::handle(const KeyDown& event) {
  const bool control = (event.modifiers & GLFW_MOD_CONTROL) != 0;
  switch (event.key) {
    case GLFW_KEY_F1:
      ui_.help_open = !ui_.help_open;
      return;
    case GLFW_KEY_F2:
      ui_.hidden = !ui_.hidden;
      return;
    case GLFW_KEY_F11:
      window_.toggle_full_screen();
      return;
    case GLFW_KEY_F12:
      screenshot_wanted_ = true;
      return;
    default:
      break;
  }
  if (control && event.key == GLFW_KEY_Q) return window_.request_close();  // no text field has a use for it
  if (control && event.key == GLFW_KEY_S && ui_.editor.open) ui_.editor.save = true;
  if (event.key == GLFW_KEY_ESCAPE) ui_.editor.code.escape = true;
  if (imgui_.has_keyboard()) return;
  if (event.key == GLFW_KEY_ESCAPE) {
    if (!ui_.help_open && window_.full_screen()) window_.toggle_full_screen();
    ui_.help_open = false;
    return;
  }
  if (event.key == GLFW_KEY_TAB && scenes_.size() > 1) {
    const auto at = std::ranges::find(scenes_, scene_, [](const auto& s) { return s.get(); }) - scenes_.begin();
    scene_ = scenes_[(static_cast<std::size_t>(at) + 1) % scenes_.size()].get();
    return;
  }
  if (event.key == GLFW_KEY_LEFT_BRACKET) return change_work_group(-1);
  if (event.key == GLFW_KEY_RIGHT_BRACKET) return change_work_group(+1);
  if (event.key == GLFW_KEY_D) return next_device();
  if (event.key == GLFW_KEY_T) {
    ui_.timeline.open = !ui_.timeline.open;
    return;
  }
  if (event.key == GLFW_KEY_E)
    return commands_.push_back(command::ShowKernel{ui_.editor.open ? std::string() : main_kernel()});
  scene_key(event);
}

void Application::change_work_group(int direction) {
  if (scene_ == nullptr) return;
  const WorkGroupLimits limits = scene_->snapshot().work_group;
  const auto& legal = limits.legal;
  if (legal.empty()) return;
  const auto above = std::ranges::upper_bound(legal, limits.in_use);
  const auto at = above == legal.begin() ? 0 : above - legal.begin() - 1;
  const auto wanted = std::clamp<std::ptrdiff_t>(at + direction, 0, std::ssize(legal) - 1);
  commands_.emplace_back(
      command::SetParameter{"work-group", static_cast<std::int64_t>(legal[static_cast<std::size_t>(wanted)])});
}

// The file of the kernel that the scene is about.
std::string Application::main_kernel() const {
  if (scene_ == nullptr) return {};
  const auto main = std::ranges::find(kernels_, scene_->snapshot().work_group.kernel, &KernelStatistics::name);
  return main == kernels_.end() ? std::string() : main->file;
}

void Application::next_device() {
  const std::vector<DeviceInfo> usable = ranked_devices(devices_.catalog().platforms());
  if (usable.empty() || devices_.devices() == nullptr) return;
  const auto here = std::ranges::find(usable, devices_.devices()->device().id, &DeviceInfo::id);
  const auto at = here == usable.end() ? 0 : static_cast<std::size_t>(here - usable.begin()) + 1;
  commands_.emplace_back(command::SelectDevices{{usable[at % usable.size()].id}});
}

// Keys of the Mandelbrot scene that mean one command.
std::optional<command::Command> Application::mandelbrot_key(const KeyDown& event) const {
  constexpr double zoom = 0.8, pan = 0.12;  // a press; held down, they add up to a glide
  const bool control = (event.modifiers & GLFW_MOD_CONTROL) != 0;
  const SceneSnapshot seen = scene_->snapshot();
  const auto& view = std::get<MandelbrotSnapshot>(seen.view);
  switch (event.key) {
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      return command::ZoomBy{zoom};
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      return command::ZoomBy{1 / zoom};
    case GLFW_KEY_LEFT:
      return command::PanBy{-pan, 0};
    case GLFW_KEY_RIGHT:
      return command::PanBy{pan, 0};
    case GLFW_KEY_UP:
      return command::PanBy{0, pan};
    case GLFW_KEY_DOWN:
      return command::PanBy{0, -pan};
    case GLFW_KEY_SPACE:
      return command::EndFlight{false};
    case GLFW_KEY_END:
      return command::EndFlight{true};
    case GLFW_KEY_B:
      return command::AddBookmark{{}};
    case GLFW_KEY_J:
      for (const ParameterView& parameter : seen.parameters)
        if (parameter.info.name == "julia") return command::SetParameter{"julia", !std::get<bool>(parameter.value)};
      return std::nullopt;
    case GLFW_KEY_C:
      if (control)
        glfwSetClipboardString(window_.handle(), (view.center_re + " " + view.center_im + " " + view.span).c_str());
      return std::nullopt;
    case GLFW_KEY_V: {
      const char* text = control ? glfwGetClipboardString(window_.handle()) : nullptr;
      return text != nullptr ? std::optional<command::Command>(command::FlyTo{text}) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// Keys of the scenes that move by themselves.
bool Application::moving_scene_key(const KeyDown& event) {
  const auto ask = [&](const command::Command& command) {
    commands_.push_back(command);
    return true;
  };
  if (event.key == GLFW_KEY_Z && (event.modifiers & GLFW_MOD_CONTROL) != 0 && scene_->snapshot().can_rewind)
    return ask(command::Rewind{});
  if (event.key == GLFW_KEY_SPACE) {
    const SceneSnapshot seen = scene_->snapshot();
    if (const auto* view = std::get_if<NbodySnapshot>(&seen.view)) return ask(command::SetPaused{!view->paused});
    if (const auto* view = std::get_if<ParticlesView>(&seen.view)) return ask(command::SetPaused{!(*view)->paused});
    return false;
  }
  if (event.key == GLFW_KEY_N || event.key == GLFW_KEY_PERIOD) return ask(command::StepOnce{});
  if (event.key == GLFW_KEY_C) return ask(command::ResetCamera{});
  return false;
}

bool Application::scene_key(const KeyDown& event) {
  if (scene_ == nullptr) return false;
  const bool alt = (event.modifiers & GLFW_MOD_ALT) != 0;
  const bool nbody = scene_->name() == "nbody";
  const auto ask = [&](const command::Command& command) {
    commands_.push_back(command);
    return true;
  };
  if (event.key == GLFW_KEY_R) return ask(command::Reset{});
  if (scene_->name() == "particles") {
    if (event.key == GLFW_KEY_L) return ui_.particles.open = !ui_.particles.open, true;
    return moving_scene_key(event);
  }
  if (nbody) {
    if (event.key == GLFW_KEY_B) return ask(command::ReverseTime{});
    return moving_scene_key(event);
  }
  if (event.key == GLFW_KEY_BACKSPACE || (alt && event.key == GLFW_KEY_LEFT)) return ask(command::ViewBack{});
  if (alt && event.key == GLFW_KEY_RIGHT) return ask(command::ViewForward{});
  if (const auto command = mandelbrot_key(event)) return ask(*command);
  if (event.key >= GLFW_KEY_1 && event.key <= GLFW_KEY_9) {
    const SceneSnapshot seen = scene_->snapshot();
    const auto* view = std::get_if<MandelbrotSnapshot>(&seen.view);
    const auto index = static_cast<std::size_t>(event.key - GLFW_KEY_1);
    if (view != nullptr && index < view->locations.size()) return ask(command::GoToLocation{view->locations[index]});
  }
  return false;
}

}  // namespace orrery::shell
