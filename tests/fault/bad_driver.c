// An OpenCL driver that fails by ORRERY_BAD_DRIVER: when loaded with crash, hang, exit (code 0), small (crashes if
// memory is limited) or second (crashes if a copy of it is loaded); when asked for its platforms with exit-later.
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int mode_is(const char* wanted) {
  const char* mode = getenv("ORRERY_BAD_DRIVER");
  return mode && strcmp(mode, wanted) == 0;
}

__attribute__((constructor)) static void load(void) {
  struct rlimit limit;
  if (mode_is("crash")) abort();
  if (mode_is("exit")) exit(0);
  if (mode_is("small") && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) abort();
  if (mode_is("second")) {
    if (getenv("ORRERY_BAD_DRIVER_LOADED")) abort();
    setenv("ORRERY_BAD_DRIVER_LOADED", "1", 1);
  }
  if (mode_is("hang"))
    for (;;) pause();
}

static int platforms(unsigned count, void* list, unsigned* found) {
  (void)count;
  (void)list;
  if (mode_is("exit-later")) exit(0);
  if (found) *found = 0;
  return -1001;
}

void* clGetExtensionFunctionAddress(const char* name) {
  void* address = NULL;
  int (*function)(unsigned, void*, unsigned*) = platforms;
  if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0 || strcmp(name, "clGetPlatformInfo") == 0)
    memcpy(&address, &function, sizeof address);
  return address;
}
