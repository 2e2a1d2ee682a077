/// A film as a file, fed frame by frame to ffmpeg. Written like an OutputFile.
#pragma once

#include <filesystem>
#include <string>

#include "base/files/file.hpp"
#include "base/files/image.hpp"
#include "base/work/child_pipe.hpp"

namespace orrery {

struct FilmFormat {
  std::uint32_t width = 0, height = 0;
  double frames_per_second = 30;
};

/// ".mp4 | .m4v | …": the extensions that FilmFile can write.
std::string film_extensions();
bool is_film_name(const std::filesystem::path& out);
/// Throws a usage Error, which names `flag`, for a size that films cannot have.
void check_film_size(const char* flag, std::uint32_t width, std::uint32_t height);

/// One thread.
class FilmFile {
 public:
  using GoOn = ChildPipe::GoOn;

  /// `out` is a film's name. Starts ffmpeg. Throws Error.
  FilmFile(const std::filesystem::path& ffmpeg, const std::filesystem::path& out, const FilmFormat& format);
  /// False after cancellation.
  bool take(const Image& frame, const GoOn& go_on);
  /// Puts the file in place; false after cancellation. Throws an Error if ffmpeg has written nothing.
  bool finish(const GoOn& go_on);

 private:
  std::filesystem::path out_;
  OutputFile file_;
  std::filesystem::path part_;  // file written by ffmpeg
  ChildPipe pipe_;
};

}  // namespace orrery
