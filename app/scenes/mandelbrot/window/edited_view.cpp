#include "scenes/mandelbrot/window/edited_view.hpp"

#include <cmath>

#include "base/error.hpp"

namespace orrery {
namespace {

using mandelbrot::Decimal;
using mandelbrot::View;

constexpr double widest = 1000, farthest = 1000;
constexpr int digits_of_logarithm = 12;

std::string without_blanks(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Decimal coordinate(const std::string& text, const char* name) {
  const Decimal number = Decimal::parse(text, name);
  if (!(std::abs(number.value()) <= farthest)) throw usage_error(name, text, "a number from -1000 to 1000");
  return number;
}

Decimal above_nothing(const std::string& text, const char* name) {
  const Decimal number = Decimal::parse(text, name);
  if (!(Decimal() < number)) throw usage_error(name, text, "a number above 0");
  return number;
}

double log_of_largest(double aspect) { return std::log(4 * aspect); }

}  // namespace

View edited_view(const View& view, ViewField field, const std::string& typed, double aspect) {
  const std::string text = without_blanks(typed);
  View edited = view;
  if (field == ViewField::real) edited.re = coordinate(text, "the centre's real part");
  if (field == ViewField::imaginary) edited.im = coordinate(text, "the centre's imaginary part");
  if (field == ViewField::span) {
    edited.span = above_nothing(text, "the span");
    if (Decimal(widest) < edited.span) throw usage_error("the span", text, "a number above 0, at most 1000");
  }
  if (field == ViewField::magnification) {
    const double log_span = log_of_largest(aspect) - above_nothing(text, "the magnification").log();
    if (log_span > std::log(widest))
      throw usage_error("the magnification", text, "a number at which the picture is at most 1000 wide");
    edited.span = Decimal::exp(log_span).significant(digits_of_logarithm);
  }
  return edited;
}

std::string magnification_text(const View& view, double aspect, int digits) {
  return Decimal::exp(log_of_largest(aspect) - view.span.log()).significant(digits).text();
}

}  // namespace orrery
