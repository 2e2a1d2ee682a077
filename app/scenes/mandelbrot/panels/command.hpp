/// Commands of panels and keys to the Mandelbrot scene. Plain values.
#pragma once

#include <cstdint>
#include <string>

#include "scenes/mandelbrot/panels/snapshot.hpp"

namespace orrery::command {

/// Glides to a view `factor` as wide around the picture's middle.
struct ZoomBy {
  double factor;
};
/// Glides by parts of the picture's height, to the right and upwards.
struct PanBy {
  double right;
  double up;
};
/// Glides back to a view that is neither rotated nor stretched.
struct LevelView {};
/// The named location of that number, from 1.
struct GoToNumberedLocation {
  int number;
};
/// The present view as text, to the clipboard.
struct CopyPlace {};
/// Flies to the place on the clipboard.
struct PastePlace {};
/// Through the visited views.
struct ViewBack {};
struct ViewForward {};
/// Looks for the copy of the set with the lowest period in the view.
struct FindCopy {};
/// Flies to what was found: to the copy, or to the Julia set that is embedded half way.
struct FlyToCopy {
  enum class Where { copy, embedded_julia } where;
};
/// Flies down the cascade of doubled periods by one, or up again.
struct NextDoubling {
  bool deeper;
};
/// Flies to what parse_place() understands.
struct FlyTo {
  std::string text;
};
/// Ends a flight: stays, or is there at once.
struct EndFlight {
  bool arrive;
};
/// By the id of its card.
struct FlyToPlace {
  std::string id;
};
/// Keeps the present view among the places; an empty title is found for it.
struct AddBookmark {
  std::string title;
};
struct RemoveBookmark {
  std::string id;
};
/// A .toml, .kfr or text of a place, or a .png of ours: flies to its view and takes over its settings. Paths of this
/// and the commands below are relative to the folder of the pictures.
struct OpenView {
  std::string path;
};
/// Saves the present view as .toml.
struct SaveView {
  std::string path;
};
/// The present view as a picture of any size: .png, .ppm, .npy or .exr.
struct ExportPicture {
  std::string path;
  std::int64_t width, height, samples;
};
/// A film that zooms from `span` to the present view: .mp4 and other formats of ffmpeg's, or a folder of .png.
struct ExportFilm {
  std::string path;
  std::int64_t width, height, samples;
  std::string span;
  double seconds, frames_per_second;
};
struct CancelExport {};

}  // namespace orrery::command
