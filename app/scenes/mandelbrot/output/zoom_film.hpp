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

/// Kernels for any view of a film: those of each kind of numbers are built when the first view needs them.
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

/// Some frames of a film, made in a folder in which other jobs make the others (base/files/film_folder.hpp). Frames and
/// key frames that are there are not made again.
struct FilmPart {
  FrameRange frames;
  StateSection look;  ///< all that tells how frames look, as texts; the folder must be of a film with the same
};

struct FilmRequest {
  PictureRequest picture;  ///< the last frame
  ColorSettings colors;
  Decimal from_span;  ///< of the first frame
  double seconds = 10;
  double frames_per_second = 30;
  /// Of an extension that check_film() knows, which ffmpeg writes; a path without one is a folder of frame-00001.png, …
  std::filesystem::path out;
  std::optional<FilmPart> part = {};  ///< `out` is then a folder
  /// A frame in a file of its own holds these: view_texts() of its view.
  std::function<ImageTexts(const View& view)> texts = {};
};

struct FilmResult {
  int frames = 0;                 ///< that were made
  int skipped = 0;                ///< frames of the part that were there
  int key_frames = 0;             ///< of the whole film; of a part those that were computed
  int blank = 0;                  ///< of those: see PictureResult::blank()
  std::filesystem::path written;  ///< the file; or the folder, also where ffmpeg is missing
  std::string other_device;       ///< of a part: that which began the film, if it is not the one in use
};

/// `what` names the frame that is made: "frame 12 of 600". As ShowProgress, false gives up.
using ShowFilmProgress = std::function<bool(double fraction, const std::string& what)>;

/// The number of frames of the whole film.
int frame_count(const FilmRequest& request);
/// Factors of two between the first and the last frame.
double octaves_of(const FilmRequest& request);
/// Throws a usage Error where the request makes no film.
void check_film(const FilmRequest& request);
FilmResult make_film(const Device& device, KernelShelf& kernels, const FilmRequest& request,
                     const ShowFilmProgress& show);

/// A picture seen `zoom` ≤ 1 of its width wide, around its middle, as `size`: averaged over what a pixel covers, and
/// over 1.5 of the picture's own pixels at least, in linear light. Three floats a pixel are added with `weight` to
/// `light`, by rows from the top.
void add_zoomed(const Image& picture, double zoom, Size size, float weight, std::vector<float>& light);

}  // namespace orrery::mandelbrot
