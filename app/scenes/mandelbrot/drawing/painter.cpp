#include "scenes/mandelbrot/drawing/painter.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr float side = 168;    // at scale 1 …
constexpr float margin = 16;   // … in pixels
constexpr float most = 0.35F;  // of the viewport's height
constexpr float radius = 1.6F;

}  // namespace

void JuliaPreview::draw(glm::vec2 c, mandelbrot::Formula formula, const MandelbrotColors& colors,
                        const Viewport& viewport) {
  const int pixels = static_cast<int>(std::min(side * viewport.scale, most * static_cast<float>(viewport.size.y)));
  const int inset = static_cast<int>(margin * viewport.scale), line = std::max(1, static_cast<int>(viewport.scale));
  if (pixels < 16 || viewport.size.x < pixels + 2 * inset) return;
  const bool resized = picture_.size() != glm::ivec2(pixels);
  picture_.bind(glm::ivec2(pixels));
  if (resized || drawn_ != c || !(formula_ == formula) || palette_ != colors.palette_serial()) {
    program_.use();
    colors.bind_ramp(0);
    program_.set("ramp", 0);
    program_.set("c", c);
    program_.set("power", static_cast<int>(formula.power));
    program_.set("size", glm::vec2(static_cast<float>(pixels)));
    program_.set("radius", radius);
    program_.set("interior", colors.interior());
    triangle_.draw();
    drawn_ = c;
    formula_ = formula;
    palette_ = colors.palette_serial();
  }
  const glm::ivec2 corner(viewport.origin.x + viewport.size.x - pixels - inset, viewport.origin.y + inset);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, viewport.target);
  glEnable(GL_SCISSOR_TEST);
  glScissor(corner.x - line, corner.y - line, pixels + 2 * line, pixels + 2 * line);
  glClearColor(0.55F, 0.58F, 0.63F, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  glBlitFramebuffer(0, 0, pixels, pixels, corner.x, corner.y, corner.x + pixels, corner.y + pixels, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, viewport.target);
}

// ---- the painter

namespace {

using namespace mandelbrot;

constexpr std::size_t most_remembered_bytes = std::size_t{96} << 20;
constexpr int most_of_an_octave = 4;
constexpr double blending_seconds = 0.04;  // time constant of fading out the previous picture …
constexpr double blending_ends = 0.2;      // … and time after which it is invisible
constexpr int most_seen_samples = 8;       // the next sample of a larger mean changes it invisibly
constexpr float least_blended = 0.1F;      // smaller parts are skipped: frames are too far apart for a fade
constexpr std::ptrdiff_t most_layers = 5;  // stacked layers of a frame
constexpr double most_shrunk = 2.5;        // pixels of a layer for one of the viewport; above this it only flickers
constexpr double most_held = 16;           // shrunk or enlarged by more, a picture shows nothing of the view
constexpr double most_enlarged = 64;  // pixels of the viewport for one of a layer; above this nothing is recognisable

// The pixels of every n-th column and row, as a separate picture.
struct Grid {
  View view;
  Size size;
};

Grid grid_of(const View& view, Size size, std::uint32_t grid) {
  const Size part{(size.width + grid - 1) / grid, (size.height + grid - 1) / grid};
  const double width = size.width, first = 0.5 - 0.5 * grid;  // its edge, where the first pixel's middle is 0.5
  const double right = first + 0.5 * grid * part.width - 0.5 * width;
  const double down = first + 0.5 * grid * part.height - 0.5 * size.height;
  return {placed_in_picture(view, {right / width, -down / width, grid * part.width / width}), part};
}

// The distance of known pixels, or of the first ones to be known.
std::uint32_t grid_of(const PublishedPicture& picture) {
  return picture.stride == 0 ? Renderer::coarsest : picture.stride;
}

// Whether its coarsest pass is complete: some pixel of each square is known.
bool has_pass(const Layer& layer) { return layer.log2_resolution < log2_spacing(layer.view, layer.size) + 0.5; }

MandelbrotColors::Values values_of(const PublishedPicture& picture) {
  return {.buffer = picture.surface->gl_buffer(),
          .size = picture.size,
          .limit = static_cast<double>(picture.limit),
          .exponent = picture.exponent,
          .cascade = cascade_of(picture.view, picture.size),
          .settled = picture.settled,
          .detail = picture.detail};
}

}  // namespace

MandelbrotPainter::MandelbrotPainter(const ColorSettings& colors, const Equalization& equalization) {
  (void)colors_.set(colors, equalization);
}

void MandelbrotPainter::draw(const Pictures& pictures, const Scenery& scenery, double passed,
                             const Viewport& viewport) {
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  viewport.begin_pass("colour");
  recolored_ = colors_.set(scenery.colors, scenery.equalization);
  if (recolored_) recolor(pictures);
  follow(pictures);
  add_samples(pictures, viewport.offline);
  for (PublishedPicture* picture : {pictures.base, pictures.latest})
    if (picture != nullptr) picture->surface->drawn();
  for (PublishedPicture* picture : pictures.samples) picture->surface->drawn();
  viewport.begin_pass("compose");
  compose(scenery, viewport);
  if (!holds_ && octaves_behind_) blend_in(scenery, passed, viewport);  // a frame without a picture is not kept
  if (scenery.julia_of) julia_.draw(*scenery.julia_of, scenery.view.formula, colors_, viewport);
  if (scenery.box) draw_box(*scenery.box, viewport);
  for (const glm::vec2 mark : scenery.marks) draw_mark(mark, viewport);
  scenery_ = scenery;
}

News MandelbrotPainter::news(const SeenPictures& pictures, const Scenery& scenery) const {
  const auto shows = [](const Layer& layer, const PublishedPicture* picture) {
    return picture == nullptr ? layer.serial == 0 : layer.serial == picture->serial && layer.flat == picture->flat;
  };
  const bool fills_holes = pictures.base != nullptr && pictures.base->settled && base_.holes;
  const bool same_pictures = shows(base_, pictures.base) && shows(latest_, pictures.latest) && !fills_holes;
  const bool adds_samples = pictures.further_samples || samples_.count() < samples_.kept();
  if (!(scenery == scenery_)) return News::motion;
  return !same_pictures || adds_samples || unchanged_ <= blending_ends ? News::progress : News::none;
}

// ---- layers

// Colours the pixels of the grid alone: a coarse pass knows no other pixels, and these are drawn larger.
void MandelbrotPainter::color(Layer& layer, PublishedPicture& picture, std::uint32_t grid) {
  const Grid shown = grid > 1 ? grid_of(picture.view, picture.size, grid) : Grid{picture.view, picture.size};
  MandelbrotColors::Values values = values_of(picture);
  values.grid = static_cast<int>(grid);
  values.refines = grid < picture.stride;
  bind_target(layer, shown.size);
  colors_.draw(values, MandelbrotColors::Output::encoded);
  layer.view = shown.view;
  layer.border = grid > 1 ? 0.5 : 0;
  layer.serial = picture.serial;
  layer.holes = !picture.settled || grid < picture.stride || picture.stride == 0;
  layer.log2_resolution = log2_spacing(picture.view, picture.size) + std::log2(grid);
}

// The latest layer shows the complete passes, the refining layer the known part of the next pass.
void MandelbrotPainter::color_latest(PublishedPicture& picture) {
  color(latest_, picture, grid_of(picture));
  latest_.log2_resolution = picture.log2_resolution();
  refining_.serial = 0;
  if (picture.stride > 1) color(refining_, picture, picture.stride / 2);
}

void MandelbrotPainter::recolor(const Pictures& pictures) {
  memory_.clear();
  if (pictures.base != nullptr && base_.serial == pictures.base->serial)
    color(base_, *pictures.base, grid_of(*pictures.base));
  if (pictures.latest != nullptr && latest_.serial == pictures.latest->serial) color_latest(*pictures.latest);
  samples_.recolor();
}

void MandelbrotPainter::follow(const Pictures& pictures) {
  if (pictures.base != nullptr && pictures.base->serial != base_.serial) {
    if (base_ && !(base_.view == pictures.base->view)) {
      remember(std::move(base_));
      base_ = {};
    }
    color(base_, *pictures.base, grid_of(*pictures.base));
    samples_.begin();
  } else if (pictures.base != nullptr && pictures.base->settled && base_.holes) {
    color(base_, *pictures.base, grid_of(*pictures.base));
  }
  if (pictures.base != nullptr) base_.flat = pictures.base->flat;
  if (pictures.latest != nullptr) latest_.flat = pictures.latest->flat;
  if (pictures.latest == nullptr) {
    latest_.serial = refining_.serial = 0;
  } else if (pictures.latest->serial != latest_.serial) {
    color_latest(*pictures.latest);
  }
}

void MandelbrotPainter::add_samples(const Pictures& pictures, bool all) {
  if (pictures.base == nullptr) return;
  const MandelbrotColors::Values first = values_of(*pictures.base);
  const int before = samples_.count();
  for (PublishedPicture* const sample : pictures.samples) {
    if (sample->serial <= sampled_) continue;
    sampled_ = sample->serial;
    samples_.add(first, values_of(*sample), colors_);
  }
  samples_.catch_up(first, colors_, all);
  if (samples_.count() != before) samples_.mean(base_, pictures.base->size);
}

void MandelbrotPainter::remember(const Image& image, const View& view) {
  Layer layer;
  bind_target(layer, {image.width, image.height});
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  const auto width = static_cast<GLsizei>(image.width);
  for (std::uint32_t row = 0; row < image.height; ++row)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(image.height - 1 - row), width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                    image.pixel(0, row));
  layer.view = view;
  layer.serial = 1;
  layer.log2_resolution = log2_spacing(view, layer.size);
  remember(std::move(layer));
  unchanged_ = 0;
}

void MandelbrotPainter::remember(Layer layer) {
  const auto near = [&](const Layer& other) { return std::abs(other.log2_resolution - layer.log2_resolution) < 0.5; };
  if (std::ranges::count_if(memory_, near) >= most_of_an_octave) memory_.erase(std::ranges::find_if(memory_, near));
  memory_.push_back(std::move(layer));
  std::size_t bytes = 0;
  for (const Layer& other : memory_) bytes += other.bytes();
  // Layers whose scale differs most from the latest one's are forgotten first.
  while (bytes > most_remembered_bytes && memory_.size() > 1) {
    const double here = memory_.back().log2_resolution;
    const auto farthest = std::ranges::max_element(
        memory_, {}, [here](const Layer& other) { return std::abs(other.log2_resolution - here); });
    bytes -= farthest->bytes();
    memory_.erase(farthest);
  }
}

// ---- a frame

// Draws from the coarsest layer to the sharpest, beginning with the sharpest that covers the viewport.
void MandelbrotPainter::compose(const Scenery& scenery, const Viewport& viewport) {
  glBindFramebuffer(GL_FRAMEBUFFER, viewport.target);
  glViewport(viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  octaves_behind_.reset();
  holds_ = false;
  struct Shown {
    Layer* layer;
    LayerPainter::Place at;
  };
  std::vector<Shown> shown;
  const bool moves = before_ && !(before_.view == scenery.view);
  const auto consider = [&](Layer& layer) {
    const LayerPainter::Place at = LayerPainter::place(layer, scenery.view, viewport);
    const bool current = &layer == &base_ || &layer == &latest_;
    const bool useful = at.map.scale() > 1 / most_enlarged && at.map.scale() < most_shrunk;
    if (layer && at.visible && (current || useful)) shown.push_back({&layer, at});
  };
  const bool at_rest = base_ && LayerPainter::place(base_, scenery.view, viewport).exact;
  if (!at_rest) std::ranges::for_each(memory_, consider);
  consider(base_);
  // A picture without a complete pass is shown only at rest, or alone.
  if (!moves || shown.empty() || has_pass(latest_)) consider(latest_);
  std::ranges::stable_sort(shown, std::ranges::greater{}, [](const Shown& s) { return s.layer->log2_resolution; });
  const auto tells = [](const Shown& s) {
    const double scale = s.at.map.scale();
    return !s.layer->flat && has_pass(*s.layer) && scale > 1 / most_held && scale < most_held;
  };
  holds_ = before_ && std::ranges::none_of(shown, tells);
  if (shown.empty()) return holds_ ? hold(viewport) : void();
  const auto covers = [&](const Shown& s) { return s.at.covers && has_pass(*s.layer); };
  const auto covers_all = [&](const Shown& s) { return covers(s) && !s.layer->holes; };
  const auto sharpest = [&](auto&& what) {
    const auto found = std::ranges::find_if(shown.rbegin(), shown.rend(), what);
    return found == shown.rend() ? shown.begin() : found.base() - 1;
  };
  const Size size{static_cast<std::uint32_t>(viewport.size.x), static_cast<std::uint32_t>(viewport.size.y)};
  octaves_behind_ = std::max(0.0, sharpest(covers)->layer->log2_resolution - log2_spacing(scenery.view, size));
  if (holds_) return hold(viewport);
  auto next = std::max(sharpest(covers_all), shown.end() - std::min(std::ssize(shown), most_layers));
  if (!covers_all(*next)) {
    clear_to_interior();
    layers_.draw(*next->layer, next->at, viewport, LayerPainter::Edges::stretched);
  }
  for (; next != shown.end(); ++next) {
    const bool copies = next->at.exact && next->layer == &base_ && !base_.holes;
    copies ? layers_.copy(*next->layer, next->at, viewport)
           : layers_.draw(*next->layer, next->at, viewport, LayerPainter::Edges::soft);
  }
  if (refining_) draw_refining(scenery, viewport);
}

// The last frame stays until something of the view is visible, so that a jump shows no flat picture.
void MandelbrotPainter::hold(const Viewport& viewport) {
  layers_.draw(before_, LayerPainter::place(before_, before_.view, viewport), viewport, LayerPainter::Edges::stretched);
  unchanged_ = std::nextafter(blending_ends, 1.0);
}

// Each change fades in, so that pictures, passes and samples arrive without a visible jump.
void MandelbrotPainter::blend_in(const Scenery& scenery, double passed, const Viewport& viewport) {
  const Size size{static_cast<std::uint32_t>(viewport.size.x), static_cast<std::uint32_t>(viewport.size.y)};
  const Content content{base_.serial, latest_.serial, std::min(samples_.count(), most_seen_samples), !base_.holes};
  const bool same = before_ && before_.size == size && before_.view == scenery.view && content_ == content;
  unchanged_ = same && !recolored_ ? unchanged_ + passed : 0;
  if (unchanged_ > blending_ends) return;
  const LayerPainter::Place at = LayerPainter::place(before_, scenery.view, viewport);
  const auto part = static_cast<float>(std::exp(-passed / blending_seconds));
  if (part < least_blended)
    unchanged_ = std::max(unchanged_, std::nextafter(blending_ends, 1.0));
  else if (before_ && at.visible && at.map.scale() < most_shrunk && at.map.scale() > 1 / most_enlarged)
    layers_.mix(before_, at, viewport, part);
  bind_target(before_, size);
  glBindFramebuffer(GL_FRAMEBUFFER, viewport.target);
  glViewport(viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  before_.view = scenery.view;
  before_.serial = 1;
  content_ = content;
}

// Draws the refining layer where it is sharper than the complete passes and the layers below.
void MandelbrotPainter::draw_refining(const Scenery& scenery, const Viewport& viewport) {
  const double beaten = base_ ? std::min(latest_.log2_resolution, base_.log2_resolution) : latest_.log2_resolution;
  const LayerPainter::Place at = LayerPainter::place(refining_, scenery.view, viewport);
  if (at.visible && refining_.log2_resolution < beaten - 0.5)
    layers_.draw(refining_, at, viewport, LayerPainter::Edges::soft);
}

void MandelbrotPainter::clear_to_interior() {
  const glm::vec3 light = colors_.interior();
  const Rgb rgb = encoded({light.x, light.y, light.z});
  const glm::vec3 color = glm::vec3(rgb[0], rgb[1], rgb[2]) / 255.0F;
  glClearColor(color.x, color.y, color.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

std::optional<Image> MandelbrotPainter::thumbnail(const View& view, Size size) {
  const Viewport viewport{.size = {static_cast<int>(size.width), static_cast<int>(size.height)}};
  const auto seen = [&](const Layer& layer) { return layer && LayerPainter::place(layer, view, viewport).visible; };
  Layer& layer = seen(base_) ? base_ : latest_;
  if (!seen(layer)) return std::nullopt;
  Layer target;
  bind_target(target, size);
  glDisable(GL_BLEND);
  clear_to_interior();
  layers_.draw(layer, LayerPainter::place(layer, view, viewport), viewport, LayerPainter::Edges::stretched);
  std::vector<std::uint8_t> rows(3 * size.pixels());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, viewport.size.x, viewport.size.y, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  Image image(size.width, size.height);
  for (std::uint32_t row = 0; row < size.height; ++row)
    std::copy_n(&rows[std::size_t{3} * size.width * (size.height - 1 - row)], std::size_t{3} * size.width,
                image.pixel(0, row));
  return image;
}

void MandelbrotPainter::draw_mark(glm::vec2 at, const Viewport& viewport) {
  constexpr float radius = 10, reach = 14;  // of the ring, and of its drawn box
  const glm::vec2 corner_at(viewport.origin.x, viewport.origin.y + viewport.size.y);
  const glm::vec2 middle(corner_at.x + at.x, corner_at.y - at.y);
  const glm::ivec2 corner(middle - reach * viewport.scale), extent(static_cast<int>(2 * reach * viewport.scale) + 1);
  glEnable(GL_SCISSOR_TEST);
  glScissor(corner.x, corner.y, extent.x, extent.y);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  mark_.use();
  mark_.set("middle", middle);
  mark_.set("radius", radius * viewport.scale);
  mark_.set("pixel", viewport.scale);
  triangle_.draw();
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
}

void MandelbrotPainter::draw_box(const Box& box, const Viewport& viewport) {
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  box_.use();
  box_.set("origin", glm::vec2(viewport.origin));
  box_.set("height", static_cast<float>(viewport.size.y));
  box_.set("box", glm::vec4(glm::min(box.from, box.to), glm::max(box.from, box.to)));
  box_.set("line", 1.0F * viewport.scale);
  triangle_.draw();
  glDisable(GL_BLEND);
}

}  // namespace orrery
