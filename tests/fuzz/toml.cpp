// The TOML parser, once, so that it is instrumented as well.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
