#include "scenes/mandelbrot/window/flat_view.hpp"

namespace orrery {

using namespace mandelbrot;

void FlatView::follow(PublishedPicture* finished, const ColorSettings& colors) {
  if (finished == nullptr) {
    flat_ = false;
    judged_.reset();
    return;
  }
  if (finished->serial != asked_) return ask(*finished);
  if (read_.under_way()) {
    std::vector<float> values(pixels_);
    if (!read_.take(values.data(), static_cast<GLsizeiptr>(pixels_ * sizeof(float)))) return;
    search_.start([values = std::move(values)] { return range_of(values); });
  }
  if (auto found = search_.poll()) range_ = *found;
  if (range_ && judged_ != colors) judge(*finished, colors);
}

void FlatView::ask(PublishedPicture& picture) {
  asked_ = picture.serial;
  range_.reset();
  judged_.reset();
  search_.forget();
  pixels_ = picture.size.pixels();
  const auto bytes = static_cast<GLsizeiptr>(pixels_ * sizeof(float));
  glBindBuffer(GL_COPY_READ_BUFFER, picture.surface->gl_buffer());
  glBindBuffer(GL_COPY_WRITE_BUFFER, read_.buffer());
  glBufferData(GL_COPY_WRITE_BUFFER, bytes, nullptr, GL_STREAM_READ);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes);
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  picture.surface->drawn();
  read_.begin();
}

// A view at the border between the two answers keeps the one it has.
void FlatView::judge(const PublishedPicture& picture, const ColorSettings& colors) {
  constexpr int seen_by_nobody = 4, seen_by_all = 8;  // steps of a channel, over all of the picture
  const Colorist colorist(colors, static_cast<double>(picture.limit), {}, picture.size.width, picture.exponent);
  const int spread =
      color_spread(*range_, colorist, colors.scale == "histogram", cascade_of(picture.view, picture.size));
  flat_ = spread <= (flat_ ? seen_by_all : seen_by_nobody);
  judged_ = colors;
}

void FlatView::follow_colors(const PublishedPicture& finished, const ColorSettings& shown,
                             const Equalization& equalization) {
  constexpr double least_of_highest = 1e-4;  // of ν, that the legend begins at
  constexpr std::size_t texels = 200;
  if (!range_ || !(range_->highest > 0)) return;
  if (finished.serial == colored_of_ && shown == colored_in_) return;
  colored_of_ = finished.serial;
  colored_in_ = shown;
  const double highest = static_cast<double>(range_->highest);
  const double lowest = std::max(static_cast<double>(range_->lowest), least_of_highest * highest);
  const Colorist colorist(shown, finished.limit, equalization, finished.size.width, finished.exponent);
  const double cascade = cascade_of(finished.view, finished.size).at(0, 0);
  ColoredValues values{{}, lowest, highest, finished.exponent};
  for (std::size_t k = 0; k < texels; ++k) {
    const double part = static_cast<double>(k) / (texels - 1);
    for (const std::uint8_t channel : colorist.color(lowest * std::pow(highest / lowest, part), cascade))
      values.rgb.push_back(channel);
  }
  colored_ = std::make_shared<const ColoredValues>(std::move(values));
}

}  // namespace orrery
