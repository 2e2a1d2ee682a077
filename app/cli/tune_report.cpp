#include "cli/tune_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/text.hpp"

namespace orrery::cli {
namespace {

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

}  // namespace

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

}  // namespace orrery::cli
