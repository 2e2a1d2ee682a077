#ifndef _WIN32
#include "base/work/rank_watch.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <random>
#include <sstream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/platform/threads.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr double beat = 2, longest_silence = 30;  // seconds

std::string text_of(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET)
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
  else if (address->sa_family == AF_INET6)
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text, sizeof text);
  return text;
}

// Those of this machine's networks; the loop within the machine comes last.
std::vector<std::string> own_addresses() {
  std::vector<std::string> own, loops;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {"127.0.0.1"};
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || (entry->ifa_flags & IFF_UP) == 0) continue;
    const std::string text = text_of(entry->ifa_addr);
    if (text.empty() || text.starts_with("fe80")) continue;  // needs the name of an interface
    ((entry->ifa_flags & IFF_LOOPBACK) != 0 ? loops : own).push_back(text);
  }
  freeifaddrs(list);
  own.insert(own.end(), loops.begin(), loops.end());
  return own;
}

void set_up(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

bool send_all(int socket, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

// A socket that is connected to the address within some seconds, or −1.
int connected(const std::string& address, int port) {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  const sockaddr* to = reinterpret_cast<sockaddr*>(&v4);
  socklen_t size = sizeof v4;
  if (inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<std::uint16_t>(port));
  } else if (inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(static_cast<std::uint16_t>(port));
    to = reinterpret_cast<sockaddr*>(&v6);
    size = sizeof v6;
  } else {
    return -1;
  }
  const int socket = ::socket(to->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  int error = ::connect(socket, to, size) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    pollfd waiting{socket, POLLOUT, 0};
    socklen_t length = sizeof error;
    if (::poll(&waiting, 1, 2000) != 1 || ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0)
      error = ETIMEDOUT;
  }
  if (error != 0) {
    ::close(socket);
    return -1;
  }
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) & ~O_NONBLOCK);
  return socket;
}

// The next line of a socket within some seconds; longer ones are cut.
std::string line_of(int socket) {
  std::string line;
  for (char next; line.size() < 256;) {
    pollfd waiting{socket, POLLIN, 0};
    if (::poll(&waiting, 1, 2000) != 1 || ::recv(socket, &next, 1, 0) != 1 || next == '\n') break;
    line += next;
  }
  return line;
}

}  // namespace

// An address consists of the port, a word that no stranger knows, and the addresses of the machine.
RankWatch::RankWatch() {
  sockaddr_in6 any6{};
  sockaddr_in any4{};
  any6.sin6_family = AF_INET6;
  any4.sin_family = AF_INET;
  listening_ = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int off = 0;
  if (listening_ >= 0) ::setsockopt(listening_, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (listening_ < 0 || ::bind(listening_, reinterpret_cast<sockaddr*>(&any6), sizeof any6) != 0) {
    if (listening_ >= 0) ::close(listening_);
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening_ < 0 || ::bind(listening_, reinterpret_cast<sockaddr*>(&any4), sizeof any4) != 0)
      throw failure("cannot listen on a TCP port of this machine, by which the ranks watch each other");
  }
  ::listen(listening_, SOMAXCONN);
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(listening_, reinterpret_cast<sockaddr*>(&bound), &size);
  const auto port = bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                                                : reinterpret_cast<sockaddr_in*>(&bound)->sin_port;
  std::random_device random;
  address_ = std::to_string(ntohs(port)) + " " + std::to_string(random()) + std::to_string(random());
  for (const std::string& own : own_addresses()) address_ += " " + own;
}

std::vector<int> RankWatch::accept(int ranks, double seconds) {
  std::istringstream text(address_);
  std::string port, word;
  text >> port >> word;
  const double until = now_seconds() + seconds;
  while (peers_.size() + 1 < static_cast<std::size_t>(ranks) && now_seconds() < until) {
    pollfd waiting{listening_, POLLIN, 0};
    if (::poll(&waiting, 1, 100) != 1) continue;
    const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    std::istringstream greeting(line_of(socket));
    std::string said;
    int rank = 0;
    if (!(greeting >> said >> rank) || said != word || rank < 1 || rank >= ranks) {
      ::close(socket);
      continue;
    }
    set_up(socket);
    peers_.push_back({rank, socket, {}, 0, false});
  }
  ::close(listening_);
  listening_ = -1;
  std::vector<int> missing;
  for (int rank = 1; rank < ranks; ++rank)
    if (std::ranges::find(peers_, rank, &Peer::rank) == peers_.end()) missing.push_back(rank);
  return missing;
}

RankWatch::RankWatch(const std::string& address, int rank) {
  std::istringstream text(address);
  std::string word, next;
  int port = 0;
  text >> port >> word;
  while (text >> next) {
    const int socket = connected(next, port);
    if (socket < 0) continue;
    set_up(socket);
    send_all(socket, word + " " + std::to_string(rank) + "\n");
    peers_.push_back({0, socket, {}, 0, false});
    return;
  }
  throw failure("cannot reach the first rank over TCP at " + address.substr(address.find(' ', address.find(' ') + 1)));
}

RankWatch::~RankWatch() {
  thread_ = {};
  if (listening_ >= 0) ::close(listening_);
  for (const Peer& peer : peers_) ::close(peer.socket);
}

void RankWatch::listen(Listener listener) {
  listener_ = std::move(listener);
  thread_ = std::jthread([this](const std::stop_token& stop) {
    name_thread("rank watch");
    give_signal_stack();
    watch(stop);
  });
}

void RankWatch::tell(char kind, const std::string& text) {
  std::string line = kind + text;
  std::ranges::replace(line, '\n', ' ');
  const std::lock_guard lock(mutex_);
  for (const Peer& peer : peers_) send_all(peer.socket, line + "\n");
}

// Silence is counted in rounds of this loop: a machine that was asleep has not missed anything.
void RankWatch::watch(const std::stop_token& stop) {
  constexpr int round = 100;  // ms
  double clock = 0, next_beat = beat;
  while (!stop.stop_requested()) {
    std::vector<pollfd> waiting;
    for (const Peer& peer : peers_) waiting.push_back({peer.gone ? -1 : peer.socket, POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), round) == 0) clock += 1e-3 * round;
    for (std::size_t k = 0; k < peers_.size(); ++k) {
      if (waiting[k].revents != 0) {
        peers_[k].heard = clock;
        read(peers_[k]);
      } else if (!peers_[k].gone && clock - peers_[k].heard > longest_silence) {
        lose(peers_[k], "has not answered for " + brief(longest_silence) + " s");
      }
    }
    if (clock < next_beat) continue;
    next_beat = clock + beat;
    tell('H', {});
  }
}

void RankWatch::read(Peer& peer) {
  char bytes[4096];
  const ssize_t count = ::recv(peer.socket, bytes, sizeof bytes, 0);
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) return lose(peer, "has ended unexpectedly");
  peer.read.append(bytes, static_cast<std::size_t>(count));
  for (std::size_t end; (end = peer.read.find('\n')) != std::string::npos;) {
    const std::string line = peer.read.substr(0, end);
    peer.read.erase(0, end + 1);
    if (line.starts_with('F')) listener_.failed(peer.rank, line.substr(1));
    if (line.starts_with('Q')) listener_.ended(std::atoi(line.c_str() + 1));
    if (line.starts_with('B')) peer.gone = true;
  }
}

void RankWatch::lose(Peer& peer, const std::string& how) {
  if (peer.gone) return;
  peer.gone = true;
  listener_.lost(peer.rank, how);
}

}  // namespace orrery
#endif
