#include "base/files/image.hpp"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "base/files/file.hpp"
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

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 26;  // the largest picture that is read

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
struct Limits {
  png_alloc_size_t bytes = std::size_t{1} << 20;  // of a text; a view has numbers of any length
  png_uint_32 chunks = 64;
};
void limit(png_structp png, const Limits& limits) {
  png_set_chunk_malloc_max(png, limits.bytes);
  png_set_chunk_cache_max(png, limits.chunks);
}

/// A chunk before the pixels: its type and all its bytes, those of the frame included.
struct Chunk {
  std::string_view type, all;
  std::string_view content() const { return all.substr(8, all.size() - frame); }
  static constexpr std::size_t frame = 12;  // length, type and checksum
};

// Nothing where a chunk claims to be longer than the file: libpng would allocate that much, up to 2 GB.
std::optional<std::vector<Chunk>> chunks_before_pixels(std::string_view bytes) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at + Chunk::frame <= bytes.size() && bytes.substr(at + 4, 4) != "IDAT";) {
    std::size_t length = 0;
    for (std::size_t k = 0; k < 4; ++k) length = length << 8 | static_cast<unsigned char>(bytes[at + k]);
    if (length > bytes.size() - at - Chunk::frame) return std::nullopt;
    chunks.push_back({bytes.substr(at + 4, 4), bytes.substr(at, Chunk::frame + length)});
    at += Chunk::frame + length;
  }
  return chunks;
}

PngFile decode(std::string_view bytes, const std::string& name, Wanted wanted, const Limits& limits = {}) {
  if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0) {
    throw usage_error(in_quotes(name) + " is not a PNG file", {}, {});
  }
  if (!chunks_before_pixels(bytes)) throw usage_error("the PNG file " + in_quotes(name) + " ends early", {}, {});
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

void write_png(const std::filesystem::path& path, const Image& image, const ImageTexts& texts, Links links) {
  const auto write = [&](std::ostream& out) {
    PngStream png(out, image.width, image.height, texts);
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

void write_image(const std::filesystem::path& path, const Image& image, const ImageTexts& texts) {
  if (path.extension() == ".png") {
    write_png(path, image, texts);
  } else if (path.extension() == ".ppm") {
    write_ppm(path, image);
  } else {
    throw usage_error("the picture's format", path.string(), "FILE.png or FILE.ppm");
  }
}

PngFile read_png(const std::filesystem::path& path, Links links) {
  return decode(read_file(path, {"a picture", 256 << 20, false}, links), path.string(), Wanted::all);
}

namespace {

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(at, 4)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

uLong checksum_of(std::string_view bytes, uLong before) {
  return crc32(before, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
}

/// The type of the next chunk and the beginning of its content; nothing where it is not whole or not sound.
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

ImageTexts read_png_texts(const std::filesystem::path& path) {
  constexpr std::uint64_t most = 4 << 20;  // the texts of a view precede the picture
  return parse_png_texts(read_beginning(path, most), path.string());
}
std::optional<std::string> read_png_text(const std::filesystem::path& path, std::string_view keyword,
                                         std::size_t most_bytes) {
  return parse_png_text(read_beginning(path, most_bytes + (4 << 20)), path.string(), keyword, most_bytes);
}
// The picture is read without its other texts: the limit of size holds for one of them only.
std::optional<std::string> parse_png_text(std::string_view bytes, const std::string& name, std::string_view keyword,
                                          std::size_t most_bytes) {
  const auto is_wanted = [&](const Chunk& chunk) {
    const std::string_view content = chunk.content();
    return content.size() > keyword.size() && content.starts_with(keyword) && content[keyword.size()] == '\0';
  };
  std::string reduced(bytes.substr(0, 8));
  bool found = false;
  std::string_view rest = bytes.substr(std::min<std::size_t>(8, bytes.size()));
  for (const Chunk& chunk : chunks_before_pixels(bytes).value_or(std::vector<Chunk>())) {
    rest.remove_prefix(chunk.all.size());
    const bool text = chunk.type == "tEXt" || chunk.type == "zTXt" || chunk.type == "iTXt";
    if (text && (found || !is_wanted(chunk))) continue;
    found = found || text;
    reduced += chunk.all;
  }
  reduced += rest;
  const ImageTexts texts = decode(reduced, name, Wanted::texts, {most_bytes + Chunk::frame + keyword.size(), 4}).texts;
  const auto text = texts.find(std::string(keyword));
  if (text != texts.end()) return text->second;
  if (!found) return std::nullopt;
  throw usage_error("the text " + in_quotes(keyword) + " of " + in_quotes(name) + " cannot be read", {},
                    "at most " + std::to_string(most_bytes >> 20) + " MiB of UTF-8");
}
ImageTexts parse_png_texts(std::string_view bytes, const std::string& name) {
  return decode(bytes, name, Wanted::texts).texts;
}

}  // namespace orrery
