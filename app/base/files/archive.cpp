#include "base/files/archive.hpp"

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"

namespace orrery {
namespace {

/// The open file of minizip's callbacks.
struct Position {
  std::ostream* out = nullptr;
  const ByteSource* source = nullptr;
  std::uint64_t at = 0;
};

voidpf open_position(voidpf opaque, const void*, int) { return opaque; }
uLong read_bytes(voidpf, voidpf stream, void* into, uLong size) {
  auto& position = *static_cast<Position*>(stream);
  const std::string_view bytes = position.source->read(position.at, size);
  bytes.copy(static_cast<char*>(into), bytes.size());
  position.at += bytes.size();
  return static_cast<uLong>(bytes.size());
}
uLong write_bytes(voidpf, voidpf stream, const void* bytes, uLong size) {
  auto& position = *static_cast<Position*>(stream);
  position.out->write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  position.at += size;
  return position.out->good() ? size : 0;
}
ZPOS64_T tell_position(voidpf, voidpf stream) { return static_cast<Position*>(stream)->at; }
long seek_position(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  auto& position = *static_cast<Position*>(stream);
  if (origin == ZLIB_FILEFUNC_SEEK_CUR)
    offset += position.at;
  else if (origin == ZLIB_FILEFUNC_SEEK_END)
    offset += position.source != nullptr ? position.source->bytes : position.at;
  position.at = offset;
  if (position.out != nullptr) return position.out->seekp(static_cast<std::streamoff>(offset)).good() ? 0 : -1;
  return offset <= position.source->bytes ? 0 : -1;
}
int close_position(voidpf, voidpf) { return 0; }
int no_error(voidpf, voidpf) { return 0; }

zlib_filefunc64_def functions_of(Position& position) {
  return {open_position, read_bytes, write_bytes, tell_position, seek_position, close_position, no_error, &position};
}

constexpr std::size_t piece_bytes = std::size_t{1} << 24;
constexpr uLong utf8_names = 1U << 11;

}  // namespace

// ---- writing

struct ArchiveWriter::Zip {
  Position position;
  zlib_filefunc64_def functions = functions_of(position);
  zipFile file = nullptr;
  bool open = false;  // a member has been begun

  void check(int result) const {
    if (result != ZIP_OK) throw failure("cannot write the archive", "the disk may be full");
  }
  void end_member() {
    if (std::exchange(open, false)) check(zipCloseFileInZip(file));
  }
};

ArchiveWriter::ArchiveWriter(std::ostream& out) : zip_(std::make_unique<Zip>()) {
  zip_->position.out = &out;
  zip_->file = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &zip_->functions);
  if (zip_->file == nullptr) throw failure("cannot write the archive");
}

ArchiveWriter::~ArchiveWriter() {
  if (zip_->file != nullptr) zipClose(zip_->file, nullptr);
}

void ArchiveWriter::begin(const std::string& name, Packing packing) {
  zip_->end_member();
  zip_fileinfo info{};
  info.tmz_date = {0, 0, 0, 1, 0, 1980};  // fixed, so that equal states make equal bytes
  constexpr int made_by = 0, zip64 = 1;
  zip_->check(zipOpenNewFileInZip4_64(
      zip_->file, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, packing == Packing::deflated ? Z_DEFLATED : 0,
      Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, made_by, utf8_names, zip64));
  zip_->open = true;
}

void ArchiveWriter::write(std::string_view bytes) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece_bytes, bytes.size())))
    zip_->check(
        zipWriteInFileInZip(zip_->file, bytes.data(), static_cast<unsigned>(std::min(piece_bytes, bytes.size()))));
}

void ArchiveWriter::finish() {
  zip_->end_member();
  zip_->check(zipClose(std::exchange(zip_->file, nullptr), nullptr));
}

// ---- reading

struct ArchiveReader::Zip {
  ByteSource source;
  std::string name;
  Position position{.source = &source};
  zlib_filefunc64_def functions = functions_of(position);
  unzFile file = nullptr;

  void check(int result) const {
    if (result != UNZ_OK && result != UNZ_END_OF_LIST_OF_FILE)
      throw usage_error("the archive " + in_quotes(name) + " is damaged", {}, {});
  }
  Member member() const {
    constexpr std::size_t longest_name = 1024;
    std::string text(longest_name, '\0');
    unz_file_info64 info{};
    check(unzGetCurrentFileInfo64(file, &info, text.data(), longest_name, nullptr, 0, nullptr, 0));
    text.resize(std::min<std::size_t>(info.size_filename, longest_name));
    return {std::move(text), info.uncompressed_size};
  }
  // Memory grows with the data read, not with the claimed size.
  std::string content(const Member& wanted) const {
    check(unzOpenCurrentFile(file));
    std::string bytes;
    while (bytes.size() < wanted.bytes) {
      const std::size_t before = bytes.size();
      bytes.resize(before + static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, wanted.bytes - before)));
      const int count = unzReadCurrentFile(file, bytes.data() + before, static_cast<unsigned>(bytes.size() - before));
      check(std::min(count, 0));
      bytes.resize(before + static_cast<std::size_t>(count));
      if (count == 0) break;
    }
    check(unzCloseCurrentFile(file));  // compares the checksum
    if (bytes.size() != wanted.bytes) check(UNZ_BADZIPFILE);
    return bytes;
  }
};

ArchiveReader::ArchiveReader(ByteSource source, std::string name)
    : zip_(new Zip{.source = std::move(source), .name = std::move(name)}) {
  zip_->file = unzOpen2_64("", &zip_->functions);
  if (zip_->file == nullptr) zip_->check(UNZ_BADZIPFILE);
}

ArchiveReader::~ArchiveReader() { unzClose(zip_->file); }

void ArchiveReader::visit(const std::function<bool(const Member&)>& wanted,
                          const std::function<void(const Member&, std::string_view)>& take) {
  for (int next = unzGoToFirstFile(zip_->file); next != UNZ_END_OF_LIST_OF_FILE; next = unzGoToNextFile(zip_->file)) {
    zip_->check(next);
    const Member member = zip_->member();
    if (wanted(member)) take(member, zip_->content(member));
  }
}

}  // namespace orrery
