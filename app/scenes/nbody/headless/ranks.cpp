#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/printable.hpp"
#include "base/shell_word.hpp"
#include "cli/silence.hpp"
#include "compute/device/driver_check.hpp"
#include "compute/program/kernel_sources.hpp"
#include "scenes/nbody/headless/run.hpp"

namespace orrery::cli {
namespace {

// Ranks on one machine take its devices in turns, unless --device chooses.
std::vector<DeviceInfo> devices_of_rank(const DeviceChoice& choice, const RankPlace& place) {
  if (!choice.spec.empty()) return open_choice(choice);
  const std::vector<PlatformInfo> platforms = enumerate_trusting();
  const DeviceInfo fastest = choose_device(platforms, {});
  std::vector<std::string> alike;
  for (const PlatformInfo& platform : platforms)
    for (const DeviceInfo& device : platform.devices)
      if (device.fault.empty() && device.name == fastest.name && device.platform == fastest.platform)
        alike.push_back(text_of(device.id));
  return choose_devices(platforms, alike[static_cast<std::size_t>(place.on_machine) % alike.size()], choice.split);
}

// All ranks must compute the same; only their devices may differ.
void check_agreement(Ranks& ranks, const Arguments& arguments) {
  std::string options;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const bool own = arguments[k].starts_with("--device") || arguments[k].starts_with("--split");
    if (!own) options += (options.empty() ? "" : " ") + arguments[k];
    if (own && arguments[k].find('=') == std::string::npos) ++k;
  }
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kernel_folder()))
    if (entry.path().extension() == ".cl") files.push_back(entry.path().filename().string());
  std::ranges::sort(files);
  const std::array<std::pair<std::string_view, std::string>, 3> own{
      {{"version", ORRERY_VERSION}, {"kernels", source_hash(*kernel_sources(), files)}, {"options", options}}};
  for (const auto& [what, value] : own) {
    const std::string wanted = ranks.of_first(value);
    const std::vector<std::string> all = ranks.all(value);
    for (std::size_t rank = 1; rank < all.size(); ++rank)
      if (all[rank] != wanted)
        throw usage_error("the " + std::string(what) + " of " + ranks.name(static_cast<int>(rank)), all[rank],
                          in_quotes(wanted) + ", as " + ranks.name(0) + " has");
  }
}

}  // namespace

int run_on_many(NbodyOptions& options, const Arguments& arguments, const RankPlace& place) {
  if (options.speed_up)
    throw usage_error("--speed-up compares the devices of one process and cannot be used with ranks", {}, {});
  Ranks ranks(place);
  try {
    check_agreement(ranks, arguments);
    if (ranks.first()) check(options);
    const std::vector<DeviceInfo> devices = devices_of_rank(options.devices, place);
    options.state_is_asked_for = !options.state.empty();
    options.state = ranks.of_first(options.state_is_asked_for ? options.state : new_state_file("nbody-ranks"));
    const InterruptWatch watch;
    limit_silence(longest_silence());
    NbodyRun run(options, devices, &ranks);
    if (!options.state.empty()) ranks.set_remedy("orrery nbody --resume " + shell_word(options.state) + " continues");
    run.go();
    run.write();
    if (run.steps() < options.steps) {  // this rank or another one was told to end
      (void)ranks.all("has written");   // waits for the first rank
      throw Interrupted(" at step " + std::to_string(run.steps()) + " of " + std::to_string(options.steps) +
                        holding(run.files()));
    }
    if (!options.no_summary) run.summarise();
    if (ranks.first() && !options.no_summary) run.summarise_potential();
    if (std::error_code none; ranks.first() && !options.state_is_asked_for)
      std::filesystem::remove(options.state, none);
    run.end();
    ranks.finish();
    return 0;
  } catch (const Interrupted& end) {
    ranks.fail(end.what(), end.exit_code());
  } catch (const std::exception& thrown) {
    const Error error = as_error(thrown);
    ranks.fail(error.what() + (error.details().log.empty() ? std::string() : "\n" + error.details().log),
               static_cast<int>(error.fault()));
  }
}

}  // namespace orrery::cli
