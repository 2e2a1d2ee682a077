// Devices: a session on one or several is opened, watched, left, abandoned and begun anew.
#include <algorithm>
#include <thread>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/patience.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "base/work/heap.hpp"
#include "compute/device/answering.hpp"
#include "compute/program/compiler.hpp"
#include "shell/application.hpp"
#include "shell/devices/relaunch.hpp"

namespace orrery::shell {
namespace {

const double longest_silence = patience(2);         // of a device, in seconds, before a person is told
const double patience_with_leaving = patience(10);  // … and before a move to another device waits for it no more
const double patience_with_answer = patience(10);   // of a device that has failed, in seconds
constexpr double long_building = 2;                 // seconds, after which a person may give it up
const double long_preparing = patience(5);          // seconds, after which it is said that kernels are not ready yet
constexpr double let_go_interval = 0.5;             // seconds between two looks at what has been abandoned
constexpr double tidy_interval = 10;                // seconds between two returns of what compilers have left behind
constexpr std::size_t most_losses = 3;              // of a device, …
constexpr double losses_interval = 600;             // … in so many seconds, before it is set aside

}  // namespace

// What the state file tells must be on the host; a device that does not answer costs the newest bodies, not the file.
void Application::fetch_state() {
  constexpr double patience = 10;
  const double began = now_seconds();
  try {
    watch_device();
    while (session_ && !silent_ && !can_let_go() && now_seconds() - began < patience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      watch_device();
    }
  } catch (const std::exception& error) {
    log(Level::error, as_error(error).what());
    silent_ = true;
  }
  if (session_ && silent_) abandon_session();
}

void Application::follow_devices() {
  // Where there is none at all, the page that says how to install one needs no fault beside it.
  if (devices_.found() && !ranked_devices(devices_.platforms()).empty()) {
    try {
      wanted_ = devices_.choose(options_, window_.share_properties());
    } catch (const Error& error) {
      if (error.fault() == Fault::usage) throw;
      fail(error);
    }
  }
  go_on_after_failure();
  watch_device();
  if (wanted_.empty()) {
    wanted_since_ = now_seconds();
    return;
  }
  try {
    const bool in_vain = silent_ || now_seconds() - wanted_since_ > patience_with_leaving;
    if (session_ && in_vain) abandon_session();
    if (can_let_go()) open(std::exchange(wanted_, {}));
  } catch (const std::exception& error) {  // the device that is left has failed: its last copy goes along
    log(Level::error, as_error(error).what());
    open(std::exchange(wanted_, {}));
  }
}

bool Application::can_let_go() {
  bool ready = !editor_.building();  // whose end would be waited for
  if (session_)
    for (const auto& scene : scenes_) ready = scene->ready_to_detach() && ready;
  return ready;
}

std::string Application::silence() const {
  return names_of(session_->devices()) + " has not answered for " + brief(longest_silence) + " s";
}

// A kernel that never ends holds its device, and nothing else.
void Application::watch_device() {
  try {
    const bool silent = session_ && session_->silence(now_seconds()) > longest_silence;
    if (silent && !silent_) log(Level::warning, silence());
    silent_ = silent;
  } catch (const Error& error) {
    fail(error);
  }
}

// A read may be under way into memory that is about to be freed: its end is waited for, for a moment, or the memory
// kept.
void Application::drop_failed_session() {
  constexpr double patience = 0.5;
  if (!session_) return;
  try {
    const cl::Event last = session_->queue().marker();
    session_->queue().flush();
    for (const double began = now_seconds(); !is_complete(last) && now_seconds() - began < patience;)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (is_complete(last)) return close_session();
  } catch (const Error&) {  // nor does it tell any more
  }
  abandon_session();
}

void Application::abandon_session() {
  for (const auto& scene : scenes_) scene->abandon();
  tuner_.abandon();
  scene_done_ = {};
  editor_.abandon();
  if (silent_) editor_.withdraw("taken back: the device did not answer any more");
  OpenSession* const session = session_.get();
  orrery::abandon(session_);
  abandoned::close([session] { return session->has_come_back(); });
  silent_ = false;
}

bool Application::can_give_up() const {
  return session_ && scene_ != nullptr && (scene_->can_give_up() || editor_.building());
}

// A minute of somebody else's compiler need not be a minute of a person's.
void Application::watch_building() {
  const double now = now_seconds();
  if (!can_give_up()) building_since_ = now;
  ui_.can_give_up = now - building_since_ > long_building;
  const bool preparing = session_ && scene_ != nullptr && (scene_->compiling() || editor_.building());
  if (!preparing) preparing_since_ = now, preparing_told_ = false;
  if (preparing) littered_ = true;
  if (now - preparing_since_ > long_preparing && !std::exchange(preparing_told_, true))
    log(Level::warning,
        names_of(session_->devices()) + " has been preparing kernels for " + brief(long_preparing) + " s");
  if (now - let_go_when_ < let_go_interval) return;
  let_go_when_ = now;
  abandoned::let_go();
  (void)tidying_.poll();
  if (preparing || now - tidied_when_ < tidy_interval || !std::exchange(littered_, false)) return;
  tidied_when_ = now;
  tidying_.start([] { return return_free_memory(), true; });
}

void Application::give_up_building() {
  if (!can_give_up()) return;
  for (const DeviceInfo& device : session_->devices())
    if (const auto compiler = compiler_for(device)) compiler->stop();
  message_ = "Given up; what ran before goes on";
  log(Level::warning, "a person has given up what was being built");
}

// All that was made in OpenGL is gone, and in OpenCL what was shared with it: another process can draw again.
void Application::begin_anew_after_reset() {
  log(Level::error, "the graphics driver has been reset");
  fetch_state();
  std::filesystem::path file = sessions_.for_successor();
  if (file.empty()) file = std::filesystem::temp_directory_path() / "orrery-after-reset.toml";
  write_state(file, state());
  const double lived = now_seconds() - launched_;
  try {
    relaunch(arguments_to_go_on(options_, file, clock_.count(), lived), lived);
  } catch (const Error& error) {
    throw failure(std::string("the graphics driver has been reset, and ") + error.what(),
                  "orrery --state " + file.string() + " goes on from here");
  }
}

void Application::open(std::vector<DeviceInfo> devices) {
  close_session();
  try {
    session_ = std::make_unique<OpenSession>(std::move(devices), window_.share_properties(), options_.interop);
    trace_queue();
    for (const auto& scene : scenes_) scene->attach(session_->context());
    fault_.clear();
    fault_log_.clear();
  } catch (const Error& error) {
    fail(error);
  }
}

void Application::trace_queue() {
  const Device& device = session_->context().device;
  session_->queue().profiler().trace_into(QueueTrace(timeline_.timeline(), device.info().name, device));
}

void Application::close_session() {
  if (!session_) return;
  littered_ = true;
  editor_.leave();
  tuner_.leave();
  scene_done_ = {};
  for (const auto& scene : scenes_) scene->detach();
  if (!abandoned::working()) return session_.reset();
  orrery::abandon(session_);  // it goes when those that are still at work for it are done
  abandoned::close([] { return true; });
}

bool Application::all_let_go(double patience) {
  for (const double began = now_seconds(); abandoned::any() && now_seconds() - began < patience; abandoned::let_go())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return !abandoned::any();
}

void Application::fail(const Error& error) {
  log(Level::error, error.what());
  fault_ = error.what();
  fault_log_ = error.details().log;
  editor_.withdraw("taken back: the device failed");
  std::vector<DeviceInfo> devices = session_ ? session_->devices() : std::vector<DeviceInfo>();
  drop_failed_session();
  if (devices.empty()) return;
  failed_ = devices;
  failure_ = fault_;
  answering_.start([devices = std::move(devices)] {
    std::vector<DeviceInfo> rest = answering(devices, patience_with_answer);
    if (rest.size() == devices.size()) rest.resize(1);  // each would do alone; together they do not
    return rest;
  });
}

// The scenes go on from their last copy on the host: on the same device, on the others of several; a device that keeps
// failing is set aside.
void Application::go_on_after_failure() {
  auto rest = answering_.poll();
  if (!rest || session_ || !wanted_.empty()) return;
  if (failed_.size() == 1) {
    const double now = now_seconds();
    std::vector<double>& losses = losses_[text_of(failed_.front().id)];
    std::erase_if(losses, [now](double when) { return now - when > losses_interval; });
    losses.push_back(now);
    if (rest->empty() || losses.size() >= most_losses) {
      const std::string reason = rest->empty() ? "it does not answer any more: " : "it failed three times: ";
      losses.clear();
      devices_.set_aside(failed_.front(), reason + failure_);
      fault_ = names_of(failed_) + " is set aside, " + reason + failure_;
      return log(Level::error, fault_);
    }
  }
  if (rest->empty()) return;
  const std::string names = names_of(*rest);
  const bool fewer = rest->size() < failed_.size();
  open(std::move(*rest));
  if (!session_) return;
  fault_ = (fewer ? "The bodies go on with " + names + " alone: " : names + " goes on from a copy: ") + failure_;
}

}  // namespace orrery::shell
