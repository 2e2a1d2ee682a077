#include "scenes/mandelbrot/window/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "compute/device/kernel_limits.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/output/comparison.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"
#include "scenes/mandelbrot/window/magnification.hpp"
#include "ui/clipboard.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr double factor_per_step = 0.75;                     // per step of the wheel
constexpr double steps_at_once = 8;                          // steps of the wheel with Shift
constexpr double least_searched = 1e4, most_searched = 1e6;  // steps of the search for a copy
constexpr double smallest_turning_pixels = 12;               // from the middle, to turn around it
constexpr double steps_of_degree = 100;
constexpr double smallest_box_pixels = 6;  // a smaller box is taken as accidental
constexpr double set_height = 2.45;        // of the whole set with a margin
constexpr std::size_t ramp_texels = 64;
constexpr double shortest_lead = 0.05;
constexpr double longest_lead = 0.6;
constexpr double longest_frame = 0.1;  // longest time step of a motion, in seconds

std::vector<PaletteSwatch> swatches() {
  ColorSettings any;
  std::vector<PaletteSwatch> all;
  std::vector<Parameter> known = parameters(any);
  for (const std::string_view name : find(known, "palette")->info().choices) {
    const std::vector<std::uint8_t> ramp = palette_ramp(std::string(name));
    PaletteSwatch swatch{std::string(name), {}};
    for (std::size_t i = 0; i < ramp_texels; ++i)
      for (std::size_t k = 0; k < 3; ++k) swatch.rgb.push_back(ramp[3 * (i * ramp_colors / ramp_texels) + k]);
    all.push_back(std::move(swatch));
  }
  return all;
}

}  // namespace

MandelbrotScene::MandelbrotScene(const SceneKind& kind) : Scene(kind), motion_(View{}) { take(settings_); }

// The settings of the picture, without those of its computation.
std::vector<Parameter> MandelbrotScene::Settings::of_picture() {
  std::vector<Parameter> all;
  for (const Parameter& each : parameters(picture))
    if (each.info().name != work_group_parameter && each.info().name != variant_parameter) all.push_back(each);
  return joined({std::move(all), parameters(colors), parameters(diagram)});
}

std::vector<Parameter> MandelbrotScene::Settings::bound() {
  return joined({parameters(picture), parameters(colors), parameters(diagram), parameters(display)});
}

// Refuses settings that the device does not support.
void MandelbrotScene::check_offered(const MandelbrotSettings& settings) const {
  check_variant(settings);
  if (device_.name.empty()) return;
  (void)choose_precision(settings.precision, {}, {1, 1}, device_.fp64, Purpose::picture);
  check_kernels(settings);
}

void MandelbrotScene::check_kernels(const MandelbrotSettings& settings) const {
  for (const Precision precision : {Precision::single, Precision::double_})
    if (precision == Precision::single || device_.fp64)
      (void)choose_variant(device_, {.precision = precision}, settings, Purpose::picture);
}

// Remembered pictures of other views are dropped unless they were computed in the same way.
void MandelbrotScene::take(const Settings& settings) {
  if (!(settings.picture == settings_.picture) && painter_) painter_->forget();
  settings_ = settings;
  engine_.set(settings_.picture);
  engine_.set_equalized(settings_.colors.scale == "histogram");
  engine_.set_detailed(needs_details(settings_.colors));
  engine_.set_samples(static_cast<int>(settings_.display.samples));
  motion_.set_speed(settings_.display.fly_speed);
}

// ---- input

void MandelbrotScene::input(const SceneInput& input) {
  const View before = motion_.target();
  std::visit(
      Overloaded{[&](const PointerEvent& event) { point(event); }, [&](const ScrollEvent& event) { scroll(event); }},
      input);
  if (!(motion_.target() == before)) path_.stop();
}

void MandelbrotScene::point(const PointerEvent& event) {
  const glm::vec2 moved = event.position - std::exchange(hand_.at, event.position);
  hand_.inside = true;
  marked_.show();
  const bool left = event.button == PointerButton::left;
  switch (event.kind) {
    case PointerEvent::Kind::press:
      if (event.held == key('R') && event.button != PointerButton::right) {
        hand_.turning = TurnedHand{angle_of_pointer(), motion_.present().turn};
      } else if (event.button == PointerButton::right || (left && event.shift)) {
        hand_.box = Box{event.position, event.position};
      } else {
        hand_.panning = true;
        if (bifurcation_.holds(event.position)) hand_.in_diagram = event.position;
      }
      return;
    case PointerEvent::Kind::move:
      if (hand_.box) {
        hand_.box->to = event.position;
      } else if (hand_.turning) {
        if (moved != glm::vec2(0)) follow_turn();
      } else if (hand_.panning && (event.left_down || event.middle_down)) {
        if (moved != glm::vec2(0)) motion_.pan(moved.x, hand_.in_diagram ? 0 : moved.y);
      }
      return;
    case PointerEvent::Kind::release:
      end_pan(event);
      hand_.turning.reset();
      if (hand_.box) end_box();
      return;
    case PointerEvent::Kind::double_click:
      if (left && event.alt) return find_copy();
      if (left && !hand_.turning)
        motion_.center_on(event.position.x,
                          bifurcation_.holds(event.position) ? bifurcation_.axis() : event.position.y);
      return;
  }
}

// Handles a click on a line of the diagram.
void MandelbrotScene::end_pan(const PointerEvent& event) {
  constexpr float slip = 4;
  hand_.panning = false;
  const auto pressed = std::exchange(hand_.in_diagram, std::nullopt);
  if (pressed && event.button == PointerButton::left && glm::distance(*pressed, event.position) <= slip &&
      bifurcation_.has_mark(event.position.x))
    fly_to_doubling(event.position.x, true);
}

void MandelbrotScene::fly_to_doubling(std::optional<float> column, bool deeper) {
  if (const auto view = bifurcation_.next(motion_.target(), column, deeper)) return motion_.fly_to(*view);
  notify(settings_.diagram.shown ? "No further doubling is known yet"
                                 : "The bifurcation diagram shows where periods double: press P");
}

// Nothing close to the middle, where a small slip would be a large angle.
std::optional<double> MandelbrotScene::angle_of_pointer() const {
  const double right = hand_.at.x - 0.5 * size_.width, up = 0.5 * size_.height - hand_.at.y;
  if (std::hypot(right, up) < smallest_turning_pixels) return std::nullopt;
  return std::atan2(up, right) * 180 / std::numbers::pi;
}

// The picture follows the mouse: when its axes turn clockwise, its content turns anticlockwise.
void MandelbrotScene::follow_turn() {
  const auto angle = angle_of_pointer();
  if (!angle) return;
  if (!hand_.turning->angle) hand_.turning->angle = angle;
  Turn turn = hand_.turning->from;
  const double rotation = wrapped_degrees(turn.rotation - (*angle - *hand_.turning->angle));
  turn.rotation = std::round(rotation * steps_of_degree) / steps_of_degree + 0.0;
  motion_.turn(turn);
}

void MandelbrotScene::end_box() {
  const Box box = *std::exchange(hand_.box, std::nullopt);
  const glm::vec2 extent = glm::abs(box.to - box.from);
  if (std::max(extent.x, extent.y) < smallest_box_pixels) return;
  motion_.zoom_to_box(box.from.x, box.from.y, box.to.x, box.to.y);
}

void MandelbrotScene::scroll(const ScrollEvent& event) {
  hand_.at = event.position;
  marked_.show();
  const double factor = std::pow(factor_per_step, event.steps * (event.shift ? steps_at_once : 1));
  if (event.control) return motion_.zoom(0.5 * size_.width, 0.5 * size_.height, factor);
  if (bifurcation_.holds(hand_.at)) return motion_.zoom(hand_.at.x, bifurcation_.axis(), factor);
  const auto at = anchor();
  at ? motion_.zoom(at->x, at->y, factor) : motion_.zoom(hand_.at.x, hand_.at.y, factor);
}

void MandelbrotScene::apply(const command::Command& command) {
  const View before = motion_.target();
  std::visit(Overloaded{
                 [&](const command::SetParameter& set) {
                   if (path_.leads(set.name)) path_.stop();
                   set_parameter(set.name, set.value);
                 },
                 [&](const command::Reset&) { motion_.fly_to(motion_.first()); },
                 [&](const command::MoveView&) { toggle_dive(); },
                 [&](const command::ReloadKernels&) {
                   engine_.reload();
                   bifurcation_.reload();
                 },
                 [&](const command::GiveUpBuilding&) { give_up(); },
                 [&](const command::SceneCommand& own) { apply_own(own); },
                 [](const auto&) {},
             },
             command);
  if (!(motion_.target() == before)) path_.stop();
}

void MandelbrotScene::apply_own(const command::SceneCommand& command) {
  using namespace command;
  std::string said = path_.apply(command, pose_of(motion_.target()), [this] { return table(); });
  if (!said.empty()) notify(std::move(said));
  handle_own<FindCopy, FlyToCopy, NextDoubling, GoToNumberedLocation, CopyPlace, PastePlace, ViewBack, ViewForward,
             ZoomBy, PanBy, LevelView, FlyTo, EndFlight, FlyToPlace, AddBookmark, RemoveBookmark, OpenView, SaveView,
             ExportPicture, ExportFilm, CancelExport>(
      command, Overloaded{
                   [&](const FindCopy&) { find_copy(); },
                   [&](const FlyToCopy& fly) { fly_to_copy(fly.where); },
                   [&](const NextDoubling& next) { fly_to_doubling({}, next.deeper); },
                   [&](const GoToNumberedLocation& go) { fly_to_numbered(go.number); },
                   [&](const CopyPlace&) { ui::copy_to_clipboard(place_text()); },
                   [&](const PastePlace&) {
                     if (const std::string text = ui::clipboard_text(); !text.empty()) fly_to(text);
                   },
                   [&](const ViewBack&) { motion_.back(); },
                   [&](const ViewForward&) { motion_.forward(); },
                   [&](const ZoomBy& zoom) { motion_.zoom(0.5 * size_.width, 0.5 * size_.height, zoom.factor); },
                   [&](const PanBy& pan) { motion_.glide(-pan.right * size_.height, pan.up * size_.height); },
                   [&](const LevelView&) { motion_.turn_to({}); },
                   [&](const EndFlight& end) {
                     path_.stop();
                     end.arrive ? motion_.jump_to(motion_.target()) : motion_.stop();
                   },
                   [&](const FlyTo& fly) { fly_to(fly.text); },
                   [&](const FlyToPlace& fly) { fly_to_place(fly.id); },
                   [&](const AddBookmark& add) { add_bookmark(add.title); },
                   [&](const RemoveBookmark& remove) {
                     if (places_) places_->remove(remove.id);
                   },
                   [&](const OpenView& open) { open_view(open.path); },
                   [&](const SaveView& save) { save_view(save.path); },
                   [&](const ExportPicture& wanted) { export_picture(wanted); },
                   [&](const ExportFilm& wanted) { export_film(wanted); },
                   [&](const CancelExport&) { exporter_.cancel(); },
               });
}

// Restores the settings for which the present kernels were built.
void MandelbrotScene::give_up() {
  if (!engine_.can_give_up()) return;
  const MandelbrotSettings good = engine_.give_up();
  Settings wanted = settings_;
  wanted.picture.precision = good.precision;
  wanted.picture.variant = good.variant;
  wanted.picture.work_group = good.work_group;
  take(wanted);
}

void MandelbrotScene::set_parameter(const std::string& name, const Value& value) {
  Settings wanted = settings_;
  std::vector<Parameter> all = wanted.bound();
  Parameter* parameter = find(all, name);
  if (parameter == nullptr) return set_view(name, value);
  parameter->assign(value);
  refusal_.clear();
  // A work-group and a variant exclude each other.
  if (name == work_group_parameter) wanted.picture.variant = "auto";
  if (name == variant_parameter) wanted.picture.work_group = 0;
  check_offered(wanted.picture);
  take(wanted);
}

void MandelbrotScene::set_view(const std::string& name, const Value& value) {
  keyframes::PathRows path = path_.rows();
  std::vector<Parameter> of_path = keyframes::parameters<ViewPose>(path);
  if (Parameter* const row = find(of_path, name)) {
    row->assign(value);
    Settings present = settings_;
    keyframes::check<ViewPose>(path, present.bound());
    return path_.set(path);
  }
  View wanted = motion_.target();
  Decimal magnification;
  std::vector<Parameter> all = parameters(wanted);
  all.push_back(magnification_row(magnification, aspect()));
  Parameter* const parameter = find(all, name);
  if (parameter == nullptr) return;
  parameter->assign(value);
  if (!magnification.is_zero()) wanted.span = span_of_magnification(magnification, aspect());
  move_to(wanted);
}

// The view keeps its place where only the turn or the power changes.
void MandelbrotScene::move_to(const View& wanted) {
  const bool keeps_plane = wanted.formula == motion_.target().formula;
  if (!keeps_plane) motion_.change(wanted.formula);
  if (!(wanted.turn == motion_.target().turn)) return motion_.turn_to(wanted.turn);
  if (keeps_plane) motion_.fly_to(wanted);
}

ComparisonJob MandelbrotScene::comparison(const ChangedParameters& changed) const {
  std::array<MandelbrotSettings, 2> settings{settings_.picture, settings_.picture};
  std::vector<Parameter> other = parameters(settings[1]);
  change(other, changed);
  check_variant(settings[1]);
  const ComparedPicture picture{.view = motion_.present(),
                                .size = size_,
                                .limit = std::ldexp(engine_.limit(), engine_.limit_exponent()),
                                .automatic = settings_.picture.iterations == 0};
  return [settings, picture](const std::array<ProgramLibrary*, 2>& sides, const BetweenSlices& between) mutable {
    Comparison result = compare_pictures(sides, settings, picture, between);
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<Parameter> bound = parameters(settings[k]);
      result.sides[k] = side_text(sides[k]->device().info().name, bound);
    }
    return result;
  };
}

// ---- a frame

void MandelbrotScene::update(double seconds, double frame, const Viewport& viewport) {
  size_ = {static_cast<std::uint32_t>(std::max(1, viewport.size.x)),
           static_cast<std::uint32_t>(std::max(1, viewport.size.y))};
  motion_.set_size(size_);
  fit_first_view();
  if (const auto height = std::exchange(height_, {})) {
    View view = motion_.present();
    view.span = span_of_height(*height, aspect());
    motion_.jump_to(view);
  }
  seconds_ = seconds;
  if (!viewport.offline) frame = std::clamp(frame, 0.0, longest_frame);
  if (const auto behind = painter_ && !viewport.offline ? painter_->octaves_behind() : std::nullopt)
    motion_.wait_for_pictures(*behind, frame);
  if (viewport.calm && motion_.moving() && !motion_.dives()) motion_.jump_to(motion_.target());
  motion_.advance(frame);
  follow_path(frame, viewport);
  const View& present = motion_.present();
  const bool moving = (motion_.moving() || path_.playing()) && !viewport.offline;
  const View reach = moving ? reach_of_motion() : present;
  engine_.update(present, reach, size_, moving || hand_.panning || hand_.turning, seconds);
  bifurcation_.update(settings_.diagram, present, size_, frame, viewport.offline || viewport.calm);
  color_motion_.advance(settings_.display.cycling, engine_.equalization(), frame,
                        viewport.offline || (painter_ && painter_->holds()));
  if (pointer_in_picture()) {
    if (!cursor_) cursor_ = std::make_unique<CursorReadout>();
    cursor_->follow(engine_.shown(), present, size_, hand_.at);
  }
  if (!painter_) begin_drawing();
  if (context_ == nullptr) return;  // anything else would delay the first picture
  if (!proof_) proof_ = std::make_unique<MandelbrotProof>();
  proof_->follow(engine_);
  if (!flat_) flat_ = std::make_unique<FlatView>();
  PublishedPicture* const finished = engine_.finished() ? engine_.base() : nullptr;
  flat_->follow(finished, settings_.colors);
  if (finished != nullptr)
    flat_->follow_colors(*finished, color_motion_.applied_to(settings_.colors), color_motion_.equalization());
  exporter_.update();
  if (!places_) places_ = std::make_unique<MandelbrotPlaces>();
  places_->update();
  marked_.update(frame);
  if (!palettes_) palettes_ = std::make_shared<std::vector<PaletteSwatch>>(swatches());
}

// Each frame of a film that is recorded is one step on the path.
void MandelbrotScene::follow_path(double frame, const Viewport& viewport) {
  if (viewport.film) frame = viewport.pictures > 0 ? *viewport.film : 0;
  const auto pose = path_.advance(frame);
  if (!pose) return;
  motion_.jump_to(view_of(*pose, motion_.present().formula));
  for (const auto& [row, value] : path_.values([this] { return table(); })) set_parameter(row, value);
}

void MandelbrotScene::toggle_dive() {
  if (motion_.dives()) return motion_.stop();
  // The picture repeats there; farther down the point's own digits would be missing.
  View bottom = find_location("feigenbaum").view;
  bottom.span = Decimal::parse("1e-140", "span");
  motion_.dive(bottom);
  notify("Diving into the Feigenbaum point. Press M to stop");
}

// The view for the next picture, which is seen when it is complete: zooming in, the smaller view reached by then; else
// everything visible until then.
View MandelbrotScene::reach_of_motion() const {
  const View& present = motion_.present();
  const double lead = std::clamp(engine_.picture_seconds(), shortest_lead, longest_lead);
  const View ahead = path_.playing() ? view_of(path_.ahead(lead), present.formula) : motion_.ahead(lead);
  return uncovered(present, ahead, size_) < 1e-3 ? ahead : covering(present, ahead, size_);
}

// Shows the whole set, for any shape of the window.
void MandelbrotScene::fit_first_view() {
  View first = whole_set(motion_.target().formula);
  const double fitting = set_height * size_.width / size_.height;
  if (fitting > first.span.value()) first.span = Decimal(fitting);
  if (!(first == motion_.first())) motion_.set_first(first);
}

MandelbrotPainter::Scenery MandelbrotScene::scenery() const {
  return {motion_.present(),
          color_motion_.applied_to(settings_.colors),
          color_motion_.equalization(),
          hand_.box,
          julia_point(),
          marks()};
}

bool MandelbrotScene::waits_for_picture() const {
  return context_ != nullptr && painter_ && painter_->holds() && !engine_.fault();
}

// Its values, their histogram and all samples have been drawn, and its proof has found no fault.
bool MandelbrotScene::is_complete() const {
  const PublishedPicture* const base = engine_.finished() ? engine_.base() : nullptr;
  if (base == nullptr || engine_.awaits_histogram() || !proof_ || !proof_->done_with(base->serial)) return false;
  const bool colored = engine_.equalization().ranks.empty() || color_motion_.equalization() == engine_.equalization();
  return colored && engine_.complete() && bifurcation_.complete() && painter_ &&
         painter_->samples() >= settings_.display.samples;
}

SceneStatus MandelbrotScene::status() const {
  return {.shows_picture = painter_ && painter_->octaves_behind(),
          .sketch_coming = shipped_.busy(),
          .compiling = engine_.compiling() || bifurcation_.compiling(),
          .can_give_up = engine_.can_give_up(),
          .shows_earlier = waits_for_picture(),
          .complete = is_complete(),
          .stuck = engine_.fault().has_value(),
          .path = path_.status()};
}

News MandelbrotScene::news(const Viewport& viewport) const {
  if (viewport.offline && !engine_.finished()) return News::none;
  if (!painter_ || shipped_.busy()) return News::motion;
  const News news = painter_->news({engine_.base(), engine_.latest(), engine_.has_samples()}, scenery());
  return news == News::none && bifurcation_.has_news() ? News::progress : news;
}

// The picture that comes with the program is read while shaders are compiled.
void MandelbrotScene::begin_drawing() {
  shipped_.start([] { return read_png(asset_folder() / "pictures" / "default-view.png"); });
  painter_ = std::make_unique<MandelbrotPainter>(scenery().colors, color_motion_.equalization());
}

void MandelbrotScene::draw(const Viewport& viewport) {
  if (!painter_) begin_drawing();
  const MandelbrotPainter::Pictures seen{engine_.base(), engine_.latest(), engine_.samples()};
  double passed = std::clamp(seconds_ - std::exchange(drawn_at_, seconds_), 0.0, longest_frame);
  if (viewport.offline) passed = longest_frame;  // without blending
  take_shipped_picture();
  painter_->draw(seen, scenery(), passed, viewport);
  bifurcation_.draw(viewport);
  delay_.count(motion_.present().span.log() / std::numbers::ln2, passed, painter_->octaves_behind());
  engine_.take_samples(seen.samples.size());
  if (const auto left = painter_->samples_left()) engine_.resume_samples(*left);
}

bool MandelbrotScene::pointer_in_picture() const {
  return hand_.inside && hand_.at.x >= 0 && hand_.at.y >= 0 && hand_.at.x < static_cast<float>(size_.width) &&
         hand_.at.y < static_cast<float>(size_.height);
}

std::optional<glm::vec2> MandelbrotScene::julia_point() const {
  if (!settings_.display.julia || !pointer_in_picture()) return std::nullopt;
  const auto [x, y] = std::pair{static_cast<double>(hand_.at.x), static_cast<double>(hand_.at.y)};
  const Complex c = point_at(motion_.present(), size_, x, y);
  return glm::vec2(c.re, c.im);
}

void MandelbrotScene::find_copy() {
  const double limit = std::ldexp(engine_.limit(), engine_.limit_exponent());
  marked_.search(motion_.target(), size_, static_cast<std::size_t>(std::clamp(limit, least_searched, most_searched)));
}

void MandelbrotScene::fly_to_copy(command::FlyToCopy::Where where) {
  const FoundCopy* found = marked_.copy();
  if (found == nullptr) return;
  motion_.fly_to(where == command::FlyToCopy::Where::copy ? found->copy : found->embedded_julia);
}

std::vector<glm::vec2> MandelbrotScene::marks() const { return marked_.rings(anchor(), motion_.present(), size_); }

// The present view decides, not the target: while the wheel turns, the point stays in its visible place.
std::optional<AnchorInPicture> MandelbrotScene::anchor() const {
  if (!pointer_in_picture() || hand_.panning || hand_.turning || hand_.box) return std::nullopt;
  return anchor_near(marked_.points(), motion_.present(), size_, hand_.at.x, hand_.at.y);
}

MandelbrotSnapshot MandelbrotScene::described() const {
  const View& view = motion_.present();
  MandelbrotSnapshot m;
  m.level = motion_.target().turn.level();
  m.span = shown_span().text();
  m.magnification = shown_magnification().text();
  m.limit = std::ldexp(engine_.limit(), engine_.limit_exponent());
  m.precision = name_of(engine_.precision().precision);
  m.precision_reason = engine_.precision().reason;
  m.warning = engine_.precision().warning;
  m.progress = engine_.progress();
  m.iterations_per_second = engine_.rate().per_second();
  m.can_go_back = motion_.can_go_back();
  m.can_go_forward = motion_.can_go_forward();
  if (const auto at = anchor(); cursor_ && pointer_in_picture()) m.cursor = cursor_->text(at ? at->title : "");
  if (hand_.inside && bifurcation_.holds(hand_.at)) m.cursor = bifurcation_.text_at(hand_.at.x);
  m.palettes = palettes_;
  m.places = places_ ? places_->cards() : nullptr;
  m.samples = painter_ ? painter_->samples() : 1;
  m.samples_wanted = static_cast<int>(settings_.display.samples);
  if (proof_) m.proof = proof_->summary();
  m.behind = delay_.summary();
  m.flight_seconds = motion_.flight_seconds_left().value_or(0);
  m.copy = marked_.snapshot();
  m.bifurcation = bifurcation_.snapshot();
  if (engine_.finished() && engine_.escaped() == 0) m.lack = MandelbrotSnapshot::Lack::all_inside;
  if (flat_ && flat_->flat()) m.lack = MandelbrotSnapshot::Lack::one_color;
  m.exported = exporter_.snapshot();
  if (flat_) m.colored = flat_->colored();
  const Offset right = matrix_of(view.turn) * Offset{1, 0};
  m.log_height = (view.span.log() + std::log(std::hypot(right.x, right.y) / aspect())) / std::numbers::ln10;
  m.rotation = view.turn.rotation;
  return m;
}

SceneSnapshot MandelbrotScene::snapshot() const {
  SceneSnapshot snapshot;
  snapshot.name = kind().name;
  snapshot.subject = "span " + motion_.target().span.significant(2).text();
  snapshot.parameters = rows();
  snapshot.path = path_.view();
  snapshot.work_group = engine_.limits();
  if (const Variant* variant = engine_.running())
    snapshot.running = {std::string(name_of(variant->precision)), named_values(*variant)};
  snapshot.status = engine_.status();
  if (snapshot.status.empty() && waits_for_picture()) snapshot.status = "computing the picture";
  snapshot.fault = refusal_;
  snapshot.fault_title = "The settings do not suit this device";
  if (engine_.fault()) {
    snapshot.fault = engine_.fault()->what();
    snapshot.fault_title = "Could not compute the picture";
    snapshot.fault_log = engine_.fault()->details().log;
  }
  if (const PublishedPicture* shown = engine_.shown()) snapshot.bytes_copied = shown->surface->bytes_copied();
  if (engine_.complete() && bifurcation_.complete()) snapshot.work.idle = "The picture is complete.";
  MandelbrotSnapshot m = described();
  const IterationRate& rate = engine_.rate();
  snapshot.add_statistics = [behind = m.behind, iterations = rate.iterations(), seconds = rate.working_seconds(),
                             lately = rate.lately(), samples = m.samples, size = size_,
                             complete = engine_.complete()](nlohmann::ordered_json& document) {
    document["mandelbrot"] = {{"iterations", iterations},          {"computing_seconds", seconds},
                              {"iterations_per_second", lately},   {"samples", samples},
                              {"size", {size.width, size.height}}, {"complete", complete}};
    if (behind.frames > 0)
      document["behind_seconds"] = {
          {"p50", behind.p50}, {"p99", behind.p99}, {"max", behind.max}, {"frames", behind.frames}};
  };
  snapshot.panels = std::make_shared<ui::MandelbrotPanels>(std::move(m), ui_);
  return snapshot;
}

// ---- from device to device, and from session to session

void MandelbrotScene::attach(ComputeContext& context) {
  context_ = &context;
  device_ = context.device.info();
  engine_.attach(context);
  bifurcation_.attach(context);
  refusal_.clear();
  try {
    check_kernels(settings_.picture);
  } catch (const Error& error) {  // they were for another device
    Settings wanted = settings_;
    wanted.picture.work_group = 0;
    wanted.picture.variant = "auto";
    take(wanted);
    refusal_ = error.what();
  }
}

// A view has no state on the device.
bool MandelbrotScene::leave(Leaving how) {
  if (how == Leaving::in_order) return true;
  if (how == Leaving::files_only) {
    exporter_.leave();
    return true;
  }
  if (how == Leaving::unanswered) {
    if (context_ != nullptr) exporter_.abandon(context_->device);
    engine_.abandon();
    bifurcation_.abandon();
  } else {
    engine_.detach();
    bifurcation_.detach();
  }
  context_ = nullptr;
  return true;
}

}  // namespace orrery
