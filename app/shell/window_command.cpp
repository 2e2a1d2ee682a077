#include "shell/window_command.hpp"

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"
#include "cli/options.hpp"
#include "shell/application.hpp"

namespace orrery::shell {
namespace {

constexpr int smallest_side = 64;
constexpr int largest_side = 16384;

glm::ivec2 parse_size(const std::string& text) {
  const auto side = [](std::string_view digits) {
    const std::int64_t number = parse_integer(digits).value_or(0);
    return number >= smallest_side && number <= largest_side ? static_cast<int>(number) : 0;
  };
  const std::size_t cross = std::min(text.find('x'), text.size());
  const glm::ivec2 size(side(text.substr(0, cross)), side(text.substr(std::min(cross + 1, text.size()))));
  if (size.x > 0 && size.y > 0) return size;
  throw usage_error("--size cannot be", text, "allowed: WIDTHxHEIGHT, each " + std::to_string(smallest_side) + " … " +
                                                  std::to_string(largest_side));
}

std::int64_t parse_frames(const std::string& text) {
  const auto frames = parse_integer(text);
  if (!frames || *frames < 1) throw usage_error("--frames cannot be", text, "allowed: 1 … 9223372036854775807");
  return *frames;
}

std::string parse_scene(const std::string& text) {
  if (text != "nbody" && text != "mandelbrot") throw usage_error("no such --scene", text, "known: nbody | mandelbrot");
  return text;
}

bool parse_switch(const char* flag, const std::string& text) {
  if (text == "on" || text == "off") return text == "on";
  throw usage_error(std::string(flag) + " cannot be", text, "allowed: on | off");
}

void add_window_options(CLI::App& app, WindowOptions& o) {
  using Text = const std::string&;
  app.add_option_function<std::string>("--scene", [&](Text t) { o.scene = parse_scene(t); }, "nbody | mandelbrot; default nbody");
  app.add_option_function<std::string>("--size", [&](Text t) { o.size = parse_size(t); }, "WIDTHxHEIGHT of the window; default 1280x720");
  cli::add_device_option(app, o.device);
  app.add_flag_callback("--no-interop", [&] { o.interop = false; }, "copy instead of sharing buffers with OpenGL");
  app.add_flag_callback("--no-ui", [&] { o.ui = false; }, "start with the panels hidden (F2 shows them)");
  app.add_option_function<std::string>("--vsync", [&](Text t) { o.vsync = parse_switch("--vsync", t); }, "on | off; default on");
  app.add_option_function<std::string>("--frames", [&](Text t) { o.frames = parse_frames(t); }, "leave after N presented frames");
  app.add_option("--screenshot", o.screenshot, "FILE.png of the last frame, panels included");
  app.add_option("--save-state", o.save_state, "FILE.toml written on leaving");
  app.add_option("--state", o.state, "FILE.toml to start from");
  app.add_option("--stats", o.stats, "FILE.json of frame times and kernels, written on leaving");
}

}  // namespace

int run_window(const std::vector<std::string>& arguments, double launched) {
  CLI::App app("The window.", "orrery");
  WindowOptions options;
  add_window_options(app, options);
  if (!cli::parse(app, arguments)) return 0;
  Application application(options, launched);
  application.run();
  return 0;
}

}  // namespace orrery::shell
