#include "base/work/film_file.hpp"

#include <algorithm>
#include <array>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

/// ffmpeg's name for the format of an extension; needed because the unfinished file has another extension.
struct Container {
  std::string_view extension, format;
};
constexpr std::array<Container, 6> containers{
    {{".mp4", "mp4"}, {".m4v", "mp4"}, {".mov", "mov"}, {".mkv", "matroska"}, {".webm", "webm"}, {".avi", "avi"}}};

const Container* container_of(const std::filesystem::path& out) {
  const auto* found = std::ranges::find(containers, out.extension().string(), &Container::extension);
  return found == containers.end() ? nullptr : found;
}

// Colours are sRGB with the matrix named in the film; for .avi, which cannot name one, players assume BT.601. "file:"
// and the whole path prevent a name from being read as an option or address.
std::vector<std::string> ffmpeg_arguments(const FilmFormat& film, std::string_view container,
                                          const std::filesystem::path& part) {
  const std::string matrix = container == "avi" ? "smpte170m" : "bt709";
  return {"-y",
          "-nostdin",
          "-loglevel",
          "error",
          "-f",
          "rawvideo",
          "-pix_fmt",
          "rgb24",
          "-s",
          std::to_string(film.width) + "x" + std::to_string(film.height),
          "-r",
          shortest(film.frames_per_second),
          "-i",
          "pipe:0",
          "-vf",
          "scale=flags=accurate_rnd+full_chroma_int:out_range=tv:out_color_matrix=" + matrix +
              ",format=yuv420p,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=" + matrix,
          "-crf",
          "16",
          "-f",
          std::string(container),
          "file:" + std::filesystem::absolute(part).string()};
}

const std::filesystem::path& tidied(const std::filesystem::path& out) {
  remove_debris_of(out);
  return out;
}

}  // namespace

std::string film_extensions() { return joined(containers, " | ", &Container::extension); }

bool is_film_name(const std::filesystem::path& out) { return container_of(out) != nullptr; }

void check_film_size(const char* flag, std::uint32_t width, std::uint32_t height) {
  if (width % 2 != 0 || height % 2 != 0)
    throw usage_error(flag, std::to_string(width) + "x" + std::to_string(height), "an even width and an even height");
}

FilmFile::FilmFile(const std::filesystem::path& ffmpeg, const std::filesystem::path& out, const FilmFormat& format)
    : out_(out),
      file_(tidied(out)),
      part_(file_.hand_over()),
      pipe_(ffmpeg, ffmpeg_arguments(format, container_of(out)->format, part_)) {}

bool FilmFile::take(const Image& frame, const GoOn& go_on) {
  static const double longest_pause = patience(30);  // seconds
  return pipe_.write(frame.rgb, longest_pause, go_on);
}

bool FilmFile::finish(const GoOn& go_on) {
  static const double longest_end = patience(120);
  if (!pipe_.finish(longest_end, go_on)) return false;
  std::error_code error;
  if (const auto bytes = std::filesystem::file_size(part_, error); error || bytes == 0)
    throw failure("cannot write " + out_.string() + ": ffmpeg ended without an error and wrote nothing");
  file_.finish();
  return true;
}

}  // namespace orrery
