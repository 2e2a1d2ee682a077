#include "shell/offline/commands.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/file_outline.hpp"
#include "base/files/film_folder.hpp"
#include "base/files/gradient.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/shell_word.hpp"
#include "base/text.hpp"
#include "base/work/film_sink.hpp"
#include "base/work/interrupt.hpp"
#include "base/written_number.hpp"
#include "cli/film_parts.hpp"
#include "cli/options.hpp"
#include "compute/program/compiler.hpp"
#include "protocol/path_command.hpp"
#include "shell/files/dropped_file.hpp"
#include "shell/files/file_saver.hpp"
#include "shell/offline/renderer.hpp"
#include "shell/scene_options.hpp"

namespace orrery::shell {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t least_side = 16, most_side = 16384;
constexpr std::int64_t most_pixels = std::int64_t{1} << 26;  // 8192 x 8192
constexpr double most_frames = 1e6;
constexpr double usual_seconds = 10;  // length of a film, and of a tour's step without a time

glm::ivec2 size_of(const std::string& text) {
  const auto fits = [](std::int64_t side) { return side >= least_side && side <= most_side; };
  const auto sides = typed_size("--size", text);
  if (sides && std::ranges::all_of(*sides, fits) && (*sides)[0] * (*sides)[1] <= most_pixels)
    return {static_cast<int>((*sides)[0]), static_cast<int>((*sides)[1])};
  throw usage_error("--size", text,
                    "WIDTHxHEIGHT, each from " + std::to_string(least_side) + " to " + std::to_string(most_side) +
                        " pixels, and at most " + grouped(most_pixels) + " pixels together");
}

/// The content of a file in scenes of its own.
struct Opened {
  std::unique_ptr<OffscreenContext> context = {};  // created for drawing; outlives the scenes
  std::string path = {};
  Scenes scenes;
  Document document;
  std::string shown;         // the name of the scene
  std::optional<Tour> tour;  // tour whose first step the scenes show
  bool paused = false;       // the simulation is paused in the file

  Scene& scene() const { return *find_scene(scenes, shown); }
};

bool is_paused(const Scene& scene) {
  const auto simulation = scene.status().simulation;
  return simulation && simulation->paused;
}

void open_tour(Opened& opened, Tour tour) {
  const TourStep first = beginning_of(tour, opened.scenes);
  load_scenes(first.state, opened.scenes);
  opened.shown = first.scene;
  opened.tour = std::move(tour);
}

/// The file or the guided tour of that name.
std::string file_of(SceneKinds kinds, const std::string& name) {
  std::error_code none;
  if (fs::exists(fs::path(name) / "film.toml", none))
    throw usage_error(in_quotes(name) + " is a folder of frames", {},
                      "orrery film join " + shell_word(name) + " makes a film of them");
  if (fs::exists(name, none)) return name;
  for (const TourEntry& tour : known_tours())
    if (fs::path(tour.file).stem() == name) return tour.file;
  throw usage_error("the file to show", name, "the name of a file that exists: " + known_files(kinds));
}

Opened open_file(SceneKinds kinds, const std::string& name) {
  const std::string path = file_of(kinds, name);
  Opened opened;
  opened.path = path;
  opened.scenes = make_scenes(kinds);
  DroppedFile file = examine_dropped(kinds, {path});
  if (file.tour) {
    open_tour(opened, std::move(*file.tour));
    return opened;
  }
  const Unknown unknown = load_scenes(file.state, opened.scenes, {file.scene, file.content});
  opened.document.take(unknown.tables);
  for (const std::string& name : unknown.names) log(Level::warning, path + ": unknown " + name);
  if (const std::string apart = kept_apart(file.state); !apart.empty())
    log(Level::warning, path + " has only the settings, without " + apart);
  if (const std::string edited = opened.document.take_edited_kernels(file.state); !edited.empty())
    log(Level::warning, "edited kernels have computed a part of this state: " + edited);
  opened.shown = file.scene;
  for (const auto& [name, section] : file.state)
    if (opened.shown.empty() && find_kind(kinds, name) != nullptr) opened.shown = name;
  if (opened.shown.empty()) opened.shown = kinds.front()->name;
  return opened;
}

/// Opens the file in the first argument, whose scene adds options; nothing if an option comes first.
std::optional<Opened> opened_first(SceneKinds kinds, const cli::Arguments& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return std::nullopt;
  return open_file(kinds, arguments.front());
}

/// Options of both commands.
struct Job {
  std::string state, size, device;
  fs::path out;
  StateSection given;  // values of the scene's own options
};

void add_options(CLI::App& app, Job& job, const std::optional<Opened>& opened, const cli::Arguments& arguments) {
  app.add_option("state", job.state,
                 "content to show: a session, a picture that Orrery saved, bodies, a world, a place or a guided tour")
      ->required()
      ->type_name("STATE");
  app.add_option("--size", job.size, "size of the picture in pixels; default 1280x720")->type_name("WxH");
  cli::add_device_option(app, job.device);
  if (opened) add_scene_options(app, opened->scene(), arguments, job.given);
}

/// Applies the options after the parse. Returns the size of the picture.
glm::ivec2 take(SceneKinds kinds, const Job& job, std::optional<Opened>& file) {
  if (!file) file = open_file(kinds, job.state);
  StateSection given = job.given;
  keep_last(given);
  file->scene().load(given);
  file->paused = is_paused(file->scene());
  return job.size.empty() ? glm::ivec2(1280, 720) : size_of(job.size);
}

std::vector<DeviceInfo> devices_of(const Job& job) {
  use_compiler(std::make_shared<Compiler>());
  return cli::open_choice(cli::DeviceChoice{.spec = job.device});
}

std::string seconds_text(double seconds) { return shortest(std::round(100 * seconds) / 100) + " s"; }

// An empty file claims a name in the user's pictures folder, and is removed if writing fails.
template <class Write>
void write_to(fs::path out, const std::string& extension, const Write& write) {
  const bool claims = out.empty();
  if (claims) out = new_picture_name("orrery", extension.c_str());
  const auto let_go = [&] {
    std::error_code ignored;
    if (claims && fs::is_regular_file(out, ignored) && fs::is_empty(out, ignored)) fs::remove(out, ignored);
  };
  try {
    write(out);
  } catch (...) {
    let_go();
    throw;
  }
  let_go();
}

}  // namespace

// ---- pictures

int run_picture(SceneKinds kinds, const std::vector<std::string>& arguments) {
  std::optional<Opened> opened = opened_first(kinds, arguments);
  CLI::App app("Saves a picture of what the window would show, without a window.", "picture");
  Job job;
  add_options(app, job, opened, arguments);
  app.add_option("--out", job.out, "file for the picture: .png, which carries the state, or .ppm; default a new name")
      ->type_name("FILE.png");
  if (!cli::parse(app, arguments)) return 0;
  const glm::ivec2 size = take(kinds, job, opened);
  if (const fs::path extension = job.out.extension(); !job.out.empty() && extension != ".png" && extension != ".ppm")
    throw usage_error("--out", job.out.string(), "a name that ends with .png or .ppm");
  cli::check_output("--out", job.out.string());
  const InterruptWatch watch;
  cli::Progress progress("picture");
  opened->context = std::make_unique<OffscreenContext>();
  OfflineRenderer renderer(*opened->context, opened->scenes, devices_of(job), size, [] {
    if (interrupted()) throw Interrupted("; no picture was saved");
  });
  Scene& scene = opened->scene();
  const Image image = renderer.draw(scene);
  renderer.await_copy(scene);
  scene.apply(command::SetPaused{opened->paused});  // state in the file
  const WindowState window{.scene = opened->shown, .devices = {}, .size = size};
  PictureState carried = picture_state(opened->document.copy_of_shown(window, scene)());
  write_to(job.out, ".png", [&](const fs::path& out) {
    if (!carried.left_out.empty())
      log(Level::warning, out.string() + " has only the settings; too large for it: " + carried.left_out);
    write_image(out, image, carried.texts, std::move(carried.attachment));
    std::printf("%dx%d -> %s\n", size.x, size.y, out.string().c_str());
  });
  return 0;
}

// ---- films

namespace {

struct FilmJob : Job {
  double seconds = 0;  // 0: not given
  double frames_per_second = 30;
  std::int64_t motion_blur = 1;  // pictures averaged into a frame
  cli::FilmParts parts;
};

/// The mean of pictures of equal size, in linear light.
class Exposure {
 public:
  void add(const Image& picture) {
    light_.resize(picture.rgb.size());
    for (std::size_t k = 0; k < light_.size(); ++k) light_[k] += linear(picture.rgb[k]);
    mean_ = picture;
    ++pictures_;
  }
  Image mean() && {
    for (std::size_t k = 0; k < light_.size(); ++k) mean_.rgb[k] = encoded(light_[k] / static_cast<float>(pictures_));
    return std::move(mean_);
  }

 private:
  static float linear(std::uint8_t byte) {
    static const std::array<float, 256> table = [] {
      std::array<float, 256> light{};
      for (std::size_t k = 0; k < light.size(); ++k)
        light[k] = static_cast<float>(to_linear(static_cast<double>(k) / 255));
      return light;
    }();
    return table[byte];
  }
  static std::uint8_t encoded(float light) {
    return static_cast<std::uint8_t>(std::lround(255 * to_encoded(std::min(double{light}, 1.0))));
  }

  std::vector<float> light_;
  Image mean_;
  int pictures_ = 0;
};

/// A step of a tour, and its first frame, from 0.
struct Chapter {
  std::int64_t first = 0;
  const TourStep* step = nullptr;
};

/// The duration of the scene's camera path; 0: no path.
double path_seconds(const Scene& scene) {
  const auto path = scene.status().path;
  return path ? path->length : 0;
}

class Film {
 public:
  Film(const FilmJob& job, Opened& opened) : job_(job), opened_(opened) {
    const double path = opened.tour ? 0 : path_seconds(opened.scene());
    const double wanted = job.seconds > 0 ? job.seconds : path > 0 ? path : usual_seconds;
    double seconds = 0;
    if (opened.tour)
      for (const TourStep& step : opened.tour->steps) {
        chapters_.push_back({count(seconds), &step});
        seconds += step.seconds > 0 ? step.seconds : usual_seconds;
      }
    if (opened.tour && job.seconds > 0) seconds = std::min(seconds, wanted);
    frames_ = std::max<std::int64_t>(1, count(opened.tour ? seconds : wanted));
    if (path > 0 && !(job.seconds > 0)) ++frames_;  // the last one shows the last keyframe
    follows_path_ = path > 0;
    if (job.parts.frames.empty() || static_cast<double>(frames_) > most_frames) return;
    part_ = parse_frame_range(job.parts.frames, static_cast<int>(frames_));
  }

  std::int64_t frames() const { return frames_; }
  std::int64_t drawn() const { return drawn_; }
  std::int64_t skipped() const { return skipped_; }

  /// Draws the first frame and goes to the next one. Throws a usage Error if nothing moves.
  void begin(OfflineRenderer& renderer) {
    if (follows_path_) opened_.scene().apply(command::of_scene(command::PlayPath{}));
    first_ = expose(renderer);
    if (++frame_ == frames_) return;
    go(renderer);
    if (!opened_.tour && !follows_path_ && !renderer.has_news(opened_.scene())) refuse_still();
  }

  /// The whole film, after begin(). `progress` is called each frame. Throws Error.
  void make(OfflineRenderer& renderer, FilmSink& sink, cli::Progress& progress) {
    const auto go_on = [] { return !interrupted(); };
    const bool pictures = fs::is_directory(sink.place());
    const std::int64_t end = part_ ? part_->last : frames_;
    for (frame_ = 0; frame_ < end; ++frame_) {
      const int number = static_cast<int>(frame_) + 1;
      progress.show(static_cast<double>(frame_) / static_cast<double>(frames_),
                    "frame " + std::to_string(number) + " of " + std::to_string(frames_));
      if (frame_ > 1) go(renderer);
      const bool is_there = pictures && is_sound_png(frame_file(sink.place(), number), first_.width, first_.height);
      const bool is_wanted = !part_ || number >= part_->first;
      if (is_wanted) is_there ? ++skipped_ : ++drawn_;
      // A simulation's picture may depend on earlier pictures (trails, a followed body), so all are drawn.
      if ((is_there || !is_wanted) && !opened_.scene().status().simulation) continue;
      const Image image = frame_ == 0 ? first_ : expose(renderer);
      if (is_wanted && !is_there && !sink.take(number, image, {}, go_on)) throw_interrupted();
    }
    progress.show(1, "completing the film");
    if (!sink.finish(go_on)) throw_interrupted();
  }

  [[noreturn]] void throw_interrupted() const {
    throw Interrupted(" at frame " + std::to_string(frame_ + 1) + " of " + std::to_string(frames_));
  }

 private:
  std::int64_t count(double seconds) const { return std::llround(seconds * job_.frames_per_second); }

  // Advances from the previous frame to the present one.
  void go(OfflineRenderer& renderer) {
    const auto chapter = std::ranges::find(chapters_.rbegin(), chapters_.rend(), frame_, &Chapter::first);
    if (chapter != chapters_.rend()) {
      const TourStep& step = *chapter->step;
      load_scenes(step.state, opened_.scenes);
      opened_.shown = step.scene;
      if (step.restart) opened_.scene().apply(command::Reset{});
      opened_.paused = is_paused(opened_.scene());
      renderer.pass(opened_.scene(), picture_seconds());
    } else {
      go_on(renderer);
    }
  }
  // Advances by one picture.
  void go_on(OfflineRenderer& renderer) {
    if (!(opened_.tour || follows_path_) || !opened_.paused) renderer.compute_burst(opened_.scene());
    renderer.pass(opened_.scene(), picture_seconds());
  }
  double picture_seconds() const { return 1 / (job_.frames_per_second * static_cast<double>(job_.motion_blur)); }

  Image expose(OfflineRenderer& renderer) {
    if (job_.motion_blur == 1) return renderer.draw(opened_.scene());
    Exposure exposure;
    for (std::int64_t k = 0; k < job_.motion_blur; ++k) {
      if (k > 0) go_on(renderer);
      exposure.add(renderer.draw(opened_.scene()));
    }
    return std::move(exposure).mean();
  }

  // Refuses a film of identical frames.
  [[noreturn]] void refuse_still() const {
    const SceneKind& kind = opened_.scene().kind();
    throw usage_error("nothing moves in " + opened_.path, {},
                      kind.film_option.empty()
                          ? "expected a simulation"
                          : std::string(kind.film_option) + " zooms into a view's file or a picture (see orrery " +
                                std::string(kind.name) + " --help)");
  }

  const FilmJob& job_;
  Opened& opened_;
  bool follows_path_ = false;
  std::vector<Chapter> chapters_;
  std::int64_t frames_ = 0, frame_ = 0;  // number of frames, and the present frame, from 0
  std::optional<FrameRange> part_;       // requested frames; nothing: all
  std::int64_t drawn_ = 0, skipped_ = 0;
  Image first_;
};

/// All inputs of the frames, as texts: a folder of frames is continued only if they are equal.
StateSection look_of(const Opened& opened) {
  constexpr std::size_t longest = 200;
  StateSection look{{"orrery", ORRERY_VERSION}, {"scene", opened.shown}};
  if (opened.tour) look.emplace_back("tour", fnv1a(read_file(opened.path, {"a tour", std::uint64_t{1} << 20})));
  for (const auto& [key, value] : opened.scene().save()) {
    Fnv1a sum;
    const auto* const matrix = std::get_if<Matrix>(&value);
    if (matrix != nullptr)
      sum.add({reinterpret_cast<const char*>(matrix->data.get()), 8 * matrix->rows * matrix->columns});
    const std::string text = matrix != nullptr ? sum.text() : value_text({}, value);
    if (key != "paused") look.emplace_back(key, text.size() > longest ? fnv1a(text) : text);
  }
  return look;
}

/// The kind whose own command makes the requested film; null: none.
const SceneKind* own_film_maker(SceneKinds kinds, const cli::Arguments& arguments) {
  const auto asks = [&](const SceneKind* kind) {
    return !kind->film_option.empty() && std::ranges::any_of(arguments, [&](const std::string& argument) {
      return argument.substr(0, argument.find('=')) == kind->film_option;
    });
  };
  const auto found = std::ranges::find_if(kinds, asks);
  return found == kinds.end() ? nullptr : *found;
}

void add_film_options(CLI::App& app, FilmJob& job) {
  cli::add_parameters(
      app,
      {{{.name = "seconds",
         .help = "duration of the film; default 10, or the whole duration of the camera path or of the guided tour",
         .placeholder = "S",
         .maximum = most_frames,
         .above_minimum = true},
        &job.seconds},
       {{.name = "frames-per-second",
         .help = "frame rate of the film; each frame is one burst of a simulation",
         .placeholder = "N",
         .maximum = 1000,
         .above_minimum = true},
        &job.frames_per_second},
       {{.name = "motion-blur",
         .help = "number of pictures averaged in each frame; each is one burst of a simulation",
         .minimum = 1,
         .maximum = 1000},
        &job.motion_blur}});
  cli::add_film_parts(app, job.parts, "one per 100 frames");
  app.add_option("--out", job.out,
                 "file of the film: " + film_extensions() +
                     " (needs ffmpeg); or a folder for frame-00001.png, …, where existing frames are not made "
                     "again; default a new name")
      ->type_name("FILE|FOLDER");
  app.footer("orrery film join FOLDER makes a film of numbered pictures (see orrery film join --help).\n");
}

void check_film_options(const FilmJob& job, const Film& film, glm::ivec2 size) {
  if (static_cast<double>(film.frames()) > most_frames)
    throw usage_error("the number of frames in a film", std::to_string(film.frames()), "a number from 1 to 1000000");
  const bool has_dot = job.out.has_extension() || is_film_name("film" + job.out.filename().string());
  if (has_dot && !is_film_name(job.out))
    throw usage_error("--out of a film", job.out.string(),
                      film_extensions() + ", or the name of a folder without a dot");
  if (has_dot || job.out.empty())
    check_film_size("--size of a film", static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y));
  if ((has_dot || job.out.empty()) && !job.parts.frames.empty())
    throw usage_error("--out with --frames", job.out.string(), "a folder, which the parts of the film share");
  if (has_dot) cli::check_output("--out", job.out.string());
}

/// Prints the job script instead of the film.
void print_script(const FilmJob& job, const Film& film, const cli::Arguments& arguments) {
  if (job.out.empty()) throw usage_error("--cluster", job.parts.cluster, "--out FILE|FOLDER together with it");
  const auto frames = static_cast<int>(film.frames());
  cli::print_film_script(job.parts, {"film", arguments, job.out, frames, (frames + 99) / 100});
}

}  // namespace

int run_film(SceneKinds kinds, const std::vector<std::string>& arguments) {
  if (const SceneKind* const maker = own_film_maker(kinds, arguments); maker != nullptr) {
    cli::Arguments own = arguments;
    if (!own.front().starts_with('-')) own.insert(own.begin(), std::string(maker->film_of));
    return maker->run(own);
  }
  std::optional<Opened> opened = opened_first(kinds, arguments);
  CLI::App app("Makes a film of what the window would show, by simulated time and without a window.", "film");
  FilmJob job;
  add_options(app, job, opened, arguments);
  add_film_options(app, job);
  if (!cli::parse(app, arguments)) return 0;
  const glm::ivec2 size = take(kinds, job, opened);
  Film film(job, *opened);
  cli::check_film_parts(job.parts);
  check_film_options(job, film, size);
  if (!job.parts.cluster.empty()) return print_script(job, film, arguments), 0;
  const InterruptWatch watch("the current frame");
  StateSection look = look_of(*opened);
  if (job.motion_blur > 1) look.emplace_back("motion-blur", std::to_string(job.motion_blur));
  cli::Progress progress("film");
  opened->context = std::make_unique<OffscreenContext>();
  OfflineRenderer renderer(*opened->context, opened->scenes, devices_of(job), size, [&] {
    if (interrupted()) film.throw_interrupted();
  });
  film.begin(renderer);
  write_to(job.out, ".mp4", [&](const fs::path& out) {
    const FilmFormat format{static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y),
                            job.frames_per_second};
    const std::unique_ptr<FilmSink> sink = open_film(out, format);
    const bool pictures = fs::is_directory(sink->place());
    if (pictures)
      claim_film_folder(sink->place(),
                        {static_cast<int>(film.frames()), job.frames_per_second, format.width, format.height}, look,
                        renderer.device().name + ", driver " + renderer.device().driver);
    const double began = now_seconds();
    film.make(renderer, *sink, progress);
    const double passed = now_seconds() - began;
    const std::string of_part = job.parts.frames.empty() ? "" : "frames " + job.parts.frames + " of ";
    std::printf("%s%lld frames, %s%s, drawn at %s frames/s on %s -> %s\n", of_part.c_str(),
                static_cast<long long>(film.frames()),
                seconds_text(static_cast<double>(film.frames()) / job.frames_per_second).c_str(),
                film.skipped() > 0 ? (", " + std::to_string(film.skipped()) + " were there").c_str() : "",
                brief(static_cast<double>(film.drawn()) / passed).c_str(), renderer.device().name.c_str(),
                sink->place().string().c_str());
    if (pictures && out.has_extension())
      std::fprintf(stderr, "orrery: ffmpeg was not found; the frames are saved as numbered pictures\n");
  });
  return 0;
}

}  // namespace orrery::shell
