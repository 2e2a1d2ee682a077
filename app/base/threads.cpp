#include "base/threads.hpp"

#include <cstdlib>  // which says whether the library is glibc

#ifdef __GLIBC__
#include <pthread.h>
#endif

namespace orrery {

void make_stacks_large() {
#ifdef __GLIBC__
  constexpr std::size_t bytes = 64 << 20;
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  std::size_t present = 0;
  if (pthread_attr_getstacksize(&attributes, &present) == 0 && present < bytes &&
      pthread_attr_setstacksize(&attributes, bytes) == 0)
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
#endif
}

void name_thread([[maybe_unused]] const char* name) {
#ifdef __GLIBC__
  pthread_setname_np(pthread_self(), name);
#endif
}

}  // namespace orrery
