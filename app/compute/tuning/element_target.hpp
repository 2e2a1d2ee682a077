/// Tunes the work-group of a kernel with an item for each element.
#pragma once

#include "compute/tuning/device_tune_target.hpp"
#include "compute/tuning/element_group.hpp"

namespace orrery {

/// The kernel, its data and the expected result are what a model adds. Its destructor calls end_check().
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

  /// What a run changes is put back as it was; enqueued, and not timed.
  virtual void restore() {}
  virtual void launch(const ElementGroup& group) = 0;
  using DeviceTuneTarget::timer;

 protected:
  /// With its arguments.
  virtual const cl::Kernel& kernel() const = 0;

 private:
  TuneSubject subject_;
  TuneSpace space_;
};

}  // namespace orrery
