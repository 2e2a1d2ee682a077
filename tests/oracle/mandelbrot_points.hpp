/// Pixels of views and their ν in arithmetic of any precision, as mandelbrot_points.cpp wrote them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace orrery::oracle {

struct MandelbrotSample {
  int i = 0, j = 0;
  double nu = -1;
};

struct MandelbrotSamples {
  std::string name, re, im, span;
  int width = 0, height = 0;
  std::uint32_t limit = 0;
  double radius = 0;
  std::vector<MandelbrotSample> samples;
};

inline MandelbrotSamples read_mandelbrot_samples(const std::filesystem::path& path) {
  MandelbrotSamples result;
  std::map<std::string, std::string> values;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_of("0123456789") == 0) {
      MandelbrotSample& sample = result.samples.emplace_back();
      std::istringstream(line) >> sample.i >> sample.j >> sample.nu;
    } else {
      const std::size_t space = line.find(' ');
      values[line.substr(0, space)] = line.substr(space + 1);
    }
  }
  result.name = path.stem().string();
  result.re = values["re"];
  result.im = values["im"];
  result.span = values["span"];
  std::istringstream(values["size"]) >> result.width >> result.height;
  std::istringstream(values["limit"]) >> result.limit;
  std::istringstream(values["radius"]) >> result.radius;
  return result;
}

/// Agreement of values with the samples, as parts of all: the same kind, and also |ν − ν_ref| ≤ 1e-3.
struct MandelbrotAgreement {
  double same_kind = 0, close = 0, worst = 0;
};

template <class ValueAt>
MandelbrotAgreement compare(const MandelbrotSamples& view, ValueAt&& value_at) {
  double same_kind = 0, close = 0, worst = 0;
  for (const MandelbrotSample& sample : view.samples) {
    const double value = value_at(sample.i, sample.j);
    if ((value == -1) != (sample.nu == -1)) continue;
    ++same_kind;
    worst = std::max(worst, std::abs(value - sample.nu));
    close += std::abs(value - sample.nu) <= 1e-3;
  }
  const auto all = static_cast<double>(view.samples.size());
  return {same_kind / all, close / all, worst};
}

}  // namespace orrery::oracle
