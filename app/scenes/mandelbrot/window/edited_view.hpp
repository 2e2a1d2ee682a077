/// A view of which one number has been typed.
#pragma once

#include <string>

#include "scenes/mandelbrot/numbers/view.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"

namespace orrery {

/// `text` in the place of that number of `view`; blanks around it do not count. `aspect` is width / height of the
/// picture. Throws a usage Error that names the number and its range.
mandelbrot::View edited_view(const mandelbrot::View& view, ViewField field, const std::string& text, double aspect);

/// 4 / height, to that many digits: 1 where the picture is 4 high, as Kalles Fraktaler counts.
std::string magnification_text(const mandelbrot::View& view, double aspect, int digits);

}  // namespace orrery
