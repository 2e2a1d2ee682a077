#include "scenes/nbody/tuning/device_group.hpp"

#include <algorithm>
#include <iterator>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "compute/device/call_watch.hpp"
#include "compute/tuning/variant_text.hpp"
#include "scenes/nbody/model/range.hpp"
#include "scenes/nbody/tuning/tree_calibration.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

namespace orrery {
namespace {

// Relative noise of a short measurement: speeds that differ by less count as equal.
constexpr double noise = 0.05;

// This number keeps the device busy for a few milliseconds.
std::size_t bodies_to_measure(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? 4096 : 65536;
}

void level(std::vector<NbodyKernels>& kernels, const NbodyCompany& company) {
  const auto slower = [](const NbodyKernels& a, const NbodyKernels& b) { return a.measured < b.measured; };
  const auto [least, most] = std::ranges::minmax_element(kernels, slower);
  double slowest = least->measured, fastest = most->measured;
  if (company.ranks != nullptr)
    for (const std::string& range : company.ranks->all(digits17(slowest) + " " + digits17(fastest))) {
      const std::size_t blank = range.find(' ');
      slowest = std::min(slowest, parse_real(range.substr(0, blank)).value_or(slowest));
      fastest = std::max(fastest, parse_real(range.substr(blank + 1)).value_or(fastest));
    }
  const bool alike = fastest <= (1 + noise) * slowest;
  for (NbodyKernels& each : kernels) each.speed = alike ? 1 : each.measured;
}

// True if all ranks agree.
bool agreed(bool here, const NbodyCompany& company) {
  if (company.ranks == nullptr) return here;
  const std::vector<std::string> answers = company.ranks->all(here ? "yes" : "no");
  return std::ranges::find(answers, "no") == answers.end();
}

bool all_double(std::span<ProgramLibrary* const> devices, const NbodyCompany& company) {
  return agreed(std::ranges::all_of(devices, [](ProgramLibrary* each) { return each->device().info().fp64; }), company);
}

// True if all devices round alike: with a tree or individual steps, each moves all bodies, and to the same places.
bool all_alike(std::span<ProgramLibrary* const> devices, const NbodyCompany& company) {
  const auto kind_of = [](const DeviceInfo& device) { return device.name + device.driver + device.platform; };
  std::string first = kind_of(devices.front()->device().info());
  if (company.ranks != nullptr) first = company.ranks->of_first(first);
  return agreed(
      std::ranges::all_of(devices, [&](ProgramLibrary* each) { return kind_of(each->device().info()) == first; }),
      company);
}

std::vector<NbodyVariant> variants_of(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                      std::size_t bodies, const NbodyCompany& company) {
  if (settings.contact != "pass" && (devices.size() > 1 || company.ranks != nullptr))
    throw usage_error("--contact", settings.contact, "pass with several devices or ranks, or one device");
  NbodySettings same = settings;
  if (!all_alike(devices, company)) {
    const DeviceInfo& first = devices.front()->device().info();
    if (takes_individual_steps(settings))
      throw usage_error("--time-steps", settings.time_steps, "shared with devices that are not alike");
    if (forces_of(settings) == Forces::tree)
      throw usage_error("--forces", "tree", "auto, gather or pairs with devices that are not alike");
    if (forces_of(settings) == Forces::automatic)
      same.forces = name_of(exact_forces(first, precision_of(settings, first), bodies));
  }
  // Each device sums all pairs by a variant of its own; a tree has the same shape on all, so that the bits are the
  // same.
  if (devices.size() > 1 || company.ranks != nullptr)
    same.variant = with_choice("auto", std::string(tree_kernel), choice_for(settings.variant, tree_kernel));
  if (company.ranks != nullptr) {
    const DeviceInfo& first = devices.front()->device().info();
    same.forces = company.ranks->of_first(std::string(name_of(nbody_variant(first, same, bodies).forces)));
  }
  std::vector<NbodyVariant> variants;
  for (ProgramLibrary* programs : devices) {
    variants.push_back(nbody_variant(programs->device().info(), same, bodies));
    same.forces = name_of(variants.back().forces);
  }
  return variants;
}

double seconds_of(NbodyForce& force, Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions) {
  const double began = now_seconds();
  for (force.begin(false); !force.complete();) force.enqueue(queue, kernels, positions, 1, 1);
  queue.finish();
  return now_seconds() - began;
}

}  // namespace

DeviceGroup::DeviceGroup(std::span<const DeviceInfo> devices) : devices_(open_devices(devices)) {
  for (const Device& device : devices_) pointers_.push_back(&libraries_.emplace_back(device));
}

std::string DeviceGroup::names() const {
  std::vector<DeviceInfo> infos;
  for (const Device& device : devices_) infos.push_back(device.info());
  return names_of(infos);
}

double measured_speed(const Device& device, NbodyKernels& kernels) {
  const Precision precision = kernels.variant.precision;
  const std::size_t bodies = bodies_to_measure(device.info());
  Queue queue(device);
  const cl::Buffer positions = device.buffer(bodies * bytes_of_real4(precision));
  const std::vector<std::byte> origin(bodies * bytes_of_real4(precision));
  queue.write_blocking(positions, std::span(origin));
  NbodyForce force(device, bodies, precision);
  force.use(kernels.variant, whole_field(bodies),
            device.buffer(parts_of(bodies).count * bodies * bytes_of_real4(precision)));
  seconds_of(force, queue, kernels, positions);  // learns how long launches may be
  double least = seconds_of(force, queue, kernels, positions);
  for (int again = 0; again < 2; ++again) least = std::min(least, seconds_of(force, queue, kernels, positions));
  return static_cast<double>(bodies) * static_cast<double>(bodies) / least;
}

std::vector<ProgramPlan::Part> nbody_programs(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                              std::size_t bodies) {
  std::vector<ProgramPlan::Part> all;
  const std::vector<NbodyVariant> variants = variants_of(devices, settings, bodies, {});
  for (std::size_t k = 0; k < devices.size(); ++k)
    std::ranges::move(ProgramPlan::parts(*devices[k], NbodyKernels::programs(devices[k]->device(), variants[k],
                                                                             all_double(devices, {}))),
                      std::back_inserter(all));
  return all;
}

std::vector<NbodyKernels> nbody_kernels(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                        std::size_t bodies, const std::vector<NbodySpeed>& speeds,
                                        const NbodyCompany& company) {
  std::vector<NbodyKernels> kernels;
  const std::vector<NbodyVariant> variants = variants_of(devices, settings, bodies, company);
  const bool doubles = all_double(devices, company);
  for (std::size_t k = 0; k < devices.size(); ++k) {
    const DriverCall watched(devices[k]->device().info(), DriverCall::Kind::build);
    kernels.emplace_back(*devices[k], variants[k], bodies, doubles);
  }
  for (std::size_t k = 0; k < std::min(kernels.size(), speeds.size()); ++k) {
    kernels[k].speed = speeds[k].speed;
    kernels[k].measured = speeds[k].measured;
  }
  return kernels;
}

std::vector<NbodyKernels> nbody_kernels(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                        std::size_t bodies, const NbodyCompany& company) {
  std::vector<NbodyKernels> kernels = nbody_kernels(devices, settings, bodies, {}, company);
  const bool alone = kernels.size() == 1 && company.ranks == nullptr;
  if (alone || kernels.front().variant.forces == Forces::tree) return kernels;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    kernels[k].measured = measured_speed(devices[k]->device(), kernels[k]);
  level(kernels, company);
  return kernels;
}

NbodyCompany nbody_company(Ranks* ranks, std::size_t devices) {
  NbodyCompany company{ranks};
  if (ranks == nullptr) return company;
  const std::vector<std::string> numbers = ranks->all(std::to_string(devices));
  for (int rank = 0; rank < ranks->count(); ++rank)
    company.rank_of.insert(company.rank_of.end(),
                           static_cast<std::size_t>(parse_integer(numbers[static_cast<std::size_t>(rank)]).value_or(1)),
                           rank);
  return company;
}

namespace {

// `bodies`: the bodies themselves, or their count.
template <class Given>
NbodySimulation without_field(std::span<ProgramLibrary* const> programs, const NbodySettings& settings,
                              const Given& bodies, NbodyClock clock, const NbodySharing& sharing) {
  std::vector<Device> devices;
  for (const ProgramLibrary* each : programs) devices.push_back(each->device());
  NbodySimulation simulation(devices, bodies, precision_of(settings, devices.front().info()), clock, sharing.exchange,
                             sharing.company);
  const std::size_t count = simulation.bodies();
  simulation.use(nbody_kernels(programs, for_sources(settings, simulation.sources(), count), count, sharing.company));
  return simulation;
}

}  // namespace

NbodySimulation nbody_simulation(std::span<ProgramLibrary* const> programs, const NbodySettings& settings,
                                 const Bodies& bodies, NbodyClock clock, const NbodySharing& sharing,
                                 const TreeMemory& memory) {
  check_range(bodies, settings, precision_of(settings, programs.front()->device().info()));
  NbodySimulation simulation = without_field(programs, settings, bodies, clock, sharing);
  const bool holds = settings.opening_angle == 0;
  if (!holds || !simulation.resume_tree(tree_accuracy(settings), settings.force_error, memory))
    calibrate_tree(*programs.front(), simulation, settings);
  return simulation;
}

NbodySimulation nbody_simulation(std::span<ProgramLibrary* const> programs, const NbodySettings& settings,
                                 const NbodyExact& exact, NbodyClock clock, const NbodySharing& sharing) {
  const Precision precision = precision_of(settings, programs.front()->device().info());
  NbodySimulation simulation = without_field(programs, settings, count_of(exact, precision), clock, sharing);
  simulation.restore(exact);
  return simulation;
}

}  // namespace orrery
