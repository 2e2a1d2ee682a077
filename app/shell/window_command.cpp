#include "shell/window_command.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <memory>

#include "base/files/kept_file.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/work/film_file.hpp"
#include "base/written_number.hpp"
#include "cli/options.hpp"
#include "compute/program/compiler.hpp"
#include "compute/queue/profiler.hpp"
#include "shell/application.hpp"
#include "shell/files/autosave.hpp"
#include "shell/files/document.hpp"
#include "shell/files/tour.hpp"
#include "shell/scene_options.hpp"

namespace orrery::shell {
namespace {

constexpr int smallest_side = 64;
constexpr int largest_side = 16384;

glm::ivec2 parse_size(const std::string& text) {
  const auto fits = [](std::int64_t side) { return side >= smallest_side && side <= largest_side; };
  if (const auto sides = typed_size("--size", text); sides && std::ranges::all_of(*sides, fits))
    return {static_cast<int>((*sides)[0]), static_cast<int>((*sides)[1])};
  throw usage_error(
      "--size", text,
      "WIDTHxHEIGHT, each from " + std::to_string(smallest_side) + " to " + std::to_string(largest_side) + " pixels");
}

std::string parse_scene(SceneKinds kinds, const std::string& text) {
  if (find_kind(kinds, text) == nullptr) throw usage_error("--scene", text, names_of(kinds, &SceneKind::name));
  return text;
}

/// Numbers and switches among the options. 0: number not given.
std::vector<Parameter> parameters(WindowOptions& o) {
  const auto seconds = [](std::string_view name, std::string_view help) {
    return ParameterInfo{.name = name, .help = help, .placeholder = "S", .maximum = 1e9, .above_minimum = true};
  };
  return {
      {{.name = "split",
        .help = "number of sub-devices into which one device is divided",
        .minimum = 1,
        .maximum = 4096},
       &o.split},
      {{.name = "vsync", .help = "wait for the display between frames"}, &o.vsync},
      {{.name = "profile", .help = "record device timings (off: to measure their overhead)"}, &o.profile},
      {{.name = "frames", .help = "quit N frames after the first computed picture", .minimum = 1, .maximum = 1e15},
       &o.frames},
      {seconds("seconds", "quit S seconds after the launch"), &o.seconds},
      {seconds("measure",
               "measure S seconds, from 2 seconds after the kernels are built, and quit; --stats has the "
               "frames of that time"),
       &o.measure},
      {seconds("tune", "tune the scene's kernel for S seconds"), &o.tune},
  };
}

using Text = const std::string&;

void add_options_of_window(CLI::App& app, SceneKinds kinds, WindowOptions& o) {
  app.add_option_function<std::string>(
         "--scene", [&, kinds](Text t) { o.scene = parse_scene(kinds, t); },
         "scene to show: " + names_of(kinds, &SceneKind::name) + "; default: that of the last run, initially " +
             std::string(kinds.front()->name))
      ->type_name("NAME");
  app.add_option_function<std::string>(
         "--size", [&](Text t) { o.size = parse_size(t); },
         "size of the window in pixels; default: that of the last run, initially 1280x720")
      ->type_name("WxH");
  cli::add_device_option(app, o.device);
  app.add_flag_callback(
      "--no-interop", [&] { o.interop = false; }, "copy buffers to OpenGL instead of sharing them");
  app.add_flag_callback(
      "--no-ui", [&] { o.ui = false; }, "start with hidden panels (F2 shows them)");
}

void add_option_of_remote(CLI::App& app, WindowOptions& o) {
  app.add_flag("--remote", o.remote,
               "take requests from standard input and answer on standard output, both lines of JSON (orrery help "
               "remote); quit when the input ends");
}

void add_options_of_files(CLI::App& app, SceneKinds kinds, WindowOptions& o) {
  app.add_option("--screenshot", o.screenshot, "picture of the last frame, with panels, written on leaving")
      ->type_name("FILE.png");
  app.add_option_function<std::string>(
         "--record",
         [&](Text t) {
           o.record = t;
           if (o.record.has_extension() && !is_film_name(o.record))
             throw usage_error("--record", t, film_extensions() + " | a name without extension, for numbered pictures");
         },
         "film of the picture, from the first computed one on, with a frame for each burst")
      ->type_name("FILE");
  app.add_option("--save-state", o.save_state, "session written on leaving")->type_name("FILE.toml");
  app.add_option("--state", o.state, "session to start from, or a picture that Orrery saved")->type_name("FILE");
  app.add_option_function<std::string>(
         "--tour", [&, kinds](Text t) { (void)read_tour(kinds, o.tour = find_tour(t)); },
         "guided tour to begin with: a name of assets/tours, or a file")
      ->type_name("NAME|FILE");
  app.add_option_function<std::string>(
         "--open",
         [&](Text t) {
           if (!std::filesystem::is_regular_file(t)) throw usage_error("--open", t, "the name of a file that exists");
           o.open = t;
         },
         "file to open in the window, as if it had been dropped there: a session, a picture that Orrery saved, bodies, "
         "a world or a place")
      ->type_name("FILE");
  app.add_option("--stats", o.stats, "frame times and kernel times, written on leaving")->type_name("FILE.json");
  app.add_option("--trace", o.trace, "timeline of the last 65536 spans for ui.perfetto.dev, written on leaving")
      ->type_name("FILE.json");
}

void add_window_options(CLI::App& app, SceneKinds kinds, WindowOptions& o) {
  add_options_of_window(app, kinds, o);
  cli::add_parameters(app, parameters(o));
  add_option_of_remote(app, o);
  add_options_of_files(app, kinds, o);
  cli::list_under(app, "Window", {"scene", "size", "no-ui", "vsync"});
  cli::list_under(app, "Device", {"device", "split", "no-interop", "profile"});
  cli::list_under(app, "Automation", {"frames", "seconds", "measure", "tune", "remote"});
  cli::list_under(app, "Files", {"open", "state", "tour", "save-state", "screenshot", "record", "stats", "trace"});
}

// The value of an option before everything is parsed: --scene and --state decide which options exist.
std::string value_of(const std::vector<std::string>& arguments, const std::string& flag) {
  std::string value;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with(flag + "=")) value = arguments[i].substr(flag.size() + 1);
    if (arguments[i] == flag && i + 1 < arguments.size()) value = arguments[i + 1];
  }
  return is_blank(value) ? std::string() : value;  // parsing refuses blank values later
}

// The window's part of a state file; options override it later.
void take_window_state(const StateTables& state, SceneKinds kinds, WindowOptions& options) {
  const auto section = state.find("window");
  if (section == state.end()) return;
  for (const auto& [key, value] : section->second) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      if (key == "scene") options.scene = parse_scene(kinds, *text);
      if (key == "device") options.device_hint = *text;
      if (key == "devices") options.devices_hint = *text;
    } else if (const auto* side = std::get_if<std::int64_t>(&value)) {
      const auto pixels = static_cast<int>(std::clamp<std::int64_t>(*side, smallest_side, largest_side));
      if (key == "width") options.size.x = pixels;
      if (key == "height") options.size.y = pixels;
      if (key == "split") options.split_hint = *side;
    } else if (const auto* on = std::get_if<bool>(&value); on != nullptr && key == "vsync") {
      options.vsync = *on;
    }
  }
}

/// True for a run that ends by itself or saves a picture: it must not depend on the last interactive run.
bool is_automated(const std::vector<std::string>& arguments) {
  constexpr std::array flags{"--frames", "--seconds", "--measure", "--screenshot", "--record"};
  if (std::ranges::find(arguments, "--remote") != arguments.end()) return true;
  return std::ranges::any_of(flags, [&](const char* flag) { return !value_of(arguments, flag).empty(); });
}

void take_memory(SceneKinds kinds, WindowOptions& options) {
  options.memory = read_window_memory(window_memory_file());
  options.size = options.memory->size.value_or(options.size);
  if (find_kind(kinds, options.memory->scene) != nullptr) options.scene = options.memory->scene;
}

// True if the arguments set nothing in a scene, except which scene to show.
bool continues_last(const std::vector<std::string>& arguments) {
  constexpr std::array flags{"--scene", "--size",  "--device",     "--split",   "--no-interop", "--no-ui",
                             "--vsync", "--stats", "--save-state", "--profile", "--trace",      "--open"};
  return std::ranges::all_of(arguments, [&](const std::string& argument) {
    const std::string_view flag = std::string_view(argument).substr(0, argument.find('='));
    return !flag.starts_with("--") || std::ranges::find(flags, flag) != flags.end();
  });
}

// Reads the last session into new scenes. An unreadable one is set aside, and the start is fresh.
StateTables read_last_session(SceneKinds kinds, Scenes& scenes, WindowOptions& options) {
  const std::filesystem::path file = last_session();
  if (file.empty()) return {};
  try {
    StateTables last = read_state(file);
    WindowOptions taken = options;
    take_window_state(last, kinds, taken);
    Scenes loaded = make_scenes(kinds);
    load_scenes(last, loaded);
    scenes = std::move(loaded);
    options = std::move(taken);
    options.continues = true;
    return last;
  } catch (const std::exception& error) {
    log(Level::error, std::string("the last session cannot be continued: ") + error.what() + "; " + set_aside(file));
    return {};
  }
}

}  // namespace

int run_window(SceneKinds kinds, const std::vector<std::string>& arguments, double launched) {
  CLI::App app;
  WindowOptions options;
  options.scene = kinds.front()->name;
  StateTables loaded;
  if (const std::string file = value_of(arguments, "--state"); !file.empty()) loaded = read_state(file);
  Scenes scenes = make_scenes(kinds);
  if (!is_automated(arguments)) take_memory(kinds, options);
  take_window_state(loaded, kinds, options);
  if (options.memory && continues_last(arguments)) loaded = read_last_session(kinds, scenes, options);
  for (const SceneKind* kind : kinds)
    if (!kind->implied_by.empty() && !value_of(arguments, std::string(kind->implied_by)).empty())
      options.scene = kind->name;
  if (const std::string scene = value_of(arguments, "--scene"); !scene.empty())
    options.scene = parse_scene(kinds, scene);

  Scene& chosen = *find_scene(scenes, options.scene);

  StateSection given;
  app.name("orrery");
  app.description("Options of the window with the scene " + options.scene + " (others: orrery --scene NAME --help)");
  add_window_options(app, kinds, options);
  add_scene_options(app, chosen, arguments, given);
  if (!cli::parse(app, arguments)) return 0;
  ask_for_times(options.profile);
  keep_last(given);
  const Unknown unknown = load_scenes(loaded, scenes);
  for (const std::string& name : unknown.names)
    log(Level::warning, options.state.string() + ": unknown " + name + ", kept");
  if (const std::string apart = kept_apart(loaded); !apart.empty())
    log(Level::warning, options.state.string() + " has only the settings, without " + apart);
  chosen.load(given);

  use_compiler(std::make_shared<Compiler>());
  Application application(kinds, std::move(options), launched, unknown.tables);
  for (auto& scene : scenes) application.add(std::move(scene));
  application.run();
  return 0;
}

}  // namespace orrery::shell
