#include "shell/window_command.hpp"

#include "shell/application.hpp"

namespace orrery::shell {
int run_window(const std::vector<std::string>& arguments, double launched) {
  WindowOptions o;
  if (arguments.size() > 0) o.frames = std::stoi(arguments[0]), o.screenshot = "/tmp/shot.png", o.stats = "/tmp/stats.json";
  Application app(o, launched);
  app.run();
  return 0;
}
}
