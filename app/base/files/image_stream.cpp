#include "base/files/image_stream.hpp"

#include <png.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace orrery {
namespace {

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  *static_cast<std::string*>(png_get_error_ptr(png)) = message;
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

void append(png_structp png, png_bytep data, png_size_t size) {
  static_cast<std::ostream*>(png_get_io_ptr(png))
      ->write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}
void flush(png_structp) {}

constexpr std::size_t short_text = 1024;  // bytes, which compression would not make much shorter

// Chunks for ASCII where it is enough: other programs keep and show them.
int compression_of(std::string_view text) {
  const bool ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return text.size() > short_text ? PNG_TEXT_COMPRESSION_zTXt : PNG_TEXT_COMPRESSION_NONE;
  return text.size() > short_text ? PNG_ITXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_NONE;
}

std::vector<png_text> chunks_of(const ImageTexts& texts) {
  std::vector<png_text> chunks;
  for (const auto& [keyword, text] : texts) {
    png_text chunk{};
    chunk.compression = compression_of(text);
    chunk.text_length = text.size();
    chunk.key = const_cast<png_charp>(keyword.c_str());
    chunk.text = const_cast<png_charp>(text.c_str());
    chunk.itxt_length = chunk.compression > 0 ? text.size() : 0;
    chunk.lang = const_cast<png_charp>("");
    chunk.lang_key = const_cast<png_charp>("");
    chunks.push_back(chunk);
  }
  return chunks;
}

// Between setjmp and a longjmp out of libpng no object has a destructor.

bool begin(png_structp png, png_infop info, std::uint32_t width, std::uint32_t height, std::vector<png_text>& chunks) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, 4);  // half the time of the default level for a few per cent of size
  if (!chunks.empty()) png_set_text(png, info, chunks.data(), static_cast<int>(chunks.size()));
  png_write_info(png, info);
  return true;
}

bool write_rows(png_structp png, const std::uint8_t* rows, std::size_t count, std::size_t bytes) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  for (std::size_t row = 0; row < count; ++row) png_write_row(png, rows + row * bytes);
  return true;
}

// Each chunk has a size that every reader takes.
bool end(png_structp png, png_infop info, const char* attachment, std::size_t bytes) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  for (std::size_t at = 0; at < bytes; at += longest)
    png_write_chunk(png, reinterpret_cast<png_const_bytep>(attachment_chunk),
                    reinterpret_cast<png_const_bytep>(attachment + at), std::min(longest, bytes - at));
  png_write_end(png, info);
  return true;
}

}  // namespace

struct PngStream::Png {
  std::string message, attachment;
  std::size_t row_bytes = 0;
  png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, &message, on_error, on_warning);
  png_infop info = writer != nullptr ? png_create_info_struct(writer) : nullptr;

  Png() = default;
  ~Png() { png_destroy_write_struct(&writer, &info); }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;

  void check(bool done) const {
    if (!done) throw failure("cannot encode the picture: " + message);
  }
};

PngStream::PngStream(std::ostream& out, std::uint32_t width, std::uint32_t height, const ImageTexts& texts,
                     std::string attachment)
    : png_(std::make_unique<Png>()) {
  png_->attachment = std::move(attachment);
  if (png_->info == nullptr) throw failure("libpng cannot be used");
  png_->row_bytes = std::size_t{3} * width;
  png_set_write_fn(png_->writer, &out, append, flush);
  std::vector<png_text> chunks = chunks_of(texts);
  png_->check(begin(png_->writer, png_->info, width, height, chunks));
}

PngStream::~PngStream() = default;

void PngStream::write(std::span<const std::uint8_t> rows) {
  png_->check(write_rows(png_->writer, rows.data(), rows.size() / png_->row_bytes, png_->row_bytes));
}

void PngStream::finish() {
  png_->check(end(png_->writer, png_->info, png_->attachment.data(), png_->attachment.size()));
}

std::string ppm_header(std::uint32_t width, std::uint32_t height) {
  return "P6\n" + std::to_string(width) + ' ' + std::to_string(height) + "\n255\n";
}

}  // namespace orrery
