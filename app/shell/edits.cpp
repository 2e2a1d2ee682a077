#include "shell/edits.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "compute/device/device_list.hpp"

namespace orrery::shell {
namespace {

std::optional<Value> value_at(const StateSection& section, const std::string& key) {
  const Value* const value = value_of(section, key);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

void set(StateSection& section, const std::string& key, const std::optional<Value>& value) {
  const auto found = std::ranges::find(section, key, [](const auto& entry) { return entry.first; });
  if (!value) {
    if (found != section.end()) section.erase(found);
  } else if (found != section.end()) {
    found->second = *value;
  } else {
    section.emplace_back(key, *value);
  }
}

constexpr const char* device_key = "device";
constexpr std::size_t longest_value = 40;  // characters; of a longer text, only the name is shown
constexpr double ruinous_error = 0.1;      // growth of the relative energy error since the step

// "0:0,0:1", or "0:0/2" for two parts of one device.
std::string device_text(const command::SelectDevices& choice) {
  const std::string text = joined(choice.ids, ",", [](DeviceId id) { return text_of(id); });
  return choice.split > 1 ? text + "/" + std::to_string(choice.split) : text;
}

// Throws a usage Error if a device is gone.
command::SelectDevices devices_of(const std::string& text, std::span<const PlatformInfo> platforms) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::int64_t split =
      slash < text.size() ? parse_integer(std::string_view(text).substr(slash + 1)).value_or(1) : 1;
  return selection_of(choose_devices(platforms, std::string_view(text).substr(0, slash), split));
}

std::string change_text(const Change& change, EditDirection direction, std::span<const ParameterView> parameters) {
  const auto known =
      std::ranges::find(parameters, change.key, [](const ParameterView& each) { return each.info.name; });
  const ParameterInfo info = known != parameters.end() ? known->info : ParameterInfo{};
  const std::string label = info.label.empty() ? capitalised(change.key) : std::string(info.label);
  const auto text = [&](const std::optional<Value>& value) { return value ? shown_value(info, *value) : "default"; };
  std::string from = text(change.before), to = text(change.after);
  if (direction == EditDirection::undo) std::swap(from, to);
  if (std::max(from.size(), to.size()) > longest_value) return label;
  return label + ": " + from + " → " + to;
}

}  // namespace

std::vector<Change> changes_between(const StateSection& before, const StateSection& after) {
  std::vector<Change> changes;
  for (const auto& [key, value] : before)
    if (const auto now = value_at(after, key); now != value) changes.push_back({key, value, now});
  for (const auto& [key, value] : after)
    if (value_of(before, key) == nullptr) changes.push_back({key, std::nullopt, value});
  return changes;
}

StateSection with_step(StateSection present, const EditStep& step, EditDirection direction) {
  for (const Change& change : step.changes)
    set(present, change.key, direction == EditDirection::undo ? change.before : change.after);
  return present;
}

void EditHistory::continue_with(std::vector<Change>& changes,
                                const std::function<bool(const Change& known, const Change& change)>& continues) {
  std::vector<Change>& all = steps_.back().changes;
  std::erase_if(changes, [&](const Change& change) {
    const auto known = std::ranges::find(all, change.key, &Change::key);
    if (known == all.end() || !continues(*known, change)) return false;
    known->after = change.after;
    return true;
  });
  std::erase_if(all, [](const Change& change) { return change.before == change.after; });
}

bool EditHistory::note(const StateSection& before, const StateSection& after, bool held, bool refused) {
  std::vector<Change> changes = changes_between(before, after);
  if (changes.empty()) return false;
  if (last() != nullptr && open_) {
    continue_with(changes, [](const Change&, const Change&) { return true; });
    std::ranges::move(changes, std::back_inserter(steps_.back().changes));
    if (steps_.back().changes.empty()) steps_.pop_back(), --done_, open_ = false;
    return false;
  }
  if (refused && last() != nullptr && !last()->opening && !last()->edit) {
    continue_with(changes, [](const Change& known, const Change& change) { return known.after != change.before; });
    if (steps_.back().changes.empty()) steps_.pop_back(), --done_;
    if (changes.empty()) return false;
  }
  add({std::move(changes)});
  open_ = held;
  return true;
}

void EditHistory::add(EditStep step) {
  forget_undone();
  for (EditStep& older : steps_) older.moment.reset();
  steps_.push_back(std::move(step));
  const auto has_too_many = [&] {
    const auto opens = [](const EditStep& each) { return each.opening != nullptr; };
    std::size_t bytes = 0;
    for (const EditStep& each : steps_) bytes += each.edit ? each.edit->bytes : 0;
    return steps_.size() > most_steps || (bytes > most_bytes && steps_.size() > 1) ||
           static_cast<std::size_t>(std::ranges::count_if(steps_, opens)) > most_openings;
  };
  while (has_too_many()) steps_.pop_front();
  done_ = steps_.size();
  open_ = false;
}

const EditStep* EditHistory::next(EditDirection direction) const {
  if (direction == EditDirection::undo) return done_ > 0 ? &steps_[done_ - 1] : nullptr;
  return done_ < steps_.size() ? &steps_[done_] : nullptr;
}

void EditHistory::take(EditDirection direction) {
  open_ = false;
  direction == EditDirection::undo ? --done_ : ++done_;
}

EditStep* EditHistory::last() { return done_ > 0 && done_ == steps_.size() ? &steps_.back() : nullptr; }

std::string step_text(const EditStep& step, EditDirection direction, std::span<const ParameterView> parameters) {
  if (step.opening) return "Open " + step.opening->name;
  if (step.edit) return step.edit->text;
  if (step.changes.empty()) return {};
  const std::size_t more = step.changes.size() - 1;
  const std::string text = change_text(step.changes.front(), direction, parameters);
  return more == 0 ? text : text + ", and " + std::to_string(more) + " more";
}

StateSection Edits::present(const Scene& scene) const {
  StateSection section = scene.choices();
  section.emplace_back(device_key, device_text(devices_.chosen()));
  return section;
}

void Edits::make(Scene& scene, bool held, const std::function<void()>& change) {
  const StateSection before = present(scene);
  const std::shared_ptr<const void> moment = scene.status().moment;
  const bool refused = scene.status().shows_refused;
  change();
  EditHistory& history = histories_[scene.kind().name];
  if (!history.note(before, present(scene), held, refused)) return;
  forget_undone_openings(scene.kind().name);
  history.last()->moment = moment;
  const double error = scene.snapshot().energy_error;
  history.last()->energy_error = std::isfinite(error) ? error : 0;
}

// Redoing an undone opening needs the scene's state from before it.
void Edits::forget_undone_openings(std::string_view scene) {
  for (auto& [name, other] : histories_)
    if (const EditStep* next = other.next(EditDirection::redo);
        next != nullptr && next->opening && next->opening->before.scene == scene)
      other.forget_undone();
}

void Edits::note_edit(const Scene& scene, std::shared_ptr<const StateEdit> edit) {
  histories_[scene.kind().name].add({.changes = {}, .edit = std::move(edit)});
  forget_undone_openings(scene.kind().name);
}

bool Edits::awaits(const Scene& scene, EditDirection direction) {
  const EditStep* const step = history_of(scene.kind().name, direction).next(direction);
  return step != nullptr && step->edit && !step->edit->known();
}

void Edits::note_opening(const Scene& scene, Opening opening) {
  histories_[scene.kind().name].add({.changes = {}, .opening = std::make_shared<const Opening>(std::move(opening))});
}

void Edits::begin_from(const Scene& scene, const StateSection& preset) {
  Beginning& beginning = beginnings_[scene.kind().name];
  beginning = {scene.snapshot().subject, scene.choices()};
  std::erase_if(beginning.values, [&](const auto& entry) { return value_of(preset, entry.first) == nullptr; });
}

void Edits::mark_usual(SceneSnapshot& scene) const {
  const auto beginning = beginnings_.find(scene.name);
  if (beginning == beginnings_.end() || beginning->second.subject != scene.subject) return;
  for (ParameterView& parameter : scene.parameters)
    if (const Value* const begun = value_of(beginning->second.values, parameter.info.name); begun && parameter.usual)
      parameter.usual = *begun;
}

// Undoing an opening shows the previous scene, whose history can redo the opening.
EditHistory& Edits::history_of(std::string_view scene, EditDirection direction) {
  EditHistory& own = histories_[scene];
  if (direction == EditDirection::undo || own.next(direction) != nullptr) return own;
  for (auto& [name, other] : histories_)
    if (const EditStep* next = other.next(direction);
        next != nullptr && next->opening && next->opening->before.scene == scene)
      return other;
  return own;
}

void Edits::follow(bool held) {
  if (held) return;
  for (auto& [name, history] : histories_) history.let_go();
}

// Applies devices to the window and all other keys to the scene.
void Edits::bring(Scene& scene, StateSection section) {
  std::string device;
  std::erase_if(section, [&](const auto& entry) {
    if (entry.first != device_key) return false;
    device = std::get<std::string>(entry.second);
    return true;
  });
  if (section != scene.choices() || scene.status().shows_refused) scene.load(section);
  if (!device.empty() && device != device_text(devices_.chosen()))
    devices_.choose(devices_of(device, devices_.catalog().platforms()));
}

std::shared_ptr<const Opening> Edits::take(Scene& scene, EditDirection direction) {
  EditHistory& history = history_of(scene.kind().name, direction);
  const bool undoes = direction == EditDirection::undo;
  // A refused text is no longer a change once another text has replaced it.
  for (const EditStep* step = nullptr; (step = history.next(direction)) != nullptr; history.take(direction)) {
    if (step->edit && step->edit->dropped) continue;
    if (step->opening || step->edit || scene.status().shows_refused) break;
    const StateSection now = present(scene);
    if (with_step(now, *step, direction) != now) break;
  }
  const EditStep* const step = history.next(direction);
  if (step == nullptr) {
    notices_.show(undoes ? "There is nothing to undo" : "There is nothing to redo");
    return nullptr;
  }
  const std::shared_ptr<const Opening> opening = step->opening;
  if (step->edit) {
    scene.apply(command::ReturnTo{undoes ? step->edit->before : step->edit->after});
    notices_.show((undoes ? "Undone.   " : "Redone.   ") + step->edit->text);
  } else if (!opening) {
    bring(scene, with_step(present(scene), *step, direction));
    notices_.show((undoes ? "Undone.   " : "Redone.   ") + step_text(*step, direction, scene.snapshot().parameters));
  }
  history.take(direction);
  return opening;
}

void Edits::reset(Scene& scene, const std::string& parameter) {
  make(scene, false, [&] {
    SceneSnapshot seen = scene.snapshot();
    mark_usual(seen);
    for (const ParameterView& each : seen.parameters)
      if (each.info.name == parameter && each.usual) return scene.apply(command::SetParameter{parameter, *each.usual});
    StateSection section = scene.choices();
    if (std::erase_if(section, [&](const auto& entry) { return entry.first == parameter; }) > 0) scene.load(section);
  });
}

void Edits::undo_and_rewind(Scene& scene) {
  const EditStep* const step = histories_[scene.kind().name].next(EditDirection::undo);
  if (step == nullptr || step->opening || step->edit) return;
  const std::shared_ptr<const void> moment = step->moment;
  (void)take(scene, EditDirection::undo);
  scene.apply(command::ReturnTo{moment});
}

void Edits::keep(Scene& scene) {
  if (EditStep* const step = histories_[scene.kind().name].last()) step->watched = false;
}

std::string Edits::ruin_of(EditStep& step, const SceneSnapshot& scene) const {
  const bool decides = std::ranges::any_of(step.changes, [&](const Change& change) {
    return std::ranges::any_of(scene.parameters, [&](const ParameterView& parameter) {
      return parameter.info.ruinous && parameter.info.name == change.key;
    });
  });
  if (!step.watched || !decides) return {};
  // The plots may have restarted since.
  step.energy_error = std::min(step.energy_error, std::isfinite(scene.energy_error) ? scene.energy_error : 0);
  const std::string since = " since " + step_text(step, EditDirection::redo, scene.parameters);
  if (scene.can_rewind) return "Numbers became NaN or infinite" + since;
  if (!(scene.energy_error - step.energy_error > ruinous_error)) return {};
  return "The energy error has grown to " + brief(100 * scene.energy_error, 3) + " %" + since;
}

EditSnapshot Edits::snapshot(const SceneSnapshot& scene) {
  EditHistory& history = histories_[scene.name];
  EditSnapshot seen;
  if (const EditStep* step = history.next(EditDirection::undo))
    seen.undo = step_text(*step, EditDirection::undo, scene.parameters);
  if (const EditStep* step = history_of(scene.name, EditDirection::redo).next(EditDirection::redo))
    seen.redo = step_text(*step, EditDirection::redo, scene.parameters);
  if (EditStep* step = history.last()) seen.ruin = ruin_of(*step, scene);
  return seen;
}

}  // namespace orrery::shell
