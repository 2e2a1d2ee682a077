#include "scenes/mandelbrot/output/zoom_film.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <numbers>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/text.hpp"
#include "base/work/child_pipe.hpp"
#include "base/work/parallel.hpp"
#include "scenes/mandelbrot/output/export.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::uint32_t oversize = 2;  // of key frames: seen from close, each of their pixels still is one of a frame
constexpr double most_frames = 1e6;
constexpr int smoothing = 4;  // octaves to each side over which the limits of key frames are averaged for their colours

// ---- where frames go

class Sink {
 public:
  virtual ~Sink() = default;
  using GoOn = ChildPipe::GoOn;
  /// False when it was given up.
  virtual bool take(const Image& frame, const GoOn& go_on) = 0;
  virtual bool finish(const GoOn& go_on) = 0;
  /// Where the frames are, after finish().
  virtual std::filesystem::path place() const = 0;
};

class FolderSink final : public Sink {
 public:
  explicit FolderSink(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw failure("cannot create " + folder_.string() + ": " + error.message());
  }
  bool take(const Image& frame, const GoOn& go_on) override {
    std::string number = std::to_string(++count_);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, '0');
    write_png(folder_ / ("frame-" + number + ".png"), frame);
    return go_on();
  }
  bool finish(const GoOn&) override { return true; }
  std::filesystem::path place() const override { return folder_; }

 private:
  std::filesystem::path folder_;
  int count_ = 0;
};

/// What ffmpeg calls the format of such a file, which has another name while it is written.
struct Container {
  std::string_view extension, format;
};
constexpr std::array<Container, 6> containers{
    {{".mp4", "mp4"}, {".m4v", "mp4"}, {".mov", "mov"}, {".mkv", "matroska"}, {".webm", "webm"}, {".avi", "avi"}}};

const Container* container_of(const std::filesystem::path& out) {
  const auto* found = std::ranges::find(containers, out.extension().string(), &Container::extension);
  return found == containers.end() ? nullptr : found;
}

// Written beside and renamed.
class FfmpegSink final : public Sink {
 public:
  FfmpegSink(const std::filesystem::path& ffmpeg, const FilmRequest& request)
      : out_(request.out),
        part_(UnfinishedFile::beside(request.out)),
        pipe_(ffmpeg, arguments(request, part_.path())) {}
  bool take(const Image& frame, const GoOn& go_on) override { return pipe_.write(frame.rgb, longest_pause, go_on); }
  bool finish(const GoOn& go_on) override {
    if (!pipe_.finish(longest_end, go_on)) return false;
    std::error_code error;
    std::filesystem::rename(part_.path(), out_, error);
    if (error) throw failure("cannot write " + out_.string() + ": " + error.message());
    return true;
  }
  std::filesystem::path place() const override { return out_; }

 private:
  inline static const double longest_pause = patience(30), longest_end = patience(120);  // seconds

  // A name may look like an option or an address: "file:" and the whole path say that it is neither.
  static std::vector<std::string> arguments(const FilmRequest& request, const std::filesystem::path& part) {
    const Size size = request.picture.size;
    return {"-y",
            "-nostdin",
            "-loglevel",
            "error",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-s",
            std::to_string(size.width) + "x" + std::to_string(size.height),
            "-r",
            shortest(request.frames_per_second),
            "-i",
            "pipe:0",
            "-pix_fmt",
            "yuv420p",
            "-crf",
            "16",
            "-f",
            std::string(container_of(request.out)->format),
            "file:" + std::filesystem::absolute(part).string()};
  }

  std::filesystem::path out_;
  UnfinishedFile part_;
  ChildPipe pipe_;
};

std::unique_ptr<Sink> sink_for(const FilmRequest& request) {
  if (!request.out.has_extension()) return std::make_unique<FolderSink>(request.out);
  if (const auto ffmpeg = find_program("ffmpeg")) return std::make_unique<FfmpegSink>(*ffmpeg, request);
  return std::make_unique<FolderSink>(request.out.parent_path() / request.out.stem());
}

// ---- resampling

/// What of one row or column of a picture a pixel of the result covers.
struct Cover {
  std::size_t first;
  std::vector<float> weights;
};

// Pixel i of `count` covers `scale` of the picture's pixels, but at least one: enlarged, it is interpolated.
std::vector<Cover> covers(std::size_t length, std::size_t count, double scale) {
  std::vector<Cover> result;
  const double width = std::max(scale, 1.0),
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

/// Key frame k is 2^k as wide as the last frame.
class KeyFrames {
 public:
  KeyFrames(const Device& device, KernelShelf& kernels, const FilmRequest& request, int last)
      : device_(device), kernels_(kernels), request_(request), last_(last) {}

  const Image& at(int k, const ShowProgress& show) {
    // They are asked for from the widest on; what is two octaves wider is not needed again.
    std::erase_if(kept_, [&](const auto& entry) { return entry.first > k + 1; });
    const auto found = kept_.find(k);
    return found != kept_.end() ? found->second : kept_.emplace(k, computed(k, show)).first->second;
  }
  int blank() const { return blank_; }

 private:
  PictureRequest request_of(int k) const {
    PictureRequest picture = request_.picture;
    picture.size = {oversize * picture.size.width, oversize * picture.size.height};
    picture.view.span = Decimal::exp(picture.view.span.log() + k * std::numbers::ln2);
    return picture;
  }

  const Preview& preview(int k, const ShowProgress& show) {
    const auto found = previews_.find(k);
    if (found != previews_.end()) return found->second;
    const PictureRequest picture = request_of(k);
    const Kernels& kernels = kernels_.suiting(picture.view, picture.size);
    const bool equalized = request_.colors.scale == "histogram";
    return previews_.emplace(k, preview_of(device_, kernels, picture, equalized, show)).first->second;
  }

  // N, in units of the key frame's values, as the colours of `classic` have it, ν/N. Limits that follow the view jump
  // by factors of two; their weighted mean over the neighbouring octaves does not.
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
    const Kernels& kernels = kernels_.suiting(picture.view, picture.size);
    const Preview& preview = this->preview(k, show);
    const Colorist colorist(request_.colors, limit_of_colors(k, show), preview.equalization, picture.size.width,
                            preview.exponent);
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
  int blank_ = 0;
};

int frame_count(const FilmRequest& request) {
  return std::max(2, static_cast<int>(std::lround(request.seconds * request.frames_per_second)));
}

Image frame_of(const std::vector<float>& light, Size size) {
  Image frame(size.width, size.height);
  in_parallel(size.pixels(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      std::ranges::copy(encoded({light[3 * i], light[3 * i + 1], light[3 * i + 2]}), &frame.rgb[3 * i]);
  });
  return frame;
}

}  // namespace

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
  if (request.out.has_extension() && container_of(request.out) == nullptr)
    throw usage_error("--out of a film", request.out.string(),
                      ".mp4 | .m4v | .mov | .mkv | .webm | .avi, or the name of a folder without a dot");
  const Size size = request.picture.size;
  if (request.out.has_extension() && (size.width % 2 != 0 || size.height % 2 != 0))
    throw usage_error("--size of a film", std::to_string(size.width) + "x" + std::to_string(size.height),
                      "an even width and an even height");
}

// Each frame is a mixture of two key frames, which goes from the one to the other as the film goes through the octave
// between them: neither sharpness nor colours jump.
FilmResult make_film(const Device& device, KernelShelf& kernels, const FilmRequest& request,
                     const ShowFilmProgress& show) {
  check_film(request);
  const std::unique_ptr<Sink> sink = sink_for(request);
  const double octaves = (request.from_span.log() - request.picture.view.span.log()) / std::numbers::ln2;
  FilmResult result{.frames = frame_count(request), .key_frames = static_cast<int>(octaves) + 3, .written = {}};
  KeyFrames keys(device, kernels, request, result.key_frames - 1);
  for (int i = 0; i < result.frames; ++i) {
    const double at = octaves * (1 - static_cast<double>(i) / (result.frames - 1));  // octaves before the end
    const int octave = static_cast<int>(at);
    const double part = at - octave;
    const std::string what = "frame " + std::to_string(i + 1) + " of " + std::to_string(result.frames);
    const auto key_shown = [&](double) { return show(static_cast<double>(i) / result.frames, what); };
    if (!key_shown(0)) throw Cancelled{};
    std::vector<float> light(3 * request.picture.size.pixels(), 0.0F);
    if (part > 0)
      add_zoomed(keys.at(octave + 2, key_shown), std::exp2(part - 2), request.picture.size, static_cast<float>(part),
                 light);
    add_zoomed(keys.at(octave + 1, key_shown), std::exp2(part - 1), request.picture.size, static_cast<float>(1 - part),
               light);
    if (!sink->take(frame_of(light, request.picture.size), [&] { return key_shown(0); })) throw Cancelled{};
  }
  result.blank = keys.blank();
  if (!sink->finish([&] { return show(1, "ffmpeg completes the film"); })) throw Cancelled{};
  result.written = sink->place();
  return result;
}

}  // namespace orrery::mandelbrot
