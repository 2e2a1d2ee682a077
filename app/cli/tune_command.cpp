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

void print_tune_usage(SceneKinds kinds) {
  std::printf(
      "Finds the fastest variant of a kernel; the result is checked, saved, and used where a size is auto.\n\n"
      "Usage:\n");
  for (const SceneKind* kind : kinds)
    if (kind->tuning != nullptr)
      std::printf("  orrery tune %s %s …\n", std::string(kind->name).c_str(),
                  std::string(kind->tuning->usage()).c_str());
  std::printf("  orrery tune %s --help\n", names_of(kinds, &SceneKind::tuning, "|").c_str());
}

struct TuneJob {
  std::string device, json;
  TuneOptions options;
  double budget = 60;
  bool again = false;
};

bool parse_tune_job(const SceneKind& kind, const Arguments& arguments, TuneJob& job) {
  CLI::App app(std::string(kind.tuning->about()), "tune " + std::string(kind.name));
  add_device_option(app, job.device);
  std::vector<Parameter> list = kind.tuning->parameters(job.options);
  list.push_back({{.name = "budget",
                   .label = "",
                   .unit = "s",
                   .help = "time to spend; the default variant is always measured",
                   .minimum = 0,
                   .maximum = 86400},
                  &job.budget});
  add_parameters(app, std::move(list));
  app.add_option("--json", job.json, "file to which the results are also written")->type_name("FILE");
  app.add_flag("--again", job.again, "measure again, even if results are saved");
  if (!parse(app, arguments)) return false;
  check_output("--json", job.json);
  return true;
}

// Launches are cut as for a window, but longer. Results are saved every few seconds, so that an interrupted sweep can
// continue.
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
    std::printf("the results of %s are for %s: measuring again\n", stale->measured.c_str(),
                staleness(*stale, identity).c_str());
  KnownEntries known;
  if (kept != nullptr && !job.again) {
    std::printf("continuing from the results of %s\n", kept->measured.c_str());
    known = known_entries(*kept, target.space());
  }
  return measured(target, identity, job, keeper, known);
}

}  // namespace

int run_tune(SceneKinds kinds, const Arguments& all) {
  if (all.empty()) throw usage_error("tune: name a model, " + names_of(kinds, &SceneKind::tuning), {}, {});
  if (all.front() == "--help" || all.front() == "-h") {
    print_tune_usage(kinds);
    return 0;
  }
  const SceneKind* kind = find_kind(kinds, all.front());
  if (kind == nullptr || kind->tuning == nullptr)
    throw usage_error("tune", all.front(), names_of(kinds, &SceneKind::tuning));
  TuneJob job;
  if (!parse_tune_job(*kind, {all.begin() + 1, all.end()}, job)) return 0;
  const Device device(open_choice(job.device));
  ProgramLibrary programs(device);
  const auto target = kind->tuning->target(programs, kind->tuning->work(job.options));
  std::printf("%s, driver %s\n", device.info().name.c_str(), device.info().driver.c_str());
  std::vector<std::string> messages;
  TuneKeeper keeper(messages);
  for (const std::string& message : messages) log(Level::warning, message);
  const InterruptWatch watch("the current candidate");
  const TuneReport report = tuned_report(*target, device.info(), job, keeper);
  const std::string not_kept = keeper.finish();
  if (!not_kept.empty()) log(Level::error, not_kept);
  if (interrupted())
    throw Interrupted(" after " + std::to_string(report.entries.size()) + " candidates; " +
                      (not_kept.empty() ? "repeat the command to continue" : "their results are lost"));
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
