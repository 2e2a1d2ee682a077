/// A worker thread makes what a simulation begins from, so that the window draws it before a device can compute.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/work/background.hpp"

namespace orrery {

/// Equal keys make equal values. Window thread; never waits, but for the destructor.
template <std::equality_comparable Key, class Value>
class Sketch {
 public:
  /// Asks for the value of this key; the value of an earlier one stays until the new one is there. The sketch tells no
  /// failure: the simulation, which begins from the same, tells it.
  void follow(const Key& key, std::function<Value()> make) {
    if (key_ != key) {
      key_ = key;
      making_.start(std::move(make));
    }
    try {
      if (auto made = making_.poll()) take(std::make_shared<const Value>(std::move(*made)));
    } catch (...) {  // cancelled, too
      take(nullptr);
    }
  }
  void forget() {
    key_.reset();
    making_.forget();
    value_.reset();
  }
  bool busy() const { return making_.busy(); }
  /// Null while there is none.
  const std::shared_ptr<const Value>& value() const { return value_; }
  /// Counts the values so far.
  std::int64_t serial() const { return serial_; }

 private:
  void take(std::shared_ptr<const Value> value) {
    value_ = std::move(value);
    ++serial_;
  }

  std::optional<Key> key_;  // of what is being made, or was made last
  Background<Value> making_;
  std::shared_ptr<const Value> value_;
  std::int64_t serial_ = 0;
};

}  // namespace orrery
