// An OpenCL driver that crashes (ORRERY_BAD_DRIVER=crash) or hangs (=hang) when it is loaded.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void load(void) {
  const char* mode = getenv("ORRERY_BAD_DRIVER");
  if (mode && strcmp(mode, "crash") == 0) abort();
  if (mode && strcmp(mode, "hang") == 0)
    for (;;) pause();
}
