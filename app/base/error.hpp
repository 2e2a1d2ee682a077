/// The error type of the program: the failed action, the value, the device and the advice.
#pragma once

#include <exception>
#include <optional>
#include <string>

namespace orrery {

/// The cause of an error: wrong input (exit code 2), or anything else (exit code 1).
enum class Fault { usage = 2, failure = 1 };

struct ErrorDetails {
  std::string what;                       ///< "cannot open the bodies file"
  std::optional<std::string> value = {};  ///< the offending value, as it was given; it may be empty
  std::string where = {};                 ///< a place (file:line:column) or a device's name
  std::string code = {};                  ///< the OpenCL name of the error: "CL_INVALID_WORK_GROUP_SIZE"
  std::string advice = {};                ///< expected values for a bad one, else the next step
  std::string log = {};                   ///< the compiler's log, many lines
};

/// Thread-safe like any value. what() is the whole message on one line, without the log.
class Error : public std::exception {
 public:
  Error(Fault fault, ErrorDetails details);

  Fault fault() const { return fault_; }
  const ErrorDetails& details() const { return details_; }
  const char* what() const noexcept override { return line_.c_str(); }

 private:
  Fault fault_;
  ErrorDetails details_;
  std::string line_;
};

/// Bad input. With `value` and `expected` the message is: WHERE: WHAT: expected EXPECTED, got "VALUE".
Error usage_error(std::string what, std::optional<std::string> value, std::string expected, std::string where = {});
/// Any other error.
Error failure(std::string what, std::string advice = {});

}  // namespace orrery
