// Isolated processes side by side, however the system makes one.
#include <utility>

#include "base/io/poll_loop.h"
#include "base/process/isolated_process.h"

namespace msci {

Result<IsolatedOutcome> run_isolated(const Work& work, const Limits& limits) {
  return run_isolated(1, [&](std::size_t) { return work; }, 1, limits).front();
}

std::optional<Error> IsolatedPool::start(std::size_t number, const Work& work,
                                         const Limits& limits) {
  auto process = IsolatedProcess::start(work, limits);
  if (!process) return process.error();
  running_.push_back({number, *std::move(process)});
  return std::nullopt;
}

void IsolatedPool::wait(const OnDone& on_done) {
  if (running_.empty()) return;
  PollLoop loop;
  for (auto& each : running_)
    loop.watch(each.process.descriptor(), POLLIN,
               [&each] { each.is_done = each.process.read_available(); });
  if (const auto error = loop.wait()) {
    for (auto& each : std::exchange(running_, {})) on_done(each.number, *error);
    return;
  }
  for (auto& each : running_)
    if (each.is_done) on_done(each.number, each.process.finish());
  std::erase_if(running_, [](const Running& each) { return each.is_done; });
}

std::vector<Result<IsolatedOutcome>> run_isolated(std::size_t count,
                                                  const std::function<Work(std::size_t)>& work_at,
                                                  unsigned at_once, const Limits& limits) {
  std::vector<Result<IsolatedOutcome>> results(count, IsolatedOutcome());
  IsolatedPool pool;
  for (std::size_t next = 0; next < count || pool.running() > 0;) {
    for (; next < count && pool.running() < at_once; ++next)
      if (auto error = pool.start(next, work_at(next), limits)) results[next] = *error;
    pool.wait([&](std::size_t number, Result<IsolatedOutcome> outcome) {
      results[number] = std::move(outcome);
    });
  }
  return results;
}

}  // namespace msci
