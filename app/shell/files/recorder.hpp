/// Records what the picture shows into a film while the window goes on.
///
/// Steady by simulated time: each burst of a running simulation is one frame, however long it took; it waits where
/// frames come faster than they are written; so does each step on a camera path that is played. What else moves, a view
/// or a camera, is recorded by the clock, and what rests adds no frame. Window thread; frames are read back some frames
/// later and written on a worker thread.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/work/background.hpp"
#include "protocol/snapshot.hpp"
#include "render/frame_reader.hpp"
#include "scene/news.hpp"
#include "scene/scene.hpp"

namespace orrery::shell {

struct RecordedFilm {
  std::filesystem::path path;  ///< the file, or the folder of numbered pictures
  std::int64_t frames = 0;
  std::string ended_by = {};  ///< why it ended before a person ended it
};

class Recorder {
 public:
  ~Recorder();

  struct Wanted {
    std::optional<std::int64_t> frames = {};  ///< so many from a simulation's beginning, once that is shown
    std::filesystem::path out = {};           ///< as open_film() takes it; empty: a new name among the pictures
  };
  /// From the next frame on. Throws Error where the picture is too small.
  void begin(glm::ivec2 picture, Wanted wanted);
  /// The film ends with the last frame that was recorded; poll() tells of it once it is complete.
  void end() { take_.reset(); }
  bool recording() const { return take_.has_value(); }
  /// While it records: frames do not come faster than they are written, and another one may come.
  bool has_room() const;

  /// While it records, once a frame before that is drawn: decides whether it is one of the film's.
  void follow(const SceneStatus& scene, News news, double now);
  /// This frame is: copy() wants its picture.
  bool due() const { return take_ && take_->due > 0; }
  void copy(const Viewport& view);

  /// Each frame: hands over what has arrived. A film that has ended, once. Throws why it could not be recorded.
  std::optional<RecordedFilm> poll();
  /// Ends the film and waits until it is complete, a minute at the most. Returns why it could not be recorded.
  std::exception_ptr finish();
  /// The same where OpenGL has been lost, and with it the frames that have not arrived.
  void cut();
  std::optional<RecordingSnapshot> snapshot() const;
  /// Frames of a film of a simulation from its beginning to what is shown; 0: that is the beginning, or before it.
  static std::int64_t frames_to_here(const SceneStatus& scene);
  static double seconds_of(std::int64_t frames);

 private:
  struct Roll;  // frames on their way to the worker
  /// What is being recorded.
  struct Take {
    std::optional<std::int64_t> wanted;     // frames, from a simulation's beginning
    double clock = 0;                       // when what is recorded by the clock was recorded last
    std::optional<std::int64_t> seen = {};  // the simulation's picture that was recorded last
    std::optional<double> step = {};        // of a path that is played, the place that was recorded last
    bool lacks_last = false;                // the last picture that was seen came too soon to be recorded
    int due = 0;                            // so many frames show what is drawn next
    std::int64_t frames = 0;
  };

  static RecordedFilm written(Roll& roll, glm::ivec2 size, const std::filesystem::path& out);
  void hand_over();
  void stop();

  std::optional<Take> take_;
  std::unique_ptr<gl::FrameReader> reader_;  // until all frames have arrived
  std::shared_ptr<Roll> roll_;
  std::deque<int> repeats_;  // of each frame that is being read
  Background<RecordedFilm> writing_;
};

}  // namespace orrery::shell
