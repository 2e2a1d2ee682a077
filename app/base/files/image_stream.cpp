#include "base/files/image_stream.hpp"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/platform/parallel.hpp"

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

constexpr std::size_t short_text = 1024;  // bytes; compression would save little

// Chooses ASCII chunks where possible, because other programs keep and show them.
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
  if (!chunks.empty()) png_set_text(png, info, chunks.data(), static_cast<int>(chunks.size()));
  png_write_info(png, info);
  return true;
}

bool write_data(png_structp png, const std::uint8_t* bytes, std::size_t count) {
  constexpr std::array<png_byte, 5> data{'I', 'D', 'A', 'T', 0};
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_write_chunk(png, data.data(), bytes, count);
  return true;
}

// Writes the attachment in chunks of a size that every reader accepts.
bool end(png_structp png, const char* attachment, std::size_t bytes) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  constexpr std::array<png_byte, 5> last{'I', 'E', 'N', 'D', 0};
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  for (std::size_t at = 0; at < bytes; at += longest)
    png_write_chunk(png, reinterpret_cast<png_const_bytep>(attachment_chunk),
                    reinterpret_cast<png_const_bytep>(attachment + at), std::min(longest, bytes - at));
  png_write_chunk(png, last.data(), nullptr, 0);
  return true;
}

// ---- pixels, in strips that are filtered and compressed side by side

constexpr std::size_t bytes_per_pixel = 3;
using Bytes = std::vector<std::uint8_t>;

std::uint8_t paeth(int left, int above, int corner) {
  const int p = left + above - corner, a = std::abs(p - left), b = std::abs(p - above), c = std::abs(p - corner);
  return static_cast<std::uint8_t>(a <= b && a <= c ? left : b <= c ? above : corner);
}

std::uint64_t size_of_values(std::span<const std::uint8_t> row) {
  std::uint64_t sum = 0;
  for (const std::uint8_t value : row) sum += value < 128 ? value : 256U - value;
  return sum;
}

// ISO/IEC 15948:2004, 9.2 and 12.8: the filter of five with the smallest sum of absolute differences. `to`
// gets its number and the filtered row; both rows have a black pixel in front.
void filter_row(const std::uint8_t* row, const std::uint8_t* above, std::size_t bytes, std::array<Bytes, 5>& tried,
                std::uint8_t* to) {
  for (Bytes& each : tried) each.resize(bytes);
  const std::uint8_t *const left = row - bytes_per_pixel, *const corner = above - bytes_per_pixel;
  const auto difference = [](int value, int expected) { return static_cast<std::uint8_t>(value - expected); };
  for (std::size_t i = 0; i < bytes; ++i) tried[0][i] = row[i];
  for (std::size_t i = 0; i < bytes; ++i) tried[1][i] = difference(row[i], left[i]);
  for (std::size_t i = 0; i < bytes; ++i) tried[2][i] = difference(row[i], above[i]);
  for (std::size_t i = 0; i < bytes; ++i) tried[3][i] = difference(row[i], (left[i] + above[i]) / 2);
  for (std::size_t i = 0; i < bytes; ++i) tried[4][i] = difference(row[i], paeth(left[i], above[i], corner[i]));
  const auto best = std::ranges::min_element(tried, {}, [](const Bytes& each) { return size_of_values(each); });
  *to = static_cast<std::uint8_t>(best - tried.begin());
  std::ranges::copy(*best, to + 1);
}

/// A few rows and their compressor, which reuses its memory.
class Strip {
 public:
  // Filtered pictures hardly repeat more than runs of equal bytes: matching only runs takes a third of the time for
  // files a few per cent larger. Strips are independent.
  Strip() {
    constexpr int raw = -15, memory = 8;
    if (deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, raw, memory, Z_RLE) != Z_OK)
      throw failure("cannot encode the picture: no memory");
  }
  ~Strip() { deflateEnd(&stream_); }
  Strip(const Strip&) = delete;
  Strip& operator=(const Strip&) = delete;

  Bytes filtered;
  Bytes packed;   ///< a part of a zlib stream that ends at a byte
  uLong sum = 1;  ///< checksum of the filtered rows

  void pack() {
    sum = adler32(1, filtered.data(), static_cast<uInt>(filtered.size()));
    deflateReset(&stream_);
    packed.resize(deflateBound(&stream_, static_cast<uLong>(filtered.size())) + 16);
    stream_.next_in = filtered.data();
    stream_.avail_in = static_cast<uInt>(filtered.size());
    stream_.next_out = packed.data();
    stream_.avail_out = static_cast<uInt>(packed.size());
    const int done = deflate(&stream_, Z_SYNC_FLUSH);
    packed.resize(packed.size() - stream_.avail_out);
    if (done != Z_OK || stream_.avail_in > 0) throw failure("cannot encode the picture: zlib fails");
  }

 private:
  z_stream stream_{};
};

/// Filters rows and compresses them on all cores. The bytes depend neither on the number of cores nor on the rows per
/// call, because strips begin at fixed rows.
class Deflater {
 public:
  explicit Deflater(std::size_t row_bytes)
      : row_bytes_(row_bytes), strip_rows_(std::max<std::size_t>(1, strip_bytes / row_bytes)), rows_(padded()) {}
  /// Calls `write(bytes)` for each complete part of the zlib stream.
  template <class Write>
  void add(std::span<const std::uint8_t> rows, Write&& write) {
    for (; !rows.empty(); rows = rows.subspan(row_bytes_)) {
      const std::size_t at = rows_.size();
      rows_.resize(at + padded());
      std::ranges::copy(rows.first(row_bytes_), &rows_[at + bytes_per_pixel]);
    }
    compress(waiting() / strip_rows_, write);
  }
  template <class Write>
  void finish(Write&& write) {
    compress((waiting() + strip_rows_ - 1) / strip_rows_, write);
    Bytes last{0x03, 0x00};  // an empty block, and the checksum
    for (int shift = 24; shift >= 0; shift -= 8) last.push_back(static_cast<std::uint8_t>(checksum_ >> shift));
    write(last);
  }

 private:
  static constexpr std::size_t strip_bytes = std::size_t{1} << 17;
  std::size_t padded() const { return bytes_per_pixel + row_bytes_; }
  std::size_t waiting() const { return rows_.size() / padded() - 1; }
  const std::uint8_t* row(std::size_t k) const { return &rows_[k * padded() + bytes_per_pixel]; }

  template <class Write>
  void compress(std::size_t strips, Write&& write) {
    if (strips == 0) return;
    const std::size_t rows = std::min(strips * strip_rows_, waiting());
    while (strips_.size() < strips) strips_.push_back(std::make_unique<Strip>());
    in_parallel(strips, [&](std::size_t begin, std::size_t end) {
      std::array<Bytes, 5> tried;
      for (std::size_t k = begin; k < end; ++k) {
        const std::size_t first = k * strip_rows_, count = std::min(strip_rows_, rows - first);
        Bytes& filtered = strips_[k]->filtered;
        filtered.resize(count * (row_bytes_ + 1));
        for (std::size_t j = 0; j < count; ++j)
          filter_row(row(first + j + 1), row(first + j), row_bytes_, tried, &filtered[j * (row_bytes_ + 1)]);
        strips_[k]->pack();
      }
    });
    for (std::size_t k = 0; k < strips; ++k) {
      Strip& strip = *strips_[k];
      checksum_ = adler32_combine(checksum_, strip.sum, static_cast<z_off_t>(strip.filtered.size()));
      write(strip.packed);
    }
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(rows * padded()));
  }

  std::size_t row_bytes_, strip_rows_;
  Bytes rows_;  // first the row above; each has a black pixel in front
  std::vector<std::unique_ptr<Strip>> strips_;
  uLong checksum_ = 1;
};

}  // namespace

struct PngStream::Png {
  std::string message, attachment;
  std::optional<Deflater> pixels;
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
  png_->pixels.emplace(bytes_per_pixel * width);
  png_set_write_fn(png_->writer, &out, append, flush);
  std::vector<png_text> chunks = chunks_of(texts);
  png_->check(begin(png_->writer, png_->info, width, height, chunks));
  constexpr std::array<std::uint8_t, 2> header{0x78, 0x01};  // header of the zlib stream
  png_->check(write_data(png_->writer, header.data(), header.size()));
}

PngStream::~PngStream() = default;

void PngStream::write(std::span<const std::uint8_t> rows) {
  png_->pixels->add(rows,
                    [&](const Bytes& bytes) { png_->check(write_data(png_->writer, bytes.data(), bytes.size())); });
}

void PngStream::finish() {
  png_->pixels->finish([&](const Bytes& bytes) { png_->check(write_data(png_->writer, bytes.data(), bytes.size())); });
  png_->check(end(png_->writer, png_->attachment.data(), png_->attachment.size()));
}

std::string ppm_header(std::uint32_t width, std::uint32_t height) {
  return "P6\n" + std::to_string(width) + ' ' + std::to_string(height) + "\n255\n";
}

}  // namespace orrery
