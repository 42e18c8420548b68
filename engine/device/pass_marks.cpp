#include "engine/device/pass_marks.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>

namespace msci {
namespace {

// A reader that sleeps leaves the processors to the passes. A socket holds some hundred marks.
constexpr std::chrono::milliseconds between_readings(10);

constexpr std::size_t most_marks = std::size_t{1}
                                   << 20;  // a sender of more waits for its time limit

int marked_socket = -1;

// One mark, and when it was sent, if the system says so.
struct Mark {
  std::optional<double> stamp;
};

// Nothing if there is none.
std::optional<Mark> next_mark(int socket) {
  char mark = 0;
  iovec part = {.iov_base = &mark, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(timespec))> control = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (::recvmsg(socket, &message, MSG_DONTWAIT) != 1) return std::nullopt;
  for (auto* each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec time = {};
    std::memcpy(&time, CMSG_DATA(each), sizeof time);
    return Mark{static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)};
  }
  return Mark{};
}

}  // namespace

MarkingOfPasses::MarkingOfPasses(Fd socket) : socket_(std::move(socket)) {
  marked_socket = socket_.get();
}

MarkingOfPasses::~MarkingOfPasses() { marked_socket = -1; }

void mark_pass() {
  if (marked_socket < 0) return;
  const char mark = 0;
  while (::send(marked_socket, &mark, 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

Result<std::pair<std::unique_ptr<MarkReader>, Fd>> MarkReader::open() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{fmt::format("socketpair: {}", std::strerror(errno))};
  Fd near(ends[0]), far(ends[1]);
  const int on = 1;
  if (::setsockopt(near.get(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0)
    return Error{fmt::format("SO_TIMESTAMPNS: {}", std::strerror(errno))};
  return std::pair(std::unique_ptr<MarkReader>(new MarkReader(std::move(near))), std::move(far));
}

MarkReader::MarkReader(Fd socket) : socket_(std::move(socket)), thread_([this] { read(); }) {}

MarkReader::~MarkReader() { finish(); }

void MarkReader::read() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, between_readings, [this] { return ends_; })) read_available();
}

void MarkReader::read_available() {
  while (stamps_.size() < most_marks) {
    const auto mark = next_mark(socket_.get());
    if (!mark) break;
    are_stamped_ = are_stamped_ && mark->stamp;
    stamps_.push_back(mark->stamp.value_or(0));
  }
}

std::optional<std::vector<double>> MarkReader::finish() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
  read_available();
  if (!are_stamped_) return std::nullopt;
  std::vector<double> seconds;
  for (std::size_t i = 0; i + 1 < stamps_.size(); i += 2)
    seconds.push_back(stamps_[i + 1] - stamps_[i]);
  return seconds;
}

bool are_plausible(std::span<const double> timed, std::span<const double> marked,
                   std::size_t untimed) {
  // The system's calls, and what happens between a mark and a look at the clock.
  constexpr double unknown = 30e-6, least_share = 0.8;
  constexpr double drift = 1e-3;  // of two clocks
  if (marked.size() < timed.size() + untimed) return false;
  const auto first = marked.size() - untimed - timed.size();
  std::size_t short_ones = 0, long_ones = 0;
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const double seconds = marked[first + i];
    short_ones += timed[i] < least_share * seconds - unknown;
    long_ones += timed[i] > (1 + drift) * seconds + unknown;
  }
  const auto most = std::max<std::size_t>(1, timed.size() / 2);
  return short_ones <= most && long_ones <= most;
}

}  // namespace msci
