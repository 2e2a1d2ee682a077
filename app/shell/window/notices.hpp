/// The texts that the window shows: a passing notice; and until dismissed, failures, the fault of the devices and the
/// fault of the scene. Window thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "protocol/snapshot.hpp"

namespace orrery::shell {

class Notices {
 public:
  /// `file`: its file, for "show in folder"; empty: none. `action`: its button.
  void show(std::string notice, std::string file = {}, std::optional<NoticeAction> action = {}) {
    notice_ = {std::move(notice), std::move(file), std::move(action)};
  }
  /// Hides that notice, unless another one has replaced it.
  void pass(const std::string& notice) {
    if (notice == notice_.text) show({});
  }
  /// Shows and logs a notice; the request was done, or cancelled by the user.
  void warn(std::string notice) {
    log(Level::warning, notice);
    show(std::move(notice));
  }
  /// Shows and logs a failure; replaces the notice and an earlier failure of that title.
  void fail(std::string title, std::string text) {
    log(Level::error, text.empty() ? title : title + ": " + text);
    dismiss(title);
    show({});  // "Reading small.toml"
    if (failures_.size() == most_failures) failures_.erase(failures_.begin());
    failures_.push_back({std::move(title), std::move(text)});
    ++failed_;
  }
  /// `advice`: what to do, in addition to the error's text.
  void fail(const Error& error, const std::string& advice = {}) {
    const ErrorDetails& told = error.details();
    const bool refused = error.fault() == Fault::usage;
    std::string title = capitalised(printable(told.what, most_of_title)), text = error.what();
    if (refused) title += " was refused";
    if (!refused && told.value) title += " " + in_quotes(*told.value);
    if (!refused) text = (told.code.empty() ? "" : told.code + ". ") + capitalised(told.advice);
    fail(std::move(title), text + (text.empty() || advice.empty() ? "" : ". ") + advice);
  }
  const std::vector<Failure>& failures() const { return failures_; }
  /// Number of failures so far, including dismissed ones.
  std::int64_t failed() const { return failed_; }
  const Notice& notice() const { return notice_; }

  /// `details`: the compiler's log, if any.
  void set_device_fault(std::string fault, std::string details = {}) {
    device_fault_ = std::move(fault);
    device_details_ = std::move(details);
  }
  const std::string& device_fault() const { return device_fault_; }
  const std::string& device_details() const { return device_details_; }

  /// Called each frame; logs a new fault.
  void set_scene_fault(const std::string& fault) {
    if (!fault.empty() && fault != scene_fault_) log(Level::warning, fault);
    scene_fault_ = fault;
  }
  const std::string& scene_fault() const { return scene_fault_; }

  /// Dismisses the failure of that title; without a title, the fault of the devices.
  void dismiss(const std::string& title) {
    if (title.empty()) device_fault_.clear();
    std::erase_if(failures_, [&](const Failure& failure) { return failure.title == title; });
  }

 private:
  static constexpr std::size_t most_failures = 3, most_of_title = 300;

  Notice notice_;
  std::vector<Failure> failures_;
  std::int64_t failed_ = 0;
  std::string device_fault_, device_details_;
  std::string scene_fault_;
};

}  // namespace orrery::shell
