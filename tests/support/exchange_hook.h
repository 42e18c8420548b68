// What a test does right after two files have changed places, in the instant in which no program
// may edit them. Defines renameat2(): for one source of a program.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

namespace msci {

// Gets the path of the file that had the name before. Empty: nothing.
inline std::function<void(const std::string&)> after_exchange;

// Sets after_exchange for its own life.
class ExchangeHook {
 public:
  explicit ExchangeHook(std::function<void(const std::string&)> hook) {
    after_exchange = std::move(hook);
  }
  ExchangeHook(const ExchangeHook&) = delete;
  ExchangeHook& operator=(const ExchangeHook&) = delete;
  ~ExchangeHook() { after_exchange = nullptr; }
};

}  // namespace msci

extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                         unsigned flags) noexcept {
  const auto result =
      static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
  const int error = errno;
  if (result == 0 && (flags & RENAME_EXCHANGE) != 0 && msci::after_exchange)
    msci::after_exchange(from);
  errno = error;
  return result;
}
