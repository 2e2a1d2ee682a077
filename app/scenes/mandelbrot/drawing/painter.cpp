#include "scenes/mandelbrot/drawing/painter.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr std::size_t most_remembered_bytes = std::size_t{96} << 20;
constexpr int most_of_an_octave = 4;
constexpr double most_shrunk = 2.5;   // pixels of a layer for one of the viewport, beyond which it only flickers
constexpr double most_enlarged = 64;  // pixels of the viewport for one of a layer, beyond which there is nothing to see

// The pixels of every `grid`-th column and row, as a picture of its own.
struct Grid {
  View view;
  Size size;
};

Grid grid_of(const View& view, Size size, std::uint32_t grid) {
  const Size part{(size.width + grid - 1) / grid, (size.height + grid - 1) / grid};
  const double width = size.width, first = 0.5 - 0.5 * grid;  // its edge, where the first pixel's middle is 0.5
  const double right = first + 0.5 * grid * part.width - 0.5 * width;
  const double down = first + 0.5 * grid * part.height - 0.5 * size.height;
  return {placed(view, {right / width, -down / width, grid * part.width / width}), part};
}

MandelbrotColors::Values values_of(const PublishedPicture& picture) {
  return {.buffer = picture.surface->gl_buffer(),
          .size = picture.size,
          .limit = static_cast<double>(picture.limit),
          .exponent = picture.exponent,
          .cascade = cascade_part(picture.view, picture.size),
          .partial = picture.stride != 1,
          .detail = picture.detail};
}

}  // namespace

void MandelbrotPainter::draw(const Pictures& pictures, const Scenery& scenery, const Viewport& viewport) {
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  viewport.begin_pass("colour");
  recolored_ = colors_.set(scenery.colors, scenery.equalization);
  if (recolored_) recolor(pictures);
  follow(pictures);
  add_samples(pictures);
  for (PublishedPicture* picture : {pictures.base, pictures.latest, pictures.sample})
    if (picture != nullptr) picture->surface->drawn();
  viewport.begin_pass("compose");
  compose(scenery, viewport);
  if (scenery.julia_of) julia_.draw(*scenery.julia_of, colors_, viewport);
  if (scenery.box) draw_box(*scenery.box, viewport);
}

// ---- layers

// Of coarse passes only the pixels that are known: drawn larger, they run into each other.
void MandelbrotPainter::color(Layer& layer, PublishedPicture& picture, Detail detail) {
  const bool coarse = detail == Detail::complete_passes && picture.stride > 1;
  const Grid grid = coarse ? grid_of(picture.view, picture.size, picture.stride) : Grid{picture.view, picture.size};
  MandelbrotColors::Values values = values_of(picture);
  if (coarse) {
    values.partial = false;
    values.grid = static_cast<int>(picture.stride);
  }
  bind_target(layer, grid.size);
  colors_.draw(values, MandelbrotColors::Output::encoded);
  layer.view = grid.view;
  layer.border = coarse ? 0.5 : 0;
  layer.serial = picture.serial;
  layer.log2_resolution = picture.log2_resolution();
}

void MandelbrotPainter::color_latest(PublishedPicture& picture) {
  color(latest_, picture, Detail::complete_passes);
  refining_.serial = 0;
  if (picture.stride > 1) color(refining_, picture, Detail::every_pixel);
}

void MandelbrotPainter::recolor(const Pictures& pictures) {
  memory_.clear();
  if (pictures.base != nullptr && base_.serial == pictures.base->serial)
    color(base_, *pictures.base, Detail::complete_passes);
  if (pictures.latest != nullptr && latest_.serial == pictures.latest->serial) color_latest(*pictures.latest);
  samples_.recolor();
}

void MandelbrotPainter::follow(const Pictures& pictures) {
  if (pictures.base != nullptr && pictures.base->serial != base_.serial) {
    if (base_ && !(base_.view == pictures.base->view)) {
      remember(std::move(base_));
      base_ = {};
    }
    color(base_, *pictures.base, Detail::complete_passes);
    samples_.begin();
  }
  if (pictures.latest == nullptr) {
    latest_.serial = refining_.serial = 0;
  } else if (pictures.latest->serial != latest_.serial) {
    color_latest(*pictures.latest);
  }
}

void MandelbrotPainter::add_samples(const Pictures& pictures) {
  if (pictures.base == nullptr) return;
  const MandelbrotColors::Values first = values_of(*pictures.base);
  const int before = samples_.count();
  if (pictures.sample != nullptr && pictures.sample->serial != sampled_) {
    sampled_ = pictures.sample->serial;
    samples_.add(first, values_of(*pictures.sample), colors_);
  }
  samples_.catch_up(first, colors_);
  if (samples_.count() != before) samples_.mean(base_, pictures.base->size);
}

void MandelbrotPainter::remember(Layer layer) {
  const auto near = [&](const Layer& other) { return std::abs(other.log2_resolution - layer.log2_resolution) < 0.5; };
  if (std::ranges::count_if(memory_, near) >= most_of_an_octave) memory_.erase(std::ranges::find_if(memory_, near));
  memory_.push_back(std::move(layer));
  std::size_t bytes = 0;
  for (const Layer& other : memory_) bytes += other.bytes();
  // What differs most in scale from where the view is now is missed last.
  while (bytes > most_remembered_bytes && memory_.size() > 1) {
    const double here = memory_.back().log2_resolution;
    const auto farthest = std::ranges::max_element(
        memory_, {}, [here](const Layer& other) { return std::abs(other.log2_resolution - here); });
    bytes -= farthest->bytes();
    memory_.erase(farthest);
  }
}

// ---- a frame

// From the coarsest to the sharpest, beginning with the sharpest that covers the viewport.
void MandelbrotPainter::compose(const Scenery& scenery, const Viewport& viewport) {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  octaves_behind_.reset();
  struct Shown {
    Layer* layer;
    LayerPainter::Place at;
  };
  std::vector<Shown> shown;
  const auto consider = [&](Layer& layer) {
    const LayerPainter::Place at = LayerPainter::place(layer, scenery.view, viewport);
    const bool current = &layer == &base_ || &layer == &latest_;
    const bool useful = at.map.scale > 1 / most_enlarged && at.map.scale < most_shrunk;
    if (layer && at.visible && (current || useful)) shown.push_back({&layer, at});
  };
  const bool at_rest = base_ && LayerPainter::place(base_, scenery.view, viewport).exact;
  if (!at_rest) std::ranges::for_each(memory_, consider);
  consider(base_);
  consider(latest_);
  std::ranges::stable_sort(shown, std::ranges::greater{}, [](const Shown& s) { return s.layer->log2_resolution; });
  const auto covers = [&](const Shown& s) { return s.at.covers && (s.layer != &latest_ || latest_.border > 0); };
  const auto covering = std::ranges::find_if(shown.rbegin(), shown.rend(), covers);
  auto next = covering == shown.rend() ? shown.begin() : covering.base() - 1;
  if (next == shown.end()) return;
  const Size size{static_cast<std::uint32_t>(viewport.size.x), static_cast<std::uint32_t>(viewport.size.y)};
  const double ideal = log2_spacing(scenery.view, size);
  octaves_behind_ = std::max(0.0, next->layer->log2_resolution - ideal);
  if (covering == shown.rend()) layers_.draw(*next->layer, next->at, viewport, 0.0F, true);
  for (; next != shown.end(); ++next) {
    const bool copies = next->at.exact && next->layer == &base_;
    copies ? layers_.copy(*next->layer, next->at, viewport)
           : layers_.draw(*next->layer, next->at, viewport, next->layer == &latest_ ? 0.01F : 0.0F);
  }
  if (refining_) draw_refining(scenery, viewport);
}

// Where the latest picture is known more sharply than all of it is, and than what is below.
void MandelbrotPainter::draw_refining(const Scenery& scenery, const Viewport& viewport) {
  const double spacing = log2_spacing(refining_.view, refining_.size);
  const double beaten = base_ ? std::min(latest_.log2_resolution, base_.log2_resolution) : latest_.log2_resolution;
  const double threshold = std::exp2(spacing - beaten + 0.5);
  const LayerPainter::Place at = LayerPainter::place(refining_, scenery.view, viewport);
  if (at.visible && threshold <= 1) layers_.draw(refining_, at, viewport, static_cast<float>(threshold));
}

std::optional<Image> MandelbrotPainter::thumbnail(const View& view, Size size) {
  const Viewport viewport{.size = {static_cast<int>(size.width), static_cast<int>(size.height)}};
  const auto seen = [&](const Layer& layer) { return layer && LayerPainter::place(layer, view, viewport).visible; };
  Layer& layer = seen(base_) ? base_ : latest_;
  if (!seen(layer)) return std::nullopt;
  Layer target;
  bind_target(target, size);
  glDisable(GL_BLEND);
  layers_.draw(layer, LayerPainter::place(layer, view, viewport), viewport, 0.0F, true);
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
