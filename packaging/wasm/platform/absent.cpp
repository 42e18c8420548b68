// What the native program has and the module lacks: proofs, which need LLVM's optimiser and Z3, the
// code of kernels, tasks, programs that are started, and sockets.
#include "analysis/solver/z3.h"
#include "base/io/acceptor.h"
#include "base/io/termination_signals.h"
#include "evaluator/find_kernel_resources.h"
#include "lint/analysis/proof_coverage.h"
#include "lint/cli/options.h"
#include "lint/proofs/likely_faults.h"
#include "lint/proofs/plan_proofs.h"
#include "lint/proofs/worth_proving.h"
#include "lint/service/server.h"
#include "tasks/plan/task.h"

namespace msci {
namespace {

constexpr const char* no_proofs = "msci-lint as a WebAssembly module makes no proofs";

ProofCoverage coverage_of(const Unit& unit) {
  ProofCoverage coverage;
  for (const auto& candidate : kernels_worth_proving(unit)) {
    coverage.kernels.push_back(candidate.kernel.name);
    coverage.off = no_proofs;
    coverage.unproved.push_back({candidate.kernel.name, "proofs are off", ""});
  }
  return coverage;
}

}  // namespace

std::vector<LikelyFault> likely_faults(const clang::FunctionDecl&, const Unit& unit,
                                       const Contract&) {
  unit.cache().get<ProofCoverage>(&unit, [&] { return coverage_of(unit); });
  return {};
}

bool is_excluded_by_task(const clang::FunctionDecl&, ProofSubject, const std::string&, const Unit&,
                         const Contract&) {
  return false;
}

std::vector<KernelResources> find_kernel_resources(Unit&) { return {}; }

Result<std::string> prover::Z3::version() { return Error{no_proofs}; }

std::span<const Task* const> all_tasks() { return {}; }

Result<const Task*> find_task(std::string_view name) {
  return Error{std::string(name) + ": the WebAssembly module of msci-lint has no tasks"};
}

std::optional<std::string> task_version(const Task&) { return std::nullopt; }

Result<std::vector<KernelContract>> find_task_contract(std::string_view name) {
  return find_task(name).error();
}

std::size_t processes_at_once(std::size_t wanted) { return wanted; }

Result<Fd> open_termination_signals() { return Error{"WebAssembly has no signals"}; }

Result<FileWatch> FileWatch::open() {
  return Error{"--watch does not work in the WebAssembly module"};
}

void FileWatch::add(const std::string&) {}
bool FileWatch::wait(const std::function<void()>&) { return false; }

std::optional<Error> serve_standard_input(const ServerOptions&) {
  return Error{"--server does not work in the WebAssembly module; --lsp does"};
}

std::optional<Error> serve_socket(const ServerOptions&, const std::string&) {
  return Error{"the WebAssembly module opens no sockets; --lsp works"};
}

}  // namespace msci
