// The Mandelbrot scene's entry in the table of scenes.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "protocol/path_command.hpp"
#include "scene/parameter_table.hpp"
#include "scene/scene_kind.hpp"
#include "scenes/mandelbrot/checks/catalog.hpp"
#include "scenes/mandelbrot/headless/commands.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/window/scene.hpp"

namespace orrery {
namespace {

using command::of_scene;

constexpr double zoom = 0.8, pan = 0.12;  // per key press; while held, they add up to a glide

std::vector<KeyBinding> all_keys() {
  std::vector<KeyBinding> keys{
      {.shown = "Wheel", .help = "Zoom at the cursor, or at the marked point near it"},
      {.shown = "Shift+wheel", .help = "Zoom at the cursor, eight steps at once"},
      {.shown = "Ctrl+wheel", .help = "Zoom at the centre"},
      {.shown = "Left or middle drag", .help = "Pan"},
      {.shown = "Double-click", .help = "Centre on that point"},
      {.shown = "Right or Shift drag", .help = "Zoom into the box"},
      {.shown = "R+drag", .help = "Turn the view around its centre"},
      {key('R'), with_control, "Ctrl+R", "Turn the view back to level", of_scene(command::LevelView{})},
      {Key::left, with_alt, "Alt+Left, Backspace", "Previous view", of_scene(command::ViewBack{})},
      {Key::backspace, {}, "", "", of_scene(command::ViewBack{})},
      {Key::right, with_alt, "Alt+Right", "Next view", of_scene(command::ViewForward{})},
      {key('='), {}, "+ and −", "Zoom at the centre", of_scene(command::ZoomBy{zoom}), false, "Zoom in"},
      {key('-'), {}, "", "", of_scene(command::ZoomBy{1 / zoom}), false, "Zoom out"},
      {Key::left, {}, "Arrows", "Pan", of_scene(command::PanBy{-pan, 0}), false, "Pan to the left"},
      {Key::right, {}, "", "", of_scene(command::PanBy{pan, 0}), false, "Pan to the right"},
      {Key::up, {}, "", "", of_scene(command::PanBy{0, pan}), false, "Pan up"},
      {Key::down, {}, "", "", of_scene(command::PanBy{0, -pan}), false, "Pan down"},
      {Key::home, {}, "Home", "Default view", command::Reset{}},
      {key('1'), {}, "1 … 9", "Fly to a named location", of_scene(command::GoToNumberedLocation{1})},
  };
  for (int number = 2; number <= 9; ++number)
    keys.push_back({key(static_cast<char>('0' + number)), {}, "", "", of_scene(command::GoToNumberedLocation{number})});
  const std::vector<KeyBinding> others{
      {key('C'), with_control, "Ctrl+C", "Copy the place", of_scene(command::CopyPlace{})},
      {key('V'), with_control, "Ctrl+V", "Fly to the copied place", of_scene(command::PastePlace{})},
      {key('M'), {}, "M", "Dive slowly into the Feigenbaum point, again and again, or stop", command::MoveView{}},
      {key('K'), {}, "K", "Add the present view to the camera path as a keyframe", of_scene(command::AddKeyframe{})},
      {key('K'), with_shift, "Shift+K", "Play the camera path, or stop it", of_scene(command::TogglePath{})},
      {Key::space, {}, "Space", "End a flight here", of_scene(command::EndFlight{false})},
      {Key::end, {}, "End", "End a flight at its destination", of_scene(command::EndFlight{true})},
      {key('F'),
       {},
       "F, Alt+double-click",
       "Find the copy of the set with the lowest period",
       of_scene(command::FindCopy{})},
      {key('G'),
       {},
       "G",
       "Fly to the copy that was found",
       of_scene(command::FlyToCopy{command::FlyToCopy::Where::copy})},
      {key('B'), {}, "B", "Bookmark the view", of_scene(command::AddBookmark{{}})},
      {key('J'), {}, "J", "Show the Julia set of the point under the cursor", command::ToggleParameter{"julia"}},
      {key('P'),
       {},
       "P",
       "Show or hide the bifurcation diagram below the set",
       command::ToggleParameter{"bifurcation"}},
      {key('N'), {}, "N", "Fly to the next doubling of the period", of_scene(command::NextDoubling{true})},
      {key('N'), with_shift, "Shift+N", "Fly back to the previous doubling", of_scene(command::NextDoubling{false})},
  };
  keys.insert(keys.end(), others.begin(), others.end());
  return keys;
}

OpenedFile open_view(const std::filesystem::path& path, const FileProgress&) {
  MandelbrotSettings settings;
  mandelbrot::ColorSettings colors;
  std::vector<Parameter> known = parameters(settings);
  std::ranges::move(parameters(colors), std::back_inserter(known));
  const mandelbrot::ViewFile file = mandelbrot::read_view(path, {}, known);
  OpenedFile opened{.state = mandelbrot::view_section(file.view)};
  if (file.height) {
    std::erase_if(opened.state, [](const auto& entry) { return entry.first == "span"; });
    opened.state.emplace_back(mandelbrot::height_key, file.height->text());
  }
  add_values(opened.state, known);
  opened.contents = mandelbrot::contents_of(file);
  return opened;
}

void take_section(StateSection section, StateSection& given) { std::ranges::move(section, std::back_inserter(given)); }

void take_center(const std::vector<std::string>& told, StateSection& given) {
  const std::vector<std::string> words = mandelbrot::center_words(told);
  if (words.size() == 1) return take_section(mandelbrot::view_section(mandelbrot::find_location(words[0]).view), given);
  given.emplace_back("center-re", words[0]);
  given.emplace_back("center-im", words[1]);
}

// The order matters: --center overrides --view, and --span, a parameter, overrides both.
void add_view_options(CLI::App& app, const std::vector<std::string>&, const std::string& group, StateSection& given) {
  app.add_option_function<std::string>(
         "--view",
         [&](const std::string& file) {
           OpenedFile opened = open_view(file, {});
           cli::warn_of_contents(opened.contents, file);
           take_section(std::move(opened.state), given);
         },
         "file with the same keys, and x = [a, b], y = [c, d] as offsets from center")
      ->type_name("FILE.toml")
      ->group(group);
  app.add_option_function<std::vector<std::string>>(
         "--center", [&](const std::vector<std::string>& words) { take_center(words, given); },
         "centre of the view: two decimal numbers of any length, as one word too (-0.75+0.1i), or the name of a location")
      ->expected(1, 2)
      ->type_name("RE IM|NAME")
      ->group(group);
  app.add_flag_callback(
         "--fly", [&] { given.emplace_back("fly", true); },
         "fly to the view from the default view, at --fly-speed octaves per second")
      ->group(group);
}

// --center and --span.
std::vector<std::string> view_arguments(StateSection& keys) {
  std::vector<std::string> arguments;
  const auto taken = [&](std::string_view key) { return take_key<std::string>(keys, key); };
  const auto re = taken("center-re"), im = taken("center-im"), span = taken("span");
  if (re && im) arguments.insert(arguments.end(), {"--center", *re, *im});
  if (span) arguments.insert(arguments.end(), {"--span", *span});
  return arguments;
}

Claim claim_view(const FileOutline& outline) {
  const std::string extension = outline.path.extension().string();
  const bool known = extension == ".toml" || extension == ".png" || extension == ".kfr" || extension == ".txt";
  return known ? Claim::by_name : Claim::none;
}

ComparisonJob compare_views(const Scene& scene, const ChangedParameters& changed) {
  return static_cast<const MandelbrotScene&>(scene).comparison(changed);
}

std::unique_ptr<Scene> make_mandelbrot(const SceneKind& kind) { return std::make_unique<MandelbrotScene>(kind); }

}  // namespace

const SceneKind& mandelbrot_kind() {
  static const std::vector<KeyBinding> keys = all_keys();
  static constexpr std::array<std::string_view, 2> actions{"Save picture", "Save film"};
  static const SceneKind kind{
      .name = "mandelbrot",
      .title = "Mandelbrot",
      .about = "computes a picture or a film of z -> z^2 + c, or of another power of z",
      .keys = keys,
      .actions = actions,
      .run = cli::run_mandelbrot,
      .film_option = "--zoom-from",
      .film_of = "--view",
      .bench = cli::bench_mandelbrot,
      .window_bench = &cli::mandelbrot_window_bench(),
      .tuning = &mandelbrot::tune_catalog(),
      .selftests = mandelbrot::selftests,
      .files = "a view (.toml), a place (.kfr, .txt) or a picture of Orrery (.png)",
      .claim = claim_view,
      .open = open_view,
      .compare = compare_views,
      .add_options = add_view_options,
      .view_arguments = view_arguments,
      .make = make_mandelbrot,
  };
  return kind;
}

}  // namespace orrery
