#include "scenes/nbody/window/accuracy_measurement.hpp"

#include "base/error.hpp"

namespace orrery {
namespace {

struct MeasurementCancelled {};

}  // namespace

void AccuracyMeasurement::start(const DeviceInfo& device, const NbodySettings& settings,
                                std::shared_ptr<const NbodyState> state) {
  if (running()) return;
  run_ = std::make_shared<Run>();
  work_.start([run = run_, device, settings, state = std::move(state)]() -> std::optional<SurveyedCosts> {
    const auto between = [&run](double done) {
      if (run->stop) throw MeasurementCancelled();
      run->done = done;
    };
    try {
      ProgramLibrary programs{Device(device)};
      if (state) return survey_accuracy(programs, settings, state->bodies, between);
      return survey_accuracy(programs, settings, fresh_bodies(start_of(settings, device.device_class)), between);
    } catch (const MeasurementCancelled&) {
      return {};
    }
  });
}

void AccuracyMeasurement::poll() {
  try {
    auto done = work_.poll();
    if (!done || !*done) return;
    SurveyedCosts& found = **done;
    result_ = {.errors = std::move(found.errors),
               .quadrupole = std::move(found.quadrupole),
               .monopole = std::move(found.monopole),
               .all_pairs = std::move(found.all_pairs),
               .fault = {}};
  } catch (const Error& error) {
    result_ = {};
    result_.fault = error.what();
  }
}

AccuracyCosts AccuracyMeasurement::result() const {
  AccuracyCosts result = result_;
  result.running = running();
  result.progress = run_->done;
  return result;
}

}  // namespace orrery
