/// A value that a worker thread publishes while it keeps working.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace orrery {

/// Any thread; a lock protects the pointer; its target is constant.
template <class T>
class Announced {
 public:
  void tell(std::shared_ptr<const T> value) {
    const std::scoped_lock lock(mutex_);
    value_ = std::move(value);
  }
  /// Null before the first value.
  std::shared_ptr<const T> told() const {
    const std::scoped_lock lock(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace orrery
