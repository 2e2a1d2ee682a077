#include "compute/program.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/log.hpp"
#include "base/path.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

std::string options_text(const ProgramSpec& spec) {
  std::string text = "-cl-std=CL1.2";
  for (const auto& [name, value] : spec.definitions) text += " -D " + name + "=" + value;
  if (!spec.options.empty()) text += " " + spec.options;
  return text;
}

// FNV-1a; a name for a file, not a defence: the whole key is stored in the file and compared.
std::string hashed(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
  return {digits.data(), end};
}

std::optional<std::string> included_file(std::string_view line) {
  const auto start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line.substr(start, 8) != "#include") return std::nullopt;
  const auto open = line.find('"', start);
  const auto close = open == std::string_view::npos ? open : line.find('"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(open + 1, close - open - 1));
}

// #line keeps the compiler's messages pointing at the files a person edits.
void expand(const fs::path& folder, const std::string& file, std::set<std::string>& seen, std::string& text) {
  if (!seen.insert(file).second) return;
  std::istringstream lines(read_file(folder / file));
  text += "#line 1 \"" + file + "\"\n";
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (const auto included = included_file(line)) {
      expand(folder, *included, seen, text);
      text += "#line " + std::to_string(number + 1) + " \"" + file + "\"\n";
    } else {
      text += line + "\n";
    }
  }
}

// Layout: the key's length as text and a newline, the key, the binary's FNV-1a hash and a newline, the binary.
std::optional<std::vector<unsigned char>> read_binary(const fs::path& file, std::string_view key) {
  std::error_code ignored;
  if (file.empty() || !fs::is_regular_file(file, ignored)) return std::nullopt;
  try {
    const std::string bytes = read_file(file);
    const std::string head = std::to_string(key.size()) + "\n" + std::string(key);
    if (!bytes.starts_with(head)) return std::nullopt;
    const auto end_of_hash = bytes.find('\n', head.size());
    if (end_of_hash == std::string::npos) return std::nullopt;
    const std::string_view binary = std::string_view(bytes).substr(end_of_hash + 1);
    if (hashed(binary) != bytes.substr(head.size(), end_of_hash - head.size())) return std::nullopt;
    return std::vector<unsigned char>(binary.begin(), binary.end());
  } catch (const Error&) {
    return std::nullopt;
  }
}

void write_binary(const fs::path& file, std::string_view key, const cl::Program& program) {
  if (file.empty()) return;
  try {
    // One for each device of the context; only this library's device has one that is not empty.
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    const auto built = std::ranges::find_if(binaries, [](const auto& bytes) { return !bytes.empty(); });
    if (built == binaries.end()) return;
    const std::string binary(built->begin(), built->end());
    write_file(file, std::to_string(key.size()) + "\n" + std::string(key) + hashed(binary) + "\n" + binary);
  } catch (const std::exception& error) {  // a cache that cannot be written costs time, nothing else
    log(Level::info, std::string("kernel cache: ") + error.what());
  }
}

std::string build_log(const cl::Program& program, const cl::Device& device) {
  try {
    std::string text = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    while (!text.empty() && (text.back() == '\0' || std::isspace(static_cast<unsigned char>(text.back())))) text.pop_back();
    return text;
  } catch (const cl::Error&) {
    return {};
  }
}

}  // namespace

cl::Kernel Program::kernel(const char* entry) const {
  try {
    return {handle, entry};
  } catch (const cl::Error& error) {
    throw opencl_error(error, "finding the kernel " + std::string(entry), {});
  }
}

std::string source_hash(const fs::path& kernels, std::span<const std::string> files) {
  std::set<std::string> seen;
  std::string text;
  for (const std::string& file : files) expand(kernels, file, seen, text);
  return hashed(text);
}

ProgramLibrary::ProgramLibrary(const Device& device, fs::path kernels, fs::path cache)
    : device_(device), kernels_(std::move(kernels)), cache_(std::move(cache)) {}

ProgramLibrary::ProgramLibrary(const Device& device) : ProgramLibrary(device, kernel_folder(), cache_folder()) {}

std::string ProgramLibrary::expanded_source(const std::string& source) const {
  std::set<std::string> seen;
  std::string text;
  expand(kernels_, source, seen, text);
  return text;
}

fs::file_time_type ProgramLibrary::newest_change() const {
  auto newest = fs::file_time_type::min();  // the default is in the year 2174, where libstdc++ begins to count
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(kernels_, ignored))
    newest = std::max(newest, fs::last_write_time(entry, ignored));
  return newest;
}

fs::path ProgramLibrary::cache_file(const ProgramSpec& spec, const std::string& key) const {
  return cache_.empty() ? fs::path() : cache_ / (fs::path(spec.source).stem().string() + "-" + hashed(key) + ".bin");
}

std::shared_ptr<const Program> ProgramLibrary::build_from_source(const ProgramSpec& spec, const std::string& source) const {
  Program built;
  built.handle = cl::Program(device_.context(), source);
  try {
    built.handle.build(device_.handle(), options_text(spec).c_str());
  } catch (const cl::Error& error) {
    ErrorDetails details = opencl_error(error, "building " + spec.source, device_.info().name).details();
    details.log = build_log(built.handle, device_.handle());
    details.advice = details.log.substr(0, details.log.find('\n'));
    throw Error(Fault::failure, std::move(details));
  }
  built.log = build_log(built.handle, device_.handle());
  return std::make_shared<const Program>(std::move(built));
}

std::shared_ptr<const Program> ProgramLibrary::build(const ProgramSpec& spec) {
  const std::string source = expanded_source(spec.source);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = built_.find({spec, source}); found != built_.end()) return found->second;
  }
  const double began = now_seconds();
  const DeviceInfo& info = device_.info();
  const std::string key = info.platform + "\n" + info.name + "\n" + info.version + "\n" + info.driver + "\n" +
                          options_text(spec) + "\n" + source;
  const fs::path file = cache_file(spec, key);

  std::shared_ptr<const Program> program;
  if (const auto binary = read_binary(file, key)) {
    try {
      Program cached;
      cached.handle = cl::Program(device_.context(), {device_.handle()}, {*binary});
      cached.handle.build(device_.handle(), options_text(spec).c_str());
      cached.from_cache = true;
      cached.build_seconds = now_seconds() - began;
      program = std::make_shared<const Program>(std::move(cached));
    } catch (const cl::Error&) {  // any doubt rebuilds
    }
  }
  if (!program) {
    Program built = *build_from_source(spec, source);
    built.build_seconds = now_seconds() - began;
    write_binary(file, key, built.handle);
    program = std::make_shared<const Program>(std::move(built));
  }
  const std::lock_guard lock(mutex_);
  return built_.try_emplace({spec, source}, program).first->second;
}

}  // namespace orrery
