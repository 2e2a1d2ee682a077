/// The destination of a film's frames: a file written by ffmpeg, or a folder of numbered pictures.
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
  /// Takes frame `number`, from 1; a numbered picture holds the texts. False after cancellation.
  virtual bool take(int number, const Image& frame, const ImageTexts& texts, const GoOn& go_on) = 0;
  /// Completes the film: its file is in place afterwards. False after cancellation.
  virtual bool finish(const GoOn& go_on) = 0;
  /// The file or the folder, after finish().
  virtual std::filesystem::path place() const = 0;
};

/// Opens a film file if ffmpeg is found, else a folder named without the extension; a name without extension is always
/// a folder. Throws Error.
std::unique_ptr<FilmSink> open_film(const std::filesystem::path& out, const FilmFormat& format);

}  // namespace orrery
