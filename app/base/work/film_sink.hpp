/// Where the frames of a film go: a file that ffmpeg writes, or a folder of numbered pictures.
#pragma once

#include <filesystem>
#include <memory>

#include "base/work/film_file.hpp"

namespace orrery {

/// One thread.
class FilmSink {
 public:
  using GoOn = ChildPipe::GoOn;
  virtual ~FilmSink() = default;
  /// Frame `number`, from 1; a picture of its own holds the texts. False when it was given up.
  virtual bool take(int number, const Image& frame, const ImageTexts& texts, const GoOn& go_on) = 0;
  /// Completes the film: its file is in place after that. False when it was given up.
  virtual bool finish(const GoOn& go_on) = 0;
  /// The file or the folder, after finish().
  virtual std::filesystem::path place() const = 0;
};

/// A film's name is a file of ffmpeg's where that is found, else a folder of that name without its extension, as is a
/// name without one. Throws Error.
std::unique_ptr<FilmSink> open_film(const std::filesystem::path& out, const FilmFormat& format);

}  // namespace orrery
