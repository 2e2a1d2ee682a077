#include "cli/device_report.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/files/path.hpp"
#include "base/platform/process.hpp"
#include "base/text.hpp"
#include "compute/device/driver_check.hpp"

namespace orrery::cli {
namespace {

using Json = nlohmann::ordered_json;

// The format of a property's bytes.
enum class Kind { text, flag, uint, ulong, size, sizes, bits, version, versions };

struct Property {
  cl_device_info number;
  const char* name;
  Kind kind;
};

// Properties missing in headers of OpenCL 1.2 are given by number.
constexpr std::array properties{
    Property{CL_DEVICE_TYPE, "TYPE", Kind::bits},
    Property{CL_DEVICE_VENDOR_ID, "VENDOR_ID", Kind::uint},
    Property{CL_DEVICE_PROFILE, "PROFILE", Kind::text},
    Property{CL_DEVICE_VERSION, "VERSION", Kind::text},
    Property{CL_DRIVER_VERSION, "DRIVER_VERSION", Kind::text},
    Property{CL_DEVICE_OPENCL_C_VERSION, "OPENCL_C_VERSION", Kind::text},
    Property{CL_DEVICE_MAX_COMPUTE_UNITS, "MAX_COMPUTE_UNITS", Kind::uint},
    Property{CL_DEVICE_MAX_CLOCK_FREQUENCY, "MAX_CLOCK_FREQUENCY", Kind::uint},
    Property{CL_DEVICE_ADDRESS_BITS, "ADDRESS_BITS", Kind::uint},
    Property{CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, "MAX_WORK_ITEM_DIMENSIONS", Kind::uint},
    Property{CL_DEVICE_MAX_WORK_ITEM_SIZES, "MAX_WORK_ITEM_SIZES", Kind::sizes},
    Property{CL_DEVICE_MAX_WORK_GROUP_SIZE, "MAX_WORK_GROUP_SIZE", Kind::size},
    Property{0x1067, "PREFERRED_WORK_GROUP_SIZE_MULTIPLE", Kind::size},
    Property{0x105C, "MAX_NUM_SUB_GROUPS", Kind::uint},
    Property{0x105D, "SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS", Kind::flag},
    Property{0x4108, "SUB_GROUP_SIZES_INTEL", Kind::sizes},
    Property{0x4003, "WARP_SIZE_NV", Kind::uint},
    Property{0x4000, "COMPUTE_CAPABILITY_MAJOR_NV", Kind::uint},
    Property{0x4001, "COMPUTE_CAPABILITY_MINOR_NV", Kind::uint},
    Property{0x4002, "REGISTERS_PER_BLOCK_NV", Kind::uint},
    Property{0x4043, "WAVEFRONT_WIDTH_AMD", Kind::uint},
    Property{0x4038, "BOARD_NAME_AMD", Kind::text},
    Property{CL_DEVICE_GLOBAL_MEM_SIZE, "GLOBAL_MEM_SIZE", Kind::ulong},
    Property{CL_DEVICE_MAX_MEM_ALLOC_SIZE, "MAX_MEM_ALLOC_SIZE", Kind::ulong},
    Property{CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, "GLOBAL_MEM_CACHE_TYPE", Kind::uint},
    Property{CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, "GLOBAL_MEM_CACHE_SIZE", Kind::ulong},
    Property{CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, "GLOBAL_MEM_CACHELINE_SIZE", Kind::uint},
    Property{CL_DEVICE_LOCAL_MEM_TYPE, "LOCAL_MEM_TYPE", Kind::uint},
    Property{CL_DEVICE_LOCAL_MEM_SIZE, "LOCAL_MEM_SIZE", Kind::ulong},
    Property{CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, "MAX_CONSTANT_BUFFER_SIZE", Kind::ulong},
    Property{CL_DEVICE_MAX_CONSTANT_ARGS, "MAX_CONSTANT_ARGS", Kind::uint},
    Property{CL_DEVICE_MAX_PARAMETER_SIZE, "MAX_PARAMETER_SIZE", Kind::size},
    Property{CL_DEVICE_MEM_BASE_ADDR_ALIGN, "MEM_BASE_ADDR_ALIGN", Kind::uint},
    Property{CL_DEVICE_HOST_UNIFIED_MEMORY, "HOST_UNIFIED_MEMORY", Kind::flag},
    Property{CL_DEVICE_ERROR_CORRECTION_SUPPORT, "ERROR_CORRECTION_SUPPORT", Kind::flag},
    Property{CL_DEVICE_SINGLE_FP_CONFIG, "SINGLE_FP_CONFIG", Kind::bits},
    Property{CL_DEVICE_DOUBLE_FP_CONFIG, "DOUBLE_FP_CONFIG", Kind::bits},
    Property{0x1033, "HALF_FP_CONFIG", Kind::bits},
    Property{CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, "PREFERRED_VECTOR_WIDTH_INT", Kind::uint},
    Property{CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, "PREFERRED_VECTOR_WIDTH_FLOAT", Kind::uint},
    Property{CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, "PREFERRED_VECTOR_WIDTH_DOUBLE", Kind::uint},
    Property{CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, "NATIVE_VECTOR_WIDTH_INT", Kind::uint},
    Property{CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, "NATIVE_VECTOR_WIDTH_FLOAT", Kind::uint},
    Property{CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, "NATIVE_VECTOR_WIDTH_DOUBLE", Kind::uint},
    Property{CL_DEVICE_ENDIAN_LITTLE, "ENDIAN_LITTLE", Kind::flag},
    Property{CL_DEVICE_AVAILABLE, "AVAILABLE", Kind::flag},
    Property{CL_DEVICE_COMPILER_AVAILABLE, "COMPILER_AVAILABLE", Kind::flag},
    Property{CL_DEVICE_LINKER_AVAILABLE, "LINKER_AVAILABLE", Kind::flag},
    Property{CL_DEVICE_EXECUTION_CAPABILITIES, "EXECUTION_CAPABILITIES", Kind::bits},
    Property{CL_DEVICE_QUEUE_PROPERTIES, "QUEUE_PROPERTIES", Kind::bits},
    Property{CL_DEVICE_PROFILING_TIMER_RESOLUTION, "PROFILING_TIMER_RESOLUTION", Kind::size},
    Property{CL_DEVICE_PRINTF_BUFFER_SIZE, "PRINTF_BUFFER_SIZE", Kind::size},
    Property{CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, "PREFERRED_INTEROP_USER_SYNC", Kind::flag},
    Property{CL_DEVICE_BUILT_IN_KERNELS, "BUILT_IN_KERNELS", Kind::text},
    Property{CL_DEVICE_PARTITION_MAX_SUB_DEVICES, "PARTITION_MAX_SUB_DEVICES", Kind::uint},
    Property{CL_DEVICE_PARTITION_PROPERTIES, "PARTITION_PROPERTIES", Kind::sizes},
    Property{CL_DEVICE_PARTITION_AFFINITY_DOMAIN, "PARTITION_AFFINITY_DOMAIN", Kind::bits},
    Property{CL_DEVICE_IMAGE_SUPPORT, "IMAGE_SUPPORT", Kind::flag},
    Property{CL_DEVICE_IMAGE2D_MAX_WIDTH, "IMAGE2D_MAX_WIDTH", Kind::size},
    Property{CL_DEVICE_IMAGE2D_MAX_HEIGHT, "IMAGE2D_MAX_HEIGHT", Kind::size},
    Property{CL_DEVICE_IMAGE3D_MAX_WIDTH, "IMAGE3D_MAX_WIDTH", Kind::size},
    Property{CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, "IMAGE_MAX_BUFFER_SIZE", Kind::size},
    Property{CL_DEVICE_MAX_READ_IMAGE_ARGS, "MAX_READ_IMAGE_ARGS", Kind::uint},
    Property{CL_DEVICE_MAX_WRITE_IMAGE_ARGS, "MAX_WRITE_IMAGE_ARGS", Kind::uint},
    Property{CL_DEVICE_MAX_SAMPLERS, "MAX_SAMPLERS", Kind::uint},
    Property{0x1053, "SVM_CAPABILITIES", Kind::bits},
    Property{0x1063, "ATOMIC_MEMORY_CAPABILITIES", Kind::bits},
    Property{0x1064, "ATOMIC_FENCE_CAPABILITIES", Kind::bits},
    Property{0x1065, "NON_UNIFORM_WORK_GROUP_SUPPORT", Kind::flag},
    Property{0x1068, "WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT", Kind::flag},
    Property{0x1069, "GENERIC_ADDRESS_SPACE_SUPPORT", Kind::flag},
    Property{0x105B, "IL_VERSION", Kind::text},
    Property{0x105E, "NUMERIC_VERSION", Kind::version},
    Property{0x1066, "OPENCL_C_ALL_VERSIONS", Kind::versions},
    Property{0x106F, "OPENCL_C_FEATURES", Kind::versions},
    Property{0x1072, "LATEST_CONFORMANCE_VERSION_PASSED", Kind::text},
};

template <class T>
std::vector<T> all_of(const std::vector<unsigned char>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(&values[i], bytes.data() + i * sizeof(T), sizeof(T));
  return values;
}

template <class T>
Json first_of(const std::vector<unsigned char>& bytes) {
  const std::vector<T> values = all_of<T>(bytes);
  return values.empty() ? Json() : Json(values.front());
}

std::string text_in(const std::vector<unsigned char>& bytes) {
  std::string text(bytes.begin(), bytes.end());
  text.erase(std::min(text.find('\0'), text.size()));
  return text;
}

std::string version_text(cl_uint version) {
  return std::to_string(version >> 22) + "." + std::to_string(version >> 12 & 0x3ff) + "." +
         std::to_string(version & 0xfff);
}

// cl_name_version: a version and a name of 64 bytes.
Json named_versions(const std::vector<unsigned char>& bytes) {
  constexpr std::size_t each = sizeof(cl_uint) + 64;
  Json list = Json::array();
  for (std::size_t at = 0; at + each <= bytes.size(); at += each) {
    const std::vector<unsigned char> version(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                             bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(cl_uint))),
        name(bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(cl_uint)),
             bytes.begin() + static_cast<std::ptrdiff_t>(at + each));
    list.push_back(text_in(name) + " " + version_text(all_of<cl_uint>(version).front()));
  }
  return list;
}

Json value_of(const std::vector<unsigned char>& bytes, Kind kind) {
  switch (kind) {
    case Kind::text:
      return text_in(bytes);
    case Kind::flag:
      return first_of<cl_uint>(bytes) == Json(cl_uint{CL_TRUE});
    case Kind::uint:
      return first_of<cl_uint>(bytes);
    case Kind::size:
      return first_of<std::size_t>(bytes);
    case Kind::ulong:
    case Kind::bits:
      return bytes.size() == sizeof(cl_uint) ? first_of<cl_uint>(bytes) : first_of<cl_ulong>(bytes);
    case Kind::sizes:
      return all_of<std::size_t>(bytes);
    case Kind::version:
      return bytes.size() < sizeof(cl_uint) ? Json() : Json(version_text(all_of<cl_uint>(bytes).front()));
    case Kind::versions:
      return named_versions(bytes);
  }
  return {};
}

// Reads into a large buffer without querying the size, because Wine 8 writes some properties through null pointers.
Json property_of(const cl::Device& device, const Property& property) {
  std::vector<unsigned char> bytes(65536);
  std::size_t size = 0;
  const cl_int code = clGetDeviceInfo(device(), property.number, bytes.size(), bytes.data(), &size);
  bytes.resize(size);
  return code == CL_SUCCESS ? value_of(bytes, property.kind) : Json(code_name(code));
}

std::string platform_text(const cl::Platform& platform, cl_platform_info what) {
  std::size_t size = 0;
  if (clGetPlatformInfo(platform(), what, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::vector<unsigned char> bytes(size);
  if (clGetPlatformInfo(platform(), what, size, bytes.data(), nullptr) != CL_SUCCESS) return {};
  return text_in(bytes);
}

// An extension of the loaders themselves: 2 is the version, 3 the name, 4 the vendor.
Json loader_properties() {
  using Function = cl_int(CL_API_CALL*)(cl_uint, std::size_t, void*, std::size_t*);
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
  const auto ask = reinterpret_cast<Function>(clGetExtensionFunctionAddress("clGetICDLoaderInfoOCLICD"));
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
  if (ask == nullptr) return "unknown version";
  const auto told = [&](cl_uint what) {
    std::array<char, 256> text{};
    return ask(what, text.size() - 1, text.data(), nullptr) == CL_SUCCESS ? std::string(text.data()) : std::string();
  };
  return {{"name", told(3)}, {"vendor", told(4)}, {"version", told(2)}};
}

// Returns the value of a line "KEY=value" or "key : value"; empty: none.
std::string entry_of(const char* file, std::string_view key, char separator) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(separator);
    if (!line.starts_with(key) || at == std::string::npos) continue;
    std::string value = line.substr(at + 1);
    std::erase(value, '"');
    return value.substr(std::min(value.find_first_not_of(" \t"), value.size()));
  }
  return {};
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  if (what.size() < 3) return;  // "/" is everywhere and not private
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

}  // namespace

nlohmann::ordered_json as_json(const DeviceInfo& d) {
  nlohmann::ordered_json json = {{"id", text_of(d.id)},
                                 {"name", d.name},
                                 {"vendor", d.vendor},
                                 {"driver", d.driver},
                                 {"version", d.version},
                                 {"type", name_of(d.device_class)},
                                 {"compute_units", d.compute_units},
                                 {"clock_mhz", d.clock_mhz},
                                 {"global_bytes", d.global_bytes},
                                 {"allocation_bytes", d.allocation_bytes},
                                 {"local_bytes", d.local_bytes},
                                 {"local_is_dedicated", d.local_is_dedicated},
                                 {"max_work_group", d.max_work_group},
                                 {"max_work_items", d.max_work_items},
                                 {"preferred_float_width", d.preferred_float_width},
                                 {"preferred_double_width", d.preferred_double_width},
                                 {"fp64", d.fp64},
                                 {"float_fma", d.float_fma},
                                 {"double_fma", d.double_fma},
                                 {"int64_atomics", d.int64_atomics},
                                 {"unified_memory", d.unified_memory},
                                 {"timer_resolution_ns", d.timer_resolution_ns},
                                 {"max_parts", d.max_parts},
                                 {"extensions", d.extensions}};
  if (!d.fault.empty()) json["fault"] = d.fault;
  if (!d.notice.empty()) json["notice"] = d.notice;
  return json;
}

void print_device(const DeviceInfo& d) {
  std::printf("  %-5s %-44s %-4s %4u units %5u MHz  %9s, local %8s  work-group ≤ %-5zu fp64 %-3s  driver %s\n",
              text_of(d.id).c_str(), d.name.c_str(), std::string(name_of(d.device_class)).c_str(), d.compute_units,
              d.clock_mhz, bytes_text(static_cast<double>(d.global_bytes)).c_str(),
              bytes_text(static_cast<double>(d.local_bytes)).c_str(), d.max_work_group, d.fp64 ? "yes" : "no",
              d.driver.c_str());
  if (!d.fault.empty()) std::printf("        cannot be used: %s\n", d.fault.c_str());
  if (!d.notice.empty()) std::printf("        note: %s\n", d.notice.c_str());
}

nlohmann::ordered_json device_properties(const cl::Device& device) {
  Json json = Json::object();
  for (const Property& property : properties) json[property.name] = property_of(device, property);
  return json;
}

nlohmann::ordered_json platform_properties() {
  Json list = Json::array();
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {  // none
  }
  for (const cl::Platform& platform : platforms)
    list.push_back({{"name", platform_text(platform, CL_PLATFORM_NAME)},
                    {"vendor", platform_text(platform, CL_PLATFORM_VENDOR)},
                    {"version", platform_text(platform, CL_PLATFORM_VERSION)},
                    {"extensions", platform_text(platform, CL_PLATFORM_EXTENSIONS)}});
  return list;
}

nlohmann::ordered_json system_properties() {
  Json json = {{"cpu", entry_of("/proc/cpuinfo", "model name", ':')},
               {"threads", std::thread::hardware_concurrency()},
               {"loader", loader_properties()},
               {"variables", driver_variables()}};
  json["os"] = platform::system_name();
  json["distribution"] = entry_of("/etc/os-release", "PRETTY_NAME", '=');
  // Windows has no such files, but environment variables.
  if (const char* processor = std::getenv("PROCESSOR_IDENTIFIER"); json["cpu"] == "" && processor != nullptr)
    json["cpu"] = processor;
  return json;
}

std::string without_places(std::string text) {
  const auto value = [](const char* variable) {
    const char* found = std::getenv(variable);
    return std::string(found != nullptr ? found : "");
  };
  std::error_code ignored;
  replace(text, home().string(), "…");
  for (const char* variable : {"XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "POCL_CACHE_DIR", "TMPDIR"})
    replace(text, value(variable), "…");
  replace(text, std::filesystem::current_path(ignored).string(), ".");
  for (const char* variable : {"HOME", "USERPROFILE"}) replace(text, value(variable), "~");
  for (const char* variable : {"USER", "USERNAME", "LOGNAME"}) replace(text, value(variable), "…");
  replace(text, platform::host_name(), "…");
  return text;
}

}  // namespace orrery::cli
