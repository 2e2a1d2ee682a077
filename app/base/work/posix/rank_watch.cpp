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
#include <utility>

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

// The addresses of this machine in its networks; loopback addresses come last.
std::vector<std::string> own_addresses() {
  std::vector<std::string> own, loops;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {"127.0.0.1"};
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || (entry->ifa_flags & IFF_UP) == 0) continue;
    const std::string text = text_of(entry->ifa_addr);
    if (text.empty() || text.starts_with("fe80")) continue;  // a link-local address needs an interface name
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

struct SocketAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;  // 0: none
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&bytes); }
};

SocketAddress parsed(const std::string& address, int port) {
  SocketAddress result;
  auto& v4 = reinterpret_cast<sockaddr_in&>(result.bytes);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(result.bytes);
  if (inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<std::uint16_t>(port));
    result.size = sizeof v4;
  } else if (inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(static_cast<std::uint16_t>(port));
    result.size = sizeof v6;
  }
  return result;
}

SocketAddress name_of(int socket) {
  SocketAddress result;
  result.size = sizeof result.bytes;
  if (::getsockname(socket, result.get(), &result.size) != 0) result.size = 0;
  return result;
}

// Connects to the address within some seconds; returns the socket or −1.
int connected(const std::string& address, int port) {
  SocketAddress to = parsed(address, port);
  if (to.size == 0) return -1;
  const int socket = ::socket(to.bytes.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  int error = ::connect(socket, to.get(), to.size) == 0 ? 0 : errno;
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

/// A connection whose greeting has not come yet. The socket closes unless it is taken.
class Guest {
 public:
  explicit Guest(int socket) : socket_(socket) {}
  ~Guest() {
    if (socket_ >= 0) ::close(socket_);
  }
  Guest(Guest&& other) noexcept : socket_(std::exchange(other.socket_, -1)), said_(std::move(other.said_)) {}
  Guest& operator=(Guest&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(said_, other.said_);
    return *this;
  }

  int socket() const { return socket_; }
  int take() { return std::exchange(socket_, -1); }
  /// Reads the available part of its line, and no more. True when the line is complete or cannot continue.
  bool has_spoken() {
    constexpr std::size_t longest = 256;
    for (char next; said_.size() < longest; said_ += next) {
      const ssize_t count = ::recv(socket_, &next, 1, MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
      if (count != 1 || next == '\n') return true;
    }
    return true;
  }
  /// The rank of a greeting with the right word, or 0.
  int rank(const std::string& word, int ranks) const {
    std::istringstream greeting(said_);
    std::string said;
    int rank = 0;
    return greeting >> said >> rank && said == word && rank > 0 && rank < ranks ? rank : 0;
  }

 private:
  int socket_;
  std::string said_;
};

}  // namespace

std::string address_towards(const std::string& other) {
  SocketAddress to = parsed(other, 9);  // any port: connecting a datagram socket sends nothing
  const int socket = to.size > 0 ? ::socket(to.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
  if (socket < 0) return {};
  const bool has_way = ::connect(socket, to.get(), to.size) == 0;
  SocketAddress own = name_of(socket);
  ::close(socket);
  return has_way && own.size > 0 ? text_of(own.get()) : std::string();
}

bool RankWatch::listen_at(const std::string& address) {
  SocketAddress at = parsed(address, 0);
  listening_ = at.size > 0 ? ::socket(at.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
  if (listening_ < 0) return false;
  const int off = 0;
  if (address == "::") ::setsockopt(listening_, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (::bind(listening_, at.get(), at.size) == 0 && ::listen(listening_, SOMAXCONN) == 0) return true;
  ::close(std::exchange(listening_, -1));
  return false;
}

// An address consists of the port, a secret word and the addresses of the machine.
RankWatch::RankWatch(const std::string& address) {
  const bool at_one = listen_at(address);
  if (!at_one && !listen_at("::") && !listen_at("0.0.0.0"))
    throw failure("cannot listen on a TCP port of this machine, which the ranks need to watch each other");
  const SocketAddress bound = name_of(listening_);
  const auto port = bound.bytes.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(bound.bytes).sin6_port
                                                      : reinterpret_cast<const sockaddr_in&>(bound.bytes).sin_port;
  std::random_device random;
  address_ = std::to_string(ntohs(port)) + " " + std::to_string(random()) + std::to_string(random());
  for (const std::string& own : at_one ? std::vector{address} : own_addresses()) address_ += " " + own;
}

bool RankWatch::has(int rank) const { return std::ranges::find(peers_, rank, &Peer::rank) != peers_.end(); }

std::vector<int> RankWatch::accept(int ranks, double seconds) {
  constexpr std::size_t most_guests = 256;  // the longest silent guest is dropped
  std::istringstream text(address_);
  std::string port, word;
  text >> port >> word;
  std::vector<Guest> guests;
  const double until = now_seconds() + seconds;
  while (peers_.size() + 1 < static_cast<std::size_t>(ranks) && now_seconds() < until) {
    std::vector<pollfd> waiting{{listening_, POLLIN, 0}};
    for (const Guest& guest : guests) waiting.push_back({guest.socket(), POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), 100) <= 0) continue;
    for (std::size_t k = guests.size(); k-- > 0;) {
      if (waiting[k + 1].revents == 0 || !guests[k].has_spoken()) continue;
      if (const int rank = guests[k].rank(word, ranks); rank > 0 && !has(rank)) {
        set_up(guests[k].socket());
        peers_.push_back({rank, guests[k].take(), {}, 0, false});
      }
      guests.erase(guests.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (waiting.front().revents == 0) continue;
    if (const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC); socket >= 0)
      guests.emplace_back(socket);
    if (guests.size() > most_guests) guests.erase(guests.begin());
  }
  ::close(std::exchange(listening_, -1));
  std::vector<int> missing;
  for (int rank = 1; rank < ranks; ++rank)
    if (!has(rank)) missing.push_back(rank);
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

// Silence is counted in rounds of this loop, so that time asleep does not count.
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
