/// Records the picture into a film while the window keeps running.
///
/// Steady in simulated time: each burst of a running simulation, or step of a playing camera path, is one frame,
/// however long it took, and waits if frames are written slowly. Other motion, of a view or a camera, is recorded by
/// the clock; a still picture adds no frame. Window thread; frames are read back some frames later and written on a
/// worker thread.
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
  std::string ended_by = {};  ///< why it ended early
};

class Recorder {
 public:
  ~Recorder();

  struct Wanted {
    std::optional<std::int64_t> frames = {};  ///< frames from a simulation's beginning, once shown
    std::filesystem::path out = {};           ///< argument of open_film(); empty: a new name in the pictures folder
  };
  /// Begins with the next frame. Throws Error if the picture is too small.
  void begin(glm::ivec2 picture, Wanted wanted);
  /// Ends the film with the last recorded frame; poll() returns it once it is complete.
  void end() { take_.reset(); }
  bool recording() const { return take_.has_value(); }
  /// True if a recording can take another frame.
  bool has_room() const;

  /// Called before each frame while recording: decides whether the film gets the frame.
  void follow(const SceneStatus& scene, News news, double now);
  /// True if the film gets this frame: copy() must be called.
  bool due() const { return take_ && take_->due > 0; }
  void copy(const Viewport& view);

  /// Called each frame: hands arrived frames over. Returns a finished film once. Throws the error of a failed
  /// recording.
  std::optional<RecordedFilm> poll();
  /// Ends the film and waits until it is complete, at most a minute. Returns why it could not be recorded.
  std::exception_ptr finish();
  /// The same after OpenGL was lost with the frames that have not arrived.
  void cut();
  std::optional<RecordingSnapshot> snapshot() const;
  /// Frames of a film of a simulation from its beginning to what is shown; 0: at the beginning or before it.
  static std::int64_t frames_to_here(const SceneStatus& scene);
  static double seconds_of(std::int64_t frames);

 private:
  struct Roll;  // frames on their way to the worker
  /// The recording in progress.
  struct Take {
    std::optional<std::int64_t> wanted;     // frames, from a simulation's beginning
    double clock = 0;                       // time of the last frame recorded by the clock
    std::optional<std::int64_t> seen = {};  // last recorded picture of the simulation
    std::optional<double> step = {};        // last recorded place on a playing path
    bool lacks_last = false;                // the last picture came too soon to be recorded
    int due = 0;                            // number of film frames that show the next picture
    std::int64_t frames = 0;
  };

  static RecordedFilm written(Roll& roll, glm::ivec2 size, const std::filesystem::path& out);
  void hand_over();
  void stop();

  std::optional<Take> take_;
  std::unique_ptr<gl::FrameReader> reader_;  // kept until all frames have arrived
  std::shared_ptr<Roll> roll_;
  std::deque<int> repeats_;  // repetitions of each frame being read
  Background<RecordedFilm> writing_;
};

}  // namespace orrery::shell
