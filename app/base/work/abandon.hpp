/// What cannot be let go yet: objects of a driver that does not answer, whose destruction would wait for it, and work
/// on a thread that nobody can stop. Both are kept aside, and go once they can without a wait; else the process ends
/// first. And what takes its time to go, on a thread of its own.
///
/// Window thread.
#pragma once

#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "base/work/background.hpp"
#include "base/work/threads.hpp"

namespace orrery {

namespace abandoned {

/// A value that is kept.
class Thing {
 public:
  virtual ~Thing() = default;
  /// No thread is at work on it. Never waits.
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
    (void)work_.poll();  // of what is forgotten it tells nothing
    return !work_.busy();
  }

 private:
  Background<T> work_;
};

void keep(std::unique_ptr<Thing> thing);
/// It belongs to nothing else.
void keep_alone(std::unique_ptr<Thing> thing);

}  // namespace abandoned

/// Keeps the value as it is; the one that is left is empty.
template <class T>
void abandon(T& value) {
  abandoned::keep(std::make_unique<abandoned::Kept<T>>(std::move(value)));
  std::destroy_at(&value);  // not assigned: g++ 12 warns of what an empty optional would hold
  std::construct_at(&value);
}

/// Ends the work without a wait: what still runs is abandoned, and what it uses must stay (abandoned::working()).
template <class T>
void leave(Background<T>& work) {
  work.forget();
  (void)work.poll();  // of what is forgotten it tells nothing
  if (work.busy()) return abandon(work);
  work = {};
}

namespace abandoned {

/// Work goes on that was abandoned alone, with nothing that it uses: it goes when it ends, and until then what it uses
/// must not be destroyed.
bool working();
/// All that has been abandoned since the last call belongs together. It goes, in the order in which it was abandoned,
/// when `answers` says that its device has come back, and no thread is at work on any of it.
void close(std::function<bool()> answers);
/// Lets go of what can be; to be called now and then.
void let_go();
/// Something is still kept, or on its way out.
bool any();

/// Destroys the value on a thread of its own; here where there is none to be had.
template <class T>
void destroy_elsewhere(T value) {
  Background<bool> work;
  try {
    work.start([kept = std::make_shared<T>(std::move(value))] {  // which goes with the work's end
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
