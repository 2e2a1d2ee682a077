/// The host's reference of escape counts: right pictures pass, wrong ones fail.
#include <gtest/gtest.h>

#include <cmath>

#include "scenes/mandelbrot/checks/escape_check.hpp"

namespace orrery::mandelbrot {
namespace {

// A straightforward loop of z → z² + c in `Real`.
template <class Real>
std::vector<Cell> picture(const Frame& frame) {
  std::vector<Cell> cells;
  for (std::size_t k = 0; k < frame.part().pixels(); ++k) {
    const Complex c = point_at(frame.view, frame.size, static_cast<double>(k % frame.size.width) + 0.5,
                               static_cast<double>(k / frame.size.width) + 0.5);
    const Real re = static_cast<Real>(c.re), im = static_cast<Real>(c.im);
    Real x = 0, y = 0;
    Cell cell{Cell::proved_interior, 0};
    for (std::uint32_t n = 0; n < frame.limit && cell.interior(); ++n) {
      const double size = std::hypot(static_cast<double>(x), static_cast<double>(y));
      if (size > frame.escape_radius)
        cell = {n, static_cast<float>(1 - std::log2(std::log(size) / std::log(frame.escape_radius)))};
      const Real next = x * x - y * y + re;
      y = 2 * x * y + im;
      x = next;
    }
    cells.push_back(cell);
  }
  return cells;
}

TEST(EscapeReference, PlainLoopsInBothPrecisionsPassWithAnyRounding) {
  for (const View& view : {View{}, View{Decimal(-0.7463), Decimal(0.1102), Decimal(0.02)}}) {
    Frame frame = whole_frame(view, {160, 100});
    frame.limit = 500;
    const EscapeReference single(frame, 0x1p-24), doubles(frame, 0x1p-53);
    EXPECT_EQ(single.fault(picture<float>(frame)), "");
    EXPECT_EQ(doubles.fault(picture<double>(frame)), "");
    EXPECT_GT(single.certain(), 500U);
    EXPECT_GT(doubles.certain(), single.certain());
  }
}

TEST(EscapeReference, WrongPicturesDoNotPass) {
  Frame frame = whole_frame({}, {160, 100});
  frame.limit = 500;
  const EscapeReference reference(frame, 0x1p-24);
  const std::vector<Cell> right = picture<double>(frame);
  const auto fault = [&](auto&& change) {
    std::vector<Cell> cells = right;
    for (Cell& cell : cells) change(cell);
    return reference.fault(cells);
  };
  EXPECT_NE(fault([](Cell& cell) { cell.n += cell.interior() ? 0 : 1; }), "") << "one step late";
  EXPECT_NE(fault([](Cell& cell) { cell.f += cell.interior() ? 0 : 1e-3F; }), "") << "another fraction";
  EXPECT_NE(fault([](Cell& cell) { cell = {Cell::proved_interior, 0}; }), "") << "everything interior";
  EXPECT_NE(fault([](Cell& cell) { cell = cell.interior() ? Cell{400, 0.5F} : cell; }), "") << "nothing interior";
  std::vector<Cell> missing = right;
  missing[7777] = {};
  EXPECT_EQ(reference.fault(missing), "pixel (97, 48) has no result");
}

}  // namespace
}  // namespace orrery::mandelbrot
