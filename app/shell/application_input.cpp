// Input: what the pointer and the keys do, outside the panels.
#include <algorithm>
#include <iterator>

#include "base/clock.hpp"
#include "shell/application.hpp"
#include "shell/keymap.hpp"

namespace orrery::shell {
namespace {

constexpr double double_click_seconds = 0.35;
constexpr float double_click_pixels = 5;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

std::string_view name_of(const ParameterView& parameter) { return parameter.info.name; }

/// Where the scene tells no limits of its kernels: the powers of two that the device allows; "auto" counts as 64.
WorkGroupLimits limits_of(const DeviceInfo& device, std::int64_t chosen) {
  WorkGroupLimits limits;
  limits.in_use = chosen > 0 ? static_cast<std::size_t>(chosen) : 64;
  limits.legal.push_back(1);
  while (2 * limits.legal.back() <= device.max_work_group) limits.legal.push_back(2 * limits.legal.back());
  return limits;
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
  event.shift = modifiers_.shift;
  event.control = modifiers_.control;
  scene_->pointer(event);
}

void Application::handle(const MouseMove& event) {
  pointer_ = event.position;
  if (dragging_ || !imgui_.has_pointer()) send({PointerEvent::Kind::move});
}

void Application::handle(const MouseButton& event) {
  modifiers_ = event.modifiers;
  if (event.pressed && imgui_.has_pointer()) return;
  if (!event.pressed && !dragging_) return;
  down_[static_cast<std::size_t>(event.button)] = event.pressed;
  dragging_ = down_[0] || down_[1] || down_[2];
  send({event.pressed ? PointerEvent::Kind::press : PointerEvent::Kind::release, event.button});
  if (!event.pressed || event.button != PointerButton::left) return;
  const double now = now_seconds();
  const bool again =
      now - last_press_ < double_click_seconds && glm::distance(pointer_, last_press_at_) < double_click_pixels;
  if (again) send({PointerEvent::Kind::double_click, event.button});
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
  const KeyBinding* binding = find_binding(window_keys(), event.key, event.modifiers);
  if (binding == nullptr && scene_ != nullptr) binding = find_binding(scene_->kind().keys, event.key, event.modifiers);
  if (binding != nullptr && (binding->while_typing || !imgui_.has_keyboard())) commands_.push_back(*binding->action);
}

// What the window itself does; false for commands of other parts.
bool Application::apply_to_window(const command::Command& command) {
  return std::visit(
      Overloaded{[&](const command::ToggleHelp&) { return ui_.help_open = !ui_.help_open, true; },
                 [&](const command::TogglePanels&) { return ui_.hidden = !ui_.hidden, true; },
                 [&](const command::ToggleFullScreen&) { return window_.toggle_full_screen(), true; },
                 [&](const command::ToggleTimeline&) {
                   ui_.timeline.open = !ui_.timeline.open;
                   return true;
                 },
                 [&](const command::ToggleEditor&) {
                   apply(command::ShowKernel{ui_.editor.open ? std::string() : main_kernel()});
                   return true;
                 },
                 [&](const command::SaveEditedKernel&) {
                   ui_.editor.save = ui_.editor.save || ui_.editor.open;
                   return true;
                 },
                 [&](const command::Escape&) { return escape(), true; },
                 [&](const command::Quit&) { return window_.request_close(), true; },
                 [&](const command::NextScene&) { return next_scene(), true; },
                 [&](const command::NextDevice&) { return devices_.choose_next(), true; },
                 [&](const command::ChangeWorkGroup& change) { return change_work_group(change.direction), true; },
                 [&](const command::ToggleParameter& wanted) { return toggle(wanted.name), true; },
                 [&](const command::SelectScene& wanted) { return select_scene(wanted.name), true; },
                 [&](const command::SelectDevices& wanted) { return devices_.choose(wanted), true; },
                 [&](const command::SetVsync& wanted) { return presenter_.set_vsync(wanted.on), true; },
                 [&](const command::DismissMessage&) { return notices_.dismiss(), true; },
                 [](const auto&) { return false; }},
      command);
}

// A text field has its own use for the key, and goes first.
void Application::escape() {
  ui_.editor.code.escape = true;
  if (imgui_.has_keyboard()) return;
  if (!ui_.help_open && window_.full_screen()) window_.toggle_full_screen();
  ui_.help_open = false;
}

void Application::next_scene() {
  const auto at = std::ranges::find(scenes_, scene_, [](const auto& s) { return s.get(); }) - scenes_.begin();
  if (!scenes_.empty()) scene_ = scenes_[(static_cast<std::size_t>(at) + 1) % scenes_.size()].get();
}

void Application::toggle(const std::string& parameter) {
  if (scene_ == nullptr) return;
  for (const ParameterView& each : scene_->snapshot().parameters)
    if (each.info.name == parameter) scene_->apply(command::SetParameter{parameter, !std::get<bool>(each.value)});
}

void Application::change_work_group(int direction) {
  const OpenDevices* const open = devices_.devices();
  if (scene_ == nullptr || open == nullptr) return;
  const SceneSnapshot seen = scene_->snapshot();
  const auto parameter = std::ranges::find(seen.parameters, work_group_parameter, &name_of);
  if (parameter == seen.parameters.end()) return;
  WorkGroupLimits limits = seen.work_group;
  if (limits.legal.empty()) limits = limits_of(open->device(), std::get<std::int64_t>(parameter->value));
  const auto& legal = limits.legal;
  const auto above = std::ranges::upper_bound(legal, limits.in_use);
  const auto at = above == legal.begin() ? 0 : above - legal.begin() - 1;
  const auto wanted = std::clamp<std::ptrdiff_t>(at + direction, 0, std::ssize(legal) - 1);
  scene_->apply(command::SetParameter{std::string(work_group_parameter),
                                      static_cast<std::int64_t>(legal[static_cast<std::size_t>(wanted)])});
}

// The file of the kernel that the scene is about; where the scene names none, of the one that takes most of the time.
std::string Application::main_kernel() const {
  if (scene_ == nullptr) return {};
  const std::string named = scene_->snapshot().work_group.kernel;
  return named.empty() ? tools_.kernels().file_of_busiest() : tools_.kernels().file_of(named);
}

}  // namespace orrery::shell
