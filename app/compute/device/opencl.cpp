#include "compute/device/opencl.hpp"

#include <array>
#include <new>
#include <stdexcept>
#include <utility>

namespace orrery {
namespace {

struct Code {
  cl_int value;
  std::string_view name;
  std::string_view advice = {};
};

constexpr std::string_view less_memory = "try fewer bodies, a smaller window, or another device";
constexpr std::string_view other_work_group = "choose a smaller --work-group, or auto";
constexpr std::string_view lost_device =
    "the device may have been reset; start Orrery again, or choose another device with --device";

// From cl.h, cl_ext.h and cl_gl.h, in their order.
constexpr std::array codes{
    Code{-1, "CL_DEVICE_NOT_FOUND", "install an OpenCL driver, for example the package pocl-opencl-icd"},
    Code{-2, "CL_DEVICE_NOT_AVAILABLE", lost_device},
    Code{-3, "CL_COMPILER_NOT_AVAILABLE"},
    Code{-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", less_memory},
    Code{-5, "CL_OUT_OF_RESOURCES", lost_device},
    Code{-6, "CL_OUT_OF_HOST_MEMORY", less_memory},
    Code{-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
    Code{-8, "CL_MEM_COPY_OVERLAP"},
    Code{-9, "CL_IMAGE_FORMAT_MISMATCH"},
    Code{-10, "CL_IMAGE_FORMAT_NOT_SUPPORTED"},
    Code{-11, "CL_BUILD_PROGRAM_FAILURE"},
    Code{-12, "CL_MAP_FAILURE"},
    Code{-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
    Code{-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", lost_device},
    Code{-15, "CL_COMPILE_PROGRAM_FAILURE"},
    Code{-16, "CL_LINKER_NOT_AVAILABLE"},
    Code{-17, "CL_LINK_PROGRAM_FAILURE"},
    Code{-18, "CL_DEVICE_PARTITION_FAILED"},
    Code{-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"},
    Code{-30, "CL_INVALID_VALUE"},
    Code{-31, "CL_INVALID_DEVICE_TYPE"},
    Code{-32, "CL_INVALID_PLATFORM"},
    Code{-33, "CL_INVALID_DEVICE"},
    Code{-34, "CL_INVALID_CONTEXT", lost_device},
    Code{-35, "CL_INVALID_QUEUE_PROPERTIES"},
    Code{-36, "CL_INVALID_COMMAND_QUEUE", lost_device},
    Code{-37, "CL_INVALID_HOST_PTR"},
    Code{-38, "CL_INVALID_MEM_OBJECT"},
    Code{-39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR"},
    Code{-40, "CL_INVALID_IMAGE_SIZE"},
    Code{-41, "CL_INVALID_SAMPLER"},
    Code{-42, "CL_INVALID_BINARY"},
    Code{-43, "CL_INVALID_BUILD_OPTIONS"},
    Code{-44, "CL_INVALID_PROGRAM"},
    Code{-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
    Code{-46, "CL_INVALID_KERNEL_NAME"},
    Code{-47, "CL_INVALID_KERNEL_DEFINITION"},
    Code{-48, "CL_INVALID_KERNEL"},
    Code{-49, "CL_INVALID_ARG_INDEX"},
    Code{-50, "CL_INVALID_ARG_VALUE"},
    Code{-51, "CL_INVALID_ARG_SIZE"},
    Code{-52, "CL_INVALID_KERNEL_ARGS"},
    Code{-53, "CL_INVALID_WORK_DIMENSION"},
    Code{-54, "CL_INVALID_WORK_GROUP_SIZE", other_work_group},
    Code{-55, "CL_INVALID_WORK_ITEM_SIZE", other_work_group},
    Code{-56, "CL_INVALID_GLOBAL_OFFSET"},
    Code{-57, "CL_INVALID_EVENT_WAIT_LIST"},
    Code{-58, "CL_INVALID_EVENT"},
    Code{-59, "CL_INVALID_OPERATION"},
    Code{-60, "CL_INVALID_GL_OBJECT", "start with --no-interop"},
    Code{-61, "CL_INVALID_BUFFER_SIZE", less_memory},
    Code{-62, "CL_INVALID_MIP_LEVEL"},
    Code{-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
    Code{-64, "CL_INVALID_PROPERTY"},
    Code{-65, "CL_INVALID_IMAGE_DESCRIPTOR"},
    Code{-66, "CL_INVALID_COMPILER_OPTIONS"},
    Code{-67, "CL_INVALID_LINKER_OPTIONS"},
    Code{-68, "CL_INVALID_DEVICE_PARTITION_COUNT"},
    Code{-69, "CL_INVALID_PIPE_SIZE"},
    Code{-70, "CL_INVALID_DEVICE_QUEUE"},
    Code{-71, "CL_INVALID_SPEC_ID"},
    Code{-72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED"},
    Code{-1000, "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR", "start with --no-interop"},
    Code{-1001, "CL_PLATFORM_NOT_FOUND_KHR", "install an OpenCL driver, for example the package pocl-opencl-icd"},
    Code{-9999, "NVIDIA: illegal read or write in a kernel", lost_device},
};

const Code* find_code(cl_int value) {
  for (const Code& code : codes)
    if (code.value == value) return &code;
  return nullptr;
}

}  // namespace

std::string code_name(cl_int code) {
  const Code* found = find_code(code);
  return found != nullptr ? std::string(found->name) : "OpenCL code " + std::to_string(code);
}

Error opencl_error(const cl::Error& error, std::string attempted, std::string device) {
  const Code* found = find_code(error.err());
  const char* call = error.what();
  return {Fault::failure,
          {std::move(attempted) + " failed" + (call != nullptr ? " in " + std::string(call) : ""),
           {},
           std::move(device),
           code_name(error.err()),
           std::string(found != nullptr ? found->advice : ""),
           {}}};
}

Error as_error(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) return *own;
  if (const auto* call = dynamic_cast<const cl::Error*>(&error)) return opencl_error(*call, "a call to the device", {});
  // The texts of these exceptions, "std::bad_alloc" and "basic_string::_M_create", do not help the user.
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
      dynamic_cast<const std::length_error*>(&error) != nullptr)
    return failure("out of memory", "try a smaller problem");
  return failure(error.what());
}

}  // namespace orrery
