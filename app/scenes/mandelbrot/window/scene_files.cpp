// The Mandelbrot scene's places, files and state.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "compute/program/kernel_sources.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scenes/mandelbrot/window/magnification.hpp"
#include "scenes/mandelbrot/window/scene.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr Size thumbnail_size{320, 180};

// A name without a folder is a file in the user's picture folder, which is created if needed.
std::string target_of(const std::string& typed) {
  std::error_code ignored;
  std::filesystem::create_directories(pictures_folder(), ignored);
  return among_pictures(typed).string();
}

}  // namespace

// ---- the picture that ships

// Made by `orrery mandelbrot --center -0.651155 0 --span 5.2 --size 1600x800 --iterations auto --samples 16`.
// It stands in for the picture that is being computed, so that it is shown only with the same colours. Another device,
// other kernels and further samples do not change the colours.
void MandelbrotScene::take_shipped_picture() try {
  const std::optional<PngFile> shipped = shipped_.poll();
  if (!shipped || engine_.base() != nullptr || engine_.latest() != nullptr) return;
  Settings present = settings_;
  std::vector<Parameter> below = parameters(present.diagram);
  for (const Parameter& parameter : present.of_picture()) {
    const std::string name(parameter.info().name);
    if (find(below, name) != nullptr) continue;  // not visible in these pixels
    const auto told = shipped->texts.find(name);
    const std::string text = value_text(parameter.info(), parameter.value());
    if (name == "iterations" ? text != "auto" : told == shipped->texts.end() || told->second != text) return;
  }
  if (!kernel_sources()->edits().empty()) return;
  const auto place = parse_place(shipped->texts.at("center") + " " + shipped->texts.at("span"), {}, aspect());
  painter_->remember(shipped->image, place.view);
} catch (const std::exception& error) {  // the picture is computed anyway
  log(Level::warning, std::string("the picture of the default view cannot be shown: ") + as_error(error).what());
}

// ---- places

void MandelbrotScene::fly_to(const std::string& text) {
  const Place place = parse_place(text, motion_.target(), aspect());
  motion_.fly_to(place.view);
  if (!place.notes.empty()) notify(joined(place.notes, "; "));
}

void MandelbrotScene::fly_to_place(const std::string& id) {
  const auto texts = places_ ? places_->bookmark(id) : std::nullopt;
  if (!texts) return motion_.fly_to(find_location(id).view);
  apply_texts(*texts);
  View view = parse_place(texts->at("center") + " " + texts->at("span"), {}, aspect()).view;
  std::vector<Parameter> further = further_parameters(view);
  for (const auto& [name, text] : *texts)
    if (Parameter* parameter = find(further, name)) parameter->assign_text(text);
  motion_.fly_to(view);
}

void MandelbrotScene::fly_to_numbered(int number) {
  const auto& known = locations();
  const auto index = static_cast<std::size_t>(number - 1);
  if (index < known.size()) motion_.fly_to(known[index].view);
}

// Rounded while they change, when their digits are unreadable.
Decimal MandelbrotScene::shown_span() const {
  const Decimal& span = motion_.present().span;
  return motion_.moving() ? span.significant(4) : span;
}

Decimal MandelbrotScene::shown_magnification() const {
  return magnification_of(motion_.present(), aspect()).significant(motion_.moving() ? 3 : 6);
}

std::string MandelbrotScene::place_text() const {
  const View& view = motion_.present();
  if (!told_further(view).empty()) return mandelbrot::place_text(view, 0);
  return view.re.text() + " " + view.im.text() + " " + view.span.text();
}

// A bookmark also sets its colours and its limit.
void MandelbrotScene::apply_texts(const ImageTexts& texts) {
  Settings wanted = settings_;
  std::vector<Parameter> all = wanted.of_picture();
  for (const auto& [name, text] : texts)
    if (Parameter* parameter = find(all, name)) parameter->assign_text(text);
  check_offered(wanted.picture);
  take(wanted);
}

void MandelbrotScene::add_bookmark(const std::string& title) {
  const View& view = motion_.present();
  std::optional<Image> picture = painter_ ? painter_->thumbnail(view, thumbnail_size) : std::nullopt;
  if (!picture || !places_) throw failure("there is no finished picture yet");
  Settings present = settings_;
  const std::vector<Parameter> told = present.of_picture();
  const std::string found =
      brief(view.re.value(), 6) + (view.im.value() < 0 ? " − " : " + ") + brief(std::abs(view.im.value()), 5) + " i";
  places_->add(title.empty() ? found : title, std::move(*picture), view_texts(view, thumbnail_size, told));
  notify("Added the view to the places");
}

void MandelbrotScene::open_view(const std::string& path) {
  Settings wanted = settings_;
  std::vector<Parameter> all = wanted.bound();
  const ViewFile file = read_view(target_of(path), motion_.present(), all, aspect());
  check_offered(wanted.picture);
  take(wanted);
  motion_.fly_to(file.view);
  if (!file.notes.empty()) notify(joined(file.notes, "; "));
}

void MandelbrotScene::save_view(const std::string& path) const {
  Settings present = settings_;
  const std::vector<Parameter> told = present.of_picture();
  write_view(target_of(path), motion_.present(), told, aspect(), engine_.limit());
}

PictureRequest MandelbrotScene::request(Size size, std::int64_t samples) const {
  return {.view = motion_.present(),
          .size = size,
          .limit = engine_.limit(),
          .escape_radius = settings_.picture.escape_radius,
          .samples = static_cast<int>(samples)};
}

void MandelbrotScene::export_picture(const command::ExportPicture& wanted) {
  if (context_ == nullptr) throw failure("there is no device to compute with");
  const Size size = parse_size(std::to_string(wanted.width) + "x" + std::to_string(wanted.height));
  Settings present = settings_;
  const std::vector<Parameter> told = present.of_picture();
  const PictureRequest picture = request(size, wanted.samples);
  exporter_.begin(context_->device, settings_.picture,
                  ExportRequest{picture, settings_.colors, settings_.diagram, target_of(wanted.path),
                                view_texts(picture.view, size, told)});
}

void MandelbrotScene::export_film(const command::ExportFilm& wanted) {
  if (context_ == nullptr) throw failure("there is no device to compute with");
  const Size size = parse_size(std::to_string(wanted.width) + "x" + std::to_string(wanted.height));
  PictureRequest picture = request(size, wanted.samples);
  picture.limit = static_cast<std::uint32_t>(settings_.picture.iterations);  // each key frame finds its own
  exporter_.begin(context_->device, settings_.picture,
                  FilmRequest{.picture = picture,
                              .colors = settings_.colors,
                              .from_span = Decimal::parse(wanted.span, "the film's first span"),
                              .seconds = wanted.seconds,
                              .frames_per_second = wanted.frames_per_second,
                              .out = target_of(wanted.path),
                              .texts = [settings = settings_, size](const View& view) {
                                Settings present = settings;
                                return view_texts(view, size, present.of_picture());
                              }});
}

// ---- from session to session

std::vector<ParameterView> MandelbrotScene::table() const {
  Settings present = settings_, usual;
  View view = motion_.present(), first = motion_.first();
  first.formula = {};
  view.turn = motion_.target().turn;
  std::vector<ParameterView> rows = views(present.bound(), usual.bound());
  keyframes::PathRows path = path_.rows(), no_path;
  std::ranges::move(views(keyframes::parameters<ViewPose>(path), keyframes::parameters<ViewPose>(no_path)),
                    std::back_inserter(rows));
  std::ranges::move(views(mandelbrot::parameters(view), mandelbrot::parameters(first)), std::back_inserter(rows));
  return rows;
}

std::vector<ParameterView> MandelbrotScene::rows() const {
  std::vector<ParameterView> all = table();
  for (ParameterView& each : all)
    if (each.info.name == "span") each.value = shown_span().text();
  Decimal magnification = shown_magnification();
  all.push_back(views(std::array{magnification_row(magnification, aspect())}).front());
  return all;
}

SceneCopy MandelbrotScene::copy() const {
  StateSection state = view_section(motion_.present());
  for (ParameterView& each : table())
    if (value_of(state, each.info.name) == nullptr) state.emplace_back(each.info.name, std::move(each.value));
  return [state = std::move(state)] { return state; };
}

std::vector<std::string> MandelbrotScene::load(const StateSection& state, std::shared_ptr<void>) {
  Settings wanted = settings_;
  View view = motion_.present();
  view.turn = motion_.target().turn;
  const auto given = [&](std::string_view key) { return value_of(state, key) != nullptr; };
  const bool center_given = given("center-re") || given("center-im");
  bool flies = false;
  std::optional<Decimal> height;
  if (center_given) view.turn = {};  // a place without a turn is level, and a place without a power is of z² + c
  if (center_given) view.formula = {};
  keyframes::PathRows path = path_.rows();
  std::vector<Parameter> all =
      joined({wanted.bound(), keyframes::parameters<ViewPose>(path), mandelbrot::parameters(view)});
  std::vector<std::string> unknown;
  for (const auto& [key, value] : state) {
    if (Parameter* parameter = find(all, key)) {
      parameter->assign(value);
    } else if (key == height_key && std::holds_alternative<std::string>(value)) {
      height = Decimal::parse(std::get<std::string>(value), key);
    } else if (key == "fly") {
      flies = std::get_if<bool>(&value) != nullptr && std::get<bool>(value);
    } else {
      unknown.push_back(key);
    }
  }
  check_offered(wanted.picture);
  keyframes::check<ViewPose>(path, wanted.bound());
  take(wanted);
  path_.set(path);
  if (center_given || given("span") || height) path_.stop();
  if (height && !flies) height_ = height;  // until the picture's shape is known
  if (height) view.span = span_of_height(*height, aspect());
  if (center_given || given("span") || height)
    flies ? motion_.fly_to(view) : motion_.jump_to(view);
  else if (!(view.turn == motion_.target().turn && view.formula == motion_.target().formula))
    move_to(view);
  return unknown;
}

}  // namespace orrery
