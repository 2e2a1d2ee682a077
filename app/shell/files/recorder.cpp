#include "shell/files/recorder.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/work/film_sink.hpp"
#include "shell/files/file_saver.hpp"

namespace orrery::shell {
namespace {

namespace fs = std::filesystem;

constexpr double frames_per_second = 60;
constexpr double longest_step = 0.25;            // seconds; the longest recorded duration of a picture
constexpr int least_size = 16;                   // pixels
constexpr std::size_t most_waiting = 8;          // frames between the window and the file
constexpr std::uintmax_t reserve = 64ULL << 20;  // free bytes on disk, for completing the film
constexpr double longest_end = 60;               // seconds

// Removes OpenGL's alpha channel and flips the rows.
Image image_of(const std::vector<std::uint8_t>& pixels, glm::ivec2 size) {
  Image image(static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y));
  std::uint8_t* to = image.rgb.data();
  for (std::size_t y = image.height; y-- > 0;) {
    const std::uint8_t* from = pixels.data() + 4 * y * image.width;
    for (std::size_t x = 0; x < image.width; ++x, from += 4) to = std::copy_n(from, 3, to);
  }
  return image;
}

bool is_almost_full(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && space.available < reserve;
}

}  // namespace

double Recorder::seconds_of(std::int64_t frames) { return static_cast<double>(frames) / frames_per_second; }

std::int64_t Recorder::frames_to_here(const SceneStatus& scene) {
  if (!scene.simulation || scene.simulation->steps <= 0 || scene.simulation->edited) return 0;
  return scene.simulation->steps / std::max<std::int64_t>(1, scene.simulation->burst) + 1;
}

/// Any thread.
struct Recorder::Roll {
  struct Frame {
    std::vector<std::uint8_t> pixels;
    int repeats = 1;
  };

  void put(Frame frame) {
    const std::lock_guard lock(mutex);
    frames.push_back(std::move(frame));
    changed.notify_one();
  }
  void close() {
    const std::lock_guard lock(mutex);
    closed = true;
    changed.notify_one();
  }
  bool has_room() const {
    const std::lock_guard lock(mutex);
    return frames.size() < most_waiting;
  }
  /// Waits for the next frame; nothing after the last one.
  std::optional<Frame> take() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return closed || !frames.empty(); });
    if (frames.empty()) return {};
    Frame frame = std::move(frames.front());
    frames.pop_front();
    return frame;
  }

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Frame> frames;
  bool closed = false;
};

Recorder::~Recorder() {
  if (roll_) roll_->close();
}

void Recorder::begin(glm::ivec2 picture, Wanted wanted) {
  const glm::ivec2 size = picture / 2 * 2;  // films need even sizes
  if (size.x < least_size || size.y < least_size)
    throw failure(
        "cannot record a picture of " + std::to_string(picture.x) + " × " + std::to_string(picture.y) + " pixels",
        "make the window larger, or hide the panels with F2");
  if (writing_.busy()) throw failure("the film before is still being written", "record again in a moment");
  reader_ = std::make_unique<gl::FrameReader>(size);
  roll_ = std::make_shared<Roll>();
  take_ = Take{.wanted = wanted.frames, .clock = now_seconds()};
  writing_.start([roll = roll_, size, out = std::move(wanted.out)]() -> RecordedFilm {
    name_thread("film");
    if (!out.empty()) return written(*roll, size, out);
    // An empty file claims the name until the film replaces it.
    const fs::path name = new_picture_name("orrery", ".mp4");
    std::error_code ignored;
    try {
      RecordedFilm film = written(*roll, size, name);
      if (film.path != name || film.frames == 0) fs::remove(name, ignored);
      return film;
    } catch (...) {
      fs::remove(name, ignored);
      throw;
    }
  });
}

RecordedFilm Recorder::written(Roll& roll, glm::ivec2 size, const fs::path& out) {
  const auto go_on = [] { return true; };
  const auto sink =
      open_film(out, {static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y), frames_per_second});
  const fs::path folder = fs::absolute(out).parent_path();
  RecordedFilm film{.path = sink->place()};
  while (const auto frame = roll.take()) {
    const Image image = image_of(frame->pixels, size);
    for (int k = 0; k < frame->repeats; ++k) (void)sink->take(static_cast<int>(++film.frames), image, {}, go_on);
    if (!is_almost_full(folder)) continue;
    film.ended_by = "The disk is almost full";
    break;
  }
  if (film.frames > 0) (void)sink->finish(go_on);
  return film;
}

bool Recorder::has_room() const { return reader_->has_room() && roll_->has_room(); }

void Recorder::follow(const SceneStatus& scene, News news, double now) {
  Take& take = *take_;
  take.due = 0;
  if (!has_room()) {
    take.lacks_last |= news != News::none;
    return;
  }
  if (take.wanted && take.frames == *take.wanted) return end();
  const auto& simulation = scene.simulation;
  const bool begins = take.frames == 0;
  if (take.wanted && begins && !(simulation && simulation->steps == 0)) return;  // the beginning is being prepared
  const auto pictures = simulation ? std::optional(simulation->pictures) : std::nullopt;
  const bool other = pictures != take.seen;
  const bool plays = scene.path && (scene.path->playing || (take.step && scene.path->at != *take.step));
  if (plays && !(simulation && !simulation->paused)) {
    take.clock = now;
    take.due = begins || take.step != scene.path->at ? 1 : 0;
  } else if (other || (simulation && !simulation->paused)) {
    take.clock = now;
    take.due = other || begins ? 1 : 0;
  } else if (!begins && (news == News::none || (simulation && news == News::progress))) {
    take.clock = now;  // at rest, but colours may still change
    take.due = std::exchange(take.lacks_last, false) ? 1 : 0;
  } else {
    const double passed = std::min(now - take.clock, longest_step);
    take.due = begins ? 1 : static_cast<int>(passed * frames_per_second);
    if (take.due > 0) take.clock = now - (passed - take.due / frames_per_second);
    take.lacks_last = take.due == 0;
  }
  take.seen = pictures;
  take.step = plays ? std::optional(scene.path->at) : std::nullopt;
}

void Recorder::copy(const Viewport& view) {
  reader_->copy(view.origin, view.size);
  repeats_.push_back(take_->due);
  take_->frames += std::exchange(take_->due, 0);
}

// Hands arrived frames to the worker, and the end after the last one.
void Recorder::hand_over() {
  if (!reader_) return;
  for (std::vector<std::uint8_t> pixels = reader_->take(); !pixels.empty(); pixels = reader_->take()) {
    roll_->put({std::move(pixels), repeats_.front()});
    repeats_.pop_front();
  }
  if (recording() || reader_->busy()) return;
  roll_->close();
  reader_.reset();
}

std::optional<RecordedFilm> Recorder::poll() {
  hand_over();
  try {
    std::optional<RecordedFilm> film = writing_.poll();
    if (film) stop();
    return film;
  } catch (...) {
    stop();
    throw;
  }
}

// Drops frames that have not arrived.
void Recorder::stop() {
  end();
  reader_.reset();
  repeats_.clear();
  if (roll_) roll_->close();
}

void Recorder::cut() {
  stop();
  (void)finish();
}

std::exception_ptr Recorder::finish() {
  std::exception_ptr failed;
  end();
  for (const double began = now_seconds(); writing_.busy() && now_seconds() - began < longest_end;) {
    try {
      if (const auto film = poll()) log(Level::info, "saved " + film->path.string());
    } catch (const std::exception& error) {
      log(Level::error, as_error(error).what());
      failed = std::current_exception();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return failed;
}

std::optional<RecordingSnapshot> Recorder::snapshot() const {
  if (!take_) return {};
  return RecordingSnapshot{.frames = take_->frames, .seconds = seconds_of(take_->frames)};
}

}  // namespace orrery::shell
