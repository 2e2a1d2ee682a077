#include "base/error.hpp"

#include <utility>

namespace orrery {
namespace {

std::string one_line(const ErrorDetails& d) {
  std::string line;
  if (!d.where.empty()) line += d.where + ": ";
  line += d.what;
  if (!d.value.empty()) line += " '" + d.value + "'";
  if (!d.code.empty()) line += " (" + d.code + ")";
  if (!d.advice.empty()) line += "; " + d.advice;
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  return line;
}

}  // namespace

Error::Error(Fault fault, ErrorDetails details)
    : fault_(fault), details_(std::move(details)), line_(one_line(details_)) {}

Error usage_error(std::string what, std::string value, std::string allowed, std::string where) {
  return {Fault::usage, {std::move(what), std::move(value), std::move(where), {}, std::move(allowed), {}}};
}

Error failure(std::string what, std::string advice) {
  return {Fault::failure, {std::move(what), {}, {}, {}, std::move(advice), {}}};
}

}  // namespace orrery
