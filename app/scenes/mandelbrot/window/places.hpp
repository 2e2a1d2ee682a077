/// The places of the Mandelbrot scene: the user's bookmarks, and the places that come with the program, each with a
/// small picture.
///
/// A bookmark is a .png in the state folder, with its view inside like any picture of Orrery. Window thread, with the
/// GL context current; files are read on a worker thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/image.hpp"
#include "base/work/background.hpp"
#include "render/gl.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"

namespace orrery {

class MandelbrotPlaces {
 public:
  MandelbrotPlaces();

  /// Takes over the places that have been read.
  void update();
  std::shared_ptr<const Cards> cards() const { return cards_; }

  /// The texts of a bookmark (view_texts()); nothing where the id is that of a location.
  std::optional<ImageTexts> bookmark(const std::string& id) const;
  /// `texts` are view_texts(). Throws an Error where there is no folder for it.
  void add(std::string title, Image picture, ImageTexts texts);
  void remove(const std::string& id);

 private:
  struct Entry {
    Card card;
    Image picture;     // until it is uploaded
    ImageTexts texts;  // of a bookmark
    gl::Texture texture;
  };
  static std::vector<Entry> read_all();
  void upload(Entry& entry);
  void refresh_cards();

  Background<std::shared_ptr<std::vector<Entry>>> reading_;
  std::vector<Entry> entries_;
  std::shared_ptr<const Cards> cards_;
};

}  // namespace orrery
