#include <chrono>
#include <cstdio>
#include <thread>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/interrupt.hpp"
#include "cli/commands.hpp"
#include "cli/tune_report.hpp"
#include "compute/program/program.hpp"
#include "compute/tuning/tune_catalog.hpp"
#include "compute/tuning/tune_keeper.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::cli {
namespace {

std::string known(SceneKinds kinds) { return "known: " + names_of(kinds, &SceneKind::tuning); }

void print_usage(SceneKinds kinds) {
  const char* before = "usage:";
  for (const SceneKind* kind : kinds) {
    if (kind->tuning == nullptr) continue;
    std::printf("%s orrery tune %s %s …\n", before, std::string(kind->name).c_str(),
                std::string(kind->tuning->usage()).c_str());
    before = "      ";
  }
  std::printf("       orrery tune %s --help\n", names_of(kinds, &SceneKind::tuning, "|").c_str());
}

struct TuneJob {
  std::string device, json;
  TuneOptions options;
  double budget = 60;
  bool again = false;
};

bool parse_job(const SceneKind& kind, const Arguments& arguments, TuneJob& job) {
  CLI::App app(std::string(kind.tuning->about()), "tune " + std::string(kind.name));
  add_device_option(app, job.device);
  std::vector<Parameter> list = kind.tuning->parameters(job.options);
  list.push_back({{.name = "budget",
                   .label = "",
                   .unit = "s",
                   .help = "time to spend; the default is measured in any case",
                   .minimum = 0,
                   .maximum = 86400},
                  &job.budget});
  add_parameters(app, std::move(list));
  app.add_option("--json", job.json, "also writes a file")->type_name("FILE");
  app.add_flag("--again", job.again, "measures anew what is already known");
  if (!parse(app, arguments)) return false;
  check_output("--json", job.json);
  return true;
}

// Launches are cut as if for a window, but longer; what is found is kept every so often, so that a sweep that is
// stopped goes on.
TuneReport measured(TuneTarget& target, const TuneIdentity& identity, const TuneJob& job, TuneKeeper& keeper,
                    const KnownEntries& known) {
  constexpr double slice = 0.1, between_saves = 5;
  SweepSettings settings;
  settings.seconds = job.budget;
  Sweep sweep(target, settings, known);
  Progress progress("tune " + target.subject().kernel);
  double saved = 0;
  const auto keep = [&] { keeper.keep(stored(sweep, target.subject(), target.space(), identity)); };
  while (!interrupted() && sweep.step(slice)) {
    progress.show(sweep.progress(), sweep.activity());
    if (sweep.best() != nullptr && sweep.elapsed() - saved > between_saves) {
      saved = sweep.elapsed();
      keep();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  if (sweep.fault().empty()) keep();
  return report_of(sweep, target);
}

TuneReport tuned_report(TuneTarget& target, const DeviceInfo& device, const TuneJob& job, TuneKeeper& keeper) {
  const TuneIdentity identity =
      identity_of(device, target.subject(), source_hash(kernel_folder(), target.subject().files));
  const StoredSweep* kept = keeper.store().find(identity);
  if (kept != nullptr && !job.again && kept->complete) return report_of(*kept, target);
  if (const StoredSweep* stale = keeper.store().stale(identity))
    std::printf("what was measured on %s is of %s: measured again\n", stale->measured.c_str(),
                staleness(*stale, identity).c_str());
  KnownEntries known;
  if (kept != nullptr && !job.again) {
    std::printf("going on from what was measured on %s\n", kept->measured.c_str());
    known = known_entries(*kept, target.space());
  }
  return measured(target, identity, job, keeper, known);
}

}  // namespace

int run_tune(SceneKinds kinds, const Arguments& all) {
  if (all.empty()) throw usage_error("tune needs a name", {}, known(kinds));
  if (all.front() == "--help" || all.front() == "-h") {
    print_usage(kinds);
    return 0;
  }
  const SceneKind* kind = find_kind(kinds, all.front());
  if (kind == nullptr || kind->tuning == nullptr) throw usage_error("cannot tune", all.front(), known(kinds));
  TuneJob job;
  if (!parse_job(*kind, {all.begin() + 1, all.end()}, job)) return 0;
  const Device device(open_choice(job.device));
  ProgramLibrary programs(device);
  const auto target = kind->tuning->target(programs, kind->tuning->work(job.options));
  std::printf("%s, driver %s\n", device.info().name.c_str(), device.info().driver.c_str());
  std::vector<std::string> messages;
  TuneKeeper keeper(messages);
  for (const std::string& message : messages) log(Level::warning, message);
  const InterruptWatch watch;
  const TuneReport report = tuned_report(*target, device.info(), job, keeper);
  const std::string not_kept = keeper.finish();
  if (!not_kept.empty()) log(Level::error, not_kept);
  if (interrupted())
    throw Interrupted(" after " + std::to_string(report.entries.size()) + " candidates; " +
                      (not_kept.empty() ? "the same command continues from there" : "they are lost"));
  print(report);
  if (!job.json.empty()) {
    const nlohmann::ordered_json document{{"device", device.info().name},
                                          {"driver", device.info().driver},
                                          {"sweeps", nlohmann::ordered_json::array({as_json(report)})}};
    write_file(job.json, document.dump(2) + "\n");
  }
  return report.fault.empty() && not_kept.empty() ? 0 : 1;
}

}  // namespace orrery::cli
