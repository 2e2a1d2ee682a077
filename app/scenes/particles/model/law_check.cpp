#include "scenes/particles/model/compiled_laws.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "compute/program/arguments.hpp"
#include "scenes/particles/laws/law_text.hpp"

namespace orrery::particles {
namespace {

constexpr std::size_t pair_samples = 192, group_samples = 48;
constexpr std::size_t most_looked_at = 20000;  // particles among which a sample's neighbours are searched

/// The allowed relative difference from the exact derivative: users write constants of about six digits.
double tolerance_of(bool doubles) { return doubles ? 1e-5 : 1e-2; }

// A law may soften its force where the energy is singular. This affects few samples; an error affects most.
std::size_t allowed_failures(std::size_t samples) { return samples / 20; }

std::string loop_note(const std::string& snippet) {
  const bool loops = snippet.find("for") != std::string::npos || snippet.find("while") != std::string::npos;
  return loops ? "a loop that has not ended after 4096 rounds also gives NaN"
               : "a root or logarithm of a negative number, or a division by 0?";
}

[[noreturn]] void refuse(const std::string& law, const std::string& what, std::string advice) {
  throw usage_error("the law " + law + " " + what, {}, std::move(advice), law);
}

struct Sample {
  std::uint32_t first, second;
  double distance;
};

double distance_between(const World& world, std::uint32_t a, std::uint32_t b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double d = world.particles.position[b][k] - world.particles.position[a][k];
    if (world.box.periodic()) d -= (*world.box.lengths)[k] * std::rint(d / (*world.box.lengths)[k]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

// The world's own pairs at their distances, and the same pairs at others from the smallest distance to the cutoff.
std::vector<Sample> samples_of(const World& world, double cutoff) {
  const auto n = static_cast<std::uint32_t>(world.particles.size());
  Random random(1);
  const auto any = [&] { return std::min(n - 1, static_cast<std::uint32_t>(random.uniform() * n)); };
  std::vector<Sample> samples;
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
  const std::uint32_t stride = static_cast<std::uint32_t>(n / most_looked_at + 1);
  for (int k = 0; k < 12 && n > 1; ++k) {
    std::vector<Sample> near;
    const std::uint32_t i = any();
    for (std::uint32_t j = any() % stride; j < n; j += stride) {
      if (j == i) continue;
      const double r = distance_between(world, i, j);
      if (r > 0 && (cutoff == 0 || r < cutoff)) near.push_back({i, j, r});
    }
    if (near.empty()) continue;
    std::ranges::sort(near, {}, &Sample::distance);
    nearest = std::min(nearest, near.front().distance);
    farthest = std::max(farthest, near.back().distance);
    for (std::size_t s = 0; s < std::min<std::size_t>(near.size(), 8); ++s)
      samples.push_back(
          near[s < 4 ? s : static_cast<std::size_t>(random.uniform() * static_cast<double>(near.size()))]);
  }
  if (samples.empty()) {
    nearest = cutoff > 0 ? cutoff / 4 : 0.5;
    farthest = cutoff > 0 ? cutoff : 2;
  }
  if (cutoff > 0) farthest = cutoff;
  while (samples.size() < pair_samples)
    samples.push_back({any(), any(), nearest * std::pow(farthest / nearest, random.uniform(0.001, 0.999))});
  return samples;
}

std::vector<double> columns_of_samples(const World& world, const std::vector<std::string>& names,
                                       const std::vector<Sample>& samples) {
  const std::size_t n = world.particles.size();
  const std::vector<double> rows = column_rows(world, names, n);
  std::vector<double> values;
  for (const Sample& s : samples)
    for (const std::uint32_t body : {s.first, s.second})
      for (std::size_t c = 0; c < names.size(); ++c) values.push_back(rows[c * n + body]);
  return values;
}

ProgramSpec check_spec(const Device& device, const char* source) {
  const bool doubles = device.info().fp64;
  ProgramSpec spec{source, particle_definitions(device, doubles ? Precision::double_ : Precision::single)};
  if (!doubles) spec.options = "-cl-single-precision-constant";
  return spec;
}

ProgramSpec pair_check_spec(const Device& device) { return check_spec(device, "particles_check.cl"); }
ProgramSpec group_check_spec(const Device& device) { return check_spec(device, "particles_group_check.cl"); }

KernelSources checked_group_sources(const World& world, const GroupLaw& law) {
  return with_text({{"particles_group_law_checked.clh", checked_group_law_text(world, law)}});
}

class PairCheck {
 public:
  PairCheck(const Device& device, const World& world, cl::Kernel kernel)
      : device_(device), world_(world), queue_(device), kernel_(std::move(kernel)) {}

  void check_all() {
    for (std::size_t law = 0; law < world_.pairs.size(); ++law) check(law);
  }

 private:
  void check(std::size_t index) {
    const PairLaw& law = world_.pairs[index];
    const Device& device = device_;
    const bool doubles = device.info().fp64;
    const Precision precision = doubles ? Precision::double_ : Precision::single;
    const double tolerance = tolerance_of(doubles);
    const std::vector<Sample> samples = samples_of(world_, law.cutoff);
    std::vector<double> distances;
    for (const Sample& s : samples) distances.push_back(s.distance);
    // A kernel does not keep its buffers alive.
    const auto buffer = [&](const std::vector<double>& values) {
      return real_buffer(device, queue_, precision, values);
    };
    const cl::Buffer radii = buffer(distances),
                     columns = buffer(columns_of_samples(world_, pair_columns(world_), samples)),
                     sliders = buffer(slider_values(world_)), results = buffer(std::vector<double>(3 * samples.size()));
    set_arguments(kernel_, static_cast<cl_uint>(index), radii, columns, sliders, static_cast<cl_uint>(samples.size()),
                  results);
    queue_.launch("check", kernel_, elementwise(device.info(), samples.size()));
    const std::vector<double> found = read_reals(queue_, precision, results, 3 * samples.size());
    std::size_t failures = 0, worst = 0;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const double r = samples[s].distance, energy = found[3 * s], slope = found[3 * s + 1], exact = found[3 * s + 2];
      if (!std::isfinite(energy) || !std::isfinite(slope))
        refuse(law.name, "gives NaN or infinity at r = " + brief(r), loop_note(law.snippet));
      const double scale = std::max(std::abs(slope), std::abs(exact)) + std::abs(energy) / r;
      // Where the energy is flat a law may add anything.
      if (!std::isfinite(exact) || std::abs(slope - exact) <= tolerance * scale) continue;
      if (failures++ == 0) worst = s;
    }
    if (failures <= allowed_failures(samples.size())) return;
    refuse(law.name,
           "adds a dEdR that is not the derivative of its energy: at r = " + brief(samples[worst].distance) +
               " it is " + brief(found[3 * worst + 1], 6) + ", but the derivative is " + brief(found[3 * worst + 2], 6),
           "leave dEdR out, and the law gets the exact derivative");
  }

  const Device& device_;
  const World& world_;
  Queue queue_;
  cl::Kernel kernel_;
};

class GroupCheck {
 public:
  GroupCheck(ProgramLibrary& programs, const World& world, const Groups& groups)
      : programs_(programs), world_(world), groups_(groups), queue_(programs.device()), random_(1) {}

  /// Checks, and returns whether the energy jumps where a group passes a face of the periodic box.
  bool jumps() {
    const GroupLaw& law = groups_.law;
    const Device& device = programs_.device();
    const bool doubles = device.info().fp64;
    precision_ = doubles ? Precision::double_ : Precision::single;
    cl::Kernel kernel =
        programs_.build(group_check_spec(device), checked_group_sources(world_, law))->kernel("check_group_law");
    const std::vector<std::string> names = columns_of(world_, law);
    const std::size_t samples = std::min(groups_.size(), group_samples), row = 1 + 6 * law.members;
    if (samples == 0) return false;
    for (std::size_t s = 0; s < samples; ++s) take(s * groups_.size() / samples, names);
    const auto buffer = [&](const std::vector<double>& list) { return real_buffer(device, queue_, precision_, list); };
    const cl::Buffer columns = buffer(columns_), values = buffer(values_), sliders = buffer(slider_values(law)),
                     results = buffer(std::vector<double>(samples * row));
    const auto found = [&] {
      const cl::Buffer positions = buffer(flat_positions());
      set_arguments(kernel, positions, columns, values, sliders, static_cast<cl_uint>(samples), results);
      queue_.launch("check", kernel, elementwise(device.info(), samples));
      return read_reals(queue_, precision_, results, samples * row);
    };
    const std::vector<double> here = found();
    compare(here, samples, row, tolerance_of(doubles));
    for (std::size_t axis = 0; axis < 3 && world_.box.periodic(); ++axis) {
      const double length = (*world_.box.lengths)[axis];
      for (Vector& p : positions_) p[axis] += length;
      const std::vector<double> there = found();
      for (Vector& p : positions_) p[axis] -= length;
      if (differ(here, there, row, length, doubles ? 1e-7 : 1e-2)) return true;
    }
    return false;
  }

 private:
  // True if at least one energy differs by more than rounding of the positions explains.
  static bool differ(const std::vector<double>& here, const std::vector<double>& there, std::size_t row, double length,
                     double relative) {
    for (std::size_t sample = 0; sample < here.size(); sample += row) {
      double force = 0;
      for (std::size_t k = sample + 1; k < sample + row; k += 2)
        force = std::max({force, std::abs(here[k]), std::abs(there[k])});
      const double most = std::abs(here[sample]) + std::abs(there[sample]) + force * length;
      if (std::abs(here[sample] - there[sample]) > relative * most) return true;
    }
    return false;
  }

  // Takes a group, slightly displaced: a straight or resting group shows no slope.
  void take(std::size_t group, const std::vector<std::string>& names) {
    const GroupLaw& law = groups_.law;
    const std::uint32_t first = groups_.members[group * law.members];
    std::vector<Vector> at;
    double size = 0;
    for (std::size_t k = 0; k < law.members; ++k) {
      const std::uint32_t body = groups_.members[group * law.members + k];
      Vector p = world_.particles.position[body];
      double arm = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double home = world_.particles.position[first][axis];
        double d = p[axis] - home;
        if (world_.box.periodic()) d -= (*world_.box.lengths)[axis] * std::rint(d / (*world_.box.lengths)[axis]);
        p[axis] = home + d;
        arm += d * d;
      }
      size = std::max(size, std::sqrt(arm));
      at.push_back(p);
      for (const std::string& name : names) columns_.push_back(column_of(world_.particles, name)[body]);
    }
    if (size == 0) size = 1;
    for (Vector& p : at) {
      for (double& x : p) x += size * random_.uniform(-0.02, 0.02);
      positions_.push_back(p);
    }
    for (std::size_t c = 0; c < law.columns.size(); ++c)
      values_.push_back(groups_.values[group * law.columns.size() + c]);
  }

  std::vector<double> flat_positions() const {
    std::vector<double> flat;
    for (const Vector& p : positions_) flat.insert(flat.end(), {p[0], p[1], p[2], 0});
    return flat;
  }

  void compare(const std::vector<double>& found, std::size_t samples, std::size_t row, double relative) const {
    const GroupLaw& law = groups_.law;
    const std::size_t coordinates = 3 * law.members;
    std::size_t failures = 0;
    std::string force, wanted, which;
    for (std::size_t s = 0; s < samples; ++s) {
      const double* sample = found.data() + s * row;
      double largest = 0;
      bool has_slope = true, fine = std::isfinite(sample[0]);
      for (std::size_t k = 0; k < coordinates; ++k) {
        fine = fine && std::isfinite(sample[1 + 2 * k]);
        has_slope = has_slope && std::isfinite(sample[2 + 2 * k]);
        largest = std::max({largest, std::abs(sample[1 + 2 * k]), std::abs(sample[2 + 2 * k])});
      }
      if (!fine)
        refuse(law.name, "gives NaN or infinity for group " + std::to_string(s * groups_.size() / samples),
               loop_note(law.snippet));
      for (std::size_t k = 0; k < coordinates && has_slope && fine; ++k) {
        fine = std::abs(sample[1 + 2 * k] - sample[2 + 2 * k]) <= relative * largest;
        if (fine || failures > 0) continue;
        force = brief(sample[1 + 2 * k], 6);
        wanted = brief(sample[2 + 2 * k], 6);
        which = "force" + std::to_string(k / 3 + 1) + "." + std::string(1, static_cast<char>('x' + k % 3));
      }
      failures += fine ? 0 : 1;
    }
    if (failures > allowed_failures(samples))
      refuse(law.name,
             "adds forces that are not minus the derivative of its energy: " + which + " is " + force +
                 ", but minus the derivative is " + wanted,
             "leave the forces out, and the law gets the exact ones");
  }

  ProgramLibrary& programs_;
  const World& world_;
  const Groups& groups_;
  Queue queue_;
  Random random_;
  Precision precision_ = Precision::double_;
  std::vector<Vector> positions_;
  std::vector<double> columns_, values_;
};

}  // namespace

void check_pair_laws(const Device& device, const World& world, cl::Kernel kernel) {
  PairCheck(device, world, std::move(kernel)).check_all();
}

void check_pair_laws(ProgramLibrary& programs, const World& world) {
  const auto program = programs.build(pair_check_spec(programs.device()), pair_sources(world));
  check_pair_laws(programs.device(), world, program->kernel("check_pair_law"));
}

std::vector<ProgramPlan::Part> pair_check_programs(ProgramLibrary& programs, const World& world) {
  return {{&programs, pair_check_spec(programs.device()), std::make_shared<const KernelSources>(pair_sources(world))}};
}

std::vector<ProgramPlan::Part> group_check_programs(ProgramLibrary& programs, const World& world) {
  std::vector<ProgramPlan::Part> all;
  for (const Groups& groups : world.groups)
    all.push_back({&programs, group_check_spec(programs.device()),
                   std::make_shared<const KernelSources>(checked_group_sources(world, groups.law))});
  return all;
}

std::vector<std::string> check_group_laws(ProgramLibrary& programs, const World& world) {
  std::vector<std::string> jumping;
  for (const Groups& groups : world.groups)
    if (GroupCheck(programs, world, groups).jumps()) jumping.push_back(groups.law.name);
  return jumping;
}

}  // namespace orrery::particles
