#include "base/platform/threads.hpp"

#include "base/platform/windows/system.hpp"

namespace orrery {

// Empty: the linker sets the stack size in the executable (app/CMakeLists.txt).
void make_stacks_large() {}

void name_thread(const char* name) {
  // Windows 10 brought the function; the import library of older systems has none.
  using Name = HRESULT(WINAPI*)(HANDLE, PCWSTR);
  static const auto set_name = reinterpret_cast<Name>(
      reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "SetThreadDescription")));
  if (set_name != nullptr) set_name(GetCurrentThread(), platform::wide(name).c_str());
}

void lower_priority() { SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

// Reserves room for the handler on the thread's own stack.
void give_signal_stack() {
  ULONG bytes = 1 << 16;
  SetThreadStackGuarantee(&bytes);
}

}  // namespace orrery
