/// How the ranks of a run learn of each other's end: each but the first has a TCP connection to the first, which the
/// system closes when a process dies, however it dies, and which carries a beat so that a dead machine is noticed too.
/// MPI does not tell: its calls wait for ever, or end the process.
///
/// Owns the sockets and a thread of its own that reads them.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace orrery {

/// The address of this machine in the network by which it reaches another one; empty where there is none.
std::string address_towards(const std::string& other);

class RankWatch {
 public:
  /// The watch's thread calls these when another rank tells something; `rank` is that rank.
  struct Listener {
    std::function<void(int rank, const std::string& text)> failed;  ///< the first rank hears a failure, with its cause
    std::function<void(int code)> ended;  ///< the others hear that the run ends now, with this exit code
    std::function<void(int rank, const std::string& how)> lost;  ///< it "has ended unexpectedly", or is silent
  };

  /// The first rank makes this one: it begins to listen at that address of this machine, or at all of them.
  explicit RankWatch(const std::string& address = {});
  /// Where and with which word the others reach the first one.
  const std::string& address() const { return address_; }
  /// The first rank waits at most `seconds` for the others; returns those that have not come. Strangers delay nothing.
  std::vector<int> accept(int ranks, double seconds);
  /// Any other rank makes this one. Throws Error where no address answers.
  RankWatch(const std::string& address, int rank);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  void listen(Listener listener);

  // Any thread; never waits long.
  void tell_failure(const std::string& text) { tell('F', text); }
  void tell_end(int code) { tell('Q', std::to_string(code)); }
  /// This rank ends in order: its connection may close.
  void tell_goodbye() { tell('B', {}); }

 private:
  struct Peer {
    int rank, socket;
    std::string read;
    double heard = 0;
    bool gone = false;  // in order, or reported
  };

  bool listen_at(const std::string& address);
  bool has(int rank) const;
  void tell(char kind, const std::string& text);
  void watch(const std::stop_token& stop);
  void read(Peer& peer);
  void lose(Peer& peer, const std::string& how);

  int listening_ = -1;
  std::string address_;
  std::mutex mutex_;  // of sending
  std::vector<Peer> peers_;
  Listener listener_;
  std::jthread thread_;
};

}  // namespace orrery
