#include "base/platform/child.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <stdexcept>
#include <thread>

#include "base/platform/windows/system.hpp"

namespace orrery::platform {
namespace {

[[noreturn]] void throw_reason(const char* what = "") { throw std::runtime_error(what + reason_of()); }

/// A pipe or channel: our end is asynchronous (FILE_FLAG_OVERLAPPED), the child's end blocks, and only it is inherited.
struct Ends {
  Handle ours, theirs;
};

Ends named_pipe(DWORD ours, DWORD theirs) {
  static std::atomic<unsigned> counter = 0;
  const std::wstring name =
      L"\\\\.\\pipe\\orrery-" + std::to_wstring(GetCurrentProcessId()) + L"-" + std::to_wstring(counter++);
  constexpr DWORD room = 1 << 16;
  Ends ends;
  ends.ours = Handle(CreateNamedPipeW(name.c_str(), ours | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                                      PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, room, room, 0, nullptr));
  if (!ends.ours) throw_reason("cannot make a pipe: ");
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  ends.theirs = Handle(CreateFileW(name.c_str(), theirs, 0, &inherited, OPEN_EXISTING, 0, nullptr));
  if (!ends.theirs) throw_reason("cannot make a pipe: ");
  return ends;
}

Ends nothing() {
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  return {{},
          Handle(CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                             OPEN_EXISTING, 0, nullptr))};
}

Ends input_for(ChildStart::Input kind) {
  if (kind == ChildStart::Input::pipe) return named_pipe(PIPE_ACCESS_OUTBOUND, GENERIC_READ | FILE_WRITE_ATTRIBUTES);
  if (kind == ChildStart::Input::channel) return named_pipe(PIPE_ACCESS_DUPLEX, GENERIC_READ | GENERIC_WRITE);
  return nothing();
}

Handle copy_of(HANDLE handle) {
  HANDLE copy = nullptr;
  const HANDLE self = GetCurrentProcess();
  if (handle == nullptr || !DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS)) return {};
  return Handle(copy);
}

Ends output_for(ChildStart::Output kind, DWORD ours, const Handle& other) {
  if (kind == ChildStart::Output::pipe) return named_pipe(PIPE_ACCESS_INBOUND, GENERIC_WRITE | FILE_READ_ATTRIBUTES);
  if (kind == ChildStart::Output::ours) return {{}, copy_of(GetStdHandle(ours))};
  if (kind == ChildStart::Output::with_output) return {{}, copy_of(other.get())};
  return nothing();
}

// CommandLineToArgvW and the C library take the line apart again by these rules.
std::wstring quoted(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring::npos) return word;
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'"') text.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    text += c;
  }
  return text.append(backslashes, L'\\') + L'"';
}

std::wstring command_line(const ChildStart& start) {
  std::wstring line = quoted(start.program.native());
  for (const std::string& argument : start.arguments) line += L" " + quoted(wide(argument));
  return line;
}

struct IgnoringCase {
  bool operator()(const std::wstring& a, const std::wstring& b) const {
    return CompareStringOrdinal(a.c_str(), -1, b.c_str(), -1, TRUE) == CSTR_LESS_THAN;
  }
};

// Sorted, as the system wants it. Names such as "=C:" begin with the sign.
std::wstring environment_with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::map<std::wstring, std::wstring, IgnoringCase> entries;
  wchar_t* const block = GetEnvironmentStringsW();
  for (const wchar_t* entry = block; *entry != 0; entry += std::wstring_view(entry).size() + 1) {
    const std::wstring_view text = entry;
    const std::size_t sign = text.find(L'=', 1);
    entries[std::wstring(text.substr(0, sign))] = text.substr(std::min(sign, text.size() - 1) + 1);
  }
  FreeEnvironmentStringsW(block);
  for (const auto& [name, value] : changes) entries[wide(name)] = wide(value);
  std::wstring result;
  for (const auto& [name, value] : entries) (result += name + L"=" + value) += L'\0';
  return result += L'\0';
}

/// Only these handles are inherited: another thread may start a child at the same time.
class Inherited {
 public:
  explicit Inherited(std::vector<HANDLE> handles) : handles_(std::move(handles)) {
    std::erase(handles_, nullptr);
    std::ranges::sort(handles_);
    handles_.erase(std::unique(handles_.begin(), handles_.end()), handles_.end());
    SIZE_T bytes = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
    memory_.resize(bytes);
    if (!InitializeProcThreadAttributeList(list(), 1, 0, &bytes)) throw_reason();
    if (!UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                   handles_.size() * sizeof(HANDLE), nullptr, nullptr))
      throw_reason();
  }
  ~Inherited() { DeleteProcThreadAttributeList(list()); }
  Inherited(const Inherited&) = delete;
  Inherited& operator=(const Inherited&) = delete;

  LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

 private:
  std::vector<HANDLE> handles_;
  std::vector<char> memory_;
};

/// An asynchronous operation on our end of a pipe. The destructor waits for its end before releasing the memory.
class Operation {
 public:
  Operation() : event_(CreateEventW(nullptr, TRUE, FALSE, nullptr)) { state_.hEvent = event_.get(); }
  OVERLAPPED* state() { return &state_; }
  HANDLE event() const { return event_.get(); }
  /// The bytes that were moved; nothing after a failure.
  std::optional<DWORD> wait(HANDLE pipe) {
    DWORD count = 0;
    if (!GetOverlappedResult(pipe, &state_, &count, TRUE)) return std::nullopt;
    return count;
  }

 private:
  Handle event_;
  OVERLAPPED state_{};
};

bool was_begun(BOOL result) { return result || GetLastError() == ERROR_IO_PENDING; }

DWORD at_most_block(std::size_t size) { return static_cast<DWORD>(std::min<std::size_t>(size, 1 << 20)); }

void append_what_came(const Handle& pipe, std::string& text) {
  if (!pipe) return;
  std::array<char, 4096> bytes{};
  for (DWORD there = 0; PeekNamedPipe(pipe.get(), nullptr, 0, nullptr, &there, nullptr) && there > 0;) {
    Operation reading;
    if (!was_begun(ReadFile(pipe.get(), bytes.data(), static_cast<DWORD>(std::min<std::size_t>(there, bytes.size())),
                            nullptr, reading.state())))
      return;
    const auto count = reading.wait(pipe.get());
    if (!count) return;
    text.append(bytes.data(), *count);
  }
}

// The exit code of a process that an exception has ended is the exception's, an NTSTATUS of severity "error".
ChildStatus status_from(DWORD code) {
  constexpr DWORD error_severity = 0xC0000000, killed = 0x40010000, aborted = 3;
  if (code == EXCEPTION_ACCESS_VIOLATION) return {true, 0, "access violation"};
  if (code == EXCEPTION_STACK_OVERFLOW) return {true, 0, "stack overflow"};
  if (code == killed) return {true, 0, "killed"};
  if (code == aborted) return {true, 0, "aborted"};
  if ((code & error_severity) == error_severity) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "exception %08lX", static_cast<unsigned long>(code));
    return {true, 0, text.data()};
  }
  return {false, static_cast<int>(code), {}};
}

}  // namespace

struct Child::Process {
  Handle process;
  DWORD id = 0;
  Handle input, output, errors;
  // A write to `input` under way, and its bytes.
  std::optional<Operation> writing;
  std::vector<std::uint8_t> block;

  /// Takes over a finished write. False if the child has closed its end.
  bool finish_write() {
    const auto written = writing->wait(input.get());
    writing.reset();
    return written.has_value();
  }
};

Child::Child(const ChildStart& start) : process_(std::make_unique<Process>()) {
  Ends input = input_for(start.input);
  Ends output = output_for(start.output, STD_OUTPUT_HANDLE, {});
  Ends errors = output_for(start.errors, STD_ERROR_HANDLE, output.theirs);
  Inherited inherited({input.theirs.get(), output.theirs.get(), errors.theirs.get()});
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = input.theirs.get();
  startup.StartupInfo.hStdOutput = output.theirs.get();
  startup.StartupInfo.hStdError = errors.theirs.get();
  startup.lpAttributeList = inherited.list();
  std::wstring line = command_line(start), environment = environment_with(start.environment);
  // A console program begun by one without a console would open a window of its own.
  const DWORD flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT |
                      (start.apart_from_terminal ? CREATE_NEW_PROCESS_GROUP : 0) |
                      (GetConsoleWindow() == nullptr ? CREATE_NO_WINDOW : 0);
  PROCESS_INFORMATION begun{};
  const wchar_t* program = start.program.has_parent_path() ? start.program.c_str() : nullptr;
  if (!CreateProcessW(program, line.data(), nullptr, nullptr, TRUE, flags, environment.data(), nullptr,
                      &startup.StartupInfo, &begun))
    throw_reason();
  CloseHandle(begun.hThread);
  process_->process = Handle(begun.hProcess);
  process_->id = begun.dwProcessId;
  process_->input = std::move(input.ours);
  process_->output = std::move(output.ours);
  process_->errors = std::move(errors.ours);
}

Child::~Child() { close_input(); }

std::optional<ChildStatus> Child::poll() {
  if (WaitForSingleObject(process_->process.get(), 0) != WAIT_OBJECT_0) return std::nullopt;
  return wait();
}

ChildStatus Child::wait() {
  DWORD code = 0;
  WaitForSingleObject(process_->process.get(), INFINITE);
  GetExitCodeProcess(process_->process.get(), &code);
  return status_from(code);
}

// Reaches only children that share our console.
void Child::request_end() {
  if (!GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, process_->id)) kill();
}

void Child::kill() {
  constexpr UINT killed = 0x40010000;  // no program's own exit code
  TerminateProcess(process_->process.get(), killed);
}

void Child::forget() {}

Child::Taken Child::write_some(std::span<const std::uint8_t>& bytes) {
  Process& p = *process_;
  if (p.writing) {
    if (WaitForSingleObject(p.writing->event(), 0) != WAIT_OBJECT_0) return Taken::none;
    if (!p.finish_write()) return Taken::closed;
  }
  constexpr std::size_t most = 1 << 16;
  p.block.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), most)));
  p.writing.emplace();
  if (!was_begun(
          WriteFile(p.input.get(), p.block.data(), static_cast<DWORD>(p.block.size()), nullptr, p.writing->state()))) {
    p.writing.reset();
    return Taken::closed;
  }
  bytes = bytes.subspan(p.block.size());
  return Taken::some;
}

bool Child::written() {
  return !process_->writing || WaitForSingleObject(process_->writing->event(), 0) == WAIT_OBJECT_0;
}

void Child::close_input() {
  Process& p = *process_;
  if (!written()) CancelIoEx(p.input.get(), nullptr);
  if (p.writing) (void)p.finish_write();
  p.input.reset();
}

void Child::read_output(std::string& text) { append_what_came(process_->output, text); }
void Child::read_errors(std::string& text) { append_what_came(process_->errors, text); }

// A pipe has no event for new bytes: the wait looks for them several times a second.
void Child::wait_for_streams(std::chrono::milliseconds most) {
  constexpr std::chrono::milliseconds turn{10};
  const auto milliseconds = static_cast<DWORD>(std::min(most, turn).count());
  if (process_->writing)
    WaitForSingleObject(process_->writing->event(), milliseconds);
  else
    Sleep(milliseconds);
}

bool Child::send(const void* bytes, std::size_t size) {
  for (const char* next = static_cast<const char*>(bytes); size > 0;) {
    Operation sending;
    if (!was_begun(WriteFile(process_->input.get(), next, at_most_block(size), nullptr, sending.state()))) return false;
    const auto count = sending.wait(process_->input.get());
    if (!count || *count == 0) return false;
    next += *count;
    size -= *count;
  }
  return true;
}

bool Child::receive(void* bytes, std::size_t size) {
  for (char* next = static_cast<char*>(bytes); size > 0;) {
    Operation receiving;
    if (!was_begun(ReadFile(process_->input.get(), next, at_most_block(size), nullptr, receiving.state())))
      return false;
    const auto count = receiving.wait(process_->input.get());
    if (!count || *count == 0) return false;
    next += *count;
    size -= *count;
  }
  return true;
}

bool send_to_parent(const void* bytes, std::size_t size) {
  for (const char* next = static_cast<const char*>(bytes); size > 0;) {
    DWORD count = 0;
    if (!WriteFile(GetStdHandle(STD_INPUT_HANDLE), next, at_most_block(size), &count, nullptr) || count == 0)
      return false;
    next += count;
    size -= count;
  }
  return true;
}

bool receive_from_parent(void* bytes, std::size_t size) {
  for (char* next = static_cast<char*>(bytes); size > 0;) {
    DWORD count = 0;
    if (!ReadFile(GetStdHandle(STD_INPUT_HANDLE), next, at_most_block(size), &count, nullptr) || count == 0)
      return false;
    next += count;
    size -= count;
  }
  return true;
}

bool parent_has_sent(std::chrono::milliseconds within) {
  constexpr DWORD turn = 5;
  for (const ULONGLONG began = GetTickCount64(); GetTickCount64() - began < static_cast<ULONGLONG>(within.count());) {
    DWORD there = 0;
    if (!PeekNamedPipe(GetStdHandle(STD_INPUT_HANDLE), nullptr, 0, nullptr, &there, nullptr)) return true;  // the end
    if (there > 0) return true;
    Sleep(turn);
  }
  return false;
}

}  // namespace orrery::platform
