/// Tunes the work-group of an elementwise kernel.
#pragma once

#include "compute/tuning/device_tune_target.hpp"
#include "compute/tuning/element_group.hpp"

namespace orrery {

/// A model adds the kernel, its data and the expected result. Its destructor calls end_check().
class ElementTarget : public DeviceTuneTarget {
 public:
  ElementTarget(const Device& device, int dimensions, TuneSubject subject, std::size_t elements)
      : DeviceTuneTarget(device), subject_(std::move(subject)), space_(element_space(device.info(), dimensions)) {
    subject_.work = static_cast<double>(elements);
  }

  const TuneSubject& subject() const override { return subject_; }
  const TuneSpace& space() const override { return space_; }
  TuneValues standard() const override { return element_values(space_, standard_element_group(device().info())); }
  std::string refuse(const TuneValues& values) const override;
  std::unique_ptr<TuneRun> prepare(const TuneValues& values) override;

  /// Restores the data that a run changes; enqueued, not timed.
  virtual void restore() {}
  virtual void launch(const ElementGroup& group) = 0;
  using DeviceTuneTarget::timer;

 protected:
  /// The kernel with its arguments.
  virtual const cl::Kernel& kernel() const = 0;

 private:
  TuneSubject subject_;
  TuneSpace space_;
};

}  // namespace orrery
