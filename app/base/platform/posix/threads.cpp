#include "base/platform/threads.hpp"

#include <cstdlib>  // defines __GLIBC__ for glibc

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#ifdef __GLIBC__
#include <pthread.h>

#include <csignal>
#include <memory>
#endif

namespace orrery {

#ifdef __GLIBC__
namespace {

/// One thread's second stack; it lives until the thread ends.
class SignalStack {
 public:
  SignalStack() {
    stack_t present{};
    if (::sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    memory_ = std::make_unique_for_overwrite<char[]>(bytes);  // only touched pages use memory
    stack_t own{};
    own.ss_sp = memory_.get();
    own.ss_size = bytes;
    if (::sigaltstack(&own, nullptr) != 0) memory_.reset();
  }
  ~SignalStack() {
    if (!memory_) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  static constexpr std::size_t bytes = 1 << 16;
  std::unique_ptr<char[]> memory_;
};

}  // namespace
#endif

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

void lower_priority() {
#ifdef __linux__
  constexpr int steps = 5;  // leaves it a third of the time of a normal thread
  (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), steps);
#endif
}

void give_signal_stack() {
#ifdef __GLIBC__
  thread_local const SignalStack stack;
#endif
}

}  // namespace orrery
