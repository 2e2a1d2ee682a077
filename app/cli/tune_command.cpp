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
#include "compute/tuning/tune_keeper.hpp"
#include "scenes/mandelbrot/model/precision.hpp"
#include "scenes/tune_catalog.hpp"

namespace orrery::cli {
namespace {

constexpr std::string_view usage_text =
    "usage: orrery tune nbody [--bodies N] [--precision single|mixed|double] …\n"
    "       orrery tune mandelbrot [--view boundary|interior] [--precision single|double|ladder|perturbation] …\n"
    "       orrery tune nbody|mandelbrot --help\n";

struct TuneJob {
  std::string device, precision = "single", kernel = "main", view = "boundary", json;
  std::int64_t bodies = 0;
  double budget = 60;
  bool again = false;
};

bool parse_job(bool nbody, const Arguments& arguments, TuneJob& job) {
  CLI::App app(nbody ? "Finds the fastest variant of the kernel that sums forces; every candidate's sums are checked."
                     : "Finds the fastest variant of the kernel that iterates; every candidate's picture is checked.",
               nbody ? "tune nbody" : "tune mandelbrot");
  add_device_option(app, job.device);
  std::vector<Parameter> list;
  std::vector<std::string_view> precisions{"single", "double"};
  if (nbody) {
    precisions.insert(precisions.begin() + 1, "mixed");
    list.push_back({{.name = "bodies",
                     .label = "",
                     .help = "how many; the result serves their power of two",
                     .minimum = 64,
                     .maximum = 4194304,
                     .automatic = true},
                    &job.bodies});
  } else {
    precisions.insert(precisions.end(), {"ladder", "perturbation"});
    list.push_back({{.name = "view",
                     .label = "",
                     .help = "boundary: pixels that escape at very different n; interior: all take the same steps",
                     .choices = {"boundary", "interior"}},
                    &job.view});
  }
  list.push_back({{.name = "precision", .label = "", .help = "of the kernel", .choices = precisions}, &job.precision});
  list.push_back({{.name = "kernel",
                   .label = "",
                   .help = nbody ? "main: the one that sums forces; advance: the one that moves the bodies"
                                 : "main: the one that iterates; publish: the one that hands the picture over",
                   .choices = {"main", nbody ? "advance" : "publish"}},
                  &job.kernel});
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

TuneWork work_of(bool nbody, const TuneJob& job) {
  // Mixed precision sums in single; a kernel of the ladder is called by what it computes.
  const std::string kernel = job.kernel != "main"        ? job.kernel
                             : job.precision == "mixed"  ? "single"
                             : job.precision == "ladder" ? std::string(name_of(mandelbrot::Precision::ladder))
                                                         : job.precision;
  return {.scene = nbody ? "nbody" : "mandelbrot", .kernel = kernel, .bodies = job.bodies, .view = job.view};
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

int run_tune(const Arguments& all) {
  if (all.empty()) throw usage_error("tune needs a name", {}, "known: nbody | mandelbrot");
  if (all.front() == "--help" || all.front() == "-h") {
    std::printf("%s", usage_text.data());
    return 0;
  }
  const bool nbody = all.front() == "nbody";
  if (!nbody && all.front() != "mandelbrot") throw usage_error("cannot tune", all.front(), "known: nbody | mandelbrot");
  TuneJob job;
  if (!parse_job(nbody, {all.begin() + 1, all.end()}, job)) return 0;
  const Device device(open_choice(job.device));
  ProgramLibrary programs(device);
  const auto target = tune_target(programs, work_of(nbody, job));
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
