#include "lint/contract.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace msci {

bool Contract::has_kernel(std::string_view name) const {
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const KernelContract& kernel) { return kernel.name == name; });
}

Result<Contract> contract_from(const std::string& task, const std::vector<std::string>& kernels,
                               std::string from, FindTask find_task) {
  Contract contract{.from = std::move(from)};
  for (const auto& kernel : kernels) contract.kernels.push_back({.name = kernel});
  if (task.empty()) return contract;
  auto of_task = find_task(task);
  if (!of_task) return of_task.error();
  std::move(of_task->begin(), of_task->end(), std::back_inserter(contract.kernels));
  contract.from = "the task " + task;
  return contract;
}

}  // namespace msci
