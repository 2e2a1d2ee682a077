#include "compute/tuning/tuned.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <mutex>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"
#include "base/log.hpp"

namespace orrery {
namespace {

Error broken(const std::string& file, const toml::node& node, const std::string& what) {
  return usage_error(what, {}, {}, place_of(file, node.source()));
}

std::string text_of(const std::string& file, const toml::table& table, std::string_view key) {
  const auto text = table[key].value<std::string>();
  if (!text) throw broken(file, table, "the key " + std::string(key) + " is missing or is not a text");
  return *text;
}

ShippedChoice choice_of(const std::string& file, const toml::table& table) {
  ShippedChoice choice{.vendor = text_of(file, table, "vendor"),
                       .device_class = DeviceClass::gpu,
                       .kernel = text_of(file, table, "kernel"),
                       .problem = table["problem"].value_or(std::string()),
                       .values = {}};
  const std::string name = text_of(file, table, "class");
  bool known = false;
  for (const DeviceClass each : {DeviceClass::cpu, DeviceClass::gpu, DeviceClass::accelerator})
    if (name == name_of(each)) choice.device_class = each, known = true;
  if (!known) throw broken(file, table, "unknown class of devices: " + name);
  const toml::table* values = table["values"].as_table();
  if (values == nullptr) throw broken(file, table, "the table values is missing");
  for (const auto& [axis, value] : *values) {
    const auto text = value.value<std::string>();
    if (!text) throw broken(file, value, "expected a text in quotes");
    choice.values[std::string(axis.str())] = *text;
  }
  return choice;
}

}  // namespace

bool ShippedChoice::fits(const DeviceInfo& device, std::string_view of_kernel, std::string_view of_problem) const {
  const bool of_vendor =
      device.vendor.find(vendor) != std::string::npos || device.name.find(vendor) != std::string::npos;
  return of_vendor && device.parts <= 1 && device.device_class == device_class && kernel == of_kernel &&
         (problem.empty() || problem == of_problem);
}

std::vector<ShippedChoice> read_shipped_choices(const std::filesystem::path& path) {
  return parse_shipped_choices(read_file(path, {"shipped choices", 1 << 20}), path.string());
}

std::vector<ShippedChoice> parse_shipped_choices(const std::string& text, const std::string& file) {
  std::vector<ShippedChoice> choices;
  const toml::table document = parse_toml(text, file);
  if (const toml::array* entries = document["default"].as_array())
    for (const toml::node& entry : *entries) {
      if (!entry.is_table()) throw broken(file, entry, "expected a table");
      choices.push_back(choice_of(file, *entry.as_table()));
    }
  return choices;
}

namespace {

struct InUse {
  std::mutex mutex;
  std::shared_ptr<const TunedChoices> choices;
  std::shared_ptr<const std::vector<ShippedChoice>> shipped;
};

InUse& in_use() {
  static InUse choices;
  return choices;
}

bool is_of_present_source(const StoredSweep& sweep, const KernelSources& sources) {
  try {
    return !sweep.choice.empty() && source_hash(sources, sweep.files) == sweep.of.source;
  } catch (const Error&) {  // a file that no longer exists
    return false;
  }
}

}  // namespace

TunedChoices::TunedChoices(const TuningStore& store, const KernelSources& sources) {
  std::ranges::copy_if(store.sweeps(), std::back_inserter(sweeps_),
                       [&](const StoredSweep& sweep) { return is_of_present_source(sweep, sources); });
}

std::optional<NamedTuneValues> TunedChoices::find(const DeviceInfo& device, std::string_view kernel,
                                                  std::string_view problem) const {
  if (device.parts > 1) return std::nullopt;
  const auto found = std::ranges::find_if(sweeps_, [&](const StoredSweep& sweep) {
    return sweep.of.platform == device.platform && sweep.of.device == device.name && sweep.of.driver == device.driver &&
           sweep.of.kernel == kernel && sweep.of.problem == problem;
  });
  return found == sweeps_.end() ? std::nullopt : std::optional(found->choice);
}

void use_tuned(std::shared_ptr<const TunedChoices> choices) {
  const std::lock_guard lock(in_use().mutex);
  in_use().choices = std::move(choices);
}

void use_shipped(std::shared_ptr<const std::vector<ShippedChoice>> choices) {
  const std::lock_guard lock(in_use().mutex);
  in_use().shipped = std::move(choices);
}

std::shared_ptr<const TunedChoices> stored_choices(const KernelSources& sources) {
  try {
    std::vector<std::string> messages;
    const TuningStore store = TuningStore::load(TuningStore::default_path(), messages);
    for (const std::string& message : messages) log(Level::warning, message);
    if (!store.sweeps().empty()) return std::make_shared<const TunedChoices>(store, sources);
  } catch (const std::exception& error) {
    log(Level::warning, std::string("the saved tuning results cannot be used: ") + error.what());
  }
  return nullptr;
}

void use_stored_choices() {
  try {
    use_shipped(
        std::make_shared<const std::vector<ShippedChoice>>(read_shipped_choices(asset_folder() / "tuning.toml")));
  } catch (const std::exception& error) {
    log(Level::warning, std::string("the built-in tuning results cannot be used: ") + error.what());
  }
  try {
    use_tuned(stored_choices(*kernel_sources()));
  } catch (const std::exception& error) {
    log(Level::warning, std::string("the saved tuning results cannot be used: ") + error.what());
  }
}

std::optional<NamedTuneValues> tuned(const DeviceInfo& device, std::string_view kernel, std::string_view problem) {
  std::shared_ptr<const TunedChoices> choices;
  std::shared_ptr<const std::vector<ShippedChoice>> shipped;
  {
    const std::lock_guard lock(in_use().mutex);
    choices = in_use().choices;
    shipped = in_use().shipped;
  }
  if (choices)
    if (auto found = choices->find(device, kernel, problem)) return found;
  if (shipped)
    for (const ShippedChoice& choice : *shipped)
      if (choice.fits(device, kernel, problem)) return choice.values;
  return std::nullopt;
}

}  // namespace orrery
