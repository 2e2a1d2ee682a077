#include "base/work/ranks.hpp"

#ifndef _WIN32

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include "base/clock.hpp"
#include "base/files/path.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/log.hpp"
#include "base/platform/threads.hpp"
#include "base/text.hpp"
#include "base/work/interrupt.hpp"
#include "base/work/mpi_shim.h"
#include "base/work/rank_watch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  const auto number = text != nullptr ? parse_integer(text) : std::nullopt;
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// The variables of one launcher. mpirun's come first, because inside another launcher's job both exist.
struct LauncherVariables {
  const char *name, *ranks, *rank, *on_machine;
};
constexpr LauncherVariables launchers[] = {
    {"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"mpiexec", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"},
};

// Standard error of a silenced rank.
int spoken = STDERR_FILENO;

std::string host() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

// Open MPI 5 starts its ranks by PRRTE.
bool is_started_by_prrte() { return std::getenv("PRTE_LAUNCHED") != nullptr; }

// The process of Open MPI 5's mpirun on this machine, or 0. Its jobs have names like "prterun-node7-1234@1".
pid_t prrte_on_this_machine() {
  const char* job = std::getenv("PMIX_NAMESPACE");
  const std::string own = "prterun-" + host().substr(0, host().find('.')) + "-", name = job != nullptr ? job : "";
  if (!is_started_by_prrte() || !name.starts_with(own)) return 0;
  const std::string number = name.substr(own.size(), name.find('@') - own.size());
  std::string command;
  std::getline(std::ifstream("/proc/" + number + "/comm") >> std::ws, command);
  return command == "prterun" ? static_cast<pid_t>(parse_integer(number).value_or(0)) : 0;
}

// A copy of that process's standard error, or −1.
int standard_error_of(pid_t process) {
#ifdef SYS_pidfd_getfd
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  const int copy = static_cast<int>(::syscall(SYS_pidfd_getfd, handle, STDERR_FILENO, 0));
  if (handle >= 0) ::close(handle);
  if (copy >= 0) return copy;
#endif
  // Fallback: opens the stream again, which would write a file from its start.
  const int opened = ::open(("/proc/" + std::to_string(process) + "/fd/2").c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  struct stat found {};
  if (opened < 0 || (::fstat(opened, &found) == 0 && !S_ISREG(found.st_mode))) return opened;
  ::close(opened);
  return -1;
}

// Redirects messages, because PRRTE stops reading its ranks' output when it begins to end them.
void speak_beside_prrte() {
  const pid_t launcher = prrte_on_this_machine();
  const int its = launcher > 0 ? standard_error_of(launcher) : -1;
  if (its < 0) return;
  ::dup2(its, STDERR_FILENO);
  ::close(its);
}

void say(const std::string& line) {
  const std::string text = (::isatty(spoken) == 1 ? "\r\033[K" : "") + line + "\n";
  if (::write(spoken, text.data(), text.size()) < 0) return;  // the failure cannot be reported
}

// Seconds after SIGTERM in which a rank must end: mpirun kills it after 1 s, that of Open MPI 5 after 0.25 s.
std::optional<double> time_to_end(const RankPlace& place) {
  if (is_started_by_prrte()) return 0.15;
  return place.launcher == "mpirun" ? std::optional(0.8) : std::nullopt;
}

// Paths of the libraries of app/base/work/mpi_shim.c: in the build folder, and as installed.
std::vector<fs::path> shims_of(const std::string& mpi) {
  const std::string file = "orrery-" + mpi + ".so";
  return {executable_folder() / file, executable_folder() / ".." / "lib" / "orrery" / "mpi" / file};
}

// The kinds of MPI to try, the launcher's first.
std::vector<std::string> kinds_of_mpi(const RankPlace& place) {
  const char* wanted = std::getenv("ORRERY_MPI");
  if (wanted != nullptr && *wanted != '\0') return {wanted};
  const bool open_mpi = place.launcher == "mpirun" || std::getenv("PMIX_RANK") != nullptr;
  return open_mpi ? std::vector<std::string>{"openmpi", "mpich"} : std::vector<std::string>{"mpich", "openmpi"};
}

// A packaged shim does not link its MPI library, so that the package needs no MPI.
void load_mpi(const std::string& kind) {
  constexpr std::pair<std::string_view, const char*> libraries[] = {
      {"openmpi", "libmpi.so.40"}, {"mpich", "libmpich.so.12"}, {"mpich", "libmpi.so.12"}};
  for (const auto& [mpi, file] : libraries)
    if (mpi == kind && ::dlopen(file, RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
}

struct sigaction usual_abort {};

// Delays abort(), which MPI may call after the death of another rank before the watch has reported the reason.
void abort_late(int signal) {
  const timespec pause{2, 0};
  ::nanosleep(&pause, nullptr);
  ::sigaction(signal, &usual_abort, nullptr);
  ::raise(signal);
}

void let_the_watch_speak_first() {
  struct sigaction late {};
  late.sa_handler = abort_late;
  ::sigaction(SIGABRT, &late, &usual_abort);
}

// Identifies a loopback network shared by processes; empty: unknown.
std::string own_network() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  std::error_code none;
  const std::string space = fs::read_symlink("/proc/self/ns/net", none).string();
  return boot.empty() || space.empty() ? std::string() : boot + " " + space;
}

// The launcher's addresses; empty: unknown.
std::vector<std::string> addresses_of_launcher(const RankPlace& place) {
  const auto variable = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text != nullptr ? text : "");
  };
  std::string text;  // separated by commas
  if (place.launcher == "srun") text = variable("SLURM_LAUNCH_NODE_IPADDR");
  if (place.launcher == "mpirun") {  // "1234.0;tcp://10.0.0.5,172.17.0.1:38523"
    constexpr std::string_view scheme = "tcp://";
    text = variable("OMPI_MCA_orte_hnp_uri");
    const std::size_t begin = text.find(scheme);
    text = begin == text.npos
               ? ""
               : text.substr(begin + scheme.size(), text.find(':', begin + scheme.size()) - begin - scheme.size());
  }
  std::vector<std::string> addresses;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    addresses.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return addresses;
}

// The most private address at which the first rank can listen: the loopback if all ranks share it, else the launcher's
// network; empty: unknown.
std::string meeting_place(const RankPlace& place, const std::vector<std::string>& networks) {
  const std::string& own = networks.front();
  if (!own.empty() && std::ranges::count(networks, own) == std::ssize(networks)) return "127.0.0.1";
  std::set<std::string> ways;
  for (const std::string& address : addresses_of_launcher(place)) ways.insert(address_towards(address));
  const bool is_known = ways.size() == 1 && !ways.begin()->starts_with("127.") && *ways.begin() != "::1";
  return is_known ? *ways.begin() : std::string();
}

// Checks the parent process, because variables alone may come from a shell.
bool is_started_by_launcher() {
  for (std::int64_t process = ::getppid(); process > 1;) {
    std::string line;
    std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), line);  // "12 (name) S 7 …"
    const std::size_t begin = line.find('(') + 1, end = line.rfind(')');
    if (begin == 0 || end == line.npos) return false;
    const std::string name = line.substr(begin, end - begin);
    for (const char* launcher : {"mpi", "pmi", "orte", "prte", "hydra", "slurm", "srun"})
      if (name.starts_with(launcher)) return true;
    std::string state;
    std::istringstream(line.substr(end + 1)) >> state >> process;
  }
  return false;
}

[[noreturn]] void wait_for_the_end() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

std::optional<RankPlace> rank_place() {
  for (const LauncherVariables& launcher : launchers) {
    const auto ranks = number_in(launcher.ranks), rank = number_in(launcher.rank);
    if (!ranks || !rank) continue;
    if (*ranks < 2) return std::nullopt;
    return RankPlace{*rank, *ranks, number_in(launcher.on_machine).value_or(0), launcher.name};
  }
  return std::nullopt;
}

void silence_other_ranks() {
  const auto place = rank_place();
  if (!place || spoken != STDERR_FILENO) return;
  speak_beside_prrte();
  if (place->rank == 0) return;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC), kept = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (nowhere < 0 || kept < 0) return;
  spoken = kept;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

void let_first_rank_speak() {
  const auto place = rank_place();
  if (!place || place->rank == 0) return;
  if (!is_started_by_launcher()) ::dup2(spoken, STDERR_FILENO);
  std::this_thread::sleep_for(std::chrono::seconds(1));
}

/// The loaded library, which stays loaded: threads of MPI may be in it until the process ends.
class Ranks::Shim {
 public:
  explicit Shim(const RankPlace& place) {
    std::string reason;
    for (const std::string& kind : kinds_of_mpi(place))
      for (const fs::path& file : shims_of(kind)) {
        std::error_code none;
        if (!fs::exists(file, none)) continue;
        load_mpi(kind);
        void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
          reason += (reason.empty() ? "" : "; ") + std::string(::dlerror());
          continue;
        }
        const auto entry = reinterpret_cast<const OrreryMpi* (*)()>(::dlsym(library, "orrery_mpi"));
        if (entry != nullptr && entry()->version == ORRERY_MPI_VERSION) {
          table_ = entry();
          return;
        }
        reason += (reason.empty() ? "" : "; ") + file.string() + " is of another version of Orrery";
      }
    const std::string advice =
        reason.empty() ? "this build has no library for it: install libopenmpi-dev or libmpich-dev, and build again"
                       : "install the MPI of that launcher, openmpi-bin or mpich (" + reason + ")";
    throw failure(place.launcher + " has started " + std::to_string(place.ranks) + " ranks, and no MPI can be loaded",
                  advice);
  }
  const OrreryMpi* operator->() const { return table_; }

 private:
  const OrreryMpi* table_ = nullptr;
};

Ranks::Ranks(RankPlace place) : place_(std::move(place)), shim_(std::make_unique<Shim>(place_)) {
  thread_ = std::thread([this] { work(); });
  try {
    int rank = 0, ranks = 0;
    run([&] { check((*shim_)->start(&rank, &ranks)); });
    if (rank != place_.rank || ranks != place_.ranks)
      throw failure(
          place_.launcher + " has started " + std::to_string(place_.ranks) + " ranks, but MPI (" + (*shim_)->name +
              ") sees " + std::to_string(ranks),
          "start Orrery with the launcher of that MPI, or srun with --mpi=pmix (Open MPI) or --mpi=pmi2 (MPICH)");
    hosts_ = all(host());
    meet();
  } catch (const Error& error) {
    fail(error.what(), static_cast<int>(error.fault()));
  }
  let_the_watch_speak_first();
  if (const auto time = time_to_end(place_); first() && time)
    hurry_ = std::jthread([this, time](const std::stop_token& stop) { end_in_time(*time, stop); });
}

// Ends the run in time for the launcher, because a burst may last longer.
void Ranks::end_in_time(double seconds, const std::stop_token& stop) {
  name_thread("end in time");
  const auto pause = [&] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); };
  while (!stop.stop_requested() && !interrupted()) pause();
  for (const double until = now_seconds() + seconds; !stop.stop_requested() && now_seconds() < until;) pause();
  if (stop.stop_requested() || !claim_end()) return;
  const Interrupted in_time("");
  end(for_the_user(in_time.what(), in_time.exit_code()), in_time.exit_code());
}

// The ranks connect to the first one.
void Ranks::meet() {
  constexpr double patience = 10;
  std::string address, fault;
  const std::vector<std::string> networks = all(own_network());
  if (first()) watch_ = std::make_unique<RankWatch>(meeting_place(place_, networks));
  address = of_first(first() ? watch_->address() : std::string());
  std::vector<int> missing;
  if (first()) {
    missing = watch_->accept(count(), patience);
  } else {
    try {
      watch_ = std::make_unique<RankWatch>(address, rank());
    } catch (const Error& error) {
      fault = error.what();
    }
  }
  for (const int each : missing)
    log(Level::warning,
        name(each) + " has no TCP connection to " + name(0) + ": if one of the two dies, this run may hang");
  if (!watch_) return;
  watch_->listen({
      .failed =
          [this](int rank, const std::string& text) {
            // The first rank's own message about the same fault is preferred.
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            if (!claim_end()) return;
            const int code = std::atoi(text.c_str());
            end(for_the_user(name(rank) + ": " + text.substr(text.find(' ') + 1), code), code);
          },
      .ended = [](int code) { std::_Exit(code); },
      .lost =
          [this](int rank, const std::string& how) {
            // All other ranks notice the loss; one of them reports it.
            if (!claim_end()) return;
            if (!first() && this->rank() != 1) std::_Exit(1);
            end(for_the_user(name(rank) + " " + how, 1), 1);
          },
  });
}

Ranks::~Ranks() {
  hurry_ = {};
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::string Ranks::name(int rank) const {
  const std::string number = "rank " + std::to_string(rank);
  return hosts_.empty() ? number : number + " on " + hosts_[static_cast<std::size_t>(rank)];
}

std::size_t Ranks::machines() const { return std::set<std::string>(hosts_.begin(), hosts_.end()).size(); }

void Ranks::work() {
  name_thread("ranks");
  give_signal_stack();
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return stop_ || !calls_.empty(); });
    if (calls_.empty()) return;
    const std::function<void()> call = std::move(calls_.front());
    calls_.pop_front();
    lock.unlock();
    call();
  }
}

void Ranks::run(std::function<void()> call) {
  bool done = false;
  std::exception_ptr thrown;
  std::unique_lock lock(mutex_);
  calls_.push_back([&] {
    try {
      call();
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard ended(mutex_);
    done = true;
    wake_.notify_all();
  });
  wake_.notify_all();
  wake_.wait(lock, [&] { return done; });
  if (thrown) std::rethrow_exception(thrown);
}

// Prefers the watch's reason for a missing message.
void Ranks::check(int code) const {
  if (code == 0) return;
  if (watch_) std::this_thread::sleep_for(std::chrono::seconds(1));
  throw failure(std::string("MPI (") + (*shim_)->name + "): " + (*shim_)->text(code));
}

std::vector<std::string> Ranks::all(const std::string& own) {
  constexpr std::size_t most = std::size_t{1} << 16;
  const auto ranks = static_cast<std::size_t>(count());
  const int length = static_cast<int>(std::min(own.size(), most));
  std::vector<int> lengths(ranks);
  run([&] { check((*shim_)->gather(&length, lengths.data(), sizeof length)); });
  const int longest = std::max(std::ranges::max(lengths), 1);
  std::string padded = own.substr(0, most), every(ranks * static_cast<std::size_t>(longest), '\0');
  padded.resize(static_cast<std::size_t>(longest));
  run([&] { check((*shim_)->gather(padded.data(), every.data(), longest)); });
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    texts.push_back(every.substr(rank * static_cast<std::size_t>(longest), static_cast<std::size_t>(lengths[rank])));
  return texts;
}

std::string Ranks::of_first(const std::string& text) {
  std::uint64_t length = text.size();
  of_first(std::as_writable_bytes(std::span(&length, 1)));
  std::string result = text;
  result.resize(length);
  of_first(std::as_writable_bytes(std::span(result)));
  return result;
}

void Ranks::of_first(std::span<std::byte> bytes) {
  run([&] { check((*shim_)->broadcast(bytes.data(), bytes.size())); });
}

void Ranks::swap(std::function<void()> ready, std::vector<Message> messages, std::function<void(bool)> done) {
  auto call = [this, ready = std::move(ready), messages = std::move(messages), done = std::move(done)] {
    std::vector<OrreryMessage> list;
    for (const Message& message : messages)
      list.push_back({message.peer, message.sends ? 1 : 0, message.bytes.data(), message.bytes.size()});
    try {
      ready();
    } catch (const std::exception&) {
      return done(false);  // the thread that owns the device reports why
    }
    waits_ = true;
    try {
      check((*shim_)->swap(list.data(), static_cast<int>(list.size())));
    } catch (const Error& error) {
      fail(error.what(), 1);
    }
    waits_ = false;
    done(true);
  };
  const std::lock_guard lock(mutex_);
  calls_.push_back(std::move(call));
  wake_.notify_all();
}

void Ranks::set_remedy(const std::string& text) {
  const std::lock_guard lock(remedy_mutex_);
  remedy_ = text;
}

std::string Ranks::for_the_user(const std::string& text, int code) {
  const std::lock_guard lock(remedy_mutex_);
  return remedy_.empty() || code == static_cast<int>(Fault::usage) ? text : text + "; " + remedy_;
}

void Ranks::fail(const std::string& text, int code) {
  if (first()) {
    if (!claim_end()) wait_for_the_end();
    end(for_the_user(text, code), code);
  }
  if (watch_) watch_->tell_failure(std::to_string(code) + " " + text);
  if (!watch_ && !is_started_by_launcher()) say("orrery: " + text);
  // The first rank ends this one; it may have gone already.
  std::this_thread::sleep_for(std::chrono::seconds(watch_ ? 10 : 1));
  std::_Exit(code);
}

void Ranks::end(const std::string& line, int code) {
  remove_unfinished_files();
  std::fflush(stdout);
  say("orrery: " + line);
  if (watch_ && first()) watch_->tell_end(code);
  std::_Exit(code);
}

void Ranks::finish() {
  all({});
  hurry_ = {};
  if (watch_) watch_->tell_goodbye();
  run([&] { check((*shim_)->finish()); });
}

}  // namespace orrery

#else

namespace orrery {

class RankWatch {};
class Ranks::Shim {};
std::optional<RankPlace> rank_place() { return std::nullopt; }
void silence_other_ranks() {}

}  // namespace orrery

#endif
