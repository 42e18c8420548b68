#include "base/process/channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/io/descriptor.h"

namespace msci {
namespace {

using Clock = std::chrono::steady_clock;

// Bytes of text; guards against damaged headers.
constexpr std::size_t message_limit = std::size_t{64} << 20;
constexpr std::size_t files_limit = 4;

struct MessageHeader {
  std::uint64_t bytes = 0;
};

// Room for the descriptors of one message, with the alignment that the kernel requires.
struct Control {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(files_limit * sizeof(int))> space = {};
};

Error system_error(std::string_view call) {
  return {fmt::format("{}: {}", call, std::strerror(errno))};
}

// Whether something can be read before `deadline`.
bool wait_for_input(int socket, std::optional<Clock::time_point> deadline) {
  while (true) {
    int milliseconds = -1;
    if (deadline) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
      milliseconds = static_cast<int>(std::clamp<long>(left, 0, 1'000'000'000));
    }
    pollfd wanted = {.fd = socket, .events = POLLIN, .revents = 0};
    const auto ready = ::poll(&wanted, 1, milliseconds);
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

std::vector<Fd> files_in(msghdr& message) {
  std::vector<Fd> files;
  for (auto* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const auto count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
      files.emplace_back(fd);
    }
  }
  return files;
}

// Reads exactly `bytes`, and the descriptors sent with them.
std::optional<Silence> receive_all(int socket, char* data, std::size_t bytes,
                                   std::vector<Fd>& files,
                                   std::optional<Clock::time_point> deadline) {
  while (bytes > 0) {
    if (!wait_for_input(socket, deadline)) return Silence::timed_out;
    Control control;
    iovec part = {.iov_base = data, .iov_len = bytes};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.space.data();
    message.msg_controllen = control.space.size();
    const auto got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Silence::closed;
    for (auto& file : files_in(message)) files.push_back(std::move(file));
    data += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return std::nullopt;
}

}  // namespace

Result<Mapping> Mapping::map(const Fd& file, std::size_t bytes, Access access, std::size_t offset) {
  if (bytes == 0) return Mapping({});
  // Before 6.7, Linux counts each shared mapping as one that may write, which sealed memory
  // forbids. A private mapping that is only read shows the same pages.
  const bool reads = access == Access::read;
  void* memory = ::mmap(nullptr, bytes, reads ? PROT_READ : PROT_READ | PROT_WRITE,
                        reads ? MAP_PRIVATE : MAP_SHARED, file.get(), static_cast<off_t>(offset));
  if (memory == MAP_FAILED) return system_error("mapping shared memory");
  return Mapping({static_cast<std::byte*>(memory), bytes});
}

Mapping::~Mapping() {
  if (!memory_.empty()) ::munmap(memory_.data(), memory_.size());
}

Result<Fd> make_shared_memory(std::size_t bytes) {
  Fd file(::memfd_create("msci", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return system_error("memfd_create");
  if (::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) return system_error("ftruncate");
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    return system_error("F_ADD_SEALS");
  return file;
}

std::optional<Error> seal_shared_memory(const Fd& file) {
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    return system_error("F_ADD_SEALS");
  return std::nullopt;
}

std::optional<Error> seal_unshared_memory(const Fd& file) {
  // Linux before 5.1 knows only the second one, which looks for users of each page.
  for (const int writes : {F_SEAL_FUTURE_WRITE, F_SEAL_WRITE})
    if (::fcntl(file.get(), F_ADD_SEALS, writes | F_SEAL_SEAL) == 0) return std::nullopt;
  return system_error("F_ADD_SEALS");
}

bool is_sealed(const Fd& file) {
  const int seals = ::fcntl(file.get(), F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_WRITE) != 0;
}

std::optional<Error> write_shared_memory(const Fd& file, std::size_t offset,
                                         std::span<const std::byte> contents) {
  while (!contents.empty()) {
    const auto written =
        ::pwrite(file.get(), contents.data(), contents.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return system_error("writing shared memory");
    offset += static_cast<std::size_t>(written);
    contents = contents.subspan(static_cast<std::size_t>(written));
  }
  return std::nullopt;
}

Result<std::pair<Channel, Channel>> Channel::make_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return system_error("socketpair");
  Fd near(ends[0]);
  Fd far(ends[1]);
  const timeval limit = {.tv_sec = 10, .tv_usec = 0};  // a peer that does not read cannot block us
  if (::setsockopt(near.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0)
    return system_error("SO_SNDTIMEO");
  return std::pair(Channel(std::move(near)), Channel(std::move(far)));
}

bool Channel::send(std::string_view text, std::span<const Fd> files) const {
  assert(files.size() <= files_limit && "more files than a message carries");
  MessageHeader header{.bytes = text.size()};
  iovec part = {.iov_base = &header, .iov_len = sizeof header};
  Control control;
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!files.empty()) {
    message.msg_control = control.space.data();
    message.msg_controllen = CMSG_SPACE(files.size() * sizeof(int));
    auto* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
    for (std::size_t i = 0; i < files.size(); ++i) {
      const int fd = files[i].get();
      std::memcpy(CMSG_DATA(rights) + i * sizeof fd, &fd, sizeof fd);
    }
  }
  // Eight bytes fit into any socket buffer: they are sent whole or not at all.
  if (::sendmsg(socket_.get(), &message, MSG_NOSIGNAL) != sizeof header) return false;
  return send_all(socket_.get(), text);
}

std::variant<Message, Silence> Channel::receive(
    std::optional<std::chrono::milliseconds> limit) const {
  std::optional<Clock::time_point> deadline;
  if (limit) deadline = Clock::now() + *limit;
  Message message;
  MessageHeader header;
  if (auto silence = receive_all(socket_.get(), reinterpret_cast<char*>(&header), sizeof header,
                                 message.files, deadline))
    return *silence;
  if (header.bytes > message_limit) return Silence::closed;
  message.text.resize(header.bytes);
  if (auto silence = receive_all(socket_.get(), message.text.data(), message.text.size(),
                                 message.files, deadline))
    return *silence;
  return message;
}

}  // namespace msci
