#include "compute/device/driver_check.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/platform/file.hpp"
#include "base/platform/folders.hpp"
#include "base/platform/process.hpp"
#include "base/platform/threads.hpp"
#include "base/text.hpp"
#include "base/work/child_run.hpp"
#include "compute/device/device.hpp"
#include "compute/device/driver_cache.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

constexpr const char* vendors_variable = "OCL_ICD_VENDORS";
constexpr std::string_view found_devices = "orrery: the drivers have listed devices",
                           found_no_device = "orrery: the drivers have listed no device",
                           not_loadable = "orrery: cannot be loaded";

double time_limit() {
  const char* text = std::getenv("ORRERY_DRIVER_SECONDS");
  const auto seconds = parse_real(text != nullptr ? text : "");
  return seconds && *seconds > 0 ? *seconds : 15;
}

/// A driver is installed as a file FILE.icd that names a library.
struct Driver {
  fs::path file;
  fs::path library;
  std::string stamp;  // changes with the driver and with the environment of the process
  std::string fault = {};
  bool recalled = false;  // the fault is that of an earlier start
};

std::string stamp_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto when = fs::last_write_time(file, error).time_since_epoch().count();
  return error ? std::string("-") : std::to_string(size) + "." + std::to_string(when);
}

bool is_of_drivers(std::string_view variable) {
  constexpr std::array<std::string_view, 16> prefixes{"OCL_",  "OPENCL_", "POCL_",      "CUDA_", "NVIDIA_", "LD_",
                                                      "MESA_", "LP_",     "RUSTICL",    "ROCR_", "HSA_",    "HIP_",
                                                      "AMD_",  "ONEAPI_", "CL_CONFIG_", "INTEL_"};
  return !is_own_cache(variable) &&
         std::ranges::any_of(prefixes, [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

bool is_of_folders(std::string_view variable) {
  constexpr std::array<std::string_view, 3> names{"HOME=", "TMPDIR=", "XDG_CACHE_HOME="};
  return std::ranges::any_of(names, [&](std::string_view name) { return variable.starts_with(name); });
}

// Differences between processes in which the same driver may fail or not: limits, what the system shows, and the
// environment variables of drivers, their compilers and their folders.
std::string surroundings() {
  std::string text = platform::limits();
  for (const std::string& variable : platform::variables())
    if (is_of_drivers(variable) || is_of_folders(variable)) text += variable + " ";
  return std::to_string(std::hash<std::string>()(text));
}

Driver driver_of(const fs::path& file, const fs::path& library) {
  return {file, library, stamp_of(file) + "/" + stamp_of(library) + "/" + surroundings()};
}

std::optional<Driver> driver_named_by(const fs::path& icd) {
  try {
    std::string library;
    std::istringstream(read_file(icd)) >> library;
    return driver_of(icd, library);
  } catch (const Error&) {  // the loader cannot read it either
    return std::nullopt;
  }
}

// The search order of the loaders (libOpenCL(7)): a folder of *.icd files, a single file, or a library.
std::vector<Driver> installed_drivers() {
  const std::string wanted = platform::variable(vendors_variable), usual = platform::variable("OPENCL_VENDOR_PATH");
  const fs::path usual_folder = usual.empty() ? platform::opencl_drivers() : fs::path(usual);
  fs::path place = wanted.empty() ? usual_folder : fs::path(wanted);
  std::error_code ignored;
  std::vector<Driver> drivers;
  if (!wanted.empty() && !fs::is_directory(place, ignored)) {
    if (place.extension() != ".icd") return {driver_of(place, place)};
    if (!place.has_parent_path() && fs::exists(usual_folder / place, ignored)) place = usual_folder / place;
    if (auto driver = driver_named_by(place)) drivers.push_back(std::move(*driver));
    return drivers;
  }
  for (const auto& entry : fs::directory_iterator(place, ignored))
    if (entry.path().extension() == ".icd")
      if (auto driver = driver_named_by(entry.path())) drivers.push_back(std::move(*driver));
  std::ranges::sort(drivers, {}, &Driver::file);
  return drivers;
}

bool usable(const Driver& driver) { return driver.fault.empty(); }
std::string name_of(const Driver& driver) { return "the driver " + driver.file.filename().string(); }

std::vector<fs::path> places_for_folders() {
  std::error_code ignored;
  std::vector<fs::path> places{fs::temp_directory_path(ignored),
                               state_folder(),
                               platform::variable("XDG_RUNTIME_DIR"),
                               "/dev/shm",
                               "/tmp",
                               "/var/tmp"};
  std::erase_if(places, [](const fs::path& place) { return place.empty(); });
  return places;
}

/// A temporary folder of *.icd files for a selection of drivers.
class Selection {
 public:
  /// Selects drivers without a fault. If no folder can be created, it selects the first of them.
  explicit Selection(const std::vector<Driver>& drivers) {
    for (const Driver& driver : drivers)
      if (usable(driver)) chosen_.push_back(driver);
    for (const fs::path& place : places_for_folders())
      if (fill(place)) return;
  }
  ~Selection() { remove(); }
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  bool empty() const { return chosen_.empty(); }
  /// The value for OCL_ICD_VENDORS.
  std::string value() const { return !folder_.empty() ? folder_.string() : chosen_.front().file.string(); }

 private:
  bool fill(const fs::path& place) {
    const auto made = platform::create_own_folder(place, "orrery-drivers");
    if (!made) return false;
    folder_ = *made;
    try {
      for (const Driver& driver : chosen_) write_icd(driver);
      return true;
    } catch (const std::exception&) {  // a full disk
      remove();
    }
    return false;
  }
  // A library named without a file gets one here.
  void write_icd(const Driver& driver) const {
    if (driver.file.extension() == ".icd")
      fs::create_symlink(fs::absolute(driver.file), folder_ / driver.file.filename());
    else
      write_file(folder_ / "driver.icd", driver.library.string() + "\n");
  }
  void remove() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
    folder_.clear();
  }

  std::vector<Driver> chosen_;
  fs::path folder_;
};

/// The result of a child that listed devices.
struct Listing {
  std::string fault;                              // empty if it ended normally
  std::map<std::string, std::string> not_loaded;  // reasons, by the file of the driver
  bool any_device = false;
};

Listing listing_of(const ChildEnd& end) {
  Listing result{end.fault, {}};
  bool at_its_end = false;
  std::istringstream lines(end.output);
  for (std::string line; std::getline(lines, line);) {
    result.any_device = line == found_devices;
    at_its_end = result.any_device || line == found_no_device;
    std::istringstream fields(line);
    std::string kind, file, reason;
    if (std::getline(fields, kind, '\t') && kind == not_loadable && std::getline(fields, file, '\t') &&
        std::getline(fields, reason))
      result.not_loaded[file] = reason;
  }
  if (result.fault.empty() && !at_its_end) result.fault = "ended the process";
  return result;
}

using Variables = std::vector<std::pair<std::string, std::string>>;

Listing list_in_child(const Variables& variables) {
  return listing_of(run_child(platform::this_program(), {listing_command}, variables, time_limit()));
}

// The record: one line per driver with its file, its stamp and its fault.
fs::path memory() {
  const fs::path folder = state_folder();
  return folder.empty() ? fs::path() : folder / "drivers-left-out";
}

// Nothing if the file cannot be read; the drivers are then tried again.
std::string text_of(const fs::path& file) {
  try {
    return read_file(file);
  } catch (const Error& error) {
    log(Level::info, error.what());
    return {};
  }
}

// If the file cannot be written, the next start tries the drivers again.
void keep(const fs::path& file, const std::string& text) try {
  write_file(file, text);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
} catch (const std::exception& error) {
  log(Level::info, error.what());
}

void recall(std::vector<Driver>& drivers) {
  std::error_code ignored;
  if (memory().empty() || !fs::exists(memory(), ignored)) return;
  std::istringstream lines(text_of(memory()));
  for (std::string file, stamp, fault;
       std::getline(lines, file, '\t') && std::getline(lines, stamp, '\t') && std::getline(lines, fault);)
    for (Driver& driver : drivers)
      if (driver.file == file && driver.stamp == stamp) driver.fault = fault, driver.recalled = true;
}

void remember(const std::vector<Driver>& drivers) {
  if (memory().empty()) return;
  std::string text;
  for (const Driver& driver : drivers)
    if (!driver.fault.empty()) text += driver.file.string() + "\t" + driver.stamp + "\t" + driver.fault + "\n";
  keep(memory(), text);
}

// Lists each driver alone, all at the same time.
void find_the_faulty(std::vector<Driver>& drivers) {
  std::vector<std::future<void>> asked;
  for (Driver& driver : drivers)
    if (usable(driver))
      asked.push_back(std::async(std::launch::async, [&driver] {
        give_signal_stack();
        const Selection alone({driver});
        driver.fault = list_in_child({{vendors_variable, alone.value()}}).fault;
      }));
  for (std::future<void>& answer : asked) answer.get();
}

// Keeps the first of drivers that fail only together, such as two copies of one.
void leave_out_beside_others(std::vector<Driver>& drivers) {
  std::vector<Driver> kept;
  for (Driver& driver : drivers) {
    if (!usable(driver)) continue;
    kept.push_back(driver);
    if (kept.size() == 1) continue;
    driver.fault = list_in_child({{vendors_variable, Selection(kept).value()}}).fault;
    if (usable(driver)) continue;
    kept.pop_back();
    driver.fault += " beside " + name_of(kept.front()) + (kept.size() > 1 ? " and others" : "");
  }
}

PlatformInfo left_out(const std::string& driver, const std::string& fault) {
  PlatformInfo info;
  info.name = driver;
  info.fault =
      "it " + fault + " while its devices were listed, and is left out until the driver or its environment changes";
  if (!memory().empty()) info.fault += ", or " + memory().string() + " is deleted";
  log(Level::warning, info.name + ": " + info.fault);
  return info;
}

// The set variables that select drivers and devices; empty: none. If no device is left, they are the cause.
std::string choosing_variables() {
  constexpr std::array<std::string_view, 7> marks{"_VENDOR", "_FILENAMES", "_DEVICES",      "DEVICE_ORDINAL",
                                                  "_REMOTE", "_SELECTOR",  "_AFFINITY_MASK"};
  std::string text;
  for (const std::string& variable : platform::variables()) {
    const std::string_view name = std::string_view(variable).substr(0, variable.find('='));
    const bool chooses = std::ranges::any_of(marks, [&](auto mark) { return name.find(mark) != name.npos; });
    if (chooses && is_of_drivers(name)) text += (text.empty() ? "" : " ") + variable;
  }
  return text;
}

// Protects against drivers that end this process but not the child.
class WatchOverListing {
 public:
  WatchOverListing() {
    static const int once = std::atexit([] {
      if (!listing_) return;
      std::fputs("orrery: an OpenCL driver has ended the program while its devices were listed\n", stderr);
      std::_Exit(EXIT_FAILURE);
    });
    listing_ = once == 0;
  }
  ~WatchOverListing() { listing_ = false; }
  WatchOverListing(const WatchOverListing&) = delete;
  WatchOverListing& operator=(const WatchOverListing&) = delete;

 private:
  static inline std::atomic<bool> listing_ = false;
};

std::vector<PlatformInfo> enumerate_watched() {
  const WatchOverListing watch;
  return enumerate_devices();
}

// The loader reads the folder only once, so the selection must be complete.
std::vector<PlatformInfo> enumerate_only(const Selection& selection) {
  if (selection.empty()) return {};
  platform::set_variable(vendors_variable, selection.value());
  return enumerate_watched();
}

/// Lists in a child first, and then here with the drivers that did not fail.
class SafeListing {
 public:
  SafeListing() : drivers_(installed_drivers()), chosen_by_(choosing_variables()) { recall(drivers_); }

  std::vector<PlatformInfo> platforms() {
    if (!find_a_device() && forget_recalled()) {
      find_a_device();
      remember(drivers_);
    }
    std::vector<PlatformInfo> result;
    if (unknown_fault_.empty())
      result = std::ranges::all_of(drivers_, usable) ? enumerate_watched() : enumerate_only(Selection(drivers_));
    else
      result.push_back(left_out("the OpenCL drivers", unknown_fault_));
    for (const Driver& driver : drivers_)
      if (!usable(driver)) result.push_back(left_out(name_of(driver), driver.fault));
    for (const auto& [file, reason] : not_loaded_) {
      PlatformInfo info;
      info.name = "the driver " + fs::path(file).filename().string();
      info.fault = "cannot be loaded: " + reason;
      result.push_back(std::move(info));
    }
    if (!chosen_by_.empty() && ranked_devices(result).empty()) {
      PlatformInfo info;
      info.name = "the environment";
      info.fault = (drivers_.empty() ? "no driver is named by " : "no device answers with ") + chosen_by_;
      result.push_back(std::move(info));
    }
    return result;
  }

  const std::vector<Driver>& drivers() const { return drivers_; }
  bool all_do_well() const { return unknown_fault_.empty() && std::ranges::all_of(drivers_, usable); }

 private:
  /// Tries the drivers that are not left out, and leaves out those that fail. Returns whether one of them has a device.
  bool find_a_device() {
    const Listing together = list_usable();
    not_loaded_ = together.not_loaded;
    if (together.fault.empty()) return together.any_device;
    if (drivers_.empty()) unknown_fault_ = together.fault;  // the loader uses drivers from an unknown place
    find_the_faulty(drivers_);
    const Listing others = list_usable();
    if (!others.fault.empty()) leave_out_beside_others(drivers_);
    remember(drivers_);
    return others.any_device || !others.fault.empty();
  }

  Listing list_usable() const {
    if (std::ranges::all_of(drivers_, usable)) return list_in_child({});
    if (std::ranges::none_of(drivers_, usable)) return {};
    return list_in_child({{vendors_variable, Selection(drivers_).value()}});
  }

  /// Stops leaving out drivers because of an earlier start. Returns whether there was one.
  bool forget_recalled() {
    bool any = false;
    for (Driver& driver : drivers_)
      if (std::exchange(driver.recalled, false)) any = true, driver.fault.clear();
    return any;
  }

  std::vector<Driver> drivers_;
  std::string chosen_by_;  // variables
  std::string unknown_fault_;
  std::map<std::string, std::string> not_loaded_;
};

// All installed drivers with their stamps, as they were at the last complete listing.
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
         text_of(trusted_file()) == names_of(drivers);
}

void trust(const std::vector<Driver>& drivers) {
  if (!trusted_file().empty()) keep(trusted_file(), names_of(drivers));
}

// Why the loader did not load the driver; empty if it did, or if the reason is unimportant.
std::string why_not_loaded(const Driver& driver) {
  return driver.library.empty() ? "the file names no library" : platform::why_not_loadable(driver.library);
}

}  // namespace

// Begins a new line, because drivers may have printed before.
int list_devices_for_parent() {
  const bool any = !ranked_devices(enumerate_devices()).empty();
  for (const Driver& driver : installed_drivers())
    if (const std::string reason = why_not_loaded(driver); !reason.empty())
      std::printf("\n%s\t%s\t%s\n", std::string(not_loadable).c_str(), driver.file.string().c_str(), reason.c_str());
  std::printf("\n%s\n", std::string(any ? found_devices : found_no_device).c_str());
  std::fflush(stdout);
  return 0;
}

std::vector<std::string> driver_variables() {
  std::vector<std::string> names;
  for (const std::string& variable : platform::variables())
    if (is_of_drivers(variable)) names.push_back(variable.substr(0, variable.find('=')));
  std::ranges::sort(names);
  return names;
}

std::vector<PlatformInfo> enumerate_trusting() {
  if (const std::vector<Driver> drivers = installed_drivers(); are_trusted(drivers)) {
    std::error_code ignored;
    fs::remove(trusted_file(), ignored);
    std::vector<PlatformInfo> platforms = enumerate_watched();
    trust(drivers);
    if (!ranked_devices(platforms).empty()) return platforms;
  }
  SafeListing listing;
  std::vector<PlatformInfo> platforms = listing.platforms();
  if (listing.all_do_well()) trust(listing.drivers());
  return platforms;
}

std::vector<PlatformInfo> enumerate_safely() { return SafeListing().platforms(); }

}  // namespace orrery
