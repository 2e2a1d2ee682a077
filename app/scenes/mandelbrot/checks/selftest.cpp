// The Mandelbrot scene's part of the self-test.
#include "base/error.hpp"
#include "scenes/mandelbrot/checks/catalog.hpp"
#include "scenes/mandelbrot/checks/escape_check.hpp"
#include "scenes/mandelbrot/checks/proof.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

Frame frame_at(const char* re, const char* im, const char* span, std::uint32_t limit) {
  Frame frame =
      whole_frame({Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")}, {256, 192});
  frame.limit = limit;
  return frame;
}

std::vector<Cell> computed(ProgramLibrary& programs, const Frame& frame, Precision precision, int& exponent) {
  const Device& device = programs.device();
  Queue queue(device);
  Renderer renderer(device, queue, Kernels(programs, choose_variant(device.info(), precision, 0)));
  renderer.begin(frame);
  renderer.finish_blocking(queue, 0.1);
  exponent = renderer.value_exponent();
  return renderer.cells_blocking(queue);
}

// Pixels that rounding does not decide must equal the host's.
std::string check_direct(ProgramLibrary& programs, Precision precision) {
  need_doubles(programs, precision == Precision::double_);
  const Frame frame = frame_at("-0.7463", "0.1102", "0.02", 1000);
  int exponent = 0;
  const EscapeReference reference(frame, precision == Precision::double_ ? 0x1p-53 : 0x1p-24);
  const std::vector<Cell> cells = computed(programs, frame, precision, exponent);
  const std::string fault = reference.fault(cells);
  if (const auto wrong = reference.first_wrong(cells); !fault.empty() && wrong)
    throw WrongValue("a pixel differs although rounding cannot explain it (−1: interior)",
                     value_difference(wrong->pixel, wrong->expected, wrong->found, 24));
  if (!fault.empty()) throw failure(fault);
  return std::to_string(reference.certain()) + " pixels against the host";
}

// Checks some pixels in many bits: a few are chaotic, hardly one may be of the wrong kind.
std::string check_deep(ProgramLibrary& programs, Precision precision, const Frame& frame) {
  int exponent = 0;
  const std::vector<Cell> cells = computed(programs, frame, precision, exponent);
  const ProofRequest request{
      .frame = frame, .exponent = exponent, .pixels = pick_pixels(frame, cells, 24, 11), .most_iterations = 4e6};
  const ProofResult proof = prove(request).value_or(ProofResult{});
  if (proof.fails_in_chaos())
    throw WrongValue("of " + std::to_string(proof.checked) + " pixels in " + std::to_string(proof.bits) + " bits, " +
                         std::to_string(proof.wrong_kind + proof.misses) + " differ (−1: interior)",
                     value_difference("the worst, pixel (" + std::to_string(proof.worst.i) + ", " +
                                          std::to_string(proof.worst.j) + ")",
                                      proof.worst_reference, proof.worst.published, 24));
  return std::to_string(proof.checked) + " pixels in " + std::to_string(proof.bits) + " bits";
}

constexpr const char* feigenbaum = "-1.4011551890920506005238267878938612922263080433973196089372614966786955577535238";

}  // namespace

std::vector<SelftestItem> selftests(ProgramLibrary& programs) {
  std::vector<SelftestItem> items;
  const auto add = [&](std::string name, auto check) {
    items.push_back({std::move(name), [&programs, check] { return check(programs); }});
  };
  add("picture, single", [](ProgramLibrary& p) { return check_direct(p, Precision::single); });
  add("picture, double", [](ProgramLibrary& p) { return check_direct(p, Precision::double_); });
  add("picture, perturbation 1e-40",
      [](ProgramLibrary& p) { return check_deep(p, Precision::perturbation, frame_at("0", "1", "1e-40", 2000)); });
  add("picture, perturbation 1e-400",
      [](ProgramLibrary& p) { return check_deep(p, Precision::perturbation, frame_at("0", "1", "1e-400", 8000)); });
  add("picture, ladder 1e-6",
      [](ProgramLibrary& p) { return check_deep(p, Precision::ladder, frame_at(feigenbaum, "1e-7", "1e-6", 60000)); });
  add("picture, ladder at the cusp",
      [](ProgramLibrary& p) { return check_deep(p, Precision::cusp, frame_at("0.250001", "1e-9", "6e-9", 100000)); });
  return items;
}

}  // namespace orrery::mandelbrot
