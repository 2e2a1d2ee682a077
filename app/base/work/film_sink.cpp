#include "base/work/film_sink.hpp"

#include "base/error.hpp"
#include "base/files/film_folder.hpp"
#include "base/platform/process.hpp"

namespace orrery {
namespace {

class FolderSink final : public FilmSink {
 public:
  explicit FolderSink(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw failure("cannot create " + folder_.string() + ": " + error.message());
  }
  bool take(int number, const Image& frame, const ImageTexts& texts, const GoOn& go_on) override {
    write_png(frame_file(folder_, number), frame, texts, {}, Links::distrusted);
    return go_on();
  }
  bool finish(const GoOn&) override { return true; }
  std::filesystem::path place() const override { return folder_; }

 private:
  std::filesystem::path folder_;
};

class FfmpegSink final : public FilmSink {
 public:
  FfmpegSink(const std::filesystem::path& ffmpeg, const std::filesystem::path& out, const FilmFormat& format)
      : out_(out), file_(ffmpeg, out, format) {}
  bool take(int, const Image& frame, const ImageTexts&, const GoOn& go_on) override { return file_.take(frame, go_on); }
  bool finish(const GoOn& go_on) override { return file_.finish(go_on); }
  std::filesystem::path place() const override { return out_; }

 private:
  std::filesystem::path out_;
  FilmFile file_;
};

}  // namespace

std::unique_ptr<FilmSink> open_film(const std::filesystem::path& out, const FilmFormat& format) {
  if (!out.has_extension()) return std::make_unique<FolderSink>(out);
  if (const auto ffmpeg = platform::find_program("ffmpeg")) return std::make_unique<FfmpegSink>(*ffmpeg, out, format);
  return std::make_unique<FolderSink>(out.parent_path() / out.stem());
}

}  // namespace orrery
