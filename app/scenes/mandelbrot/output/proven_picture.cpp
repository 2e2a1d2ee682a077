#include "scenes/mandelbrot/output/proven_picture.hpp"

#include <algorithm>
#include <optional>

#include "base/clock.hpp"
#include "scenes/mandelbrot/deep/parabolic.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

/// The numbers and the care with which a picture is computed.
struct Way {
  PrecisionChoice choice;
  Purpose purpose = Purpose::picture;
  bool many_bits = false;

  std::string name() const { return many_bits ? "many bits" : std::string(name_of(choice.precision)) + " precision"; }
};

PrecisionChoice with_reason(PrecisionChoice choice, std::string reason) {
  choice.reason = std::move(reason);
  return choice;
}

bool has_details(const ExportRequest& request) {
  return purpose_of(request.out) == Purpose::data ? holds_details(request) : needs_details(request.colors);
}

/// Whether a picture with orbits of `limit` iterations, or of a number not known yet, may be computed in many bits.
bool affordable(const PictureRequest& picture, std::uint32_t limit) {
  constexpr double most_iterations = 1e9;  // some minutes
  constexpr std::uint32_t least_limit = 100;
  return static_cast<double>(picture.size.pixels()) * picture.samples * std::max(limit, least_limit) <= most_iterations;
}

/// The next method after a failed proof; none where the user has set a precision.
std::optional<Way> safer(const Way& way, const ExportRequest& request, const MandelbrotSettings& settings,
                         const DeviceInfo& device) {
  const PictureRequest& picture = request.picture;
  if (settings.precision != "auto" || way.many_bits) return {};
  // Beside a parabolic point, perturbation is repeated without the steps of passages.
  const bool passes = way.choice.precision == Precision::perturbation && !way.choice.exact && device.fp64 &&
                      parabolic_near(picture.view, picture.size);
  if ((way.choice.precision != Precision::perturbation || passes) && perturbation_reaches(picture.view, picture.size))
    return Way{with_reason(choose_precision("perturbation", picture.view, picture.size, device.fp64, Purpose::data),
                           way.name() + " was not enough"),
               Purpose::data};
  if (!affordable(picture, picture.limit) || has_details(request)) return {};
  return Way{with_reason(way.choice, "not enough: each pixel was computed in many bits"), way.purpose, true};
}

PictureResult export_once(const Device& device, const Kernels& kernels, const ExportRequest& request,
                          const DiagramRows* diagram, const ShowProgress& show) {
  if (!request.out.empty()) return export_picture(device, kernels, request, diagram, show);
  const Preview preview = preview_of(device, kernels, request.picture, false, show);
  const auto nowhere = [](const Band&, std::span<const Cell>, int) {};
  return compute_picture(device, kernels, request.picture, preview.limit, nowhere, show);
}

}  // namespace

Purpose purpose_of(const std::filesystem::path& out) {
  return out.empty() || holds_data(out) ? Purpose::data : Purpose::picture;
}

ProvenPicture export_proven(ProgramLibrary& programs, const ExportRequest& wanted, const MandelbrotSettings& settings,
                            const std::function<void(const std::string&)>& report, const ShowProgress& show) {
  const Device& device = programs.device();
  const DeviceInfo& info = device.info();
  const Purpose purpose = purpose_of(wanted.out);
  ExportRequest request = wanted;
  PictureRequest& picture = request.picture;
  picture.slack = purpose == Purpose::data ? 0 : slack_of_pictures;
  std::optional<DiagramRows> diagram;
  if (request.diagram.shown && !request.out.empty() && !holds_data(request.out)) {
    constexpr int columns_proved = 8;
    diagram.emplace(programs, picture.view, picture.size, request.diagram, picture.proved == 0 ? 0 : columns_proved,
                    show);
    if (diagram->empty()) report("this view is too deep to tell orbits apart: the bifurcation diagram is empty");
    if (diagram->proof().wrong > 0)
      report(std::to_string(diagram->proof().wrong) + " of " + std::to_string(diagram->proof().checked) +
             " columns of the bifurcation diagram differ from orbits in arbitrary precision");
  }
  Way way{choose_precision(settings.precision, picture.view, picture.size, info.fp64, purpose), purpose};
  for (bool last = false;;) {  // then no method is left, after one that turned out to take too long
    const Kernels kernels(programs, choose_variant(info, way.choice, settings, way.purpose, has_details(request)));
    const std::optional<Way> next = last ? std::nullopt : safer(way, request, settings, info);
    picture.insists = next.has_value();
    picture.many_bits = way.many_bits;
    const double began = now_seconds();
    try {
      const PictureResult result = export_once(device, kernels, request, diagram ? &*diagram : nullptr, show);
      if (result.uncertain > 0)
        report(std::to_string(result.uncertain) +
               " pixels are too close to the set for pairs of doubles: their values may be wrong" +
               (!holds_details(request)
                    ? "; --detail marks them"
                    : "; they are nan in " + (request.detail.empty() ? request.out : request.detail).string()));
      if (result.proof && result.proof->fails())
        report("some pixels are wrong, and no safer method is left: " + text_of(*result.proof));
      return {result, way.choice, now_seconds() - began, diagram ? diagram->proof() : DiagramProof{}};
    } catch (const Unproved& unproved) {
      last = next->many_bits && !(unproved.limit > 0 && affordable(picture, unproved.limit));
      if (last) continue;
      if (next->many_bits) picture.limit = unproved.limit;
      report(way.name() + " was not enough: " + text_of(unproved.proof) + "; the picture is computed again in " +
             next->name());
      way = *next;
    }
  }
}

}  // namespace orrery::mandelbrot
