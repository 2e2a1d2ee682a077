/// Checks laws: their results are numbers on a sample of the world's particles, and their forces are the derivative of
/// their energy. Waits for the device; any thread.
#pragma once

#include "compute/program/program_plan.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// All throw a usage Error that names law, distance, and both values. The first takes the kernel check_pair_law,
/// compiled for double where the device has it.
void check_pair_laws(const Device& device, const World& world, cl::Kernel kernel);
void check_pair_laws(ProgramLibrary& programs, const World& world);
void check_group_laws(ProgramLibrary& programs, const World& world);
/// What the last two build.
std::vector<ProgramPlan::Part> pair_check_programs(ProgramLibrary& programs, const World& world);
std::vector<ProgramPlan::Part> group_check_programs(ProgramLibrary& programs, const World& world);

}  // namespace orrery::particles
