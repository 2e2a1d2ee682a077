#include "model/particles/law_check.hpp"
namespace orrery::particles {
void check_laws(ProgramLibrary&, const World&) {}
}  // namespace orrery::particles
