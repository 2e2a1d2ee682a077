/// Detects the end of other ranks: every other rank has a TCP connection to the first one, which the system closes at
/// any death of a process, and which carries a heartbeat that reveals dead machines. MPI does not report it: its calls
/// wait for ever, or end the process.
///
/// Owns the sockets and a thread of its own that reads them.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace orrery {

/// The address of this machine in the network towards another machine; empty: none.
std::string address_towards(const std::string& other);

class RankWatch {
 public:
  /// Callbacks on the watch's thread for messages of rank `rank`.
  struct Listener {
    std::function<void(int rank, const std::string& text)> failed;  ///< on the first rank: a failure, with its cause
    std::function<void(int code)> ended;  ///< on other ranks: the run ends now, with this exit code
    std::function<void(int rank, const std::string& how)> lost;  ///< it "has ended unexpectedly", or is silent
  };

  /// For the first rank: listens at that address of this machine, or at all of its addresses.
  explicit RankWatch(const std::string& address = {});
  /// The addresses and the secret word for connecting to the first rank.
  const std::string& address() const { return address_; }
  /// The first rank waits at most `seconds` for the others; returns missing ranks. Other connections cause no delay.
  std::vector<int> accept(int ranks, double seconds);
  /// For any other rank. Throws Error if no address answers.
  RankWatch(const std::string& address, int rank);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  void listen(Listener listener);

  // Any thread; never waits long.
  void tell_failure(const std::string& text) { tell('F', text); }
  void tell_end(int code) { tell('Q', std::to_string(code)); }
  /// Announces a regular end: the connection may close.
  void tell_goodbye() { tell('B', {}); }

 private:
  struct Peer {
    int rank, socket;
    std::string read;
    double heard = 0;
    bool gone = false;  // ended regularly, or reported
  };

  bool listen_at(const std::string& address);
  bool has(int rank) const;
  void tell(char kind, const std::string& text);
  void watch(const std::stop_token& stop);
  void read(Peer& peer);
  void lose(Peer& peer, const std::string& how);

  int listening_ = -1;
  std::string address_;
  std::mutex mutex_;  // guards sending
  std::vector<Peer> peers_;
  Listener listener_;
  std::jthread thread_;
};

}  // namespace orrery
