#include "compute/tuning/tune_catalog.hpp"
#include "compute/tuning/element_group.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/catalog.hpp"
#include "scenes/nbody/checks/tune_targets.hpp"

namespace orrery {
namespace {

Precision precision_of(const TuneWork& work) {
  return work.kernel == "double" ? Precision::double_ : Precision::single;
}

bool is_advance(const TuneWork& work) { return work.kernel == nbody_launch::advance; }
bool is_tree(const TuneWork& work) { return work.kernel == tree_kernel; }

std::size_t bodies_of(const DeviceInfo& device, const TuneWork& work) {
  return static_cast<std::size_t>(work.size > 0 ? work.size : usual_bodies(device));
}

class Catalog : public TuneCatalog {
 public:
  std::vector<std::string> kernels(const DeviceInfo& device) const override {
    std::vector<std::string> kernels{"single"};
    if (device.fp64) kernels.push_back("double");
    kernels.emplace_back(tree_kernel);
    kernels.emplace_back(nbody_launch::advance);
    return kernels;
  }

  TuneQuestion question(const DeviceInfo& device, const TuneWork& work) const override {
    check(device, work);
    if (is_advance(work)) return element_question(device, 1, advance_tune_subject());
    const std::size_t bodies = bodies_of(device, work);
    if (is_tree(work)) {
      const NbodyVariant standard = tree_tune_standard(device, bodies);
      const TuneSpace space = tree_tune_space(device, standard);
      return {tree_tune_subject(bodies), space, tree_tune_values(space, standard)};
    }
    const NbodyVariant standard = nbody_tune_standard(device, precision_of(work), bodies);
    const TuneSpace space = nbody_tune_space(device, standard);
    return {nbody_tune_subject(precision_of(work), bodies), space, nbody_tune_values(space, standard)};
  }

  TuneValues element_values_in_use(const DeviceInfo& device, const TuneWork& work,
                                   const NamedTuneValues& chosen) const override {
    if (!is_advance(work)) return {};
    return element_values(element_space(device, 1), chosen_element_group(device, 1, tuned_advance, chosen));
  }

  Work work_of(const DeviceInfo& device, const TuneWork& work, const TuneSpace& space, const TuneValues& values,
               double units) const override {
    if (is_advance(work)) return {units, advance_cost(Precision::single, 1), false};
    if (is_tree(work)) return Work(units);
    const NbodyVariant standard = nbody_tune_standard(device, precision_of(work), bodies_of(device, work));
    return {units, interaction_cost(device, nbody_variant_of(space, values, standard)), work.kernel == "double"};
  }

  std::unique_ptr<TuneTarget> target(ProgramLibrary& programs, const TuneWork& work) const override {
    const DeviceInfo& device = programs.device().info();
    check(device, work);
    if (is_advance(work)) return advance_tune_target(programs);
    if (is_tree(work)) return tree_tune_target(programs, bodies_of(device, work));
    return nbody_tune_target(programs, precision_of(work), bodies_of(device, work));
  }

  std::string_view about() const override {
    return "Finds the fastest variant of the kernel that sums forces, or with --kernel tree of the tree at equal force "
           "error. The sums of every candidate are checked.";
  }
  std::string_view usage() const override {
    return "[--bodies N] [--precision single|mixed|double] [--kernel main|tree|advance]";
  }

  std::vector<Parameter> parameters(TuneOptions& options) const override {
    return {{{.name = "bodies",
              .label = "",
              .help = "number of bodies; the result applies to their power of two",
              .minimum = 64,
              .maximum = 4194304,
              .automatic = true},
             &options.size},
            {{.name = "precision",
              .label = "",
              .help = "precision of the kernel",
              .choices = {"single", "mixed", "double"}},
             &options.precision},
            {{.name = "kernel",
              .label = "",
              .help = "main: sums the forces over all pairs; tree: builds and walks a tree; advance: moves the bodies",
              .choices = {"main", "tree", "advance"}},
             &options.kernel}};
  }

  // Mixed precision sums in single.
  TuneWork work(const TuneOptions& options) const override {
    const std::string main = options.precision == "mixed" ? "single" : options.precision;
    return {.catalog = this, .kernel = options.kernel == "main" ? main : options.kernel, .size = options.size};
  }
};

}  // namespace

const TuneCatalog& nbody_tune_catalog() {
  static const Catalog catalog;
  return catalog;
}

}  // namespace orrery
