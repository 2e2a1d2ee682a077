/* To be preloaded: OpenGL reports a reset at the ORRERY_GL_RESET-th query of the first process that makes so many
   queries; the file ORRERY_GL_RESET_DONE prevents further resets. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*function)(void);

static unsigned status(void) {
  static long asked = 0;
  const char *at = getenv("ORRERY_GL_RESET"), *done = getenv("ORRERY_GL_RESET_DONE");
  if (!at || !done || ++asked != atol(at)) return 0;
  const int file = open(done, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0) return 0;
  close(file);
  return 0x8254; /* GL_INNOCENT_CONTEXT_RESET */
}

function glfwGetProcAddress(const char* name) {
  static function (*real)(const char*);
  if (!real) real = (function(*)(const char*))dlsym(RTLD_NEXT, "glfwGetProcAddress");
  const char* question = "glGetGraphicsResetStatus"; /* or with the suffix KHR or ARB */
  return strncmp(name, question, strlen(question)) == 0 ? (function)status : real(name);
}
