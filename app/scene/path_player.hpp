/// Editing and playing of a scene's camera path: its rows, its clock, and the cursor on its strip. Window thread; no
/// device.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/overloaded.hpp"
#include "protocol/path_command.hpp"
#include "protocol/snapshot.hpp"
#include "scene/keyframes/camera_path.hpp"
#include "scene/scene.hpp"

namespace orrery::keyframes {

/// The rows of a path in state files, declared once for every scene.
struct PathRows {
  std::string text;
  bool constant_speed = false;
  bool operator==(const PathRows&) const = default;
};

template <class Pose>
std::vector<Parameter> parameters(PathRows& rows) {
  return in_group(
      "Camera",
      {{{.name = "camera-path",
         .label = "Camera path",
         .help = Pose::path_help,
         .placeholder = "TEXT",
         .check = [](const std::string& text) { (void)CameraPath<Pose>(text); }},
        &rows.text},
       {{.name = "camera-constant-speed",
         .label = "Constant speed",
         .help =
             "follow the camera path at constant apparent speed; only the times of the first and last keyframes count"},
        &rows.constant_speed}});
}

/// Throws a usage Error for a path value of an unknown row, or out of its row's range.
template <class Pose>
void check(const PathRows& path, std::span<const Parameter> rows) {
  const CameraPath<Pose> told(path.text);
  for (std::size_t k = 0; k < told.keyframes().size(); ++k) check_values(told.keyframes()[k].values, k, rows);
}
/// Returns the scene's rows; called only if some of them follow the path.
using Table = std::function<std::vector<ParameterView>()>;

template <class Pose>
class PathPlayer {
 public:
  using Path = CameraPath<Pose>;

  const PathRows& rows() const { return rows_; }
  const Path& path() const { return path_; }
  bool playing() const { return playing_; }
  /// Throws a usage Error; the path is unchanged then.
  void set(const PathRows& rows) {
    if (rows == rows_) return;
    path_ = Path(rows.text, rows.constant_speed);
    rows_ = rows;
    cursor_ = std::min(cursor_, path_.length());
    if (path_.empty()) playing_ = placed_ = false, wanted_ = false;
  }
  /// Stops playing, because a person moves the camera.
  void stop() {
    placed_ = placed_ || playing_;
    playing_ = wanted_ = false;
  }

  /// Advances by a frame of that many seconds; returns the camera's pose if the path decides it.
  std::optional<Pose> advance(double seconds) {
    constexpr double rounding = 1e-9;  // tolerance of a sum of frames
    if (playing_) {
      cursor_ += seconds;
      if (cursor_ > path_.length() - rounding) cursor_ = path_.length();
    } else if (!wanted_) {
      return std::nullopt;
    }
    wanted_ = false;
    const Pose pose = path_.at(cursor_);
    if (playing_ && cursor_ >= path_.length()) playing_ = placed_ = false;
    return pose;
  }
  /// Values at the cursor of the rows that follow the path and accept them.
  std::vector<RowValue> values(const Table& table) const {
    std::vector<RowValue> values;
    const std::vector<std::string> names = path_.rows();
    const std::vector<ParameterView> rows = names.empty() ? std::vector<ParameterView>() : table();
    for (const std::string& name : names) {
      const auto row = std::ranges::find(rows, name, [](const ParameterView& each) { return each.info.name; });
      if (row == rows.end()) continue;
      const double value = path_.value(name, cursor_, row->info.logarithmic);
      if (takes(*row, value)) values.push_back({name, value});
    }
    return values;
  }
  /// True when the playing path changes the row of this name.
  bool leads(std::string_view row) const {
    const std::vector<std::string> rows = path_.rows();
    return playing_ && std::ranges::find(rows, row) != rows.end();
  }
  /// The pose that many seconds ahead; there must be a path.
  Pose ahead(double seconds) const { return path_.at(cursor_ + seconds); }

  /// Executes a command for a path; returns the notice to show. `present` is the camera's pose.
  std::string apply(const command::SceneCommand& command, const Pose& present, const Table& table) {
    using namespace command;
    std::string said;
    const auto now = [&] {
      const std::vector<std::string> names = path_.rows();
      return typename Path::Keyframe{0, present, names.empty() ? std::vector<RowValue>() : values_of(names, table())};
    };
    handle_own<AddKeyframe, TogglePath, PlayPath, GoToTime, MoveKeyframe, ReplaceKeyframe, RemoveKeyframe, FollowPath>(
        command,
        Overloaded{[&](const AddKeyframe&) { said = add(now()); }, [&](const TogglePath&) { said = toggle(); },
                   [&](const PlayPath& play) { begin(play.from); }, [&](const GoToTime& to) { go_to(to.time); },
                   [&](const MoveKeyframe& move) { this->move(move.index, move.time); },
                   [&](const ReplaceKeyframe& replace) { this->replace(replace.index, now()); },
                   [&](const RemoveKeyframe& remove) { this->remove(remove.index); },
                   [&](const FollowPath& follow) { said = this->follow(follow); }});
    return said;
  }

  std::optional<SceneStatus::Path> status() const {
    if (path_.empty()) return std::nullopt;
    return SceneStatus::Path{.length = path_.length(), .at = cursor_, .playing = playing_};
  }
  PathView view() const {
    PathView view{.rows = path_.rows(), .length = path_.length(), .cursor = cursor_, .playing = playing_};
    for (const auto& each : path_.keyframes()) {
      view.times.push_back(each.time);
      view.values.push_back(
          joined(each.values, ", ", [](const RowValue& value) { return value.row + " " + brief(value.value, 4); }));
    }
    return view;
  }

 private:
  using Keyframes = std::vector<typename Path::Keyframe>;

  void take(Keyframes keyframes) { set({Path(std::move(keyframes)).text(), rows_.constant_speed}); }

  // Inserts at the cursor if a person has placed it, else after the last keyframe.
  std::string add(typename Path::Keyframe present) {
    constexpr double usual_step = 3;  // seconds
    Keyframes all = path_.keyframes();
    const bool at_cursor = placed_ && !all.empty() && cursor_ < path_.length() + least_apart;
    const double time = at_cursor ? cursor_ : all.empty() ? 0 : path_.length() + usual_step;
    const auto same = std::ranges::find_if(
        all, [&](const auto& each) { return at_cursor && std::abs(each.time - time) < least_apart; });
    if (same == all.end() && all.size() == most_keyframes)
      throw usage_error("a camera path has at most " + std::to_string(most_keyframes) + " keyframes", {}, {});
    if (time > longest_path) throw usage_error("a camera path lasts at most 10 hours", {}, {});
    const auto behind = std::ranges::upper_bound(all, time, {}, &Path::Keyframe::time);
    const auto number = (same != all.end() ? same : behind) - all.begin() + 1;
    present.time = time;
    if (behind != all.begin()) present.pose = unwound(present.pose, std::prev(behind)->pose);
    same != all.end() ? void(*same = std::move(present)) : void(all.insert(behind, std::move(present)));
    const bool replaced = all.size() == path_.keyframes().size();
    take(std::move(all));
    stop();
    placed_ = false;
    cursor_ = time;
    return (replaced ? "Replaced keyframe " : "Keyframe ") + std::to_string(number) + " at " + brief(time) + " s";
  }

  std::string toggle() {
    if (path_.empty()) return "There is no camera path yet: K adds a keyframe of the present view";
    if (playing_) return stop(), "";
    begin(cursor_ < path_.length() ? cursor_ : 0);
    return "";
  }
  void begin(double from) {
    if (path_.empty()) return;
    playing_ = true;
    cursor_ = std::clamp(from, 0.0, path_.length());
  }
  void go_to(double time) {
    if (path_.empty()) return;
    playing_ = false;
    placed_ = wanted_ = true;
    cursor_ = std::clamp(time, 0.0, path_.length());
  }
  // Limits the time to the interval between its neighbours.
  void move(std::size_t index, double time) {
    Keyframes all = path_.keyframes();
    if (index >= all.size()) return;
    const double low = index > 0 ? all[index - 1].time + least_apart : 0;
    const double high = index + 1 < all.size() ? all[index + 1].time - least_apart : longest_path;
    constexpr double hundredths = 100;
    all[index].time = std::clamp(std::round(time * hundredths) / hundredths, low, std::max(low, high));
    take(std::move(all));
  }
  void replace(std::size_t index, typename Path::Keyframe present) {
    Keyframes all = path_.keyframes();
    if (index >= all.size()) return;
    present.time = all[index].time;
    if (index > 0) present.pose = unwound(present.pose, all[index - 1].pose);
    all[index] = std::move(present);
    take(std::move(all));
  }
  std::string follow(const command::FollowPath& wanted) {
    if (path_.empty()) return "There is no camera path yet: K adds a keyframe of the present view";
    Keyframes all = path_.keyframes();
    for (auto& each : all) {
      std::erase_if(each.values, [&](const RowValue& value) { return value.row == wanted.row; });
      if (wanted.follows) each.values.push_back({wanted.row, wanted.value});
      std::ranges::sort(each.values, {}, &RowValue::row);
    }
    take(std::move(all));
    return wanted.follows ? "Each keyframe has this value now. Go to one, change it, and press K" : "";
  }
  void remove(std::size_t index) {
    Keyframes all = path_.keyframes();
    if (index >= all.size()) return;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    take(std::move(all));
  }

  PathRows rows_;
  Path path_;
  double cursor_ = 0;  // seconds
  bool playing_ = false;
  bool placed_ = false;  // a person has placed the cursor
  bool wanted_ = false;  // the camera is to go to the cursor
};

}  // namespace orrery::keyframes
