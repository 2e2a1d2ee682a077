// An OpenCL layer (OPENCL_LAYERS=this library) that makes the driver below it fail as drivers do.
//
//   ORRERY_FAULTS="launch from=400 code=-5 device=1; stamps mode=zero"
//
// Semicolons separate the rules; each is a kind and its keys. Kinds:
//   launch, enqueue (every clEnqueue… call), allocation, build, finish, context
//                  the call returns `code` (each kind has a default) and does nothing else
//   lost           after the launch that strikes, every enqueue and finish in its context returns `code`; mode=device:
//                  in every context of that device, for ever
//   gone           from the launch that strikes on, the driver reports the device as not available, and its commands
//                  end at once without an error or an effect, as with PoCL-Remote when a server dies. With such a
//                  rule, every device claims to belong to PoCL-Remote
//   status         the event of a launch ends with `code` instead of CL_COMPLETE
//   block, block-build
//                  the launch, or build, that strikes does not return, nor does any later enqueue, finish or build of
//                  its device
//   delay          a launch begins `ms` milliseconds late;    hang   … never
//   crash          a launch ends the process: mode=address (invalid access) | abort | stack (overflow)
//   compile        clBuildProgram takes `ms` milliseconds longer
//   stamps         profiling times are mode=zero | unordered
//   enumerate      listing devices does mode=crash | hang
//   release        clReleaseContext takes `ms` milliseconds longer
//   small          every device claims to have no doubles, local=32768 bytes of local memory and work-groups of
//                  group=32 at most; builds with doubles, and launches that need more, fail
// Keys of each: at=N (only the N-th call), from=N (the N-th call and all later ones), count=M (at most M calls),
// chance=P seed=S (probability per call; equal sequences of calls get equal faults), device=K (calls on the K-th
// device that commands were enqueued on, from 0), thread=main | other | NAME (calls of the main thread, of all other
// threads, of threads with that name), after=FILE (calls made while the file exists), of=source (builds of programs
// that were not made from a binary).
//
//   ORRERY_FAULT_LOG=FILE      a line is appended for each fault that was injected: its kind, the call, seconds of the
//                              steady clock
//   ORRERY_FAULT_OBJECTS=FILE  the references that the program holds, by type; rewritten every half second; "%p" in
//                              the name stands for the process ID
//   ORRERY_FAULT_OBJECTS_AT=N  writes them once, at the N-th launch, instead
//   ORRERY_FAULT_WAITS=FILE    calls of the main thread that wait for a device, each with its stack; "%p" as above
//   ORRERY_FAULT_SLOW=FILE     all calls that took 50 ms or more: name, milliseconds, thread, and for the main thread
//                              the stack; "%p" as above
#include <CL/cl.h>
#include <CL/cl_gl.h>
#include <CL/cl_layer.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using Keys = std::map<std::string, std::string>;

struct Rule {
  std::string kind;
  Keys keys;
  std::uint64_t calls = 0, injected = 0;

  double number(const char* key, double missing) const {
    const auto found = keys.find(key);
    return found == keys.end() ? missing : std::strtod(found->second.c_str(), nullptr);
  }
  std::string text(const char* key) const {
    const auto found = keys.find(key);
    return found == keys.end() ? std::string() : found->second;
  }
};

cl_icd_dispatch next{};  // the driver's functions
std::mutex mutex;        // guards all below
std::vector<Rule> rules;
std::vector<cl_device_id> devices;  // in the order of their first commands
std::set<const void*> lost;         // lost contexts and devices
cl_int lost_code = CL_OUT_OF_RESOURCES;
std::set<cl_device_id> gone, blocked;
std::map<cl_event, cl_int> codes;  // final status of events
std::set<cl_program> from_binary;

const std::map<std::string, cl_int> default_codes = {{"launch", CL_OUT_OF_RESOURCES},
                                                     {"enqueue", CL_OUT_OF_RESOURCES},
                                                     {"allocation", CL_MEM_OBJECT_ALLOCATION_FAILURE},
                                                     {"build", CL_BUILD_PROGRAM_FAILURE},
                                                     {"finish", CL_OUT_OF_RESOURCES},
                                                     {"context", CL_OUT_OF_RESOURCES},
                                                     {"status", CL_OUT_OF_RESOURCES}};

std::vector<Rule> parsed(const char* text) {
  std::vector<Rule> result;
  std::istringstream all(text != nullptr ? text : "");
  for (std::string one; std::getline(all, one, ';');) {
    std::istringstream words(one);
    Rule rule;
    if (!(words >> rule.kind)) continue;
    for (std::string word; words >> word;)
      rule.keys[word.substr(0, word.find('='))] =
          word.find('=') == std::string::npos ? "1" : word.substr(word.find('=') + 1);
    result.push_back(rule);
  }
  return result;
}

// SplitMix64 of the seed and the number of the call: no state, any order.
double uniform(std::uint64_t seed, std::uint64_t call) {
  std::uint64_t z = (seed + call) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

void append(const std::string& file, const std::string& words, bool with_stack = false) {
  std::array<void*, 24> stack{};
  const int depth = with_stack ? ::backtrace(stack.data(), static_cast<int>(stack.size())) : 0;
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) return;
  if (::write(descriptor, words.data(), words.size()) < 0) std::perror(file.c_str());
  if (with_stack) ::backtrace_symbols_fd(stack.data(), depth, descriptor);
  ::close(descriptor);
}

void write_log(const Rule& rule) {
  const char* file = std::getenv("ORRERY_FAULT_LOG");
  if (file == nullptr) return;
  const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
  append(file, rule.kind + " " + std::to_string(rule.calls) + " " + std::to_string(now.count()) + "\n");
}

template <class Handle>
Handle told_of(cl_command_queue queue, cl_command_queue_info what) {
  Handle handle = nullptr;
  if (queue != nullptr) next.clGetCommandQueueInfo(queue, what, sizeof handle, static_cast<void*>(&handle), nullptr);
  return handle;
}

// -1 without a device.
int device_of(cl_command_queue queue) {
  const auto device = told_of<cl_device_id>(queue, CL_QUEUE_DEVICE);
  if (device == nullptr) return -1;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i] == device) return static_cast<int>(i);
  devices.push_back(device);
  return static_cast<int>(devices.size()) - 1;
}

std::string thread_name() {
  std::array<char, 16> name{};
  ::pthread_getname_np(::pthread_self(), name.data(), name.size());
  return name.data();
}

bool is_on(const std::string& thread) {
  const bool main = ::gettid() == ::getpid();
  if (thread == "main" || thread == "other") return (thread == "main") == main;
  return thread == thread_name();
}

bool strikes(Rule& rule, cl_command_queue queue, cl_program program) {
  const double device = rule.number("device", -1);
  if (device >= 0 && device_of(queue) != static_cast<int>(device)) return false;
  if (const std::string thread = rule.text("thread"); !thread.empty() && !is_on(thread)) return false;
  if (const std::string file = rule.text("after"); !file.empty() && ::access(file.c_str(), F_OK) != 0) return false;
  if (rule.text("of") == "source" && from_binary.contains(program)) return false;
  ++rule.calls;
  const auto call = static_cast<double>(rule.calls);
  if (rule.keys.contains("at") && call != rule.number("at", 0)) return false;
  if (call < rule.number("from", 1)) return false;
  if (static_cast<double>(rule.injected) >= rule.number("count", 1e18)) return false;
  if (uniform(static_cast<std::uint64_t>(rule.number("seed", 1)), rule.calls) >= rule.number("chance", 2)) return false;
  ++rule.injected;
  write_log(rule);
  return true;
}

/// A copy of the rule of this kind that strikes now; if none does, a rule without a kind.
Rule struck(const char* kind, cl_command_queue queue = nullptr, cl_program program = nullptr) {
  const std::lock_guard lock(mutex);
  for (Rule& rule : rules)
    if (rule.kind == kind && strikes(rule, queue, program)) return rule;
  return {};
}

cl_int fault(const char* kind, cl_command_queue queue = nullptr, cl_program program = nullptr) {
  const Rule rule = struck(kind, queue, program);
  return rule.kind.empty() ? CL_SUCCESS : static_cast<cl_int>(rule.number("code", default_codes.at(kind)));
}

// The error code of calls on a queue whose context or device is lost; otherwise CL_SUCCESS.
cl_int loss_of(cl_command_queue queue) {
  const std::lock_guard lock(mutex);
  if (lost.empty()) return CL_SUCCESS;
  const bool is_lost = lost.contains(told_of<cl_context>(queue, CL_QUEUE_CONTEXT)) ||
                       lost.contains(told_of<cl_device_id>(queue, CL_QUEUE_DEVICE));
  return is_lost ? lost_code : CL_SUCCESS;
}

void lose(cl_command_queue queue, const Rule& rule) {
  const std::lock_guard lock(mutex);
  lost_code = static_cast<cl_int>(rule.number("code", CL_OUT_OF_RESOURCES));
  if (rule.text("mode") == "device")
    lost.insert(told_of<cl_device_id>(queue, CL_QUEUE_DEVICE));
  else
    lost.insert(told_of<cl_context>(queue, CL_QUEUE_CONTEXT));
}

bool is_gone(cl_command_queue queue) {
  const std::lock_guard lock(mutex);
  return !gone.empty() && gone.contains(told_of<cl_device_id>(queue, CL_QUEUE_DEVICE));
}

void sleep_for(double milliseconds) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
}

[[noreturn]] void hang() {
  for (;;) sleep_for(1000);
}

void block(cl_device_id device) {
  const std::lock_guard lock(mutex);
  blocked.insert(device);
}

void wait_where_blocked(cl_device_id device) {
  {
    const std::lock_guard lock(mutex);
    if (!blocked.contains(device)) return;
  }
  hang();
}

cl_int enqueue_fault(cl_command_queue queue) {
  wait_where_blocked(told_of<cl_device_id>(queue, CL_QUEUE_DEVICE));
  const cl_int code = loss_of(queue);
  return code != CL_SUCCESS ? code : fault("enqueue", queue);
}

// The addition after the call prevents a tail call.
int overflow(int depth) {
  volatile char memory[4096] = {};
  memory[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow(depth + 1) + memory[0];
}

void crash(const std::string& mode) {
  if (mode == "abort") std::abort();
  if (mode == "stack") std::fprintf(stderr, "%d", overflow(0));
  *reinterpret_cast<volatile int*>(std::uintptr_t{12345}) = 1;
}

// ---- the references that the program holds

// alive: contexts that the driver has not destroyed, for example because an event is still held.
enum Type { contexts, alive, queues, buffers, programs, kernels, events, types };
constexpr std::array<const char*, types> type_names = {"contexts", "alive",   "queues", "buffers",
                                                       "programs", "kernels", "events"};
std::array<std::atomic<long>, types> held{};
std::atomic<long> launches{0};

// The file that an environment variable names; empty if unset.
std::string file_of(const char* variable) {
  const char* given = std::getenv(variable);
  std::string file = given != nullptr ? given : "";
  if (const auto at = file.find("%p"); at != std::string::npos) file.replace(at, 2, std::to_string(::getpid()));
  return file;
}

void write_objects() {
  static const std::string& file = *new std::string(file_of("ORRERY_FAULT_OBJECTS"));  // also while the process ends
  if (file.empty()) return;
  const std::string beside = file + ".part";
  if (std::FILE* stream = std::fopen(beside.c_str(), "w")) {
    for (std::size_t i = 0; i < types; ++i) std::fprintf(stream, "%s %ld\n", type_names[i], held[i].load());
    std::fclose(stream);
    std::rename(beside.c_str(), file.c_str());
  }
}

void count_launch() {
  static const char* const at = std::getenv("ORRERY_FAULT_OBJECTS_AT");
  if (const long launch = ++launches; at != nullptr && launch == std::atol(at)) write_objects();
}

void keep_writing_objects() {
  if (std::getenv("ORRERY_FAULT_OBJECTS") == nullptr || std::getenv("ORRERY_FAULT_OBJECTS_AT") != nullptr) return;
  std::thread([] {
    for (;; sleep_for(500)) write_objects();
  }).detach();
}

template <class Handle>
Handle counted(Type type, Handle handle) {
  if (handle != nullptr) ++held[type];
  return handle;
}

/// clRetain… and clRelease…
template <auto member, Type type, int change>
struct Count;
template <class Handle, cl_int (CL_API_CALL* cl_icd_dispatch::*member)(Handle), Type type, int change>
struct Count<member, type, change> {
  static cl_int CL_API_CALL call(Handle handle) {
    const cl_int code = (next.*member)(handle);
    if (code == CL_SUCCESS) held[type] += change;
    return code;
  }
};

// ---- calls that wait

// The window's thread should make no such call.
void note_wait(const char* call) {
  static const std::string& file = *new std::string(file_of("ORRERY_FAULT_WAITS"));
  if (!file.empty() && is_on("main")) append(file, call, true);
}

// ---- enqueues

template <class Last>
void count_event(Last last) {
  if constexpr (std::is_same_v<Last, cl_event*>)
    if (last != nullptr && *last != nullptr) ++held[events];
}

template <auto member>
struct Enqueue;
template <class... Rest, cl_int (CL_API_CALL* cl_icd_dispatch::*member)(cl_command_queue, Rest...)>
struct Enqueue<member> {
  static cl_int CL_API_CALL call(cl_command_queue queue, Rest... rest) {
    if (const cl_int code = enqueue_fault(queue)) return code;
    const cl_int code = (next.*member)(queue, rest...);
    if (code == CL_SUCCESS) count_event(std::get<sizeof...(Rest) - 1>(std::tuple(rest...)));
    return code;
  }
};

/// Reads and writes, which may wait.
template <auto member>
struct Transfer;
template <class... Rest, cl_int (CL_API_CALL* cl_icd_dispatch::*member)(cl_command_queue, cl_mem, cl_bool, Rest...)>
struct Transfer<member> {
  static cl_int CL_API_CALL call(cl_command_queue queue, cl_mem buffer, cl_bool blocking, Rest... rest) {
    if (blocking != CL_FALSE) note_wait("a blocking read or write\n");
    return Enqueue<member>::call(queue, buffer, blocking, rest...);
  }
};

// The next commands begin when the returned user event is set.
cl_event hold_back(cl_command_queue queue) {
  cl_int code = CL_SUCCESS;
  cl_event gate = next.clCreateUserEvent(told_of<cl_context>(queue, CL_QUEUE_CONTEXT), &code);
  if (gate != nullptr) next.clEnqueueBarrierWithWaitList(queue, 1, &gate, nullptr);
  return gate;
}

// ---- small devices

/// Null without such a rule.
const Rule* small_device() {
  const auto found = std::find_if(rules.begin(), rules.end(), [](const Rule& rule) { return rule.kind == "small"; });
  return found == rules.end() ? nullptr : &*found;
}

std::size_t most_local_bytes(const Rule& small) { return static_cast<std::size_t>(small.number("local", 32768)); }
std::size_t most_in_group(const Rule& small) { return static_cast<std::size_t>(small.number("group", 32)); }

bool is_too_large(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* local) {
  const Rule* small = small_device();
  if (small == nullptr) return false;
  cl_ulong bytes = 0;
  next.clGetKernelWorkGroupInfo(kernel, told_of<cl_device_id>(queue, CL_QUEUE_DEVICE), CL_KERNEL_LOCAL_MEM_SIZE,
                                sizeof bytes, &bytes, nullptr);
  std::size_t items = 1;
  for (cl_uint i = 0; local != nullptr && i < dimensions; ++i) items *= local[i];
  return bytes > most_local_bytes(*small) || items > most_in_group(*small);
}

template <class T>
cl_int tell(T number, size_t bytes, void* value, size_t* size) {
  if (size != nullptr) *size = sizeof number;
  if (value == nullptr) return CL_SUCCESS;
  if (bytes < sizeof number) return CL_INVALID_VALUE;
  std::memcpy(value, &number, sizeof number);
  return CL_SUCCESS;
}

cl_int tell(const std::string& text, size_t bytes, void* value, size_t* size) {
  if (size != nullptr) *size = text.size() + 1;
  if (value == nullptr) return CL_SUCCESS;
  if (bytes < text.size() + 1) return CL_INVALID_VALUE;
  std::memcpy(value, text.c_str(), text.size() + 1);
  return CL_SUCCESS;
}

std::string text_of(cl_device_id device, cl_device_info what) {
  std::string text(16384, '\0');
  size_t size = 0;
  if (next.clGetDeviceInfo(device, what, text.size(), text.data(), &size) != CL_SUCCESS || size == 0) return {};
  text.resize(size - 1);
  return text;
}

std::string without(std::string text, const std::string& word) {
  if (const std::size_t at = text.find(word); at != std::string::npos) text.erase(at, word.size());
  return text;
}

cl_int CL_API_CALL get_work_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                       size_t bytes, void* value, size_t* size) {
  const cl_int code = next.clGetKernelWorkGroupInfo(kernel, device, what, bytes, value, size);
  const Rule* small = small_device();
  if (code != CL_SUCCESS || small == nullptr || what != CL_KERNEL_WORK_GROUP_SIZE || value == nullptr) return code;
  size_t most = 0;
  std::memcpy(&most, value, sizeof most);
  return tell(std::min(most, most_in_group(*small)), bytes, value, size);
}

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                          const size_t* global, const size_t* local, cl_uint waits, const cl_event* wait_list,
                          cl_event* event) {
  count_launch();
  if (const Rule rule = struck("crash", queue); !rule.kind.empty()) crash(rule.text("mode"));
  if (const Rule rule = struck("lost", queue); !rule.kind.empty()) lose(queue, rule);
  if (!struck("block", queue).kind.empty()) block(told_of<cl_device_id>(queue, CL_QUEUE_DEVICE));
  if (!struck("gone", queue).kind.empty()) {
    const std::lock_guard lock(mutex);
    gone.insert(told_of<cl_device_id>(queue, CL_QUEUE_DEVICE));
  }
  if (const cl_int code = enqueue_fault(queue)) return code;
  if (is_gone(queue)) {
    const cl_int code = next.clEnqueueMarkerWithWaitList(queue, waits, wait_list, event);
    if (code == CL_SUCCESS) count_event(event);
    return code;
  }
  if (const cl_int code = fault("launch", queue)) return code;
  if (is_too_large(queue, kernel, dimensions, local)) return CL_INVALID_WORK_GROUP_SIZE;
  if (!struck("hang", queue).kind.empty()) hold_back(queue);
  if (const Rule rule = struck("delay", queue); !rule.kind.empty())
    if (const cl_event gate = hold_back(queue))
      std::thread([gate, ms = rule.number("ms", 100)] {
        sleep_for(ms);
        next.clSetUserEventStatus(gate, CL_COMPLETE);
        next.clReleaseEvent(gate);
      }).detach();
  const cl_int status = event != nullptr ? fault("status", queue) : CL_SUCCESS;
  const cl_int code =
      next.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
  if (code != CL_SUCCESS) return code;
  count_event(event);
  if (status != CL_SUCCESS) {
    const std::lock_guard lock(mutex);
    codes[*event] = status;
  }
  return code;
}

void* CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset,
                             size_t bytes, cl_uint waits, const cl_event* wait_list, cl_event* event, cl_int* result) {
  if (const cl_int code = enqueue_fault(queue)) {
    if (result != nullptr) *result = code;
    return nullptr;
  }
  if (blocking != CL_FALSE) note_wait("a blocking map\n");
  void* memory =
      next.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, bytes, waits, wait_list, event, result);
  if (memory != nullptr) count_event(event);
  return memory;
}

// ---- everything else

template <class Handle, class F>
Handle created(const char* kind, Type type, cl_int* result, F&& create) {
  if (const cl_int code = kind != nullptr ? fault(kind) : CL_SUCCESS) {
    if (result != nullptr) *result = code;
    return nullptr;
  }
  return counted(type, create());
}

// With a destructor callback, clReleaseContext of NVIDIA's driver 580.159 hangs about one time in eight.
bool is_nvidia(cl_device_id device) {
  std::array<char, 256> vendor{};
  next.clGetDeviceInfo(device, CL_DEVICE_VENDOR, vendor.size() - 1, vendor.data(), nullptr);
  return std::strstr(vendor.data(), "NVIDIA") != nullptr;
}

cl_context CL_API_CALL create_context(const cl_context_properties* properties, cl_uint count, const cl_device_id* list,
                                      void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* user,
                                      cl_int* result) {
  const cl_context made = created<cl_context>(
      "context", contexts, result, [&] { return next.clCreateContext(properties, count, list, notify, user, result); });
  const auto destroyed = [](cl_context, void*) { --held[alive]; };
  if (made != nullptr && count > 0 && !is_nvidia(*list) && next.clSetContextDestructorCallback != nullptr &&
      next.clSetContextDestructorCallback(made, destroyed, nullptr) == CL_SUCCESS)
    ++held[alive];
  const std::lock_guard lock(mutex);
  lost.erase(made);  // an earlier context had this address
  return made;
}

cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties, cl_int* result) {
  return created<cl_command_queue>(nullptr, queues, result,
                                   [&] { return next.clCreateCommandQueue(context, device, properties, result); });
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host, cl_int* result) {
  return created<cl_mem>("allocation", buffers, result,
                         [&] { return next.clCreateBuffer(context, flags, bytes, host, result); });
}

cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void* region,
                                     cl_int* result) {
  return created<cl_mem>("allocation", buffers, result,
                         [&] { return next.clCreateSubBuffer(buffer, flags, type, region, result); });
}

cl_mem CL_API_CALL create_from_gl(cl_context context, cl_mem_flags flags, cl_GLuint buffer, cl_int* result) {
  return created<cl_mem>(nullptr, buffers, result,
                         [&] { return next.clCreateFromGLBuffer(context, flags, buffer, result); });
}

cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char** strings, const size_t* lengths,
                                      cl_int* result) {
  const cl_program made = created<cl_program>(nullptr, programs, result, [&] {
    return next.clCreateProgramWithSource(context, count, strings, lengths, result);
  });
  const std::lock_guard lock(mutex);
  from_binary.erase(made);  // an earlier program had this address
  return made;
}

cl_program CL_API_CALL create_program_from_binary(cl_context context, cl_uint count, const cl_device_id* list,
                                                  const size_t* lengths, const unsigned char** binaries, cl_int* status,
                                                  cl_int* result) {
  const cl_program made = created<cl_program>(nullptr, programs, result, [&] {
    return next.clCreateProgramWithBinary(context, count, list, lengths, binaries, status, result);
  });
  const std::lock_guard lock(mutex);
  from_binary.insert(made);
  return made;
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* result) {
  return created<cl_kernel>(nullptr, kernels, result, [&] { return next.clCreateKernel(program, name, result); });
}

cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* list, const char* options,
                                 void(CL_CALLBACK* notify)(cl_program, void*), void* user) {
  if (const Rule slow = struck("compile", nullptr, program); !slow.kind.empty()) sleep_for(slow.number("ms", 1000));
  if (count > 0 && !struck("block-build", nullptr, program).kind.empty()) block(*list);
  if (count > 0) wait_where_blocked(*list);
  cl_int failed = fault("build", nullptr, program);
  if (small_device() != nullptr && options != nullptr && std::strstr(options, "DOUBLE=1") != nullptr)
    failed = CL_BUILD_PROGRAM_FAILURE;
  const cl_int code = next.clBuildProgram(program, count, list, options, notify, user);  // fills the build log
  return failed != CL_SUCCESS ? failed : code;
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
  wait_where_blocked(told_of<cl_device_id>(queue, CL_QUEUE_DEVICE));
  cl_int code = loss_of(queue);
  if (code == CL_SUCCESS) code = fault("finish", queue);
  note_wait("clFinish\n");
  return code != CL_SUCCESS ? code : next.clFinish(queue);
}

cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event* list) {
  note_wait("clWaitForEvents\n");
  return next.clWaitForEvents(count, list);
}

cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id* list,
                                  cl_uint* found) {
  if (const Rule rule = struck("enumerate"); !rule.kind.empty()) {
    if (rule.text("mode") == "hang") hang();
    std::abort();
  }
  return next.clGetDeviceIDs(platform, type, count, list, found);
}

cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t bytes, void* value, size_t* size) {
  const std::lock_guard lock(mutex);
  const bool remote = std::any_of(rules.begin(), rules.end(), [](const Rule& rule) { return rule.kind == "gone"; });
  if (what == CL_DEVICE_AVAILABLE && gone.contains(device) && value != nullptr && bytes >= sizeof(cl_bool)) {
    constexpr cl_bool no = CL_FALSE;
    std::memcpy(value, &no, sizeof no);
    return CL_SUCCESS;
  }
  if (what == CL_DEVICE_VERSION && remote) return tell(text_of(device, what) + " pocl-remote", bytes, value, size);
  if (const Rule* small = small_device()) switch (what) {
      case CL_DEVICE_DOUBLE_FP_CONFIG:
        return tell(cl_device_fp_config{0}, bytes, value, size);
      case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
      case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
        return tell(cl_uint{0}, bytes, value, size);
      case CL_DEVICE_LOCAL_MEM_SIZE:
        return tell(cl_ulong{most_local_bytes(*small)}, bytes, value, size);
      case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return tell(most_in_group(*small), bytes, value, size);
      case CL_DEVICE_EXTENSIONS:
        return tell(without(text_of(device, what), "cl_khr_fp64"), bytes, value, size);
      default:
        break;
    }
  return next.clGetDeviceInfo(device, what, bytes, value, size);
}

cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info what, size_t bytes, void* value, size_t* size) {
  const cl_int code = next.clGetEventInfo(event, what, bytes, value, size);
  if (code != CL_SUCCESS || what != CL_EVENT_COMMAND_EXECUTION_STATUS || value == nullptr) return code;
  const std::lock_guard lock(mutex);
  const auto ending = codes.find(event);
  cl_int status = CL_QUEUED;
  std::memcpy(&status, value, sizeof status);
  if (ending != codes.end() && status <= CL_COMPLETE) std::memcpy(value, &ending->second, sizeof status);
  return code;
}

cl_int CL_API_CALL get_profiling(cl_event event, cl_profiling_info what, size_t bytes, void* value, size_t* size) {
  const cl_int code = next.clGetEventProfilingInfo(event, what, bytes, value, size);
  if (code != CL_SUCCESS || value == nullptr || bytes < sizeof(cl_ulong)) return code;
  const Rule rule = struck("stamps");
  if (rule.kind.empty()) return code;
  // CL_PROFILING_COMMAND_QUEUED, SUBMIT, START and END have rising values.
  const cl_ulong stamp =
      rule.text("mode") == "unordered" ? 1000000 - 1000 * cl_ulong{what - CL_PROFILING_COMMAND_QUEUED} : 0;
  std::memcpy(value, &stamp, sizeof stamp);
  return code;
}

cl_int CL_API_CALL release_event(cl_event event) {
  {
    const std::lock_guard lock(mutex);
    cl_uint references = 0;
    next.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr);
    if (references == 1) codes.erase(event);
  }
  const cl_int code = next.clReleaseEvent(event);
  if (code == CL_SUCCESS) --held[events];
  return code;
}

cl_int CL_API_CALL release_context(cl_context context) {
  if (const Rule slow = struck("release"); !slow.kind.empty()) sleep_for(slow.number("ms", 1000));
  return Count<&cl_icd_dispatch::clReleaseContext, contexts, -1>::call(context);
}

cl_icd_dispatch with_faults() {
  cl_icd_dispatch layer = next;
#define ORRERY_ENQUEUE(name) layer.name = Enqueue<&cl_icd_dispatch::name>::call
  ORRERY_ENQUEUE(clEnqueueCopyBuffer);
  ORRERY_ENQUEUE(clEnqueueCopyBufferRect);
  ORRERY_ENQUEUE(clEnqueueFillBuffer);
  ORRERY_ENQUEUE(clEnqueueUnmapMemObject);
  ORRERY_ENQUEUE(clEnqueueMarkerWithWaitList);
  ORRERY_ENQUEUE(clEnqueueBarrierWithWaitList);
  ORRERY_ENQUEUE(clEnqueueMigrateMemObjects);
  ORRERY_ENQUEUE(clEnqueueAcquireGLObjects);
  ORRERY_ENQUEUE(clEnqueueReleaseGLObjects);
#undef ORRERY_ENQUEUE
#define ORRERY_TRANSFER(name) layer.name = Transfer<&cl_icd_dispatch::name>::call
  ORRERY_TRANSFER(clEnqueueReadBuffer);
  ORRERY_TRANSFER(clEnqueueReadBufferRect);
  ORRERY_TRANSFER(clEnqueueWriteBuffer);
  ORRERY_TRANSFER(clEnqueueWriteBufferRect);
#undef ORRERY_TRANSFER
#define ORRERY_COUNT(object, type)                                                   \
  layer.clRetain##object = Count<&cl_icd_dispatch::clRetain##object, type, 1>::call; \
  layer.clRelease##object = Count<&cl_icd_dispatch::clRelease##object, type, -1>::call
  ORRERY_COUNT(Context, contexts);
  ORRERY_COUNT(CommandQueue, queues);
  ORRERY_COUNT(MemObject, buffers);
  ORRERY_COUNT(Program, programs);
  ORRERY_COUNT(Kernel, kernels);
  ORRERY_COUNT(Event, events);
#undef ORRERY_COUNT
  layer.clReleaseEvent = release_event;
  layer.clReleaseContext = release_context;
  layer.clEnqueueNDRangeKernel = launch;
  layer.clEnqueueMapBuffer = map_buffer;
  layer.clCreateContext = create_context;
  layer.clCreateCommandQueue = create_queue;
  layer.clCreateBuffer = create_buffer;
  layer.clCreateSubBuffer = create_sub_buffer;
  layer.clCreateFromGLBuffer = create_from_gl;
  layer.clCreateProgramWithSource = create_program;
  layer.clCreateProgramWithBinary = create_program_from_binary;
  layer.clCreateKernel = create_kernel;
  layer.clBuildProgram = build_program;
  layer.clFinish = finish;
  layer.clWaitForEvents = wait_for_events;
  layer.clGetDeviceIDs = get_device_ids;
  layer.clGetDeviceInfo = get_device_info;
  layer.clGetKernelWorkGroupInfo = get_work_group_info;
  layer.clGetEventInfo = get_event_info;
  layer.clGetEventProfilingInfo = get_profiling;
  return layer;
}

// ---- slow calls

cl_icd_dispatch faulty{};  // with_faults()

void note_duration(const char* call, std::chrono::steady_clock::time_point began) {
  static const std::string& file = *new std::string(file_of("ORRERY_FAULT_SLOW"));
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
  if (took < 50) return;
  std::ostringstream words;
  words << call << ' ' << took << " ms " << thread_name() << '\n';
  append(file, words.str(), is_on("main"));
}

template <auto member>
struct Timed;
template <class Result, class... Arguments, Result (CL_API_CALL* cl_icd_dispatch::*member)(Arguments...)>
struct Timed<member> {
  static inline const char* name = nullptr;
  static Result CL_API_CALL call(Arguments... arguments) {
    const auto began = std::chrono::steady_clock::now();
    const Result result = (faulty.*member)(arguments...);
    note_duration(name, began);
    return result;
  }
};

cl_icd_dispatch timed() {
  cl_icd_dispatch layer = faulty;
#define ORRERY_TIMED(entry)                       \
  Timed<& cl_icd_dispatch::entry>::name = #entry; \
  layer.entry = Timed<&cl_icd_dispatch::entry>::call
  ORRERY_TIMED(clCreateContext);
  ORRERY_TIMED(clReleaseContext);
  ORRERY_TIMED(clCreateCommandQueue);
  ORRERY_TIMED(clReleaseCommandQueue);
  ORRERY_TIMED(clCreateBuffer);
  ORRERY_TIMED(clCreateSubBuffer);
  ORRERY_TIMED(clCreateFromGLBuffer);
  ORRERY_TIMED(clReleaseMemObject);
  ORRERY_TIMED(clCreateProgramWithSource);
  ORRERY_TIMED(clCreateProgramWithBinary);
  ORRERY_TIMED(clBuildProgram);
  ORRERY_TIMED(clReleaseProgram);
  ORRERY_TIMED(clCreateKernel);
  ORRERY_TIMED(clReleaseKernel);
  ORRERY_TIMED(clSetKernelArg);
  ORRERY_TIMED(clGetProgramInfo);
  ORRERY_TIMED(clGetProgramBuildInfo);
  ORRERY_TIMED(clGetKernelWorkGroupInfo);
  ORRERY_TIMED(clGetDeviceInfo);
  ORRERY_TIMED(clGetEventInfo);
  ORRERY_TIMED(clGetEventProfilingInfo);
  ORRERY_TIMED(clReleaseEvent);
  ORRERY_TIMED(clFlush);
  ORRERY_TIMED(clFinish);
  ORRERY_TIMED(clWaitForEvents);
  ORRERY_TIMED(clEnqueueReadBuffer);
  ORRERY_TIMED(clEnqueueWriteBuffer);
  ORRERY_TIMED(clEnqueueReadBufferRect);
  ORRERY_TIMED(clEnqueueWriteBufferRect);
  ORRERY_TIMED(clEnqueueCopyBuffer);
  ORRERY_TIMED(clEnqueueFillBuffer);
  ORRERY_TIMED(clEnqueueMapBuffer);
  ORRERY_TIMED(clEnqueueUnmapMemObject);
  ORRERY_TIMED(clEnqueueNDRangeKernel);
  ORRERY_TIMED(clEnqueueMarkerWithWaitList);
  ORRERY_TIMED(clEnqueueBarrierWithWaitList);
  ORRERY_TIMED(clEnqueueAcquireGLObjects);
  ORRERY_TIMED(clEnqueueReleaseGLObjects);
#undef ORRERY_TIMED
  return layer;
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t bytes, void* value, size_t* size) {
  static constexpr char name[] = "orrery faults";
  static constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const bool is_version = what == CL_LAYER_API_VERSION;
  if (!is_version && what != CL_LAYER_NAME) return CL_INVALID_VALUE;
  const size_t needed = is_version ? sizeof version : sizeof name;
  if (size != nullptr) *size = needed;
  if (value == nullptr) return CL_SUCCESS;
  if (bytes < needed) return CL_INVALID_VALUE;
  std::memcpy(value, is_version ? static_cast<const void*>(&version) : static_cast<const void*>(name), needed);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target, cl_uint* entries_here,
                                            const cl_icd_dispatch** here) {
  static cl_icd_dispatch layer{};
  static constexpr cl_uint all = sizeof layer / sizeof layer.clGetPlatformIDs;
  if (target == nullptr || entries_here == nullptr || here == nullptr) return CL_INVALID_VALUE;
  std::memcpy(static_cast<void*>(&next), target, std::min(entries, all) * sizeof layer.clGetPlatformIDs);
  rules = parsed(std::getenv("ORRERY_FAULTS"));
  keep_writing_objects();
  faulty = with_faults();
  layer = std::getenv("ORRERY_FAULT_SLOW") != nullptr ? timed() : faulty;
  *entries_here = std::min(entries, all);
  *here = &layer;
  return CL_SUCCESS;
}
}
