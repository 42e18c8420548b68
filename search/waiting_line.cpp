#include "search/waiting_line.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace msci::search {

void WaitingLine::show(std::string_view what) {
  if (!line_.can_draw()) return;
  ticker_ = {};  // stops it and waits, so that one thread at a time draws
  if (what.empty()) return line_.erase();
  ticker_ = std::jthread([this, what = std::string(what)](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    for (unsigned seconds = 0; !stop.stop_requested(); ++seconds) {
      line_.draw(seconds == 0 ? fmt::format("{} …", what)
                              : fmt::format("{} … {} s", what, seconds));
      never.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    }
  });
}

}  // namespace msci::search
