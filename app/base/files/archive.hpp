/// Zip archives, of which NumPy reads the arrays (.npz) and any other program the rest. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "base/files/file.hpp"

namespace orrery {

/// The bytes with which an archive begins.
inline constexpr std::string_view archive_signature = "PK\x03\x04";

/// Writes an archive into a stream that can seek. Throws Error.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(std::ostream& out);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  enum class Packing { stored, deflated };
  /// The next bytes that are written belong to that member.
  void begin(const std::string& name, Packing packing);
  void write(std::string_view bytes);
  /// To be called once; without it the archive is incomplete.
  void finish();

 private:
  struct Zip;
  std::unique_ptr<Zip> zip_;
};

/// The members of an archive, one after the other.
class ArchiveReader {
 public:
  /// `name` stands for the archive in messages. Throws a usage Error where the bytes are no archive.
  ArchiveReader(ByteSource source, std::string name);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  struct Member {
    std::string name;
    std::uint64_t bytes = 0;  ///< that it claims to have when unpacked
  };
  /// For each member in order; `wanted` says for which of them to call `take`.
  void visit(const std::function<bool(const Member&)>& wanted,
             const std::function<void(const Member&, std::string_view)>& take);

 private:
  struct Zip;
  std::unique_ptr<Zip> zip_;
};

}  // namespace orrery
