/// The self-proving view: some rows of each finished picture are read back, and pixels of them, on both sides of the
/// edge, in the middle of interior and at random, are computed again in many bits.
///
/// Window thread, with the GL context current; nothing waits, and a picture that moves on calls its proof off.
#pragma once

#include <vector>

#include "render/late_read.hpp"
#include "scenes/mandelbrot/checks/proof.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"
#include "scenes/mandelbrot/pictures/engine.hpp"

namespace orrery {

class MandelbrotProof {
 public:
  MandelbrotProof();

  /// Once a frame. A proof that fails makes the engine compute more exactly.
  void follow(mandelbrot::PictureEngine& engine);
  const MandelbrotSnapshot::Proof& summary() const { return summary_; }

 private:
  void begin(mandelbrot::PublishedPicture& picture, const mandelbrot::Frame& frame);
  bool take_values();

  gl::LateRead values_;
  mandelbrot::ProofRows rows_;  // whose values are read back
  mandelbrot::ProofRequest request_;
  mandelbrot::Prover prover_;
  std::uint64_t serial_ = 0;  // of the picture whose proof is under way or done; 0: none
  MandelbrotSnapshot::Proof summary_;
};

}  // namespace orrery
