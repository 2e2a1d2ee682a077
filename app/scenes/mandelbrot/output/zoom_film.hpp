/// A film that zooms into a view at constant speed: key frames at every factor of two, and all frames made from them.
///
/// Any thread; waits for the device.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files/film_folder.hpp"
#include "base/files/image.hpp"
#include "scenes/mandelbrot/model/kernels.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {

/// Kernels for any view of a film: those for each kind of numbers are built when the first view needs them.
///
/// One thread at a time; waits for compilers.
class KernelShelf {
 public:
  KernelShelf(ProgramLibrary& programs, MandelbrotSettings settings, bool detail = false)
      : programs_(programs), settings_(std::move(settings)), detail_(detail) {}

  const Kernels& suiting(const View& view, Size size) {
    const DeviceInfo& device = programs_.device().info();
    const PrecisionChoice choice = choose_precision(settings_.precision, view, size, device.fp64, Purpose::picture);
    const auto found = kernels_.find(choice.precision);
    if (found != kernels_.end()) return found->second;
    const Variant variant = choose_variant(device, choice, settings_, Purpose::picture, detail_);
    return kernels_.try_emplace(choice.precision, programs_, variant).first->second;
  }

 private:
  ProgramLibrary& programs_;
  MandelbrotSettings settings_;
  bool detail_;
  std::map<Precision, Kernels> kernels_;
};

/// Some frames of a film, made in a folder shared with other jobs (base/files/film_folder.hpp). Existing frames and key
/// frames are not made again.
struct FilmPart {
  FrameRange frames;
  StateSection look;  ///< all settings of the frames' look, as texts; the folder's film must have the same
};

struct FilmRequest {
  PictureRequest picture;  ///< the last frame
  ColorSettings colors;
  Decimal from_span;  ///< of the first frame
  double seconds = 10;
  double frames_per_second = 30;
  /// The file's extension is one of check_film()'s, for ffmpeg; a path without one is a folder of frame-00001.png, …
  std::filesystem::path out;
  std::optional<FilmPart> part = {};  ///< `out` is then a folder
  /// The texts of a frame's own file: view_texts() of its view.
  std::function<ImageTexts(const View& view)> texts = {};
};

struct FilmResult {
  int frames = 0;                 ///< made in this run
  int skipped = 0;                ///< frames of the part that existed before
  int key_frames = 0;             ///< of the whole film; for a part, those computed
  int blank = 0;                  ///< blank key frames: see PictureResult::blank()
  std::filesystem::path written;  ///< the file; or the folder, also where ffmpeg is missing
  std::string other_device;       ///< for a part: the device that began the film, if another one is in use
};

/// `what` names the present frame: "frame 12 of 600". Returning false cancels.
using ShowFilmProgress = std::function<bool(double fraction, const std::string& what)>;

/// The number of frames of the whole film.
int frame_count(const FilmRequest& request);
/// Factors of two between the first and the last frame.
double octaves_of(const FilmRequest& request);
/// Throws a usage Error where the request makes no film.
void check_film(const FilmRequest& request);
FilmResult make_film(const Device& device, KernelShelf& kernels, const FilmRequest& request,
                     const ShowFilmProgress& show);

/// Averages the middle of a picture, `zoom` ≤ 1 of its width, down to `size`: over the area of each pixel, and over at
/// least 1.5 of the picture's own pixels, in linear light. Adds three floats a pixel with `weight` to `light`, by rows
/// from the top.
void add_zoomed(const Image& picture, double zoom, Size size, float weight, std::vector<float>& light);

}  // namespace orrery::mandelbrot
