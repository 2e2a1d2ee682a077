#include "interop/sharing.hpp"

#include <CL/cl_gl.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>

#include "base/files/path.hpp"
#include "base/log.hpp"
#include "render/gl.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

cl_platform_id platform_of(const DeviceInfo& info) {
  return reinterpret_cast<cl_platform_id>(platform_property(handle_of(info)));
}

/// A file that exists only during a trial: if it exists at the start, the last trial ended the program.
class Sentinel {
 public:
  explicit Sentinel(const DeviceInfo& info) {
    const fs::path folder = state_folder();
    if (folder.empty()) return;
    std::string name = "sharing-trial-" + info.platform + "-" + info.name + "-" + info.driver;
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '-';
    file_ = folder / name;
  }
  bool left_behind() const {
    std::error_code ignored;
    return !file_.empty() && fs::exists(file_, ignored);
  }
  void raise() const {
    if (!file_.empty()) std::ofstream(file_) << "A trial of CL-GL sharing was under way. Delete to try again.\n";
  }
  void lower() const {
    std::error_code ignored;
    if (!file_.empty()) fs::remove(file_, ignored);
  }

 private:
  fs::path file_;
};

// The second question: OpenCL writes into a shared buffer, OpenGL reads it back.
std::optional<std::string> trial(const Device& device) {
  std::array<std::uint32_t, 64> pattern{};
  std::iota(pattern.begin(), pattern.end(), 0x0badcafeU);
  try {
    Queue queue(device);
    SharedSurface surface(device, sizeof pattern);
    {
      const auto lease = surface.lease(queue);
      queue.handle().enqueueWriteBuffer(lease.buffer(), CL_TRUE, 0, sizeof pattern, pattern.data());
    }
    queue.finish();
    std::array<std::uint32_t, 64> back{};
    glBindBuffer(GL_ARRAY_BUFFER, surface.gl_buffer());
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof back, back.data());
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    if (back != pattern) return "a trial buffer came back with other contents";
    return std::nullopt;
  } catch (const cl::Error& error) {
    return opencl_error(error, "a trial of sharing", {}).what();
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::optional<Device> open_shared(const DeviceInfo& info, const GlShareProperties& properties, SharingReport& report) {
  const Sentinel sentinel(info);
  if (sentinel.left_behind()) {
    report = {false, "the last trial of sharing on this driver ended the program"};
    return std::nullopt;
  }
  sentinel.raise();
  std::optional<Device> device;
  try {
    device.emplace(info, properties);
    if (const auto fault = trial(*device)) {
      report = {false, *fault};
      device.reset();
    }
  } catch (const Error& error) {
    report = {false, error.what()};
  }
  sentinel.lower();
  return device;
}

}  // namespace

SharingReport ask_sharing(const DeviceInfo& info, const GlShareProperties& properties) {
  if (properties.empty()) return {false, "OpenCL cannot name the window's GL context"};
  try {
    const cl_platform_id platform = platform_of(info);
    const auto ask = reinterpret_cast<clGetGLContextInfoKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clGetGLContextInfoKHR"));
    if (ask == nullptr) return {false, "the driver has no clGetGLContextInfoKHR"};
    GlShareProperties question = properties;
    question.insert(question.end(), {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform), 0});
    std::array<cl_device_id, 16> named{};
    std::size_t bytes = 0;
    const cl_int code =
        ask(question.data(), CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, sizeof(cl_device_id), named.data(), &bytes);
    if (code != CL_SUCCESS) return {false, "the driver returned " + code_name(code)};
    if (bytes < sizeof(cl_device_id) || named[0] == nullptr)
      return {false, "this window's OpenGL runs on another device"};
    std::vector<cl::Device> devices;
    cl::Platform(platform).getDevices(CL_DEVICE_TYPE_ALL, &devices);
    if (devices.at(static_cast<std::size_t>(info.id.device))() != named[0])
      return {false, "this window's OpenGL runs on another device of its platform"};
    return {true, "the driver names it as this window's device"};
  } catch (const std::exception& error) {
    return {false, as_error(error).what()};
  }
}

OpenedDevice open_for_window(const DeviceInfo& info, const GlShareProperties& properties, bool allowed) {
  SharingReport report = allowed ? ask_sharing(info, properties) : SharingReport{false, "switched off by --no-interop"};
  if (report.shared) {
    if (auto device = open_shared(info, properties, report)) {
      report.reason = "a trial buffer written by OpenCL was read by OpenGL";
      return {std::move(*device), report};
    }
    report.shared = false;
  }
  return {Device(info), report};
}

std::unique_ptr<SurfaceFactory> make_surface_factory(const Device& device, const SharingReport& report) {
  if (report.shared) return std::make_unique<SharedSurfaceFactory>(device, report);
  return std::make_unique<CopiedSurfaceFactory>(device, report);
}

}  // namespace orrery
