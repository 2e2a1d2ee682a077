/* To be preloaded: the environment of the program changes while it runs.
     ORRERY_CLOCK_STEP=S   the time of day jumps by S seconds, forth or back, every two seconds
     ORRERY_SCALES=A,B,…   the display's content scale changes every two seconds
     ORRERY_SLOW_READS=MS  each read of a large file takes MS milliseconds longer */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int (*real_clock(void))(clockid_t, struct timespec*) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  return real;
}

static long period(void) {
  struct timespec now;
  real_clock()(CLOCK_MONOTONIC, &now);
  return now.tv_sec / 2;
}

static long jump(void) {
  const char* step = getenv("ORRERY_CLOCK_STEP");
  return step ? atol(step) * (period() % 3 - 1) : 0;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  const int result = real_clock()(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += jump();
  return result;
}

int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

void glfwGetWindowContentScale(void* window, float* x, float* y) {
  static void (*real)(void*, float*, float*);
  if (!real) real = (void (*)(void*, float*, float*))dlsym(RTLD_NEXT, "glfwGetWindowContentScale");
  real(window, x, y);
  const char* scales = getenv("ORRERY_SCALES");
  if (!scales) return;
  long count = 1;
  for (const char* c = scales; *c; ++c) count += *c == ',';
  const char* chosen = scales;
  for (long skip = period() % count; skip > 0; ++chosen) skip -= *chosen == ',';
  *x = *y = strtof(chosen, NULL);
}

ssize_t read(int file, void* into, size_t bytes) {
  static ssize_t (*real)(int, void*, size_t);
  if (!real) real = (ssize_t(*)(int, void*, size_t))dlsym(RTLD_NEXT, "read");
  const char* slow = getenv("ORRERY_SLOW_READS");
  if (slow && bytes >= 1 << 20) usleep((useconds_t)(1000 * atol(slow)));
  return real(file, into, bytes);
}
