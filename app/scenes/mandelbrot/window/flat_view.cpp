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

}  // namespace orrery
