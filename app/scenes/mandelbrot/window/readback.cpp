#include "scenes/mandelbrot/window/readback.hpp"

#include <algorithm>
#include <cmath>

#include "base/log.hpp"
#include "base/text.hpp"

namespace orrery {

using namespace mandelbrot;

namespace {

GLsizeiptr bytes_of(std::size_t values) { return static_cast<GLsizeiptr>(values * sizeof(float)); }

/// Consecutive values of a picture.
struct Values {
  std::size_t first = 0, count = 0;
};

void begin_reading(gl::LateRead& read, PublishedPicture& picture, std::span<const Values> wanted) {
  std::size_t count = 0;
  for (const Values& values : wanted) count += values.count;
  glBindBuffer(GL_COPY_READ_BUFFER, picture.surface->gl_buffer());
  glBindBuffer(GL_COPY_WRITE_BUFFER, read.buffer());
  glBufferData(GL_COPY_WRITE_BUFFER, bytes_of(count), nullptr, GL_STREAM_READ);
  GLintptr to = 0;
  for (const Values& values : wanted) {
    const GLsizeiptr bytes = bytes_of(values.count);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, bytes_of(values.first), to, bytes);
    to += bytes;
  }
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  picture.surface->drawn();
  read.begin();
}

constexpr double least_told = 1e-15;  // the distance of pixels that 17 digits of a coordinate distinguish

// The coordinate with enough digits to distinguish adjacent pixels.
std::string coordinate(double value, double unit) {
  const double leading = value == 0 ? 0 : std::floor(std::log10(std::abs(value)));
  const double digits = std::clamp(leading - std::floor(std::log10(unit)) + 1, 4.0, 17.0);
  return brief(value, static_cast<int>(digits));
}

// Beyond the digits of doubles, a point is given by its offset from the centre.
std::string place_text_at(const View& view, Size size, double x, double y) {
  const Complex c = point_at(view, size, x, y);
  const double unit = spacing(view, size);
  const auto joined = [](const std::string& re, bool minus, const std::string& im) {
    return re + (minus ? " − " : " + ") + im + " i";
  };
  if (unit > least_told * std::hypot(c.re, c.im))
    return joined(coordinate(c.re, unit), c.im < 0, coordinate(std::abs(c.im), unit));
  const auto away = [&](double pixels) { return (view.span * (pixels / size.width)).significant(3).text(); };
  const auto [right, up] = matrix_of(view.turn) * Offset{x - 0.5 * size.width, 0.5 * size.height - y};
  return "centre " + joined((right < 0 ? "− " : "+ ") + away(std::abs(right)), up < 0, away(std::abs(up)));
}

std::string cursor_text(float published, int exponent) {
  if (is_unknown(published)) return "…";
  return is_interior(published) ? "interior" : "ν " + scaled_text(static_cast<double>(published), exponent, 7);
}

}  // namespace

// value · 2^exponent, without overflow.
std::string scaled_text(double value, int exponent, int digits) {
  if (exponent == 0) return brief(value, digits);
  const double log10 = std::log10(value) + exponent * std::log10(2.0), power = std::floor(log10);
  return brief(std::pow(10, log10 - power), digits) + "e" + std::to_string(static_cast<std::int64_t>(power));
}

void CursorReadout::follow(PublishedPicture* picture, const View& view, Size size, glm::vec2 cursor) {
  const std::uint64_t serial = picture != nullptr ? picture->serial : 0;
  if (cursor == cursor_ && view == view_ && serial == serial_) return;
  cursor_ = cursor;
  view_ = view;
  serial_ = serial;
  const double x = std::floor(cursor.x) + 0.5, y = std::floor(cursor.y) + 0.5;
  place_ = place_text_at(view, size, x, y);
  point_ = point_at(view, size, x, y);
  if (picture == nullptr) return;
  ask(*picture, view, size, x, y);
  exponent_ = picture->exponent;
}

std::string CursorReadout::text(const std::string& title) {
  if (float value = 0; read_.take(&value, sizeof value)) {
    value_ = cursor_text(value, exponent_);
    const std::size_t period = is_interior(value) ? attracting_period(view_.formula, point_) : 0;
    if (period > 0) value_ += ", period " + std::to_string(period);
  }
  return (title.empty() ? place_ : title) + "   " + value_;
}

void CursorReadout::ask(PublishedPicture& picture, const View& view, Size size, double x, double y) {
  read_.forget();
  const Mapping map = mapping(view, size, picture.view, picture.size);
  const Offset there = map(x, y);
  const double i = std::floor(there.x), j = std::floor(there.y);
  if (!(i >= 0 && j >= 0 && i < picture.size.width && j < picture.size.height)) return;
  const Values value{static_cast<std::size_t>(j) * picture.size.width + static_cast<std::size_t>(i), 1};
  begin_reading(read_, picture, {&value, 1});
}

// ---- the range of all values

void FlatView::follow(PublishedPicture* finished, const ColorSettings& colors) {
  if (finished == nullptr) {
    flat_ = false;
    judged_.reset();
    return;
  }
  if (finished->serial != asked_) return ask(*finished);
  if (read_.under_way()) {
    std::vector<float> values(pixels_);
    if (!read_.take(values.data(), bytes_of(pixels_))) return;
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
  const Values all{0, pixels_};
  begin_reading(read_, picture, {&all, 1});
}

// A view between both thresholds keeps its last answer.
void FlatView::judge(const PublishedPicture& picture, const ColorSettings& colors) {
  constexpr int seen_by_nobody = 4, seen_by_all = 8;  // steps of a channel, over the whole picture
  const Colorist colorist(colors, static_cast<double>(picture.limit), {}, picture.size.width, picture.exponent);
  const int spread =
      color_spread(*range_, colorist, colors.scale == "histogram", cascade_of(picture.view, picture.size));
  flat_ = spread <= (flat_ ? seen_by_all : seen_by_nobody);
  judged_ = colors;
}

void FlatView::follow_colors(const PublishedPicture& finished, const ColorSettings& shown,
                             const Equalization& equalization) {
  constexpr double least_of_highest = 1e-4;  // relative to the greatest ν, for the start of the legend
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

// ---- the proof

namespace {

constexpr std::size_t pixels_of_proof = 32, rows_of_proof = 24;

}  // namespace

void MandelbrotProof::follow(PictureEngine& engine) {
  PublishedPicture* picture = engine.finished() ? engine.base() : nullptr;
  const std::uint64_t serial = picture != nullptr ? picture->serial : 0;
  if (serial != serial_) {
    serial_ = serial;
    values_.forget();
    prover_.cancel();
    if (picture != nullptr || !engine.tightened()) summary_ = {};  // else the reason is still worth showing
    if (picture != nullptr) begin(*picture, engine.finished_frame());
  }
  if (take_values()) prover_.begin(request_);
  const std::optional<ProofResult> result = prover_.collect();
  if (!result) return;
  summary_ = {.under_way = false,
              .checked = result->checked,
              .left_out = result->left_out,
              .wrong_kind = result->wrong_kind,
              .misses = result->misses,
              .median_error = result->median_error,
              .largest_error = result->largest_error,
              .bits = result->bits,
              .fails = result->fails()};
  if (!result->fails()) return;
  const bool again = engine.tighten();
  log(Level::warning, "Mandelbrot set: " + text_of(*result) +
                          (again ? "; the picture is computed again by a safer method" : "; no safer method is left"));
}

void MandelbrotProof::begin(PublishedPicture& picture, const Frame& frame) {
  request_ = {.frame = frame, .exponent = picture.exponent, .pixels = {}, .slack = slack_of_pictures};
  rows_ = ProofRows::wanted(picture.size, rows_of_proof, serial_);
  std::vector<Values> wanted;
  for (const std::uint32_t row : rows_.rows) wanted.push_back({row * rows_.width, rows_.width});
  begin_reading(values_, picture, wanted);
  summary_.under_way = true;
}

bool MandelbrotProof::take_values() {
  if (!values_.under_way()) return false;
  const std::size_t count = rows_.width * rows_.rows.size();
  rows_.values.resize(count);
  if (!values_.take(rows_.values.data(), bytes_of(count))) return false;
  request_.pixels = pick_pixels(rows_, pixels_of_proof, serial_);
  return true;
}

}  // namespace orrery
