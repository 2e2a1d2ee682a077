#include "shell/scene_options.hpp"

#include <algorithm>

namespace orrery::shell {

void add_scene_options(CLI::App& app, const Scene& scene, const cli::Arguments& arguments, StateSection& given) {
  const SceneKind& kind = scene.kind();
  const std::string group = "Scene " + std::string(kind.name);
  if (kind.add_options != nullptr) kind.add_options(app, arguments, group, given);
  for (const ParameterView& view : scene.table())
    app.add_option_function<std::string>(
           "--" + std::string(view.info.name),
           [view, &given](const std::string& text) {
             given.emplace_back(std::string(view.info.name), parse_value(view.info, view.value, text));
           },
           cli::help_text(view.info, view.value))
        ->type_name(cli::placeholder(view.info, view.value))
        ->group(group);
  if (kind.footer != nullptr) app.footer(kind.footer());
}

void keep_last(StateSection& given) {
  StateSection kept;
  for (auto& entry : given) {
    std::erase_if(kept, [&](const auto& other) { return other.first == entry.first; });
    kept.push_back(std::move(entry));
  }
  given = std::move(kept);
}

}  // namespace orrery::shell
