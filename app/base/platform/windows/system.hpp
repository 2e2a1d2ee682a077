/// Shared by the Windows sources: texts of the system, in UTF-16, and its errors.
#pragma once

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // mingw-w64's C++ library defines it
#define NOMINMAX
#endif
#include <windows.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace orrery::platform {

// A path takes UTF-8 (file_names.cpp) and holds UTF-16.
inline std::wstring wide(std::string_view text) { return std::filesystem::path(text).native(); }
inline std::string narrow(std::wstring_view text) { return std::filesystem::path(text).string(); }

/// The system's sentence for an error, without its end of line.
std::string reason_of(DWORD error = GetLastError());
/// Sets errno to the POSIX code of a system error.
void set_errno_by(DWORD error);

/// A handle of the system, closed by the destructor.
class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  explicit operator bool() const { return handle_ != nullptr; }
  HANDLE get() const { return handle_; }
  HANDLE release() { return std::exchange(handle_, nullptr); }
  void reset() {
    if (handle_ != nullptr) CloseHandle(std::exchange(handle_, nullptr));
  }

 private:
  HANDLE handle_ = nullptr;
};

}  // namespace orrery::platform
