#include <fmt/format.h>

#include "tasks/plan/task.h"

namespace msci {

Bytes reference_of(const Task& task, const Size& size, Cache& cache) {
  if (!task.reference) return {};
  const auto name = fmt::format("references/{}-v{}-{}.bin", task.name, task.version, size.label);
  // An entry of another length is another program's, or damaged: the judge would read past its end.
  if (auto kept = cache.load(name);
      kept && (!task.reference_bytes || kept->size() == task.reference_bytes(size))) {
    cache.touch(name);
    return *std::move(kept);
  }
  auto computed = task.reference(size);
  cache.store(name, computed);
  return computed;
}

void trim_references(Cache& cache, std::uintmax_t most_bytes) {
  constexpr std::string_view subfolder = "references";
  if (cache.usage(subfolder).bytes > most_bytes) cache.trim(subfolder, most_bytes / 4 * 3);
}

}  // namespace msci
