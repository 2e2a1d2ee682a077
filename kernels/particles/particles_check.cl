// The check of pair laws as a separate program: for compilers that build several side by side.
#include "particles.clh"
#include "particles_law_numbers.clh"
#include "particles_law_frame.clh"
#include "particles_law.clh"
#include "particles_law_checked.clh"
#include "particles_check.clh"
