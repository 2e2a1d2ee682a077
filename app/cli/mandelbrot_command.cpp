#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/image.hpp"
#include "base/npy.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "model/mandelbrot/coloring.hpp"
#include "model/mandelbrot/location.hpp"
#include "model/mandelbrot/picture.hpp"
#include "model/mandelbrot/settings.hpp"
#include "model/mandelbrot/view_file.hpp"

namespace orrery::cli {
namespace {

using namespace mandelbrot;
using cli::Progress;

struct Job {
  View view;
  Size size{1280, 960};
  MandelbrotSettings settings{.iterations = 100};
  ColorSettings colors;
  std::int64_t samples = 1;
  std::filesystem::path out;
  std::string device;
};

std::vector<Parameter> parameters_of(Job& job) {
  std::vector<Parameter> all = parameters(job.settings);
  for (Parameter& parameter : parameters(job.colors)) all.push_back(std::move(parameter));
  all.push_back({{.name = "samples",
                  .label = "Samples",
                  .help = "a pixel, averaged in colour (pictures only)",
                  .minimum = 1,
                  .maximum = 4096},
                 &job.samples});
  return all;
}

void take_center(const std::vector<std::string>& words, View& view, bool keep_span) {
  if (words.size() == 1) {
    const Decimal span = view.span;
    view = find_location(words[0]).view;
    if (keep_span) view.span = span;
  } else {
    view.re = Decimal::parse(words[0], "--center");
    view.im = Decimal::parse(words[1], "--center");
  }
}

// The file comes first, so that flags beside it count more.
void take_view_file(const Arguments& arguments, Job& job) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string path;
    if (arguments[i].starts_with("--view=")) path = arguments[i].substr(7);
    if (arguments[i] == "--view" && i + 1 < arguments.size()) path = arguments[i + 1];
    if (path.empty()) continue;
    std::vector<Parameter> known = parameters_of(job);
    const ViewFile file = read_view(path, job.view, known);
    job.view = file.view;
    job.size = file.size.value_or(job.size);
  }
}

bool parse_job(const Arguments& arguments, Job& job) {
  take_view_file(arguments, job);
  CLI::App app("A picture of z -> z^2 + c, computed without a window.", "mandelbrot");
  std::vector<std::string> center;
  std::string span, size, view;
  app.add_option("--center", center,
                 "RE IM, decimals of any length, or a location's name; default " + job.view.re.text() + " " +
                     job.view.im.text())
      ->expected(1, 2)
      ->type_name("");
  app.add_option("--span", span, "width of the picture (> 0); default " + job.view.span.text())->type_name("");
  app.add_option("--size", size, "WIDTHxHEIGHT in pixels; default 1280x960")->type_name("");
  app.add_option("--view", view, "FILE.toml with the same keys, and x = [a, b], y = [c, d] as offsets from center")
      ->type_name("");
  app.add_option("--out", job.out, "FILE.npy (smooth values), FILE.png or FILE.ppm")->type_name("");
  add_parameters(app, parameters_of(job));
  add_device_option(app, job.device);
  if (!parse(app, arguments)) return false;
  if (!center.empty()) take_center(center, job.view, !span.empty());
  if (!span.empty()) job.view.span = Decimal::parse(span, "--span");
  if (!size.empty()) job.size = parse_size(size);
  check(job.view);
  return true;
}

bool is_data(const Job& job) { return job.out.extension() == ".npy"; }

void check_output(const Job& job) {
  const std::string format = job.out.extension().string();
  if (!job.out.empty() && format != ".npy" && format != ".png" && format != ".ppm") {
    throw usage_error("--out cannot be", job.out.string(), "allowed: .npy | .png | .ppm");
  }
  if (is_data(job) && job.samples != 1) {
    throw usage_error("--samples cannot be", std::to_string(job.samples),
                      "a .npy file holds one value a pixel: allowed: 1, or a .png or .ppm picture");
  }
}

ImageTexts texts_of(const Job& job, std::uint32_t limit) {
  ImageTexts texts{{"Software", "Orrery " ORRERY_VERSION},
                   {"center", job.view.re.text() + " " + job.view.im.text()},
                   {"span", job.view.span.text()},
                   {"size", std::to_string(job.size.width) + "x" + std::to_string(job.size.height)}};
  Job copy = job;
  for (const Parameter& parameter : parameters_of(copy))
    texts[std::string(parameter.info().name)] = value_text(parameter.info(), parameter.value());
  texts["iterations"] = std::to_string(limit);
  return texts;
}

PictureRequest request_of(const Job& job) {
  return {.view = job.view,
          .size = job.size,
          .limit = static_cast<std::uint32_t>(job.settings.iterations),
          .escape_radius = job.settings.escape_radius,
          .samples = static_cast<int>(job.samples)};
}

PictureResult render_data(const Job& job, const Device& device, const Kernels& kernels, const ShowProgress& show) {
  std::vector<double> values(job.size.pixels());
  const auto take = [&](std::uint32_t first, std::span<const Cell> cells, int) {
    std::ranges::transform(cells, values.begin() + static_cast<std::ptrdiff_t>(std::size_t{first} * job.size.width),
                           &Cell::value);
  };
  const PictureRequest request = request_of(job);
  const PictureResult result =
      compute_picture(device, kernels, request, limit_of(device, kernels, request), take, show);
  if (!job.out.empty()) write_npy(job.out, NpyArray{{job.size.height, job.size.width}, std::move(values)});
  return result;
}

PictureResult render_picture(const Job& job, const Device& device, const Kernels& kernels, const ShowProgress& show) {
  const PictureRequest request = request_of(job);
  const std::uint32_t limit = limit_of(device, kernels, request);
  const Colorist colorist(job.colors, limit);
  Image image(job.size.width, job.size.height);
  const bool several = job.samples > 1;
  LightSum light(several ? job.size.pixels() : 0);
  const auto take = [&](std::uint32_t first, std::span<const Cell> cells, int) {
    const std::size_t begin = std::size_t{first} * job.size.width;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Rgb color = cells[i].interior() ? colorist.interior() : colorist.color(cells[i].value());
      several ? light.add(begin + i, light_of(color)) : void(std::ranges::copy(color, &image.rgb[3 * (begin + i)]));
    }
  };
  const PictureResult result = compute_picture(device, kernels, request, limit, take, show);
  for (std::size_t i = 0; several && i < job.size.pixels(); ++i)
    std::ranges::copy(light.mean(i, static_cast<double>(job.samples)), &image.rgb[3 * i]);
  write_image(job.out, image, texts_of(job, limit));
  return result;
}

void summarise(const Job& job, const Device& device, const PrecisionChoice& precision, const PictureResult& result,
               double seconds) {
  const double samples = static_cast<double>(job.size.pixels()) * static_cast<double>(job.samples);
  std::printf("%ux%u, N = %u, %s precision (%s): %s %% interior, %s iterations in %s s on %s%s%s\n", job.size.width,
              job.size.height, result.limit, std::string(name_of(precision.precision)).c_str(),
              precision.reason.c_str(), brief(100 * static_cast<double>(result.interior) / samples).c_str(),
              brief(result.iterations).c_str(), brief(seconds).c_str(), device.info().name.c_str(),
              job.out.empty() ? "" : " -> ", job.out.string().c_str());
}

}  // namespace

int run_mandelbrot(const Arguments& arguments) {
  Job job;
  if (!parse_job(arguments, job)) return 0;
  check_output(job);
  const Device device(open_choice(job.device));
  const bool data = is_data(job) || job.out.empty();
  const Purpose purpose = data ? Purpose::data : Purpose::picture;
  const PrecisionChoice precision =
      choose_precision(job.settings.precision, job.view, job.size, device.info().fp64, purpose);
  const Variant variant = choose_variant(device.info(), precision.precision, job.settings.work_group, purpose);
  if (!precision.warning.empty()) std::fprintf(stderr, "orrery: warning: %s\n", precision.warning.c_str());
  ProgramLibrary programs(device);
  const Kernels kernels(programs, variant);
  Progress progress("mandelbrot");
  const double began = now_seconds();
  const auto show = [&](double fraction) { progress.show(fraction); };
  const PictureResult result =
      data ? render_data(job, device, kernels, show) : render_picture(job, device, kernels, show);
  summarise(job, device, precision, result, now_seconds() - began);
  return 0;
}

}  // namespace orrery::cli
