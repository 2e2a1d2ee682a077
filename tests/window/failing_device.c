// Loaded before OpenCL's library (LD_PRELOAD): one of several devices stops working after a while. Every enqueue on the
// ORRERY_FAILING_DEVICE-th device that launches kernels (0 is the first) fails from its
// ORRERY_FAILING_AFTER-th launch on.
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>

enum { most_devices = 8 };
static cl_device_id devices[most_devices];
static long launches[most_devices];

static long setting(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : -1;
}

static int index_of(cl_command_queue queue) {
  cl_device_id device = NULL;
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  int i = 0;
  while (i < most_devices - 1 && devices[i] && devices[i] != device) ++i;
  devices[i] = device;
  return i;
}

static int fails(cl_command_queue queue, int launch) {
  const int i = index_of(queue);
  if (launch) ++launches[i];
  return i == setting("ORRERY_FAILING_DEVICE") && launches[i] > setting("ORRERY_FAILING_AFTER");
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                              const size_t* global, const size_t* local, cl_uint waits, const cl_event* wait_list,
                              cl_event* event) {
  if (fails(queue, 1)) return CL_OUT_OF_RESOURCES;
  cl_int (*real)(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*, cl_uint,
                 const cl_event*, cl_event*);
  *(void**)&real = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
  return real(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t bytes,
                            const void* from, cl_uint waits, const cl_event* wait_list, cl_event* event) {
  if (fails(queue, 0)) return CL_OUT_OF_RESOURCES;
  cl_int (*real)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void*, cl_uint, const cl_event*, cl_event*);
  *(void**)&real = dlsym(RTLD_NEXT, "clEnqueueWriteBuffer");
  return real(queue, buffer, blocking, offset, bytes, from, waits, wait_list, event);
}
