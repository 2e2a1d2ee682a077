#include "scenes/mandelbrot/output/zoom_film.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <numbers>

#include "base/error.hpp"
#include "base/platform/parallel.hpp"
#include "base/text.hpp"
#include "base/work/film_sink.hpp"
#include "scenes/mandelbrot/output/export.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::uint32_t oversize = 2;  // size of key frames relative to frames, which enlarge them by up to 2
constexpr double most_frames = 1e6;
constexpr int smoothing = 4;  // octaves to each side over which the limits of key frames are averaged for their colours

// ---- resampling

/// The part of a picture's row or column that a pixel of the result covers.
struct Cover {
  std::size_t first;
  std::vector<float> weights;
};

// Pixel i of `count` covers `scale` of the picture's pixels, but at least `least`: where both grids coincide, single
// pixels would be twice as sharp as the pairs that meet in most other places.
std::vector<Cover> covers(std::size_t length, std::size_t count, double scale) {
  constexpr double least = 1.5;
  std::vector<Cover> result;
  const double width = std::max(scale, least),
               begin = 0.5 * (static_cast<double>(length) - scale * static_cast<double>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const double middle = begin + scale * (static_cast<double>(i) + 0.5);
    const double low = std::clamp(middle - 0.5 * width, 0.0, static_cast<double>(length) - 1);
    const double high = std::clamp(middle + 0.5 * width, low + 1e-9, static_cast<double>(length));
    Cover cover{static_cast<std::size_t>(low), {}};
    for (std::size_t k = cover.first; static_cast<double>(k) < high; ++k) {
      const double part = std::min(high, static_cast<double>(k) + 1) - std::max(low, static_cast<double>(k));
      cover.weights.push_back(static_cast<float>(part / (high - low)));
    }
    result.push_back(std::move(cover));
  }
  return result;
}

// ---- key frames

// The view that many octaves before the end.
View view_at(const FilmRequest& request, double octaves) {
  View view = request.picture.view;
  if (octaves > 0) view.span = Decimal::exp(view.span.log() + octaves * std::numbers::ln2);
  return view;
}

/// Key frame k is 2^k as wide as the last frame. Its bytes do not depend on the key frames before it: each begins
/// without a reference orbit. Key frames of a part are kept in the film's folder, for other jobs and for a retry.
class KeyFrames {
 public:
  KeyFrames(const Device& device, KernelShelf& kernels, const FilmRequest& request, int last)
      : device_(device), kernels_(kernels), request_(request), last_(last) {}

  const Image& at(int k, const ShowProgress& show) {
    // Key frames are requested from the widest on; one that is two octaves wider is not needed again.
    std::erase_if(kept_, [&](const auto& entry) { return entry.first > k + 1; });
    const auto found = kept_.find(k);
    if (found != kept_.end()) return found->second;
    if (auto stored = read(k)) return kept_.emplace(k, std::move(*stored)).first->second;
    const Image& image = kept_.emplace(k, computed(k, show)).first->second;
    ++computed_;
    if (request_.part && image.rgb.size() / 3 <= most_stored) {
      const std::filesystem::path file = key_file(request_.out, k);
      std::filesystem::create_directories(file.parent_path());
      write_png(file, image, {{mark_keyword, mark_of(k)}}, {}, Links::distrusted);
    }
    return image;
  }
  int blank() const { return blank_; }
  int computed() const { return computed_; }

 private:
  static constexpr std::size_t most_stored = std::size_t{64} << 20;  // pixels: read_png() reads no larger pictures

  static constexpr const char* mark_keyword = "orrery-key";

  // Stored in the picture: the number of the key frame, and a hash of its film.
  std::string mark_of(int k) const {
    std::string look;
    for (const auto& [key, value] : request_.part->look) look += key + "=" + std::get<std::string>(value) + "\n";
    return std::to_string(k) + " of " + fnv1a(look);
  }

  // A key frame that is damaged, or of another film, is computed again.
  std::optional<Image> read(int k) const {
    const std::filesystem::path file = key_file(request_.out, k);
    const Size size = request_of(k).size;
    if (!request_.part || !is_sound_png(file, size.width, size.height)) return {};
    try {
      PngFile picture = read_png(file, Links::distrusted);
      if (picture.texts[mark_keyword] == mark_of(k)) return std::move(picture.image);
    } catch (const Error&) {
      return {};
    }
    return {};
  }

  const Kernels& kernels_without_references(const PictureRequest& picture) {
    const Kernels& kernels = kernels_.suiting(picture.view, picture.size);
    if (kernels.references) kernels.references->forget();
    if (kernels.exact && kernels.exact->references) kernels.exact->references->forget();
    return kernels;
  }

  PictureRequest request_of(int k) const {
    PictureRequest picture = request_.picture;
    picture.size = {oversize * picture.size.width, oversize * picture.size.height};
    picture.view = view_at(request_, k);
    return picture;
  }

  const Preview& preview(int k, const ShowProgress& show) {
    const auto found = previews_.find(k);
    if (found != previews_.end()) return found->second;
    const PictureRequest picture = request_of(k);
    const Kernels& kernels = kernels_without_references(picture);
    const bool equalized = request_.colors.scale == "histogram";
    return previews_.emplace(k, preview_of(device_, kernels, picture, equalized, show)).first->second;
  }

  // N, in units of the key frame's values, for the colours of `classic`, ν/N. Automatic limits jump by factors of two;
  // their weighted mean over the neighbouring octaves does not.
  double limit_of_colors(int k, const ShowProgress& show) {
    const Preview& own = preview(k, show);
    if (request_.picture.limit != 0 || request_.colors.palette != "classic") return own.limit;
    double sum = 0, weights = 0;
    for (int away = 1 - smoothing; away < smoothing; ++away) {
      const Preview& other = preview(std::clamp(k + away, 1, last_), show);
      const double weight = smoothing - std::abs(away);
      sum += weight * (std::log2(other.limit) + other.exponent);
      weights += weight;
    }
    return std::exp2(sum / weights - own.exponent);
  }

  Image computed(int k, const ShowProgress& show) {
    PictureRequest picture = request_of(k);
    const Preview& preview = this->preview(k, show);
    const Colorist colorist(request_.colors, limit_of_colors(k, show), preview.equalization, picture.size.width,
                            preview.exponent);
    const Kernels& kernels = kernels_without_references(picture);
    picture.border = colorist.shades() ? 1 : 0;
    BandColorist bands(colorist, picture);
    Image image(picture.size.width, picture.size.height);
    const auto take = [&](const Band& band, std::span<const Cell> cells, int sample) {
      if (bands.take(band, cells, sample)) std::ranges::copy(bands.rows(), image.pixel(0, band.first));
    };
    if (compute_picture(device_, kernels, picture, preview.limit, take, show).blank(picture)) ++blank_;
    return image;
  }

  const Device& device_;
  KernelShelf& kernels_;
  const FilmRequest& request_;
  int last_;  // the widest
  std::map<int, Preview> previews_;
  std::map<int, Image> kept_;
  int blank_ = 0, computed_ = 0;
};

Image frame_of(const std::vector<float>& light, Size size) {
  Image frame(size.width, size.height);
  in_parallel(size.pixels(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      std::ranges::copy(encoded({light[3 * i], light[3 * i + 1], light[3 * i + 2]}), &frame.rgb[3 * i]);
  });
  return frame;
}

}  // namespace

int frame_count(const FilmRequest& request) {
  return std::max(2, static_cast<int>(std::lround(request.seconds * request.frames_per_second)));
}

double octaves_of(const FilmRequest& request) {
  return (request.from_span.log() - request.picture.view.span.log()) / std::numbers::ln2;
}

void add_zoomed(const Image& picture, double zoom, Size size, float weight, std::vector<float>& light) {
  const double scale = zoom * picture.width / size.width;
  const std::vector<Cover> columns = covers(picture.width, size.width, scale),
                           rows = covers(picture.height, size.height, scale);
  in_parallel(size.height, [&](std::size_t begin, std::size_t end) {
    std::vector<float> line(std::size_t{3} * picture.width);
    for (std::size_t j = begin; j < end; ++j) {
      std::ranges::fill(line, 0.0F);
      for (std::size_t k = 0; k < rows[j].weights.size(); ++k) {
        const std::uint8_t* row = picture.pixel(0, static_cast<std::uint32_t>(rows[j].first + k));
        const float part = weight * rows[j].weights[k];
        for (std::size_t i = columns.front().first; i < columns.back().first + columns.back().weights.size(); ++i) {
          const Light texel = light_of({row[3 * i], row[3 * i + 1], row[3 * i + 2]});
          for (std::size_t c = 0; c < 3; ++c) line[3 * i + c] += part * texel[c];
        }
      }
      for (std::size_t i = 0; i < size.width; ++i)
        for (std::size_t k = 0; k < columns[i].weights.size(); ++k)
          for (std::size_t c = 0; c < 3; ++c)
            light[3 * (j * size.width + i) + c] += columns[i].weights[k] * line[3 * (columns[i].first + k) + c];
    }
  });
}

void check_film(const FilmRequest& request) {
  if (!(request.seconds > 0 && request.frames_per_second > 0) ||
      request.seconds * request.frames_per_second > most_frames)
    throw usage_error("the number of frames in a film", brief(request.seconds * request.frames_per_second),
                      "a number from 1 to 1000000");
  if (!(request.picture.view.span < request.from_span))
    throw usage_error("--zoom-from", request.from_span.text(),
                      "a span above that of the film's last frame, " + request.picture.view.span.text());
  if (request.out.empty())
    throw usage_error("a film needs --out FILE.mp4, or --out FOLDER for numbered pictures", {}, {});
  const bool has_dot = request.out.has_extension() || is_film_name("film" + request.out.filename().string());
  if (has_dot && (request.part || !is_film_name(request.out)))
    throw usage_error(request.part ? "--out with --frames" : "--out of a film", request.out.string(),
                      (request.part ? "" : film_extensions() + ", or ") + "the name of a folder without a dot");
  if (request.out.has_extension())
    check_film_size("--size of a film", request.picture.size.width, request.picture.size.height);
}

// Each frame is a mixture of two key frames, with weights that move from one to the next across the octave between
// them: neither sharpness nor colours jump.
FilmResult make_film(const Device& device, KernelShelf& kernels, const FilmRequest& request,
                     const ShowFilmProgress& show) {
  check_film(request);
  const int frames = frame_count(request);
  const Size size = request.picture.size;
  std::string first_device, own_device = device.info().name + ", driver " + device.info().driver;
  if (request.part)
    first_device = claim_film_folder(request.out, {frames, request.frames_per_second, size.width, size.height},
                                     request.part->look, own_device);
  const FilmFormat format{request.picture.size.width, request.picture.size.height, request.frames_per_second};
  const std::unique_ptr<FilmSink> sink = open_film(request.out, format);
  const double octaves = octaves_of(request);
  FilmResult result{.key_frames = static_cast<int>(octaves) + 3, .written = {}, .other_device = {}};
  KeyFrames keys(device, kernels, request, result.key_frames - 1);
  const FrameRange range = request.part ? request.part->frames : FrameRange{1, frames};
  for (int number = range.first; number <= range.last; ++number) {
    if (request.part && is_sound_png(frame_file(request.out, number), size.width, size.height)) {
      ++result.skipped;
      continue;
    }
    const double at = octaves * (1 - static_cast<double>(number - 1) / (frames - 1));  // octaves before the end
    const int octave = static_cast<int>(at);
    const double part = at - octave;
    const std::string what = "frame " + std::to_string(number) + " of " + std::to_string(frames);
    const double done = static_cast<double>(number - range.first) / range.count();
    const auto key_shown = [&](double) { return show(done, what); };
    if (!key_shown(0)) throw Cancelled{};
    std::vector<float> light(3 * size.pixels(), 0.0F);
    if (part > 0)
      add_zoomed(keys.at(octave + 2, key_shown), std::exp2(part - 2), size, static_cast<float>(part), light);
    add_zoomed(keys.at(octave + 1, key_shown), std::exp2(part - 1), size, static_cast<float>(1 - part), light);
    View view = view_at(request, at);
    if (number == 1) view.span = request.from_span;
    const ImageTexts texts = request.texts ? request.texts(view) : ImageTexts{};
    if (!sink->take(number, frame_of(light, size), texts, [&] { return key_shown(0); })) throw Cancelled{};
    ++result.frames;
  }
  if (request.part) result.key_frames = keys.computed();
  if (first_device != own_device) result.other_device = std::move(first_device);
  result.blank = keys.blank();
  if (!sink->finish([&] { return show(1, "ffmpeg completes the film"); })) throw Cancelled{};
  result.written = sink->place();
  return result;
}

}  // namespace orrery::mandelbrot
