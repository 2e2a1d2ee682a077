#include "compute/tuning/tune_keeper.hpp"

#include <chrono>
#include <thread>

#include "base/error.hpp"
#include "base/files/kept_file.hpp"

namespace orrery {
namespace {

std::string saved(const std::filesystem::path& path, const std::vector<StoredSweep>& sweeps) {
  try {
    if (path.empty()) throw failure("there is no folder for results", "set XDG_STATE_HOME or HOME");
    std::vector<std::string> messages;
    const FileLock lock(path);  // another process may write at the same time
    TuningStore store = TuningStore::load(path, messages);
    for (const StoredSweep& sweep : sweeps) store.put(sweep);
    store.save(path);
    return {};
  } catch (const Error& error) {
    return std::string("the results cannot be saved: ") + error.what();
  }
}

}  // namespace

TuneKeeper::TuneKeeper(std::vector<std::string>& messages, std::filesystem::path path)
    : path_(std::move(path)), store_(TuningStore::load(path_, messages)) {}

void TuneKeeper::keep(StoredSweep sweep) {
  std::erase_if(mine_, [&](const StoredSweep& each) { return each.of.same_question(sweep.of); });
  mine_.push_back(sweep);
  store_.put(std::move(sweep));
  if (!failed_) saving_.start([path = path_, mine = mine_] { return saved(path, mine); });
}

std::string TuneKeeper::poll() {
  const auto fault = saving_.poll();
  if (!fault || fault->empty() || failed_) return {};
  failed_ = true;
  return *fault;
}

std::string TuneKeeper::finish() {
  std::string fault;
  while (saving_.busy()) {
    if (std::string told = poll(); !told.empty()) fault = std::move(told);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return fault;
}

}  // namespace orrery
