// The tuner: what panels ask of it, and its turns with the scene.
#include "base/log.hpp"
#include "compute/tuning/variant_text.hpp"
#include "shell/application.hpp"

namespace orrery::shell {

void Application::follow_tuning(const command::Command& command) {
  if (const auto* start = std::get_if<command::StartTuning>(&command);
      start != nullptr && devices_.devices() != nullptr)
    tuner_.start(*start, devices_.devices()->context().device);
  if (std::holds_alternative<command::CancelTuning>(command)) tuner_.cancel();
  if (const auto* look = std::get_if<command::LookAtKernel>(&command)) tuner_.look_at(*look);
  if (const auto* choice = std::get_if<command::ChooseVariant>(&command)) choose(*choice);
}

void Application::choose(const command::ChooseVariant& choice) {
  if (scene_ == nullptr || choice.scene != scene_->kind().name) return;
  tuner_.check_choosable(choice);
  for (const ParameterView& parameter : scene_->snapshot().parameters)
    if (parameter.info.name == variant_parameter)
      scene_->apply(
          command::SetParameter{std::string(variant_parameter),
                                with_choice(std::get<std::string>(parameter.value), choice.kernel, choice.values)});
}

void Application::begin_tuning_asked_for() {
  if (options_.tune <= 0 || !tuner_.scene_runs()) return;
  const std::string& unavailable = tuner_.snapshot().unavailable;
  if (!unavailable.empty()) log(Level::warning, "nothing is tuned: " + unavailable);
  if (!unavailable.empty() ||
      tuner_.start({.kernel = {}, .axes = {}, .seconds = options_.tune}, devices_.devices()->context().device))
    options_.tune = 0;
}

void Application::take_turns() {
  ComputeContext& context = devices_.devices()->context();
  begin_tuning_asked_for();
  Tuner::Turn turn = tuner_.update(context.slice_seconds);
  context.yields = turn.scene_waits;
  if (!turn.fault.empty()) notices_.warn(std::move(turn.fault));
  if (!turn.found_choices) return;
  for (const auto& scene : scenes_) scene->apply(command::TakeTuned{});
}

}  // namespace orrery::shell
