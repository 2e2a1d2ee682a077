// Compiles the TOML parser, so that it is instrumented too.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
