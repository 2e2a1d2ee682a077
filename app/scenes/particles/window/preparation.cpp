#include "scenes/particles/window/preparation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/model/maxwell.hpp"
#include "scenes/particles/model/neighbours.hpp"

namespace orrery {
namespace {

using particles::World;

// The radius within which nine particles in ten are; for a box, half its diagonal.
double extent_of(const World& world) {
  if (world.box.lengths) {
    const auto& l = *world.box.lengths;
    return std::hypot(l[0], l[1], l[2]) / 2;
  }
  std::vector<double> distances;
  for (const particles::Vector& x : world.particles.position) distances.push_back(std::hypot(x[0], x[1], x[2]));
  if (distances.empty()) return 1;
  const auto nth = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() * 9 / 10);
  std::nth_element(distances.begin(), nth, distances.end());
  return *nth > 0 ? *nth : 1;
}

// The mean stands for all masses where there are many different ones.
std::vector<std::pair<double, double>> masses_of(const World& world) {
  constexpr std::size_t most = 16;
  std::map<double, double> counts;
  double moving = 0, sum = 0;
  for (const double mass : world.particles.mass) {
    if (!(mass > 0)) continue;
    if (counts.size() <= most) ++counts[mass];
    ++moving;
    sum += mass;
  }
  if (counts.size() > most) return {{sum / moving, 1}};
  std::vector<std::pair<double, double>> masses(counts.begin(), counts.end());
  for (auto& [mass, count] : masses) count /= moving;
  return masses;
}

SeenWorld seen(std::shared_ptr<const World> world) {
  SeenWorld seen;
  seen.extent = extent_of(*world);
  seen.masses = masses_of(*world);
  double largest = 0;
  for (const double charge : world->particles.charge) largest = std::max(largest, std::abs(charge));
  if (largest > 0) seen.largest_charge = largest;
  seen.world = std::move(world);
  return seen;
}

// kernels/particles/particles_observe.cl
std::vector<std::array<float, 4>> published(const World& world, const std::vector<particles::Vector>& positions,
                                            const std::vector<particles::Vector>& velocities) {
  const particles::Particles& p = world.particles;
  std::vector<std::array<float, 4>> rows;
  rows.reserve(2 * p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    particles::Vector at = positions[i];
    for (std::size_t k = 0; k < 3 && world.box.lengths; ++k)
      at[k] -= (*world.box.lengths)[k] * std::rint(at[k] / (*world.box.lengths)[k]);
    rows.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2]),
                    static_cast<float>(world.kinds[p.kind[i]].radius)});
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto& [x, y, z] = velocities[i];
    rows.push_back(
        {static_cast<float>(std::hypot(x, y, z)), static_cast<float>(p.charge[i]), 0, static_cast<float>(p.kind[i])});
  }
  return rows;
}

}  // namespace

// A device draws the velocities of a gas; these have only the same distribution.
ParticlesSketch sketch_particles(const ParticlesStart& start) {
  if (start.state) {
    const particles::Snapshot& moment = start.state->moment;
    const World& world = *start.state->world;
    return {seen(start.state->world), start.world, published(world, moment.position, moment.velocity)};
  }
  auto world = std::make_shared<World>(particles::read_world(particles::find_world(start.world)));
  if (particles::is_ideal_gas(*world)) particles::draw_velocities(*world, world->ensemble.temperature);
  auto rows = published(*world, world->particles.position, world->particles.velocity);
  return {seen(std::move(world)), start.world, std::move(rows)};
}

// Nothing if the file no longer exists.
static std::optional<EditedLaws> laws_of_file(const std::string& world) {
  try {
    return laws_of(particles::read_world(particles::find_world(world)));
  } catch (const Error&) {
    return std::nullopt;
  }
}

PreparedParticles prepare_particles(ProgramLibrary& programs, const ParticlesRequest& request,
                                    Announced<ProgramPlan>* plan) {
  const Device& device = programs.device();
  PreparedParticles prepared;
  prepared.settings = request.settings;
  prepared.world = request.world;
  prepared.own_laws = request.own_laws;
  if (!prepared.world) {
    auto world = std::make_shared<World>(particles::read_world(particles::find_world(request.settings.world)));
    take(prepared.settings, *world);
    prepared.own_laws = laws_of(*world);
    prepared.world = std::move(world);
  } else if (!prepared.own_laws) {  // from a state, which keeps the running laws
    prepared.own_laws = laws_of_file(request.settings.world);
  }
  std::vector<Parameter> list = parameters(prepared.settings, device.info().fp64);
  for (const auto& [name, value] : request.given)
    if (Parameter* parameter = find(list, name)) parameter->assign(value);
  if (request.laws) prepared.world = std::make_shared<const World>(with_laws(*prepared.world, *request.laws));
  const particles::ForceVariant variant = variant_of(prepared.settings, device.info());
  const bool draws_velocities = !request.world && particles::is_ideal_gas(*prepared.world);
  if (plan != nullptr) {
    particles::check(*prepared.world);
    std::vector<ProgramPlan::Part> parts = particles::Engine::programs(programs, *prepared.world, variant);
    if (draws_velocities) parts.push_back({&programs, particles::maxwell_program()});
    plan->tell(std::make_shared<const ProgramPlan>(parts));
  }
  if (draws_velocities) {
    auto world = std::make_shared<World>(*prepared.world);
    world->particles.velocity = particles::maxwell_velocities(programs, *world, world->ensemble.temperature);
    prepared.world = std::move(world);
  }
  static_cast<SeenWorld&>(prepared) = seen(prepared.world);
  prepared.engine = std::make_shared<particles::Engine>(programs, *prepared.world, variant);
  prepared.engine->set_ensemble(ensemble_of(prepared.settings, prepared.world->ensemble));
  prepared.minimize = !request.moment && prepared.world->minimize;
  if (request.moment) {
    Queue queue(device);
    prepared.engine->restore(queue, *request.moment);
    queue.finish();
  }
  return prepared;
}

PreparedLaws prepare_laws(ProgramLibrary& programs, const LawsRequest& request, Announced<ProgramPlan>& plan) {
  const double began = now_seconds();
  auto changed = std::make_shared<const World>(with_laws(*request.world, request.laws));
  particles::check(*changed);
  const particles::ForceVariant& variant = request.engine->variant();
  constexpr auto now = particles::LawParts::needed_at_once;
  std::vector<ProgramPlan::Part> parts = particles::law_programs(programs, *changed, variant, now);
  if (request.other_cutoff)
    std::ranges::move(ProgramPlan::parts(programs, particles::Neighbours::programs(programs.device(), *changed,
                                                                                   variant.precision, variant.team())),
                      std::back_inserter(parts));
  plan.tell(std::make_shared<const ProgramPlan>(parts));
  PreparedLaws prepared;
  prepared.kernels = particles::make_law_kernels(programs, *changed, variant, now);
  if (request.other_cutoff) prepared.lists = request.engine->lists_for(programs, *changed);
  prepared.world = std::move(changed);
  prepared.seconds = now_seconds() - began;
  return prepared;
}

std::string minimize(particles::Engine& engine, const Device& device, Announced<MinimizeSight>& sight) {
  constexpr double thermal_forces = 1, between_pictures = 0.3;  // seconds
  constexpr std::int64_t most_steps = 200;
  Queue queue(device);
  const particles::Minimized found = engine.minimize(
      queue, thermal_forces, most_steps, [&, shown_when = 0.0](const particles::MinimizeProgress& now) mutable {
        const auto before = sight.told();
        auto picture = before ? before->published : nullptr;
        if (now_seconds() - shown_when > between_pictures) {
          const particles::Snapshot present = engine.snapshot_blocking(queue);
          picture = std::make_shared<const std::vector<std::array<float, 4>>>(
              published(engine.world(), present.position, present.velocity));
          shown_when = now_seconds();
        }
        sight.tell(std::make_shared<const MinimizeSight>(MinimizeSight{now, std::move(picture)}));
      });
  queue.finish();
  std::string text = "energy " + brief(found.before, 4) + " → " + brief(found.after, 4) + " in " +
                     std::to_string(found.steps) + " steps; largest force " + brief(found.largest_force, 3);
  if (found.overlapping > 0)
    text += "; " + std::to_string(found.overlapping) + " pairs overlapped, the closest " + brief(found.closest, 2) +
            " apart";
  return text;
}

}  // namespace orrery
