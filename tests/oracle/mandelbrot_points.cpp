/// Fills the files of tests/oracle/mandelbrot_points/ with ν at some pixels, in arithmetic of any precision (MPFR).
/// Shares no code with the product.
///
///   mandelbrot_points FILE...
///
/// A file begins with the lines "re", "im", "span" (decimals), "size" (width height), "limit", "radius" and "points"
/// (their number), each a word and its value; this program writes the rest: "i j nu" per line, nu −1 for interior.
/// Pixels and ν are those of DESIGN section 8. Every tenth pixel is repeated with 128 bits more, and must agree.
#include <mpfr.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

struct Number {
  mpfr_t x;
  explicit Number(long bits) { mpfr_init2(x, bits), mpfr_set_zero(x, 1); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(x); }
};

struct View {
  std::string re, im, span;
  long width = 0, height = 0, points = 0;
  unsigned long limit = 0;
  double radius = 0;
};

View read(const std::string& path) {
  std::ifstream in(path);
  std::map<std::string, std::string> values;
  std::string line;
  while (std::getline(in, line) && line.find_first_of("0123456789") != 0) {
    const std::size_t space = line.find(' ');
    values[line.substr(0, space)] = line.substr(space + 1);
  }
  View view{.re = values.at("re"), .im = values.at("im"), .span = values.at("span")};
  std::istringstream(values.at("size")) >> view.width >> view.height;
  view.points = std::stol(values.at("points"));
  view.limit = std::stoul(values.at("limit"));
  view.radius = std::stod(values.at("radius"));
  return view;
}

long bits_of(const View& view) {
  Number span(64);
  mpfr_set_str(span.x, view.span.c_str(), 10, MPFR_RNDN);
  const double octaves = -static_cast<double>(mpfr_get_exp(span.x)) + std::log2(static_cast<double>(view.width));
  return static_cast<long>(std::max(octaves, 0.0)) + 200;
}

// center + span * ((part + 1/2) / parts - 1/2) * sides
void coordinate(mpfr_t c, const std::string& center, const std::string& span, long part, long parts, long width,
                long bits) {
  Number s(bits);
  mpfr_set_str(s.x, span.c_str(), 10, MPFR_RNDN);
  mpfr_mul_si(s.x, s.x, 2 * part + 1 - parts, MPFR_RNDN);
  mpfr_div_si(s.x, s.x, 2 * width, MPFR_RNDN);
  mpfr_set_str(c, center.c_str(), 10, MPFR_RNDN);
  mpfr_add(c, c, s.x, MPFR_RNDN);
}

double nu_at(const View& view, long i, long j, long bits) {
  Number cx(bits), cy(bits), x(bits), y(bits), x2(bits), y2(bits), modulus2(bits);
  coordinate(cx.x, view.re, view.span, i, view.width, view.width, bits);
  coordinate(cy.x, view.im, view.span, view.height - 1 - j, view.height, view.width, bits);
  for (unsigned long n = 0; n < view.limit; ++n) {
    mpfr_sqr(x2.x, x.x, MPFR_RNDN);
    mpfr_sqr(y2.x, y.x, MPFR_RNDN);
    mpfr_add(modulus2.x, x2.x, y2.x, MPFR_RNDN);
    if (mpfr_cmp_d(modulus2.x, view.radius * view.radius) > 0) {
      mpfr_log(modulus2.x, modulus2.x, MPFR_RNDN);
      return static_cast<double>(n) + 1 - std::log2(0.5 * mpfr_get_d(modulus2.x, MPFR_RNDN) / std::log(view.radius));
    }
    mpfr_mul(y.x, x.x, y.x, MPFR_RNDN);
    mpfr_mul_2ui(y.x, y.x, 1, MPFR_RNDN);
    mpfr_add(y.x, y.x, cy.x, MPFR_RNDN);
    mpfr_sub(x.x, x2.x, y2.x, MPFR_RNDN);
    mpfr_add(x.x, x.x, cx.x, MPFR_RNDN);
  }
  return -1;
}

void fill(const std::string& path) {
  const View view = read(path);
  const long bits = bits_of(view);
  std::ostringstream out;
  out << "re " << view.re << "\nim " << view.im << "\nspan " << view.span << "\nsize " << view.width << ' '
      << view.height << "\nlimit " << view.limit << "\nradius " << view.radius << "\npoints " << view.points << '\n';
  std::mt19937 random(20);
  for (long k = 0; k < view.points; ++k) {
    const long i = static_cast<long>(random() % static_cast<unsigned long>(view.width));
    const long j = static_cast<long>(random() % static_cast<unsigned long>(view.height));
    const double nu = nu_at(view, i, j, bits);
    if (k % 10 == 0 && std::abs(nu - nu_at(view, i, j, bits + 128)) > 1e-9)
      throw std::runtime_error(path + ": not enough bits");
    char row[64];
    std::snprintf(row, sizeof row, nu == -1 ? "%ld %ld -1\n" : "%ld %ld %.7f\n", i, j, nu);
    out << row;
    std::fprintf(stderr, "\r%s %ld of %ld ", path.c_str(), k + 1, view.points);
  }
  std::fputc('\n', stderr);
  std::ofstream(path) << out.str();
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) fill(argv[i]);
}
