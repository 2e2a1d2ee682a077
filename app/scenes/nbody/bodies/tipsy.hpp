/// Tipsy, the binary format of the N-body shop's tools (tipsy, PKDGRAV, GASOLINE, ChaNGa).
///
/// A header of 32 bytes — time, number of bodies, of dimensions, of gas, dark and star particles, padding — then the
/// particles in this order, of 12, 9 and 11 floats. Standard files are big-endian, native ones often little-endian.
/// Numbers are in single precision, whatever program wrote them. The format is described at
/// https://github.com/N-BodyShop/tipsy/wiki. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// Reads either byte order. Every particle becomes a body, gas too: its mass counts, its pressure does not. `name`
/// stands for the bytes in messages. Throws a usage Error for a header that contradicts the file or an invalid body.
Bodies parse_tipsy(std::string_view bytes, std::string_view name);

/// Standard Tipsy, all dark particles with this softening. Throws an Error for a number that no float can hold.
std::string tipsy_bytes(const Bodies& bodies, double time, double softening);

}  // namespace orrery
