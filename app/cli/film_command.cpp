#include <cstdio>
#include <filesystem>

#include "base/error.hpp"
#include "base/files/film_folder.hpp"
#include "base/platform/process.hpp"
#include "base/work/film_file.hpp"
#include "cli/commands.hpp"

namespace orrery::cli {
namespace {

// Throws a failure that lists the missing frames, if any.
void require_frames(const std::filesystem::path& folder, const FilmFacts& film) {
  const std::vector<FrameRange> missing = missing_frames(folder, film);
  if (missing.empty()) return;
  int count = 0;
  for (const FrameRange& range : missing) count += range.count();
  const FrameRange& first = missing.front();
  throw failure(folder.string() + ": " + std::to_string(count) + " of " + std::to_string(film.frames) +
                    (film.frames == 1 ? " frame is" : " frames are") + " missing or damaged: " + ranges_text(missing),
                "run the same orrery mandelbrot command with --frames " + std::to_string(first.first) + ":" +
                    std::to_string(missing.back().last) + ", which makes only these frames");
}

// Reads a frame; a file with valid checksums may still be no picture, which --frames would not detect.
Image frame_at(const std::filesystem::path& path) {
  try {
    return read_png(path, Links::distrusted).image;
  } catch (const Error& error) {
    throw failure(error.what(), "remove it and run the same orrery mandelbrot command with --frames again");
  }
}

}  // namespace

int run_film_join(const Arguments& arguments) {
  CLI::App app(
      "Joins the frames in a folder, made with --frames, to a film with ffmpeg, and lists missing "
      "frames.",
      "film join");
  std::filesystem::path folder, out;
  app.add_option("folder", folder, "folder of the frames, with a film.toml")->required()->type_name("FOLDER");
  app.add_option("--out", out, "file of the film: " + film_extensions() + "; default FOLDER.mp4")->type_name("FILE");
  if (!parse(app, arguments)) return 0;
  const FilmFacts film = read_film_folder(folder);
  if (out.empty()) out = std::filesystem::absolute(folder / "").parent_path().concat(".mp4");
  if (!is_film_name(out)) throw usage_error("--out of a film", out.string(), film_extensions());
  check_film_size("the size of the frames", film.width, film.height);
  require_frames(folder, film);
  const auto ffmpeg = platform::find_program("ffmpeg");
  if (!ffmpeg)
    throw failure("ffmpeg was not found; it is needed to make films",
                  "install ffmpeg; all " + std::to_string(film.frames) + " frames are in " + folder.string());

  Progress progress("film");
  FilmFile file(*ffmpeg, out, {film.width, film.height, film.frames_per_second});
  const auto go_on = [] { return true; };
  for (int i = 1; i <= film.frames; ++i) {
    progress.show(static_cast<double>(i) / film.frames);
    file.take(frame_at(frame_file(folder, i)), go_on);
  }
  file.finish(go_on);
  std::printf("%d frames -> %s\n", film.frames, out.string().c_str());
  return 0;
}

}  // namespace orrery::cli
