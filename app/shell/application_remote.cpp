#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "shell/application.hpp"

namespace orrery::shell {
namespace {

using Result = std::optional<nlohmann::ordered_json>;  // nothing: the answer follows later

Value value_for(const std::vector<ParameterView>& table, const RemoteRequest& request, std::string_view scene) {
  const auto row = std::ranges::find(table, request.name, [](const ParameterView& each) { return each.info.name; });
  if (row == table.end())
    throw usage_error("the parameter", request.name,
                      "one that orrery --scene " + std::string(scene) + " --help lists for the scene");
  Value value = parse_value(row->info, row->value, request.value);
  check_value(row->info, row->value, value);
  return value;
}

nlohmann::ordered_json json_of(const std::vector<ParameterView>& table) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const ParameterView& each : table) {
    const std::string name(each.info.name);
    std::visit(Overloaded{[](const Matrix&) {},
                          [&](std::int64_t value) {
                            if (value == 0 && each.info.automatic)
                              all[name] = "auto";
                            else
                              all[name] = value;
                          },
                          [&](const auto& value) { all[name] = value; }},
               each.value);
  }
  return all;
}

void require_file(const RemoteRequest& request) {
  if (request.file.empty()) throw usage_error("file", "", "the name of a file");
}

}  // namespace

/// Executes requests: one member for each.
struct Application::RemoteRoute {
  Application& app;
  const RemoteRequest& request;

  Scene& scene() const { return *app.scenes_.shown(); }

  Result get() const {
    const SceneStatus status = scene().status();
    const bool waits = app.devices_.devices() == nullptr && app.notices_.device_fault().empty();
    std::string preparing = waits ? "devices" : app.opener_.busy() ? "reading " + app.opener_.name() : "";
    const SceneSnapshot seen = app.visible() != nullptr ? scene().snapshot() : SceneSnapshot();
    if (preparing.empty()) preparing = seen.status;
    nlohmann::ordered_json told{{"scene", scene().kind().name}, {"preparing", preparing}};
    if (status.simulation) told.update({{"step", status.simulation->steps}, {"paused", status.simulation->paused}});
    told["fault"] = seen.fault;
    told["failed"] = app.notices_.failed();
    told["failures"] = nlohmann::ordered_json::array();
    if (!app.notices_.device_fault().empty()) told["failures"].push_back(app.notices_.device_fault());
    for (const Failure& each : app.notices_.failures()) told["failures"].push_back(each.title + ". " + each.text);
    told["parameters"] = json_of(scene().table());
    return told;
  }
  Result set() const {
    Value value = value_for(scene().table(), request, scene().kind().name);
    app.apply(command::SetParameter{request.name, std::move(value)});
    return request.value;
  }
  Result show() const {
    if (find_scene(app.scenes_.all(), request.name) == nullptr)
      throw usage_error("the scene", request.name, names_of(app.scenes_.kinds(), &SceneKind::name));
    return app.apply(command::SelectScene{request.name}), request.name;
  }
  Result open() const { return require_file(request), app.open_dropped({request.file}), request.file; }
  Result save() const {
    require_file(request);
    if (!is_state_name(request.file)) throw usage_error("file", request.file, "FILE.toml or FILE.npz");
    app.channels_.remote.await(request);
    app.commands_.push_back(command::SaveState{request.file});
    return {};
  }
  Result screenshot() const {
    require_file(request);
    if (std::filesystem::path(request.file).extension() != ".png") throw usage_error("file", request.file, "FILE.png");
    if (app.saver_.screenshot_requested()) throw failure("another screenshot is being taken", "wait for its answer");
    app.channels_.remote.await(request);
    app.saver_.request_screenshot(request.on, request.file);
    return {};
  }
  Result pause() const { return app.apply(command::SetPaused{request.on}), request.on; }
  Result step() const { return app.apply(command::StepOnce{}), true; }
  Result restart() const { return app.apply(command::Reset{}), true; }
  Result frames() const { return app.channels_.remote.watch(request.on), request.on; }
  Result quit() const { return app.apply(command::Quit{}), true; }

  static bool is_state_name(const std::filesystem::path& path) {
    return path.extension() == ".toml" || path.extension() == archive_extension;
  }
};

void Application::serve(const RemoteRequest& request) {
  using Route = RemoteRoute;
  constexpr std::array<std::pair<std::string_view, Result (Route::*)() const>, 11> routes{
      {{"get", &Route::get},
       {"set", &Route::set},
       {"scene", &Route::show},
       {"open", &Route::open},
       {"save", &Route::save},
       {"screenshot", &Route::screenshot},
       {"pause", &Route::pause},
       {"step", &Route::step},
       {"restart", &Route::restart},
       {"frames", &Route::frames},
       {"quit", &Route::quit}}};
  const auto route = std::ranges::find(routes, request.what, [](const auto& each) { return each.first; });
  if (route == routes.end())
    throw usage_error("do", request.what,
                      joined(routes, " | ", [](const auto& each) { return std::string(each.first); }));
  if (auto result = (RemoteRoute{*this, request}.*route->second)())
    channels_.remote.answer(request, std::move(*result));
}

void Application::follow_remote() {
  Remote& remote = channels_.remote;
  while (const auto request = remote.next()) {
    redraw_.touched(now_seconds());
    try {
      serve(*request);
    } catch (const Error& error) {
      remote.refuse(*request, error.what());
    }
  }
  if (const Scene* const scene = visible(); scene != nullptr && scene->status().simulation)
    remote.follow(*scene->status().simulation);
  if (remote.ended()) screen_.window().request_close();
}

}  // namespace orrery::shell
