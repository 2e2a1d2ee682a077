#include "compute/program/binary_cache.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t most_bytes_kept = 512ULL << 20;  // thousands of programs: each edit and each law makes one
constexpr std::chrono::hours longest_write{24};

struct Kept {
  fs::path file;
  fs::file_time_type used;
  std::uintmax_t bytes = 0;
};

bool is_half(const Kept& kept) { return kept.file.extension() == ".part"; }

std::vector<Kept> files_in(const fs::path& folder) {
  std::vector<Kept> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;  // another process may remove files too
    const Kept kept{entry->path(), entry->last_write_time(gone),
                    entry->is_regular_file(gone) ? entry->file_size(gone) : 0};
    if (!gone && kept.bytes > 0) files.push_back(kept);
  }
  return files;
}

}  // namespace

// Layout: the key's length as text and a newline, the key, the binary's FNV-1a hash and a newline, the binary.
std::optional<std::vector<unsigned char>> read_binary(const fs::path& file, std::string_view key) {
  std::error_code ignored;
  if (file.empty() || !fs::is_regular_file(file, ignored)) return std::nullopt;
  try {
    const std::string bytes = read_file(file, {"a compiled kernel", 256 << 20, false});
    const std::string head = std::to_string(key.size()) + "\n" + std::string(key);
    if (!bytes.starts_with(head)) return std::nullopt;
    const auto end_of_hash = bytes.find('\n', head.size());
    if (end_of_hash == std::string::npos) return std::nullopt;
    const std::string_view binary = std::string_view(bytes).substr(end_of_hash + 1);
    if (fnv1a(binary) != bytes.substr(head.size(), end_of_hash - head.size())) return std::nullopt;
    fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);  // marks it as used
    return std::vector<unsigned char>(binary.begin(), binary.end());
  } catch (const Error&) {
    return std::nullopt;
  }
}

void write_binary(const fs::path& file, std::string_view key, const std::vector<unsigned char>& binary) {
  if (file.empty() || binary.empty()) return;
  try {
    const std::string bytes(binary.begin(), binary.end());
    write_file(file, std::to_string(key.size()) + "\n" + std::string(key) + fnv1a(bytes) + "\n" + bytes);
    static std::once_flag tidied;
    std::call_once(tidied, [&] { tidy_binaries(file.parent_path(), most_bytes_kept); });
  } catch (const std::exception& error) {
    log(Level::info, std::string("kernel cache: ") + error.what());
  }
}

void tidy_binaries(const fs::path& folder, std::uintmax_t most_bytes) {
  std::vector<Kept> files = files_in(folder);
  const auto remove = [](const Kept& kept) {
    std::error_code ignored;
    fs::remove(kept.file, ignored);
  };
  std::erase_if(files, [&](const Kept& kept) {
    if (is_half(kept) && fs::file_time_type::clock::now() - kept.used > longest_write) remove(kept);
    return is_half(kept);
  });
  std::uintmax_t bytes = 0;
  for (const Kept& kept : files) bytes += kept.bytes;
  if (bytes <= most_bytes) return;
  std::ranges::sort(files, {}, &Kept::used);
  for (const Kept& kept : files) {
    if (bytes <= most_bytes / 2) return;
    remove(kept);
    bytes -= kept.bytes;
  }
}

}  // namespace orrery
