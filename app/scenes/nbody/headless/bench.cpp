#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "compute/measure/ceilings.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/headless/commands.hpp"
#include "scenes/nbody/headless/contender.hpp"
#include "scenes/nbody/model/memory.hpp"
#include "scenes/nbody/model/tree.hpp"

namespace orrery::cli {
namespace {

constexpr double softening = 0.05, dt = 1e-4;
constexpr std::size_t fewest_runs = 3, most_runs = 101;

struct BenchOptions {
  std::string bodies, work_groups = "auto", precisions = "single,mixed,double", forces = "gather,pairs,tree",
                      integrator{default_integrator().name};
  double seconds = 1;  // duration of the measurement per row
  NbodySettings tree;  // accuracy of the tree
  bool baselines = true;
};

bool parse_options(const std::vector<std::string>& arguments, const DeviceInfo& device, BenchOptions& options) {
  const bool cpu = device.device_class == DeviceClass::cpu;
  options.bodies = cpu ? "1024,4096,16384" : "4096,16384,65536,135168,262144";
  if (cpu) options.seconds = 0.5;
  // The pair kernel is worth timing where a device passes values within a warp.
  if (cpu) options.forces = "gather,tree";
  if (!device.fp64) options.precisions = "single,mixed";
  CLI::App app(
      "Interactions per second of the n-body step, compared with the tutorial kernel and, on a CPU, with a plain loop. "
      "Forces are checked against sums in long double before and after; a wrong result ends the command.",
      "bench nbody");
  app.add_option("--bodies", options.bodies, "numbers of bodies, separated by commas; default " + options.bodies)
      ->type_name("N,N");
  app.add_option("--precision", options.precisions,
                 "single, mixed, double, separated by commas; default " + options.precisions)
      ->type_name("NAME,NAME");
  app.add_option("--forces", options.forces,
                 "auto, gather, pairs, tree, separated by commas; default " + options.forces)
      ->type_name("NAME,NAME");
  std::vector<Parameter> of_tree = parameters(options.tree, true);
  std::erase_if(of_tree, [](const Parameter& parameter) {
    const std::string_view name = parameter.info().name;
    return name != "force-error" && name != "opening-angle" && name != "order";
  });
  add_parameters(app, of_tree);
  app.add_option("--work-group", options.work_groups, "work-group sizes, separated by commas; default auto")
      ->type_name("N,N");
  app.add_option("--integrator", options.integrator, integrator_choices());
  add_parameters(app,
                 {{{.name = "seconds", .label = "", .help = "measuring time per row", .minimum = 0, .maximum = 3600},
                   &options.seconds}});
  app.add_flag("!--no-baselines", options.baselines, "omit the tutorial kernel and the plain loop");
  return parse(app, arguments);
}

// Multiply-adds per second, in single and in double: specified where known, else measured.
struct Arithmetic {
  double single = 0, double_ = 0;
  std::string reason;
};

// Lanes that a compute unit issues at once; OpenCL does not report them.
struct Lanes {
  std::string_view device;
  double single, double_;
};
constexpr std::array known_devices{Lanes{"H200", 128, 64}, Lanes{"H100", 128, 64}};

Arithmetic arithmetic_of(ProgramLibrary& programs) {
  const DeviceInfo& device = programs.device().info();
  const auto known = std::ranges::find_if(
      known_devices, [&](const Lanes& lanes) { return device.name.find(lanes.device) != std::string::npos; });
  if (known == known_devices.end()) {
    const Ceilings ceilings = measure_ceilings(programs);
    return {ceilings.multiply_adds, ceilings.multiply_adds_double, "as measured"};
  }
  const double each = device.compute_units * device.clock_mhz * 1e6;
  return {known->single * each, known->double_ * each, "as specified"};
}

double slots_of(const DeviceInfo& device, bool pairs, Precision precision) {
  NbodyVariant variant;
  variant.forces = pairs ? Forces::pairs : Forces::gather;
  variant.precision = precision;
  return interaction_cost(device, variant).operations;
}

void set_bound(const DeviceInfo& device, const Arithmetic& arithmetic, const NbodyContender& contender,
               BenchResult& result) {
  if (result.parameters.value("forces", "") == "tree") return;  // how many interactions it computes is not known
  const Precision precision = contender.precision();
  const double slots = slots_of(device, result.parameters.value("forces", "") == "pairs", precision);
  const double rate = precision == Precision::double_ ? arithmetic.double_ : arithmetic.single;
  result.bound = static_cast<double>(contender.devices()) * rate / slots;
  result.bound_reason =
      brief(slots, 4) + " slots an interaction at " + brief(rate, 3) + " multiply-adds a second, " + arithmetic.reason;
}

/// A contender and its measurements.
struct Entry {
  std::unique_ptr<NbodyContender> contender;
  std::int64_t steps = 1;            // per run
  std::vector<double> seconds;       // per step, of each run
  AccelerationCheck check;           // the worse one of the first and the last check
  std::optional<std::size_t> alone;  // for several devices: the entry of the first device alone
};

/// Entries that are timed in turns: all with one number of bodies in one arithmetic, and their rivals.
struct Group {
  std::size_t bodies = 0;
  std::vector<Entry> entries;
  std::map<std::string, std::size_t> rivals;  // "tutorial", "loop": indices of entries
};

std::string text_of(const Entry& entry, std::size_t bodies) {
  const NbodyContender& contender = *entry.contender;
  return contender.name() + " of " + std::to_string(bodies) + " bodies in " +
         std::string(name_of(contender.precision())) + " " + contender.parameters().dump();
}

void check(Entry& entry, std::uint64_t draw) {
  const Bodies bodies = entry.contender->bodies();
  const auto told = entry.contender->parameters();
  if (told.value("forces", "") == "tree") {
    const double promised = told.value("force_error", std::numeric_limits<double>::infinity());
    const AccelerationCheck kept =
        check_tree(text_of(entry, bodies.size()), bodies, entry.contender->accelerations(), promised, softening, draw);
    if (kept.error >= entry.check.error) entry.check = kept;
    return;
  }
  const AccelerationCheck check =
      check_accelerations(text_of(entry, bodies.size()), bodies, entry.contender->accelerations(),
                          entry.contender->precision(), softening, draw);
  if (check.error >= entry.check.error) entry.check = check;
}

double run(Entry& entry) {
  end_if_interrupted();
  const double began = now_seconds();
  entry.contender->step(entry.steps);
  return (now_seconds() - began) / static_cast<double>(entry.steps);
}

// Chooses the number of steps so that a run is long compared with its start and its wait.
void calibrate(Entry& entry) {
  constexpr double long_enough = 0.02;
  constexpr std::int64_t most_steps = 1024;
  run(entry);  // learns how long launches may be
  while (entry.steps < most_steps && run(entry) * static_cast<double>(entry.steps) < long_enough) entry.steps *= 2;
}

// After its work a loop's threads spin for some milliseconds and would take time from a device that is the processor
// itself.
void rest(const Group& group) {
  if (group.rivals.contains("loop")) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

// Runs in turns, so that other load on the machine affects all entries alike.
void measure(Group& group, double seconds) {
  for (Entry& entry : group.entries) {
    check(entry, 0);
    calibrate(entry);
  }
  const double until = now_seconds() + seconds * static_cast<double>(group.entries.size());
  for (std::size_t round = 0; round < fewest_runs || (now_seconds() < until && round < most_runs); ++round)
    for (Entry& entry : group.entries) {
      rest(group);
      entry.seconds.push_back(run(entry));
    }
  for (Entry& entry : group.entries) check(entry, 1);
}

// The ratio of interactions per time to the rival's; the median over the runs.
double times_faster(const Entry& entry, const Entry& rival) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < entry.seconds.size(); ++k) ratios.push_back(rival.seconds[k] / entry.seconds[k]);
  return median(ratios) * static_cast<double>(entry.contender->evaluations());
}

BenchResult result_of(const DeviceInfo& device, const Arithmetic& arithmetic, const Group& group, const Entry& entry) {
  BenchResult result;
  const Precision precision = entry.contender->precision();
  result.name = entry.contender->name();
  result.parameters = {{"bodies", group.bodies}, {"precision", name_of(precision)}};
  result.parameters.update(entry.contender->parameters());
  result.median_seconds = median(entry.seconds);
  result.runs = static_cast<int>(entry.seconds.size());
  const auto n = static_cast<double>(group.bodies);
  const bool tree = result.parameters.value("forces", "") == "tree";
  if (tree) {
    const auto each = [&](std::size_t bytes) { return (bytes + group.bodies - 1) / group.bodies; };
    result.parameters["tree_bytes_per_body"] = each(NbodyTree::bytes(device, group.bodies));
    result.parameters["bytes_per_body"] = each(bytes_of_simulation(device, {precision, Forces::tree}, group.bodies));
  }
  result.rate = (tree ? 1 : n) * n * static_cast<double>(entry.contender->evaluations()) / result.median_seconds;
  result.unit = tree ? "bodies/s" : "interactions/s";
  set_bound(device, arithmetic, *entry.contender, result);
  const auto compare = [&](const std::string& name, const Entry& rival) {
    if (&rival == &entry) return;
    const double times = times_faster(entry, rival) / static_cast<double>(rival.contender->evaluations());
    result.parameters["times_" + name] = times;
    result.note += brief(times, 3) + " × " + name + ", ";
  };
  for (const auto& [name, place] : group.rivals) compare(name, group.entries[place]);
  if (entry.alone) compare("one_device", group.entries[*entry.alone]);
  const AccelerationCheck& found = entry.check;
  result.parameters["error"] = found.error;
  const bool promised = std::isfinite(found.tolerance);
  if (promised) result.parameters["tolerance"] = found.tolerance;
  const std::string allowed = promised ? ", " + brief(found.tolerance, 2) + " allowed" : "";
  if (tree) {
    result.parameters.update(
        {{"error_median", found.median}, {"error_90", found.p90}, {"error_largest", found.largest}});
    result.note += "errors of 50, 90, 99 and 100 % below " + brief(found.median, 2) + ", " + brief(found.p90, 2) +
                   ", " + brief(found.error, 2) + ", " + brief(found.largest, 2) + allowed;
  } else {
    result.note += "error " + brief(found.error, 2) + allowed;
  }
  return result;
}

// Masses differ: equal ones would hide a kernel that takes the wrong one.
BenchStart start_of(std::int64_t count) {
  BenchStart start{make_bodies("plummer", count, 0, 1), softening, dt};
  double mass = 0;
  for (std::size_t i = 0; i < start.bodies.size(); ++i) mass += start.bodies[i].mass *= 1 + static_cast<double>(i % 7);
  for (Body& body : start.bodies) body.mass /= mass;
  return start;
}

class Table {
 public:
  Table(const DeviceGroup& devices, Exchange exchange, const BenchOptions& options, BenchResults& results)
      : devices_(devices),
        exchange_(exchange),
        options_(options),
        results_(results),
        arithmetic_(arithmetic_of(*devices.programs().front())),
        bodies_(whole_numbers("--bodies", options.bodies, 1, most_in_a_set)),
        work_groups_(whole_numbers("--work-group", options.work_groups, 1, most_in_a_set, Auto::allowed)) {
    for (const std::string& precision : comma_separated(options.precisions)) {
      settings_.precision = checked("precision", precision);
      (precision_of(settings_, info()) == Precision::double_ ? doubles_ : floats_).push_back(precision);
    }
    for (const std::string& forces : comma_separated(options.forces)) forces_.push_back(checked("forces", forces));
    if (floats_.empty() && forces_ == std::vector<std::string>{"tree"})
      throw usage_error("--precision", options.precisions, "single or mixed with --forces tree");
    settings_.integrator = checked("integrator", options.integrator);
    settings_.force_error = options.tree.force_error;
    settings_.opening_angle = options.tree.opening_angle;
    settings_.order = options.tree.order;
    settings_.softening = softening;
  }

  void fill() {
    Progress progress("bench nbody");
    double done = 0;
    for (const std::int64_t bodies : bodies_)
      for (const auto* precisions : {&floats_, &doubles_}) {
        if (precisions->empty()) continue;
        progress.show(done++ / static_cast<double>(2 * bodies_.size()), std::to_string(bodies) + " bodies");
        add(bodies, *precisions);
      }
  }

 private:
  const DeviceInfo& info() const { return devices_.first().info(); }

  // Refuses what the simulation would refuse.
  std::string checked(std::string_view name, const std::string& text) {
    NbodySettings settings;
    std::vector<Parameter> list = parameters(settings, info().fp64);
    Parameter& parameter = *find(list, name);
    parameter.assign_text(text);
    return text;
  }

  void add(std::int64_t bodies, const std::vector<std::string>& precisions) {
    const BenchStart start = start_of(bodies);
    Group group;
    group.bodies = start.bodies.size();
    for (const std::string& precision : precisions)
      for (const std::string& forces : forces_)
        for (const std::int64_t work_group : work_groups_) {
          if (forces == "tree" && &precisions == &doubles_) continue;  // no tree in double
          NbodySettings settings = settings_;
          settings.precision = precision;
          settings.forces = forces;
          settings.work_group = work_group;
          add_simulations(group, start, settings);
        }
    if (options_.baselines) add_rivals(group, start, &precisions == &doubles_ ? Precision::double_ : Precision::single);
    measure(group, options_.seconds);
    for (const Entry& entry : group.entries) results_.push_back(result_of(info(), arithmetic_, group, entry));
  }

  void add_simulations(Group& group, const BenchStart& start, const NbodySettings& settings) {
    const auto programs = devices_.programs();
    const std::size_t alone = group.entries.size();
    group.entries.emplace_back().contender = simulation_contender(programs.first(1), exchange_, start, settings);
    if (programs.size() == 1) return;
    Entry& together = group.entries.emplace_back();
    together.contender = simulation_contender(programs, exchange_, start, settings);
    together.alone = alone;
  }

  void add_rivals(Group& group, const BenchStart& start, Precision precision) {
    group.rivals["tutorial"] = group.entries.size();
    group.entries.emplace_back().contender = tutorial_contender(*devices_.programs().front(), start, precision);
    if (info().device_class != DeviceClass::cpu) return;
    auto loop = loop_contender(start, precision);
    if (!loop) return;
    group.rivals["loop"] = group.entries.size();
    group.entries.emplace_back().contender = std::move(loop);
  }

  const DeviceGroup& devices_;
  Exchange exchange_;
  const BenchOptions& options_;
  BenchResults& results_;
  Arithmetic arithmetic_;
  std::vector<std::int64_t> bodies_, work_groups_;
  std::vector<std::string> floats_, doubles_, forces_;  // precisions by their arithmetic
  NbodySettings settings_;
};

}  // namespace

void bench_nbody(const BenchDevices& on, const std::vector<std::string>& arguments, BenchResults& results) {
  BenchOptions options;
  if (!parse_options(arguments, on.infos.front(), options)) return;
  const DeviceGroup devices(on.infos);
  Table(devices, exchange_named(on.exchange), options, results).fill();
}

}  // namespace orrery::cli
