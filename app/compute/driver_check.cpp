#include "compute/driver_check.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <future>
#include <sstream>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "base/child_run.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/log.hpp"
#include "base/path.hpp"
#include "base/text.hpp"
#include "compute/device.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

constexpr const char* vendors_variable = "OCL_ICD_VENDORS";  // of every common loader: the folder of the *.icd files

double time_limit() {
  const char* text = std::getenv("ORRERY_DRIVER_SECONDS");
  const auto seconds = parse_real(text != nullptr ? text : "");
  return seconds && *seconds > 0 ? *seconds : 15;
}

/// A driver is installed as FILE.icd, which names a library.
struct Driver {
  fs::path file;
  std::string stamp;   // changes with the driver
  std::string fault;
};

std::string stamp_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto when = fs::last_write_time(file, error).time_since_epoch().count();
  return error ? std::string("-") : std::to_string(size) + "." + std::to_string(when);
}

std::string library_of(const fs::path& file) {
  std::string line;
  std::istringstream(read_file(file)) >> line;
  return line;
}

std::vector<Driver> installed_drivers() {
  const char* variable = std::getenv(vendors_variable);
  const fs::path folder = variable != nullptr && *variable != '\0' ? variable : "/etc/OpenCL/vendors";
  std::vector<Driver> drivers;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".icd") continue;
    try {
      drivers.push_back({entry.path(), stamp_of(entry.path()) + "/" + stamp_of(library_of(entry.path())), {}});
    } catch (const Error&) {  // nor can the loader read it
    }
  }
  std::ranges::sort(drivers, {}, &Driver::file);
  return drivers;
}

/// A folder that holds the *.icd files of some drivers alone, for as long as it lives.
class VendorFolder {
 public:
  explicit VendorFolder(const std::vector<Driver>& drivers) {
    std::string name = (fs::temp_directory_path() / "orrery-drivers-XXXXXX").string();
#ifndef _WIN32
    if (::mkdtemp(name.data()) == nullptr)
      throw failure("cannot make a folder in " + fs::temp_directory_path().string());
#endif
    path_ = name;
    for (const Driver& driver : drivers)
      if (driver.fault.empty()) fs::copy_file(driver.file, path_ / driver.file.filename());
  }
  ~VendorFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  VendorFolder(const VendorFolder&) = delete;
  VendorFolder& operator=(const VendorFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// How listing these drivers' devices in a child fails; empty when it does not.
std::string fault_of(const std::vector<Driver>& drivers) {
  const VendorFolder folder(drivers);
  return run_child(fs::path("/proc/self/exe"), {listing_command}, {{vendors_variable, folder.path().string()}},
                   time_limit());
}

// One line a driver: its file, its stamp, how it failed.
fs::path memory() {
  const fs::path folder = state_folder();
  return folder.empty() ? fs::path() : folder / "drivers-left-out";
}

void recall(std::vector<Driver>& drivers) {
  std::error_code ignored;
  if (memory().empty() || !fs::exists(memory(), ignored)) return;
  std::istringstream lines(read_file(memory()));
  for (std::string file, stamp, fault;
       std::getline(lines, file, '\t') && std::getline(lines, stamp, '\t') && std::getline(lines, fault);)
    for (Driver& driver : drivers)
      if (driver.file == file && driver.stamp == stamp) driver.fault = fault;
}

void remember(const std::vector<Driver>& drivers) {
  if (memory().empty()) return;
  std::string text;
  for (const Driver& driver : drivers)
    if (!driver.fault.empty()) text += driver.file.string() + "\t" + driver.stamp + "\t" + driver.fault + "\n";
  try {
    write_file(memory(), text);
  } catch (const Error& error) {  // then the next start tries them again
    log(Level::info, error.what());
  }
}

bool usable(const Driver& driver) { return driver.fault.empty(); }

// Each alone, all at once.
void find_the_faulty(std::vector<Driver>& drivers) {
  std::vector<std::future<void>> asked;
  for (Driver& driver : drivers)
    if (usable(driver))
      asked.push_back(std::async(std::launch::async, [&driver] { driver.fault = fault_of({driver}); }));
  for (std::future<void>& answer : asked) answer.get();
}

std::vector<PlatformInfo> left_out(const std::vector<Driver>& drivers) {
  std::vector<PlatformInfo> result;
  for (const Driver& driver : drivers) {
    if (usable(driver)) continue;
    PlatformInfo info;
    info.name = "the driver " + driver.file.filename().string();
    info.fault = "it " + driver.fault + " while its devices were listed, and is left out until it changes";
    if (!memory().empty()) info.fault += " (or " + memory().filename().string() + " is deleted from the state folder)";
    log(Level::warning, info.name + ": " + info.fault);
    result.push_back(std::move(info));
  }
  return result;
}

// Of drivers of which some are left out: the loader reads the folder once.
std::vector<PlatformInfo> enumerate_only_usable(const std::vector<Driver>& drivers) {
  const VendorFolder folder(drivers);
#ifndef _WIN32
  ::setenv(vendors_variable, folder.path().c_str(), 1);
#endif
  std::vector<PlatformInfo> result =
      std::ranges::any_of(drivers, usable) ? enumerate_devices() : std::vector<PlatformInfo>();
  std::ranges::copy(left_out(drivers), std::back_inserter(result));
  return result;
}

// All drivers that there are, with their stamps, as they were when listing them went well.
std::string names_of(const std::vector<Driver>& drivers) {
  std::string text;
  for (const Driver& driver : drivers) text += driver.file.string() + "\t" + driver.stamp + "\n";
  return text;
}

fs::path trusted_file() {
  const fs::path folder = state_folder();
  return folder.empty() ? fs::path() : folder / "drivers-trusted";
}

bool are_trusted(const std::vector<Driver>& drivers) {
  std::error_code ignored;
  return !drivers.empty() && !trusted_file().empty() && fs::exists(trusted_file(), ignored) &&
         read_file(trusted_file()) == names_of(drivers);
}

// Not as write_file() does: that it is half-written after a power cut costs one child.
void trust(const std::vector<Driver>& drivers) {
  if (!trusted_file().empty()) std::ofstream(trusted_file(), std::ios::binary) << names_of(drivers);
}

}  // namespace

void give_drivers_a_cache() {
#ifndef _WIN32
  constexpr const char* variable = "POCL_CACHE_DIR";
  const fs::path own = cache_folder();
  if (std::getenv(variable) != nullptr || (!own.empty() && ::access(own.c_str(), W_OK) == 0)) return;
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error) / ("orrery-driver-cache-" + std::to_string(::getuid()));
  if (!error) fs::create_directories(folder, error);
  if (!error) ::setenv(variable, folder.c_str(), 1);
#endif
}

std::vector<PlatformInfo> enumerate_trusting() {
  std::vector<Driver> drivers;
  bool trusted = false;
  try {
    drivers = installed_drivers();
    trusted = are_trusted(drivers);
    std::error_code ignored;
    if (trusted) fs::remove(trusted_file(), ignored);
  } catch (const std::exception& error) {
    log(Level::info, error.what());
  }
  std::vector<PlatformInfo> platforms = trusted ? enumerate_devices() : enumerate_safely();
  const bool all_well = std::ranges::none_of(
      platforms, [](const PlatformInfo& each) { return !each.fault.empty() && each.devices.empty(); });
  if (all_well) trust(drivers);
  return platforms;
}

std::vector<PlatformInfo> enumerate_safely() {
  std::vector<Driver> drivers;
  try {
    drivers = installed_drivers();
    recall(drivers);
    if (drivers.empty()) return enumerate_devices();
    if (std::ranges::any_of(drivers, usable)) {
      if (const std::string together = fault_of(drivers); !together.empty()) {
        find_the_faulty(drivers);
        if (std::ranges::all_of(drivers, usable))  // each does alone, only together they do not
          for (Driver& driver : drivers) driver.fault = together + " beside the others";
        remember(drivers);
      }
    }
  } catch (const std::exception& error) {  // no child could be asked: as without this check
    log(Level::info, error.what());
    return enumerate_devices();
  }
  if (std::ranges::all_of(drivers, usable)) return enumerate_devices();
  return enumerate_only_usable(drivers);
}

}  // namespace orrery
