/// Zip archives whose arrays NumPy can read (.npz). Any thread.
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
  /// Begins a member: the next bytes written belong to it.
  void begin(const std::string& name, Packing packing);
  void write(std::string_view bytes);
  /// Call once; without it the archive is incomplete.
  void finish();

 private:
  struct Zip;
  std::unique_ptr<Zip> zip_;
};

/// The members of an archive, in order.
class ArchiveReader {
 public:
  /// `name` stands for the archive in messages. Throws a usage Error if the bytes are no archive.
  ArchiveReader(ByteSource source, std::string name);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  struct Member {
    std::string name;
    std::uint64_t bytes = 0;  ///< size when unpacked, as the archive claims
  };
  /// Visits each member in order; `wanted` selects the members passed to `take`.
  void visit(const std::function<bool(const Member&)>& wanted,
             const std::function<void(const Member&, std::string_view)>& take);

 private:
  struct Zip;
  std::unique_ptr<Zip> zip_;
};

}  // namespace orrery
