#include "compute/tuning/tune_catalog.hpp"
#include "compute/tuning/element_group.hpp"
#include "scenes/mandelbrot/checks/catalog.hpp"
#include "scenes/mandelbrot/checks/tune_targets.hpp"

namespace orrery::mandelbrot {
namespace {

Precision precision_of(const TuneWork& work) {
  using enum Precision;
  for (const Precision each : {double_, ladder, perturbation})
    if (work.kernel == name_of(each)) return each;
  return single;
}

bool is_publish(const TuneWork& work) { return work.kernel == launch::publish; }

TuneView view_of(const TuneWork& work) { return work.view == "interior" ? TuneView::interior : TuneView::boundary; }

class Catalog : public TuneCatalog {
 public:
  std::vector<std::string> kernels(const DeviceInfo& device) const override {
    std::vector<std::string> kernels{"single"};
    if (device.fp64) kernels.push_back("double");
    for (const Precision each : {Precision::ladder, Precision::perturbation}) kernels.emplace_back(name_of(each));
    kernels.emplace_back(launch::publish);
    return kernels;
  }

  TuneQuestion question(const DeviceInfo& device, const TuneWork& work) const override {
    check(device, work);
    if (is_publish(work)) return element_question(device, 2, publish_tune_subject());
    const Variant standard = standard_variant(device, precision_of(work), 0);
    return {tune_subject(precision_of(work), view_of(work)), tune_space(device, standard), tune_values(standard)};
  }

  TuneValues element_values_in_use(const DeviceInfo& device, const TuneWork& work,
                                   const NamedTuneValues& chosen) const override {
    if (!is_publish(work)) return {};
    return element_values(element_space(device, 2), chosen_element_group(device, 2, tuned_publish, chosen));
  }

  Work work_of(const DeviceInfo& device, const TuneWork& work, const TuneSpace&, const TuneValues&,
               double units) const override {
    if (is_publish(work)) return {units, published_pixel_cost, false};
    const Variant variant = standard_variant(device, precision_of(work), 0);
    return {units, step_cost(variant), variant.doubles()};
  }

  std::unique_ptr<TuneTarget> target(ProgramLibrary& programs, const TuneWork& work) const override {
    check(programs.device().info(), work);
    if (is_publish(work)) return publish_tune_target(programs);
    return tune_target(programs, precision_of(work), view_of(work));
  }

  std::string_view about() const override {
    return "Finds the fastest variant of the kernel that iterates. The picture of every candidate is checked.";
  }
  std::string_view usage() const override {
    return "[--view boundary|interior] [--precision single|double|ladder|perturbation]";
  }

  std::vector<Parameter> parameters(TuneOptions& options) const override {
    return {{{.name = "view",
              .label = "",
              .help = "boundary: pixels escape after very different n; interior: all pixels take equally many steps",
              .choices = {"boundary", "interior"}},
             &options.view},
            {{.name = "precision",
              .label = "",
              .help = "precision of the kernel",
              .choices = {"single", "double", "ladder", "perturbation"}},
             &options.precision},
            {{.name = "kernel",
              .label = "",
              .help = "main: the kernel that iterates; publish: the kernel that hands the picture over",
              .choices = {"main", "publish"}},
             &options.kernel}};
  }

  // A kernel of the ladder is named after its precision.
  TuneWork work(const TuneOptions& options) const override {
    const std::string main =
        options.precision == "ladder" ? std::string(name_of(Precision::ladder)) : options.precision;
    return {.catalog = this, .kernel = options.kernel == "main" ? main : options.kernel, .view = options.view};
  }
};

}  // namespace

const TuneCatalog& tune_catalog() {
  static const Catalog catalog;
  return catalog;
}

}  // namespace orrery::mandelbrot
