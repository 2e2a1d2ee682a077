#include "shell/x_errors.hpp"

#ifdef __linux__
#include <X11/Xlib.h>
#include <dlfcn.h>

#include <string>

#include "base/log.hpp"
#endif

namespace orrery::shell {
#ifdef __linux__
namespace {

// The handler may send no request.
int log_refusal(Display*, XErrorEvent* refused) {
  log(Level::warning, "the X server refused a request (error " + std::to_string(refused->error_code) + ", request " +
                          std::to_string(refused->request_code) + "." + std::to_string(refused->minor_code) + ")");
  return 0;
}

}  // namespace

// The window has loaded the library, if there is an X server.
void outlive_x_errors() {
  void* library = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  using SetHandler = decltype(XSetErrorHandler);
  if (auto* set_handler = reinterpret_cast<SetHandler*>(::dlsym(library, "XSetErrorHandler"))) set_handler(log_refusal);
}
#else
void outlive_x_errors() {}
#endif

}  // namespace orrery::shell
