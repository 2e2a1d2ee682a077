#include "base/files/image.hpp"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "base/error.hpp"
#include "base/files/image_stream.hpp"
#include "base/printable.hpp"

namespace orrery {
namespace {

[[noreturn]] void on_png_error(png_structp png, png_const_charp message) {
  *static_cast<std::string*>(png_get_error_ptr(png)) = message;
  png_longjmp(png, 1);
}
void on_png_warning(png_structp, png_const_charp) {}

struct ReaderDeleter {
  void operator()(png_struct* png) const { png_destroy_read_struct(&png, nullptr, nullptr); }
};

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

/// Code between setjmp and a longjmp out of libpng: no object here has a destructor.
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

enum class Wanted { texts, all };

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 26;  // limit of pictures to read

std::string& png_error_text(png_structp png) { return *static_cast<std::string*>(png_get_error_ptr(png)); }

PngFile decoded(png_structp png, png_infop info, Wanted wanted, bool& done) {
  PngFile file;
  done = decode_header(png, info);
  if (!done) return file;
  if (wanted == Wanted::all) {
    if (std::uint64_t{png_get_image_width(png, info)} * png_get_image_height(png, info) > most_pixels) {
      png_error_text(png) = "too many pixels";
      done = false;
      return file;
    }
    file.image = Image(png_get_image_width(png, info), png_get_image_height(png, info));
    std::vector<png_bytep> rows;
    for (std::uint32_t row = 0; row < file.image.height; ++row) rows.push_back(file.image.pixel(0, row));
    done = decode_rows(png, info, rows);
  }
  if (done) file.texts = texts_of(png, info);
  return file;
}

// A few hundred kilobytes of compressed text can expand to gigabytes, so the size and the number of chunks are limited.
constexpr png_uint_32 most_texts = 64;
constexpr std::size_t longest_keyword = 128;  // including its delimiters
struct Limits {
  png_alloc_size_t bytes = std::size_t{1} << 20;
  png_uint_32 chunks = most_texts;
};
void limit(png_structp png, const Limits& limits) {
  png_set_chunk_malloc_max(png, limits.bytes);
  png_set_chunk_cache_max(png, limits.chunks);
}

/// A chunk: its type and all its bytes, including the frame.
struct Chunk {
  std::string type, all;
  std::string_view content() const { return std::string_view(all).substr(8, all.size() - frame); }
  static constexpr std::size_t frame = 12;  // length, type and checksum
};

Error ends_early(const std::string& name) {
  return usage_error("the PNG file " + in_quotes(name) + " ends early", {}, {});
}

/// Reads a PNG from its beginning: returns the next bytes, fewer at the end.
using NextBytes = std::function<std::string_view(std::size_t)>;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(at, 4)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

NextBytes next_of(std::string_view bytes) {
  return [rest = bytes](std::size_t count) mutable {
    const std::string_view piece = rest.substr(0, count);
    rest.remove_prefix(piece.size());
    return piece;
  };
}

void check_signature(std::string_view bytes, const std::string& name) {
  if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0)
    throw usage_error(in_quotes(name) + " is not a PNG file", {}, {});
}

// Refuses a chunk that claims to be longer than the file before allocating memory, except pixels, which may end early.
// `keeps` returns the length limit of a type of chunk; other types are skipped.
void each_chunk(std::uint64_t size, const NextBytes& read, const std::string& name,
                const std::function<std::size_t(std::string_view type)>& keeps,
                const std::function<void(Chunk)>& take) {
  constexpr std::size_t piece = 1 << 20;
  check_signature(read(8), name);
  bool has_pixels = false;
  for (std::uint64_t at = 8; at < size;) {
    std::string all(read(8));
    if (all.size() < 8 && has_pixels) return;
    if (all.size() < 8) throw ends_early(name);
    const std::size_t length = number_at(all, 0);
    const std::string type = all.substr(4);
    has_pixels = has_pixels || type == "IDAT";
    if (length + Chunk::frame > size - at && has_pixels) return;
    if (length + Chunk::frame > size - at) throw ends_early(name);
    at += Chunk::frame + length;
    const bool kept = length <= keeps(type);
    for (std::size_t left = length + 4; left > 0;) {
      const std::string_view bytes = read(std::min(left, piece));
      if (bytes.empty()) throw ends_early(name);
      if (kept) all += bytes;
      left -= bytes.size();
    }
    if (kept) take({type, std::move(all)});
    if (type == "IEND") return;
  }
}

bool is_text(std::string_view type) { return type == "tEXt" || type == "zTXt" || type == "iTXt"; }

bool has_keyword(const Chunk& chunk, std::string_view keyword) {
  const std::string_view content = chunk.content();
  return content.size() > keyword.size() && content.starts_with(keyword) && content[keyword.size()] == '\0';
}

PngFile decode(std::string_view bytes, const std::string& name, Wanted wanted, const Limits& limits = {}) {
  check_signature(bytes, name);
  std::string message;
  const std::unique_ptr<png_struct, ReaderDeleter> png(
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &message, on_png_error, on_png_warning));
  if (!png) throw failure("libpng cannot be used");
  png_infop info = png_create_info_struct(png.get());
  limit(png.get(), limits);
  Source source{bytes};
  png_set_read_fn(png.get(), &source, take);
  bool done = false;
  PngFile file = decoded(png.get(), info, wanted, done);
  png_destroy_info_struct(png.get(), &info);
  if (!done) throw usage_error("the PNG file " + in_quotes(name) + " is damaged: " + message, {}, {});
  return file;
}

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image, const ImageTexts& texts, std::string attachment,
               Links links) {
  const auto write = [&](std::ostream& out) {
    PngStream png(out, image.width, image.height, texts, std::move(attachment));
    png.write(image.rgb);
    png.finish();
  };
  write_file(path, write, links);
}

void write_ppm(const std::filesystem::path& path, const Image& image) {
  write_file(path, [&](std::ostream& out) {
    out << ppm_header(image.width, image.height);
    out.write(reinterpret_cast<const char*>(image.rgb.data()), static_cast<std::streamsize>(image.rgb.size()));
  });
}

void write_image(const std::filesystem::path& path, const Image& image, const ImageTexts& texts,
                 std::string attachment) {
  if (path.extension() == ".png") {
    write_png(path, image, texts, std::move(attachment));
  } else if (path.extension() == ".ppm") {
    write_ppm(path, image);
  } else {
    throw usage_error("the picture's format", path.string(), "FILE.png or FILE.ppm");
  }
}

PngFile read_png(const std::filesystem::path& path, Links links) {
  const std::string bytes = read_file(path, {"a picture", 256 << 20, false}, links), name = path.string();
  each_chunk(
      bytes.size(), next_of(bytes), name, [](auto) { return 0; }, [](const Chunk&) {});
  return decode(bytes, name, Wanted::all);
}

namespace {

uLong checksum_of(std::string_view bytes, uLong before) {
  return crc32(before, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
}

/// The type of the next chunk and the beginning of its content; nothing if it is incomplete or damaged.
std::optional<std::pair<std::string, std::string>> next_chunk(InputFile& file) {
  constexpr std::uint32_t piece = 1 << 20;
  const std::string head(file.read(8));
  if (head.size() < 8) return std::nullopt;
  std::pair<std::string, std::string> chunk{head.substr(4), {}};
  uLong checksum = checksum_of(chunk.first, 0);
  for (std::uint32_t left = number_at(head, 0); left > 0;) {
    const std::string_view bytes = file.read(std::min(left, piece));
    if (bytes.empty()) return std::nullopt;
    if (chunk.second.empty()) chunk.second = bytes.substr(0, 8);
    checksum = checksum_of(bytes, checksum);
    left -= static_cast<std::uint32_t>(bytes.size());
  }
  const std::string_view tail = file.read(4);
  return tail.size() == 4 && number_at(tail, 0) == checksum ? std::optional(chunk) : std::nullopt;
}

}  // namespace

bool is_sound_png(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height) {
  constexpr std::size_t signature = 8;
  try {
    InputFile file(path, {"a picture", std::uint64_t{1} << 40, false}, Links::distrusted);
    const std::string first(file.read(signature));
    if (first.size() < signature || png_sig_cmp(reinterpret_cast<png_const_bytep>(first.data()), 0, signature) != 0)
      return false;
    auto chunk = next_chunk(file);
    if (!chunk || chunk->first != "IHDR" || number_at(chunk->second, 0) != width ||
        number_at(chunk->second, 4) != height)
      return false;
    bool has_pixels = false;
    while ((chunk = next_chunk(file)) && chunk->first != "IEND") has_pixels = has_pixels || chunk->first == "IDAT";
    return chunk && has_pixels && file.read(1).empty();
  } catch (const Error&) {
    return false;
  }
}

namespace {

// libpng gets a picture with all texts in front and without pixels.
PngNotes notes_of(std::uint64_t size, const NextBytes& read, const std::string& name, const PngLimits& limits) {
  constexpr std::string_view no_pixels("\0\0\0\0IDAT\x35\xaf\x06\x1e", 12);
  std::string picture("\x89PNG\r\n\x1a\n");
  PngNotes notes;
  std::size_t texts = 0;
  const auto keeps = [&](std::string_view type) -> std::size_t {
    if (type == attachment_chunk) return limits.attachment - notes.attachment.size();
    return type == "IHDR" || is_text(type) ? limits.text + longest_keyword : 0;
  };
  each_chunk(size, read, name, keeps, [&](const Chunk& chunk) {
    if (chunk.type == attachment_chunk) {
      notes.attachment += chunk.content();
    } else if (chunk.type == "IHDR") {
      picture += chunk.all;
    } else if (is_text(chunk.type) && (limits.keyword.empty() || has_keyword(chunk, limits.keyword))) {
      if (++texts <= (limits.keyword.empty() ? most_texts : 1)) picture += chunk.all;
    }
  });
  notes.texts = decode(picture += no_pixels, name, Wanted::texts, {limits.text + longest_keyword, most_texts}).texts;
  if (!limits.keyword.empty() && texts > 0 && notes.texts.empty())
    throw usage_error("the text " + in_quotes(limits.keyword) + " of " + in_quotes(name) + " cannot be read", {},
                      "at most " + std::to_string(limits.text >> 20) + " MiB of UTF-8");
  return notes;
}

}  // namespace

PngNotes read_png_notes(const std::filesystem::path& path, const PngLimits& limits) {
  InputFile file(path, {"a picture", std::uint64_t{8} << 30, false});
  return notes_of(
      file.bytes(), [&](std::size_t count) { return file.read(count); }, path.string(), limits);
}

PngNotes parse_png_notes(std::string_view bytes, const std::string& name, const PngLimits& limits) {
  return notes_of(bytes.size(), next_of(bytes), name, limits);
}

}  // namespace orrery
