#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/interrupt.hpp"
#include "cli/commands.hpp"
#include "compute/program/program.hpp"
#include "compute/tuning/tune_catalog.hpp"
#include "compute/tuning/tune_keeper.hpp"
#include "compute/tuning/tuning_store.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::cli {
namespace {

// ---- the output for one sweep, new or saved

struct TuneReport {
  TuneSubject subject;
  TuneSpace space;
  std::vector<TuneEntry> entries;
  TuneValues standard, best, choice;  // `best` and `choice` are empty if nothing was timed
  bool complete = false, exhaustive = false, host_times = false;
  double seconds = 0;      // duration of this run
  std::string fault = {};  // why the default cannot be used
  std::string note = {};   // the origin of the numbers
};

using Json = nlohmann::ordered_json;

const TuneEntry* entry_of(const TuneReport& report, const TuneValues& values) {
  const auto found = std::ranges::find(report.entries, values, &TuneEntry::values);
  return found == report.entries.end() || found->seconds.empty() ? nullptr : &*found;
}

double rate_of(const TuneReport& report, const TuneEntry& entry) { return report.subject.work / entry.median; }

std::vector<const TuneEntry*> timed(const TuneReport& report) {
  std::vector<const TuneEntry*> result;
  for (const TuneEntry& entry : report.entries)
    if (entry.right() && !entry.seconds.empty()) result.push_back(&entry);
  std::ranges::sort(result, {}, &TuneEntry::median);
  return result;
}

std::string marks_of(const TuneReport& report, const TuneEntry& entry) {
  std::string marks;
  const auto mark = [&](bool holds, const char* text) {
    if (holds) marks += (marks.empty() ? "  ← " : ", ") + std::string(text);
  };
  mark(entry.values == report.best, "best");
  mark(entry.values == report.choice, "auto");
  mark(entry.values == report.standard, "default");
  mark(!entry.keeps_bits, "different bits");
  mark(entry.state == TuneState::slower, "dropped");
  return marks;
}

std::string interval_text(const Interval& interval) {
  if (!std::isfinite(interval.upper)) return "n/a";
  return brief(1e3 * interval.lower) + " … " + brief(1e3 * interval.upper);
}

void print_timed(const TuneReport& report) {
  std::printf("%12s  %-22s %4s  %10s  %s\n", "median ms", "95 %", "runs", (report.subject.unit + "/s").c_str(),
              "candidate");
  for (const TuneEntry* entry : timed(report))
    std::printf("%12s  %-22s %4zu  %10s    %s%s\n", brief(1e3 * entry->median).c_str(),
                interval_text(entry->interval).c_str(), entry->seconds.size(),
                report.subject.work > 0 ? brief(rate_of(report, *entry)).c_str() : "n/a",
                report.space.text(entry->values).c_str(), marks_of(report, *entry).c_str());
}

// Prints one example for each reason of rejection.
void print_rejected(const TuneReport& report) {
  std::map<std::string, std::vector<const TuneEntry*>> reasons;
  for (const TuneEntry& entry : report.entries)
    if (entry.state == TuneState::rejected || entry.state == TuneState::failed) reasons[entry.reason].push_back(&entry);
  for (const auto& [reason, entries] : reasons)
    std::printf("%s %zu: %s (%s%s)\n", std::string(name_of(entries.front()->state)).c_str(), entries.size(),
                reason.c_str(), report.space.text(entries.front()->values).c_str(), entries.size() > 1 ? ", …" : "");
}

void print_wrong(const TuneReport& report) {
  for (const TuneEntry& entry : report.entries)
    if (entry.state == TuneState::wrong)
      std::printf("WRONG: %s: %s\n", report.space.text(entry.values).c_str(), entry.reason.c_str());
}

std::size_t untried(const TuneReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(report.entries, [](const TuneEntry& entry) {
    return entry.state == TuneState::waiting || entry.state == TuneState::measuring;
  }));
}

void print_summary(const TuneReport& report) {
  const std::vector<const TuneEntry*> all = timed(report);
  const TuneEntry* standard = entry_of(report, report.standard);
  if (all.empty() || standard == nullptr) return;
  const auto line = [&](const char* what, const TuneEntry& entry) {
    std::printf("%-8s %s ms, %s × the default's speed: %s\n", what, brief(1e3 * entry.median).c_str(),
                brief(standard->median / entry.median, 3).c_str(), report.space.text(entry.values).c_str());
  };
  line("default", *standard);
  if (const TuneEntry* best = entry_of(report, report.best)) line("best", *best);
  if (const TuneEntry* choice = entry_of(report, report.choice); choice != nullptr && report.choice != report.best)
    line("auto", *choice);
  line("worst", *all.back());
}

Json as_json(const TuneReport& report, const TuneEntry& entry) {
  Json json{
      {"state", name_of(entry.state)}, {"values", report.space.named(entry.values)}, {"keeps_bits", entry.keeps_bits}};
  if (!entry.reason.empty()) json["reason"] = entry.reason;
  if (entry.seconds.empty()) return json;
  const bool known = std::isfinite(entry.interval.upper);
  json["runs"] = entry.seconds.size();
  json["median_seconds"] = entry.median;
  json["interval_seconds"] = known ? Json{entry.interval.lower, entry.interval.upper} : Json();
  json["rate"] = report.subject.work > 0 ? Json(rate_of(report, entry)) : Json();
  return json;
}

TuneReport report_of(const Sweep& sweep, const TuneTarget& target) {
  TuneReport report{target.subject(), target.space(), sweep.entries(), sweep.standard().values, {}, {}};
  if (sweep.best() != nullptr) report.best = sweep.best()->values;
  if (sweep.choice() != nullptr) report.choice = sweep.choice()->values;
  report.complete = sweep.complete();
  report.exhaustive = sweep.exhaustive();
  report.host_times = sweep.host_times();
  report.seconds = sweep.elapsed();
  report.fault = sweep.fault();
  return report;
}

// The report of a saved sweep.
TuneReport report_of(const StoredSweep& stored, const TuneTarget& target) {
  const TuneSpace& space = target.space();
  TuneReport report{target.subject(), space, known_entries(stored, space).entries, target.standard(), {}, {}};
  for (TuneEntry& entry : report.entries) {
    entry.summarise();
  }
  report.best = space.values(stored.best).value_or(TuneValues());
  report.choice = space.values(stored.choice).value_or(TuneValues());
  report.complete = report.exhaustive = stored.complete;
  report.host_times = stored.host_times;
  report.subject.work = stored.work;
  report.note = "measured on " + stored.measured + "; --again measures again";
  return report;
}

void print(const TuneReport& report) {
  std::printf("\n%s, %s%s%s\n", report.subject.kernel.c_str(), report.subject.problem.c_str(),
              report.note.empty() ? "" : ": ", report.note.c_str());
  print_timed(report);
  print_rejected(report);
  print_wrong(report);
  if (report.host_times) std::printf("no device timings: measured on the host, including launches and waiting\n");
  if (!report.fault.empty()) std::printf("THE DEFAULT CANNOT BE USED: %s\n", report.fault.c_str());
  print_summary(report);
  if (!report.note.empty()) return;
  const std::size_t left = untried(report);
  std::printf("%zu candidates in %s s, %s%s\n", report.entries.size(), brief(report.seconds, 3).c_str(),
              report.exhaustive ? "all of them measured" : "chosen by search",
              left > 0 ? (", " + std::to_string(left) + " not finished: the next run continues").c_str() : "");
}

nlohmann::ordered_json as_json(const TuneReport& report) {
  Json json{{"kernel", report.subject.kernel},    {"problem", report.subject.problem},
            {"unit", report.subject.unit + "/s"}, {"complete", report.complete},
            {"exhaustive", report.exhaustive},    {"times", report.host_times ? "host" : "device"},
            {"seconds", report.seconds}};
  if (!report.fault.empty()) json["fault"] = report.fault;
  const auto add = [&](const char* key, const TuneEntry* entry) {
    json[key] = entry == nullptr ? Json() : as_json(report, *entry);
  };
  const std::vector<const TuneEntry*> all = timed(report);
  add("default", entry_of(report, report.standard));
  add("best", entry_of(report, report.best));
  add("auto", entry_of(report, report.choice));
  add("worst", all.empty() ? nullptr : all.back());
  json["candidates"] = Json::array();
  for (const TuneEntry& entry : report.entries) json["candidates"].push_back(as_json(report, entry));
  return json;
}

// ---- the command

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
                   .help = "time limit; the default variant is always measured",
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
