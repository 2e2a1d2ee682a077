#include "base/image.hpp"

#include <png.h>

#include <cstring>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "base/file.hpp"

namespace orrery {
namespace {

[[noreturn]] void on_png_error(png_structp png, png_const_charp message) {
  *static_cast<std::string*>(png_get_error_ptr(png)) = message;
  png_longjmp(png, 1);
}
void on_png_warning(png_structp, png_const_charp) {}

struct WriterDeleter {
  void operator()(png_struct* png) const { png_destroy_write_struct(&png, nullptr); }
};
struct ReaderDeleter {
  void operator()(png_struct* png) const { png_destroy_read_struct(&png, nullptr, nullptr); }
};

std::vector<png_text> chunks_of(const ImageTexts& texts) {
  std::vector<png_text> chunks;
  for (const auto& [keyword, text] : texts) {
    png_text chunk{};
    chunk.compression = PNG_ITXT_COMPRESSION_NONE;
    chunk.key = const_cast<png_charp>(keyword.c_str());
    chunk.text = const_cast<png_charp>(text.c_str());
    chunk.itxt_length = text.size();
    chunk.lang = const_cast<png_charp>("");
    chunk.lang_key = const_cast<png_charp>("");
    chunks.push_back(chunk);
  }
  return chunks;
}

void append(png_structp png, png_bytep data, png_size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

/// Everything between setjmp and a longjmp out of libpng: no object here has a destructor.
bool encode(png_structp png, png_infop info, const Image& image, std::vector<png_text>& chunks) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_IHDR(png, info, image.width, image.height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, 4);  // half the time of the default level for a few per cent of size
  if (!chunks.empty()) png_set_text(png, info, chunks.data(), static_cast<int>(chunks.size()));
  png_write_info(png, info);
  for (std::uint32_t row = 0; row < image.height; ++row) png_write_row(png, image.pixel(0, row));
  png_write_end(png, info);
  return true;
}

std::string encoded_png(const Image& image, const ImageTexts& texts) {
  std::string message;
  const std::unique_ptr<png_struct, WriterDeleter> png(
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &message, on_png_error, on_png_warning));
  if (!png) throw failure("libpng cannot be used");
  png_infop info = png_create_info_struct(png.get());
  std::string bytes;
  png_set_write_fn(png.get(), &bytes, append, nullptr);
  std::vector<png_text> chunks = chunks_of(texts);
  const bool done = info != nullptr && encode(png.get(), info, image, chunks);
  png_destroy_info_struct(png.get(), &info);
  if (!done) throw failure("cannot encode the picture: " + message);
  return bytes;
}

struct Source {
  std::string_view bytes;
  std::size_t at = 0;
};
void take(png_structp png, png_bytep data, png_size_t size) {
  auto& source = *static_cast<Source*>(png_get_io_ptr(png));
  if (size > source.bytes.size() - source.at) png_error(png, "the file ends early");
  std::memcpy(data, source.bytes.data() + source.at, size);
  source.at += size;
}

/// As encode(): no destructors here.
bool decode_header(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_info(png, info);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_strip_alpha(png);
  png_set_gray_to_rgb(png);
  (void)png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return true;
}
bool decode_rows(png_structp png, png_infop info, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_image(png, rows.data());
  png_read_end(png, info);
  return true;
}

ImageTexts texts_of(png_structp png, png_infop info) {
  png_textp chunks = nullptr;
  int count = 0;
  png_get_text(png, info, &chunks, &count);
  ImageTexts texts;
  for (int i = 0; i < count; ++i) texts[chunks[i].key] = chunks[i].text;
  return texts;
}

PngFile decoded(png_structp png, png_infop info, bool& done) {
  PngFile file;
  done = decode_header(png, info);
  if (!done) return file;
  file.image = Image(png_get_image_width(png, info), png_get_image_height(png, info));
  std::vector<png_bytep> rows;
  for (std::uint32_t row = 0; row < file.image.height; ++row) rows.push_back(file.image.pixel(0, row));
  done = decode_rows(png, info, rows);
  if (done) file.texts = texts_of(png, info);
  return file;
}

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image, const ImageTexts& texts) {
  write_file(path, encoded_png(image, texts));
}

void write_ppm(const std::filesystem::path& path, const Image& image) {
  write_file(path, [&](std::ostream& out) {
    out << "P6\n" << std::to_string(image.width) << ' ' << std::to_string(image.height) << "\n255\n";
    out.write(reinterpret_cast<const char*>(image.rgb.data()), static_cast<std::streamsize>(image.rgb.size()));
  });
}

void write_image(const std::filesystem::path& path, const Image& image, const ImageTexts& texts) {
  if (path.extension() == ".png") {
    write_png(path, image, texts);
  } else if (path.extension() == ".ppm") {
    write_ppm(path, image);
  } else {
    throw usage_error("unknown picture format", path.string(), ".png | .ppm");
  }
}

PngFile read_png(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0) {
    throw usage_error("not a PNG file", path.string(), "a .png picture");
  }
  std::string message;
  const std::unique_ptr<png_struct, ReaderDeleter> png(
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &message, on_png_error, on_png_warning));
  if (!png) throw failure("libpng cannot be used");
  png_infop info = png_create_info_struct(png.get());
  Source source{bytes};
  png_set_read_fn(png.get(), &source, take);
  bool done = false;
  PngFile file = decoded(png.get(), info, done);
  png_destroy_info_struct(png.get(), &info);
  if (!done) throw usage_error("broken PNG file (" + message + ")", path.string(), "a complete .png picture");
  return file;
}

}  // namespace orrery
