/// Keeps objects that cannot be destroyed yet: objects of an unresponsive driver, whose destructors would wait, and
/// work on a thread that cannot be stopped. They are destroyed once that needs no wait, or never if the process ends
/// first. Also destroys slow values on a thread of their own.
///
/// Window thread.
#pragma once

#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "base/platform/threads.hpp"
#include "base/work/background.hpp"

namespace orrery {

namespace abandoned {

/// A value kept for later destruction.
class Thing {
 public:
  virtual ~Thing() = default;
  /// True if no thread uses the value. Never waits.
  virtual bool at_rest() { return true; }
};

template <class T>
class Kept : public Thing {
 public:
  explicit Kept(T&& value) : value_(std::move(value)) {}

 private:
  T value_;
};

template <class T>
class Kept<Background<T>> : public Thing {
 public:
  explicit Kept(Background<T>&& work) : work_(std::move(work)) { work_.forget(); }
  bool at_rest() override {
    (void)work_.poll();  // failures of abandoned work are not reported
    return !work_.busy();
  }

 private:
  Background<T> work_;
};

void keep(std::unique_ptr<Thing> thing);
/// The value belongs to no group.
void keep_alone(std::unique_ptr<Thing> thing);

}  // namespace abandoned

/// Keeps the value; the variable passed is empty afterwards.
template <class T>
void abandon(T& value) {
  abandoned::keep(std::make_unique<abandoned::Kept<T>>(std::move(value)));
  std::destroy_at(&value);  // not assigned: g++ 12 warns about the content of an empty optional
  std::construct_at(&value);
}

/// Ends the work without a wait: running work is abandoned, and the objects it uses must stay (abandoned::working()).
template <class T>
void leave(Background<T>& work) {
  work.forget();
  (void)work.poll();  // failures of abandoned work are not reported
  if (work.busy()) return abandon(work);
  work = {};
}

namespace abandoned {

/// True while work runs that was abandoned without the objects it uses. They must not be destroyed until it
/// ends.
bool working();
/// Groups everything abandoned since the last call. The group is destroyed, in the order of abandoning, once `answers`
/// reports that its device responds again and no thread works on any member.
void close(std::function<bool()> answers);
/// Destroys values that need no wait; call regularly.
void let_go();
/// True while values are kept or are being destroyed.
bool any();

/// Destroys the value on a thread of its own, or here if no thread can be started.
template <class T>
void destroy_elsewhere(T value) {
  Background<bool> work;
  try {
    work.start([kept = std::make_shared<T>(std::move(value))] {  // destroyed when the work ends
      name_thread("release");
      return true;
    });
  } catch (const std::system_error&) {
    return;
  }
  keep_alone(std::make_unique<Kept<Background<bool>>>(std::move(work)));
}

}  // namespace abandoned

}  // namespace orrery
