#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/shell_word.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"
#include "cli/film_parts.hpp"
#include "cli/options.hpp"
#include "cli/silence.hpp"
#include "scenes/mandelbrot/headless/commands.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scenes/mandelbrot/output/proven_picture.hpp"
#include "scenes/mandelbrot/output/zoom_film.hpp"

namespace orrery::cli {
namespace {

using namespace mandelbrot;
using cli::Progress;

constexpr std::int64_t classic_iterations = 100;  // for the default view

struct Job {
  View view;
  Size size{1280, 960};
  std::optional<Decimal> height;  // of the picture, from a file; its span follows from the size
  std::optional<double> shape;    // its height / width, from a file
  MandelbrotSettings settings;
  ColorSettings colors;
  DiagramSettings diagram;
  std::int64_t samples = 1;
  std::filesystem::path out, detail;
  std::string device;
  std::optional<Decimal> zoom_from;  // first span of a film
  double seconds = 10;
  double frames_per_second = 30;
  FilmParts parts;
  int proved = proved_in_passing;
};

std::vector<Parameter> parameters_of(Job& job) {
  std::vector<Parameter> all = parameters(job.settings);
  for (Parameter& parameter : parameters(job.colors)) all.push_back(std::move(parameter));
  for (Parameter& parameter : parameters(job.diagram)) all.push_back(std::move(parameter));
  all.push_back({{.name = "samples",
                  .label = "Samples",
                  .help = "samples per pixel, averaged in colour (pictures only)",
                  .minimum = 1,
                  .maximum = 4096},
                 &job.samples});
  return all;
}

void take_center(const std::vector<std::string>& words, View& view) {
  if (words.size() == 1) {
    const Turn turn = view.turn;
    view = find_location(words[0]).view;
    view.turn = turn;
  } else {
    view.re = Decimal::parse(words[0], "--center");
    view.im = Decimal::parse(words[1], "--center");
  }
}

// The file is read first, so that options override it.
void take_view_file(const Arguments& arguments, Job& job) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string path;
    if (arguments[i].starts_with("--view=")) path = arguments[i].substr(7);
    if (arguments[i] == "--view" && i + 1 < arguments.size()) path = arguments[i + 1];
    if (is_blank(path)) continue;  // parsing refuses it later
    std::vector<Parameter> known = parameters_of(job);
    const ViewFile file = read_view(path, job.view, known);
    job.view = file.view;
    job.height = file.height;
    job.size = file.size.value_or(job.size);
    for (const std::string& note : file.notes) log(Level::warning, path + ": " + note);
    job.shape = file.shape;
  }
}

double positive(const char* flag, const std::string& text) {
  const auto number = typed_real(flag, text);
  if (!number || !(*number > 0)) throw usage_error(flag, text, "a number above 0");
  return *number;
}

int pixels_to_prove(const std::string& text) {
  if (text == "auto") return proved_in_passing;
  const auto number = typed_integer("--prove", text);
  if (!number || *number < 0 || *number > 1000000)
    throw usage_error("--prove", text, "a whole number from 0 to 1000000, or auto");
  return static_cast<int>(*number);
}

// Refuses options that have no effect alone.
void check_film_options(const Job& job) {
  check_film_parts(job.parts);
  for (const auto& [option, text] :
       {std::pair("--frames", job.parts.frames), std::pair("--cluster", job.parts.cluster)})
    if (!job.zoom_from && !text.empty()) throw usage_error(option, text, "a film: --zoom-from SPAN together with it");
}

/// Options whose texts are parsed together at the end.
struct JobTexts {
  std::vector<std::string> center;
  std::string size, view, prove, zoom_from, seconds, rate;
};

void add_picture_options(CLI::App& app, Job& job, JobTexts& texts) {
  app.add_option(
         "--center", texts.center,
         "centre: two decimal numbers of any length, as one word too (-0.75+0.1i), or the name of a location; default " +
             job.view.re.text() + " " + job.view.im.text())
      ->expected(1, 2)
      ->type_name("RE IM|NAME");
  app.add_option("--size", texts.size, "size of the picture in pixels; default 1280x960")->type_name("WxH");
  app.add_option("--view", texts.view,
                 "view to open: a .toml with the same keys, where x = [a, b] and y = [c, d] are offsets from "
                 "center; a .png saved by Orrery; or a .kfr of Kalles Fraktaler")
      ->type_name("FILE");
  app.add_option(
         "--out", job.out,
         "file for the picture: .npy (smooth values), .exr (smooth values and distances, in channels nu and distance), "
         ".png or .ppm, of any size; for films see --zoom-from")
      ->type_name("FILE");
  app.add_option(
         "--detail", job.detail,
         "second file for --out FILE.npy: distance to the set in pixels (|z| ln|z| / |dz/dc|); in the interior minus the "
         "period of the attracting cycle, or 0 where it is unknown; nan where the smooth value may be wrong")
      ->type_name("FILE.npy");
  app.add_option("--prove", texts.prove,
                 "number of pixels checked in arbitrary precision; if one differs, the picture is computed "
                 "again by a safer method; default auto: 48, or all pixels of a .npy file of up to 4096, "
                 "within about a second")
      ->type_name("N|auto");
}

void add_film_options(CLI::App& app, Job& job, JobTexts& texts) {
  app.add_option("--zoom-from", texts.zoom_from,
                 "makes a film that begins with this span; --out is then FILE.mp4 (needs ffmpeg), or a folder for "
                 "frame-00001.png, …")
      ->type_name("SPAN");
  app.add_option("--seconds", texts.seconds, "duration of the film, above 0; default 10")->type_name("S");
  app.add_option("--frames-per-second", texts.rate, "frame rate of the film, above 0; default 30")->type_name("N");
  add_film_parts(app, job.parts, "one per two octaves");
}

void list_options(CLI::App& app) {
  list_under(app, "View",
             {"center", "center-re", "center-im", "span", "view", "rotation", "stretch", "stretch-angle", "power"});
  list_under(app, "Output", {"size", "out", "detail", "samples", "prove"});
  list_under(app, "Film", {"zoom-from", "seconds", "frames-per-second", "frames", "cluster", "jobs"});
  list_under(
      app, "Colours",
      {"palette", "color-scale", "density", "offset", "shading", "light-angle", "relief", "darkness", "interior"});
  list_under(app, "Below the picture", {"bifurcation", "bifurcation-height"});
  list_under(app, "Computation", {"iterations", "escape-radius", "precision", "device", "work-group", "variant"});
}

// Each given part overrides --center. False where none is given.
bool take_parts(const CLI::App& app, View given, View& view) {
  bool any = false;
  std::vector<Parameter> parts = parameters(view);
  for (const Parameter& part : parameters(given)) {
    if (app.count("--" + std::string(part.info().name)) == 0) continue;
    find(parts, part.info().name)->assign(part.value());
    any = true;
  }
  return any;
}

// Warns of another shape; the width has priority.
void check_shape(const CLI::App& app, const Job& job) {
  constexpr double same = 0.01;
  const double shape = 1.0 * job.size.height / job.size.width;
  if (!job.shape || app.count("--span") > 0 || std::abs(shape - *job.shape) <= same * *job.shape) return;
  log(Level::warning, std::string("the view file has another aspect ratio than ") + std::to_string(job.size.width) +
                          "x" + std::to_string(job.size.height) + ": all of x is shown, and " +
                          (shape < *job.shape ? "part of y" : "more than y"));
}

bool parse_job(const Arguments& arguments, Job& job) {
  take_view_file(arguments, job);
  CLI::App app("Computes a picture or a film of z -> z^2 + c, or of another power of z.", "mandelbrot");
  JobTexts texts;
  add_picture_options(app, job, texts);
  add_film_options(app, job, texts);
  View given = job.view;
  add_parameters(app, parameters(given));
  add_parameters(app, parameters_of(job));
  CLI::Option* iterations = app.get_option("--iterations");
  iterations->description(iterations->get_description() + ", and 100 for the default view");
  add_device_option(app, job.device);
  list_options(app);
  if (!parse(app, arguments)) return false;
  texts.center = center_words(std::move(texts.center));
  if (!texts.center.empty()) take_center(texts.center, job.view);
  const bool placed = !texts.center.empty() || !texts.view.empty() || app.count("--center-re") > 0 ||
                      app.count("--center-im") > 0 || app.count("--span") > 0;
  const View whole = whole_set(given.formula);
  if (!placed) job.view = whole;
  if (texts.center.empty() && texts.view.empty()) job.view.re = whole.re, job.view.im = whole.im;
  const bool parts_given = take_parts(app, given, job.view);
  const bool is_default_view = texts.center.empty() && !parts_given && texts.view.empty() && texts.zoom_from.empty();
  if (is_default_view && iterations->count() == 0) job.settings.iterations = classic_iterations;
  if (!texts.size.empty()) job.size = parse_size(texts.size);
  if (job.height && app.count("--span") == 0 && texts.center.size() != 1)
    job.view.span = span_of_height(*job.height, 1.0 * job.size.width / job.size.height);
  check(job.view);
  check_shape(app, job);
  check_variant(job.settings);
  if (app.count("--prove") > 0) job.proved = pixels_to_prove(texts.prove);
  if (!texts.zoom_from.empty()) job.zoom_from = Decimal::parse(texts.zoom_from, "--zoom-from");
  if (!texts.seconds.empty()) job.seconds = positive("--seconds", texts.seconds);
  if (!texts.rate.empty()) job.frames_per_second = positive("--frames-per-second", texts.rate);
  check_film_options(job);
  const bool drawn = !job.zoom_from && (job.out.extension() == ".png" || job.out.extension() == ".ppm");
  if (app.count("--bifurcation") > 0 && job.diagram.shown && !drawn)
    throw usage_error("--bifurcation", "on", "a picture: --out FILE.png or FILE.ppm together with it");
  return true;
}

PictureRequest request_of(const Job& job) {
  return {.view = job.view,
          .size = job.size,
          .limit = static_cast<std::uint32_t>(job.settings.iterations),
          .escape_radius = job.settings.escape_radius,
          .samples = static_cast<int>(job.samples)};
}

// All settings that frames depend on, without the sizes of work-groups.
StateSection look_of(const Job& job) {
  Job copy = job;
  StateSection look{{"zoom-from", job.zoom_from->text()}};
  for (const auto& [key, text] : view_texts(job.view, job.size, parameters_of(copy)))
    if (key != state_keyword && key != "Software" && key != "size" && key != "work-group") look.emplace_back(key, text);
  look.emplace_back("orrery", ORRERY_VERSION);
  return look;
}

FilmRequest film_of(const Job& job) {
  FilmRequest film{.picture = request_of(job),
                   .colors = job.colors,
                   .from_span = *job.zoom_from,
                   .seconds = job.seconds,
                   .frames_per_second = job.frames_per_second,
                   .out = job.out,
                   .texts = [job](const View& view) {
                     Job copy = job;
                     return view_texts(view, job.size, parameters_of(copy));
                   }};
  if (job.parts.frames.empty()) return film;
  check_film(film);  // before its frames are counted
  film.part = FilmPart{parse_frame_range(job.parts.frames, frame_count(film)), look_of(job)};
  return film;
}

void check_output(const Job& job) {
  if (!job.detail.empty() && (job.detail.extension() != ".npy" || job.out.extension() != ".npy"))
    throw usage_error("--detail", job.detail.string(), "FILE.npy, together with --out FILE.npy");
  cli::check_distinct({{"--out", job.out.string()}, {"--detail", job.detail.string()}});
  if (job.zoom_from) return check_film(film_of(job));
  if (!job.out.empty()) check_export(job.out, static_cast<int>(job.samples));
}

void tell(const std::optional<ProofResult>& proof) {
  if (!proof || proof->checked == 0 || proof->fails()) return;
  std::string text = std::to_string(proof->checked) + (proof->checked == 1 ? " pixel" : " pixels") +
                     " computed again in " + std::to_string(proof->bits) + " bits: 0 differ";
  if (proof->nearby > 0) text += ", " + std::to_string(proof->nearby) + " have the value of a point within 1/16 pixel";
  if (proof->left_out > 0) text += "; " + std::to_string(proof->left_out) + " left out, which need more iterations";
  std::printf("%s\n", text.c_str());
}

void tell(const DiagramProof& proof) {
  if (proof.checked == 0 || proof.wrong > 0) return;
  std::string text = std::to_string(proof.checked) +
                     " columns of the bifurcation diagram compared with orbits in arbitrary precision: 0 differ";
  if (proof.left_out > 0) text += "; " + std::to_string(proof.left_out) + " left out, whose orbits settle too slowly";
  std::printf("%s\n", text.c_str());
}

ProvenPicture render(const Job& job, ProgramLibrary& programs, Progress& progress) {
  PictureRequest picture = request_of(job);
  picture.proved = job.proved;
  Job copy = job;
  const std::vector<Parameter> told = parameters_of(copy);
  const ExportRequest request{picture,   job.colors, job.diagram, job.out, view_texts(job.view, job.size, told),
                              job.detail};
  const auto report = [&](const std::string& text) { progress.say(text); };
  return export_proven(programs, request, job.settings, report, [&](double fraction) {
    progress.show(fraction);
    return true;
  });
}

// Warns of pictures that are blank for lack of iterations, up to `limit`.
void warn_of_blank(const Job& job, const std::string& which, const std::string& limit) {
  log(Level::warning,
      which + " interior, but this is not proved for every pixel: none escapes within " + limit + " iterations; " +
          (job.settings.iterations == 0 ? "a larger --iterations" : "--iterations auto or a larger number") +
          " may show more");
}

void render_film(const Job& job, ProgramLibrary& programs, Progress& progress) {
  KernelShelf kernels(programs, job.settings, needs_details(job.colors));
  const FilmResult film =
      make_film(programs.device(), kernels, film_of(job), [&](double fraction, const std::string& what) {
        progress.show(fraction, what);
        return true;
      });
  if (job.parts.frames.empty()) {
    std::printf("%d frames from %d key frames -> %s\n", film.frames, film.key_frames, film.written.string().c_str());
  } else {
    std::printf("frames %s: %d made, %d already existed; %d key frames computed -> %s\n", job.parts.frames.c_str(),
                film.frames, film.skipped, film.key_frames, film.written.string().c_str());
  }
  if (!film.other_device.empty())
    log(Level::warning, "the first frames of this film were made by another device or driver, " + film.other_device +
                            "; frames may differ in their last bits");
  const std::int64_t limit = job.settings.iterations;
  if (film.blank > 0)
    warn_of_blank(job,
                  std::to_string(film.blank) + " of " + std::to_string(film.key_frames) + " key frames are entirely",
                  limit == 0 ? "their automatic limit of" : "N = " + std::to_string(limit));
  if (film.written != job.out)
    std::fprintf(stderr, "orrery: ffmpeg was not found; the frames are saved as numbered pictures\n");
}

std::string limit_text(const PictureResult& result) {
  const std::string unit = result.exponent == 0 ? "" : "*2^" + std::to_string(result.exponent);
  return "N = " + std::to_string(result.limit) + unit;
}

void summarise(const Job& job, const Device& device, const PrecisionChoice& precision, const PictureResult& result,
               double seconds) {
  const double samples = static_cast<double>(job.size.pixels()) * static_cast<double>(job.samples);
  const std::string file = job.out.empty() ? "" : "; " + brief(seconds) + " s with its file -> " + job.out.string();
  std::printf("%ux%u, %s, %s precision (%s): %s %% interior, %s iterations in %s s (%s iterations/s) on %s%s\n",
              job.size.width, job.size.height, limit_text(result).c_str(),
              std::string(name_of(precision.precision)).c_str(), precision.reason.c_str(),
              brief(100 * static_cast<double>(result.interior) / samples).c_str(), brief(result.iterations).c_str(),
              brief(result.seconds).c_str(), brief(result.iterations / std::max(result.seconds, 1e-9)).c_str(),
              device.info().name.c_str(), file.c_str());
}

}  // namespace

void warn_of_contents(const std::string& contents, const std::string& file) {
  if (!contents.empty()) log(Level::warning, contents + " from " + file);
}

int run_mandelbrot(const Arguments& arguments) {
  Job job;
  if (!parse_job(arguments, job)) return 0;
  check_output(job);
  if (!job.parts.cluster.empty()) {
    const FilmRequest film = film_of(job);
    const auto jobs = static_cast<std::int64_t>(std::clamp(octaves_of(film) / 2, 1.0, 256.0));
    print_film_script(job.parts, {"mandelbrot", arguments, job.out, frame_count(film), jobs});
    return 0;
  }
  const SilenceWatch silence;
  const Device device(open_choice(job.device));
  const PrecisionChoice precision =
      choose_precision(job.settings.precision, job.view, job.size, device.info().fp64, purpose_of(job.out));
  if (!precision.warning.empty()) log(Level::warning, precision.warning);
  ProgramLibrary programs(device);
  Progress progress("mandelbrot");
  if (job.zoom_from) {
    render_film(job, programs, progress);
    return 0;
  }
  const auto [result, choice, seconds, diagram] = render(job, programs, progress);
  summarise(job, device, choice, result, seconds);
  tell(result.proof);
  tell(diagram);
  if (result.blank(request_of(job))) warn_of_blank(job, "the picture is entirely", limit_text(result));
  return 0;
}

}  // namespace orrery::cli
