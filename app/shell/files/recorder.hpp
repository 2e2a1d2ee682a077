/// Records what the picture shows into a film while the window goes on.
///
/// Steady by simulated time: each burst of a running simulation is one frame, however long it took; it waits where
/// frames come faster than they are written. What else moves, a view or a camera, is recorded by the clock, and what
/// rests adds no frame. Window thread; frames are read back some frames later and written on a worker thread.
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
  /// What has been recorded by now is the film, which poll() tells when it is complete.
  void end();
  bool recording() const { return recording_; }
  /// So many pictures of a simulation may come to the front now.
  int pictures() const;

  /// Once a frame, before it is drawn: decides whether it is one of the film's.
  void follow(const SceneStatus& scene, News news, double now);
  /// This frame is: copy() wants its picture.
  bool due() const { return due_ > 0; }
  void copy(const Viewport& view);

  /// A film that has ended, once. Throws why it could not be recorded.
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

  static RecordedFilm written(Roll& roll, glm::ivec2 size, const std::filesystem::path& out);
  void hand_over();
  void stop();

  bool recording_ = false;
  std::unique_ptr<gl::FrameReader> reader_;  // until all frames have arrived
  std::shared_ptr<Roll> roll_;
  std::deque<int> repeats_;             // of each frame that is being read
  std::optional<std::int64_t> wanted_;  // frames, from a simulation's beginning
  std::optional<std::int64_t> seen_;    // the simulation's picture that was recorded last
  double clock_ = 0;                    // when what is recorded by the clock was recorded last
  bool behind_ = false;                 // the film has not what has been seen last
  int due_ = 0;
  std::int64_t frames_ = 0;
  Background<RecordedFilm> writing_;
};

}  // namespace orrery::shell
