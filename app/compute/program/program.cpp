#include "compute/program/program.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <set>
#include <sstream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/platform/process.hpp"
#include "base/text.hpp"
#include "compute/device/call_watch.hpp"
#include "compute/program/build_log.hpp"
#include "compute/program/compiler.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

struct Taken {
  std::mutex mutex;
  std::set<int> numbers;
};

// Never destroyed: libraries may exist until the process ends.
Taken& taken() {
  static Taken& kept = *new Taken;
  return kept;
}

}  // namespace

bool confuses_queues(const DeviceInfo& info) {
  return info.platform == "Portable Computing Language" && std::atoi(info.driver.c_str()) < 6;
}

OwnPrograms::OwnPrograms(const DeviceInfo& info) {
  if (!confuses_queues(info)) return;
  const std::lock_guard lock(taken().mutex);
  do ++number_;
  while (!taken().numbers.insert(number_).second);
}

OwnPrograms::~OwnPrograms() {
  const std::lock_guard lock(taken().mutex);
  taken().numbers.erase(number_);
}

// One binary per device of the context; only this library's device has one that is not empty.
std::vector<unsigned char> binary_of(const cl::Program& program) {
  const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
  const auto built = std::ranges::find_if(binaries, [](const auto& bytes) { return !bytes.empty(); });
  return built == binaries.end() ? std::vector<unsigned char>() : *built;
}

bool keeps_code_itself(const DeviceInfo& info) {
  return info.platform == "Portable Computing Language" && is_cpu(info) && !is_remote(info);
}

// Without the binary, the next start compiles again.
void keep_binary(const fs::path& file, std::string_view key, const cl::Program& program) try {
  if (!file.empty()) write_binary(file, key, binary_of(program));
} catch (const cl::Error& error) {
  log(Level::info, std::string("kernel cache: ") + error.what());
}

std::string log_of(const cl::Program& program, const Device& device, const std::string& source) {
  try {
    std::string text = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device.handle());
    while (!text.empty() && (text.back() == '\0' || std::isspace(static_cast<unsigned char>(text.back()))))
      text.pop_back();
    return with_named_places(text, source);
  } catch (const cl::Error&) {
    return {};
  }
}

namespace {

// Intel's compiler first prints that it begins.
std::string first_error(const std::string& log) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (line.find("error") != std::string::npos) return line;
  return log.substr(0, log.find('\n'));
}

}  // namespace

cl::Program compiled_here(const Device& device, const std::string& name, const std::string& options,
                          const std::string& source) {
  cl::Program program(device.context(), source);
  try {
    program.build(device.handle(), options.c_str());
  } catch (const cl::Error& error) {
    ErrorDetails details = opencl_error(error, "building " + name, device.info().name).details();
    details.log = log_of(program, device, source);
    details.advice = first_error(details.log);
    if (const std::string limit = platform::small_file_limit(); !limit.empty())
      details.advice += (details.advice.empty() ? "" : "; ") + limit;
    throw Error(Fault::failure, std::move(details));
  }
  return program;
}

cl::Kernel Program::kernel(const char* entry) const {
  try {
    return {handle, entry};
  } catch (const cl::Error& error) {
    throw opencl_error(error, "finding the kernel " + std::string(entry), {});
  }
}

namespace {

std::vector<std::string> kernel_names(const cl::Program& program) {
  std::vector<std::string> names;
  std::istringstream list(program.getInfo<CL_PROGRAM_KERNEL_NAMES>());
  for (std::string name; std::getline(list, name, ';');)
    if (!name.empty()) names.push_back(name.c_str());
  return names;
}

cl_uint arguments_of(const cl::Program& program, const std::string& kernel) {
  return cl::Kernel(program, kernel.c_str()).getInfo<CL_KERNEL_NUM_ARGS>();
}

}  // namespace

void check_replaceable(const Program& old, const Program& fresh) {
  try {
    const std::vector<std::string> names = kernel_names(fresh.handle);
    for (const std::string& name : kernel_names(old.handle)) {
      if (std::ranges::find(names, name) == names.end())
        throw failure("the kernel " + name + " is missing", "the program launches it by this name");
      const cl_uint given = arguments_of(old.handle, name), taken = arguments_of(fresh.handle, name);
      if (given != taken)
        throw failure("the kernel " + name + " takes " + std::to_string(taken) + " arguments",
                      "the program passes " + std::to_string(given));
    }
  } catch (const cl::Error& error) {
    throw opencl_error(error, "looking at the kernels of a program", {});
  }
}

ProgramLibrary::ProgramLibrary(const Device& device, KernelSources sources, fs::path cache)
    : device_(device),
      own_sources_(std::make_shared<const KernelSources>(std::move(sources))),
      cache_(std::move(cache)) {}

ProgramLibrary::ProgramLibrary(const Device& device) : device_(device), cache_(cache_folder()) {}

std::string ProgramLibrary::options_for(const ProgramSpec& spec) const {
  std::string text = "-cl-std=CL1.2";
  for (const auto& [name, value] : spec.definitions) text += " -D " + name + "=" + value;
  if (!spec.options.empty()) text += " " + spec.options;
  return text + own_.option();
}

fs::path ProgramLibrary::cache_file(const ProgramSpec& spec, const std::string& key) const {
  return cache_.empty() ? fs::path() : cache_ / (fs::path(spec.source).stem().string() + "-" + fnv1a(key) + ".bin");
}

std::shared_ptr<const Program> ProgramLibrary::build_from_source(const ProgramSpec& spec, const std::string& source,
                                                                 bool edited) const {
  const std::string options = options_for(spec);
  Program built;
  if (const auto compiler = compiler_for(device_.info(), edited))
    if (const auto compiled = compiler->compile(device_.info(), spec.source, options, source)) {
      try {
        built.handle = cl::Program(device_.context(), {device_.handle()}, {compiled->binary});
        built.handle.build(device_.handle(), options.c_str());
        built.log = compiled->log;
        return std::make_shared<const Program>(std::move(built));
      } catch (const cl::Error&) {  // any doubt rebuilds
      }
    }
  built.handle = compiled_here(device_, spec.source, options, source);
  built.log = log_of(built.handle, device_, source);
  return std::make_shared<const Program>(std::move(built));
}

Program ProgramLibrary::newly_built(const ProgramSpec& spec, const std::string& source, bool edited) const {
  const DeviceInfo& info = device_.info();
  const DriverCall watched(info, DriverCall::Kind::build);
  const std::string key = info.platform + "\n" + info.name + "\n" + info.version + "\n" + info.driver + "\n" +
                          options_for(spec) + "\n" + source;
  // Trial versions are not worth a cache file each.
  const fs::path file = edited ? fs::path() : cache_file(spec, key);
  if (const auto binary = read_binary(file, key)) {
    try {
      Program cached;
      cached.handle = cl::Program(device_.context(), {device_.handle()}, {*binary});
      cached.handle.build(device_.handle(), options_for(spec).c_str());
      cached.from_cache = true;
      return cached;
    } catch (const cl::Error&) {  // any doubt rebuilds
    }
  }
  Program built = *build_from_source(spec, source, edited);
  // A compiler process has returned a binary in any case.
  if (!keeps_code_itself(info) || compiler_for(info, edited)) keep_binary(file, key, built.handle);
  return built;
}

std::shared_ptr<const Program> ProgramLibrary::build(const ProgramSpec& spec) { return build(spec, *sources()); }

std::shared_ptr<const Program> ProgramLibrary::build(const ProgramSpec& spec, const KernelSources& sources) {
  const std::string source = sources.expanded(spec.source);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = built_.find({spec, source}); found != built_.end()) return found->second;
  }
  const bool edited =
      std::ranges::any_of(sources.parts(spec.source), [&](const auto& part) { return sources.is_edited(part); });
  const double began = now_seconds();
  BuildRecord record{.source = spec.source, .options = options_for(spec), .log = {}, .fault = {}};
  std::shared_ptr<const Program> program;
  try {
    Program built = newly_built(spec, source, edited);
    built.build_seconds = record.seconds = now_seconds() - began;
    record.log = built.log;
    record.from_cache = built.from_cache;
    program = std::make_shared<const Program>(std::move(built));
  } catch (const Error& error) {
    record.seconds = now_seconds() - began;
    record.log = error.details().log;
    record.fault = error.what();
    if (watch_) watch_(record);
    throw;
  }
  if (watch_) watch_(record);
  const std::lock_guard lock(mutex_);
  auto kept = built_.try_emplace({spec, source}, program).first->second;
  origins_[kept->handle()] = {spec.source, edited};
  return kept;
}

// Files are read without the lock, because the window's thread takes it too.
std::vector<ProgramLibrary::Key> ProgramLibrary::built_keys(bool in_use) const {
  std::vector<Key> keys;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, program] : built_) keys.push_back(key);
  }
  const auto present = sources();
  std::map<std::string, std::string> texts;
  std::erase_if(keys, [&](const Key& key) {
    const std::string& file = key.first.source;
    if (!texts.contains(file)) {
      try {
        texts[file] = present->expanded(file);
      } catch (const Error&) {  // a file that no longer exists
        texts[file] = {};
      }
    }
    return (texts[file] == key.second) != in_use;
  });
  return keys;
}

std::vector<ProgramSpec> ProgramLibrary::built() const {
  std::vector<ProgramSpec> specs;
  for (Key& key : built_keys(true)) specs.push_back(std::move(key.first));
  return specs;
}

std::size_t ProgramLibrary::count() const {
  const std::lock_guard lock(mutex_);
  return built_.size();
}

ProgramLibrary::Key ProgramLibrary::key_of(const ProgramSpec& spec, const KernelSources& sources) {
  return {spec, sources.expanded(spec.source)};
}

bool ProgramLibrary::has(const Key& key) const {
  const std::lock_guard lock(mutex_);
  return built_.contains(key);
}

void ProgramLibrary::forget_others() {
  const std::vector<Key> others = built_keys(false);
  const std::lock_guard lock(mutex_);
  for (const Key& key : others) built_.erase(key);
}

std::optional<ProgramOrigin> ProgramLibrary::origin_of(cl_program program) const {
  const std::lock_guard lock(mutex_);
  const auto found = origins_.find(program);
  return found == origins_.end() ? std::nullopt : std::optional(found->second);
}

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
