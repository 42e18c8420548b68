#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Whether any assignment can have been carried out, by any thread, before the read is.
bool may_be_written(const SharedAccess& read, const SharedAccesses& accesses,
                    const ThreadFlow& flow) {
  return std::any_of(accesses.all.begin(), accesses.all.end(), [&](const SharedAccess& access) {
    return access.writes && access.memory == read.memory &&
           flow.reaches(access.when, read.when, {});
  });
}

// The reads that lie before every write, where each way to a write leads through a read: the first
// thread that writes has then read before it.
bool reads_come_first(const clang::VarDecl& memory, const SharedAccesses& accesses,
                      const ThreadFlow& flow) {
  std::set<const clang::Stmt*> reads;
  for (const auto& access : accesses.all)
    if (access.memory == &memory && !access.writes) reads.insert(access.when);
  return std::all_of(accesses.all.begin(), accesses.all.end(), [&](const SharedAccess& access) {
    const bool updates = std::any_of(reads.begin(), reads.end(), [&](const clang::Stmt* read) {
      return flow.contains(access.when, read);
    });
    return !access.writes || access.memory != &memory || updates ||
           !flow.reaches(nullptr, access.when, reads);
  });
}

void check_uninitialised_threadgroup(const ThreadFlow& flow, Reporter& report) {
  const auto accesses = accesses_in(flow, Space::threadgroup);
  std::set<const clang::VarDecl*> told;
  for (const auto& access : accesses.all) {
    // Others may have written behind a pointer.
    const bool is_variable =
        !access.memory->getType()->isPointerType() && !llvm::isa<clang::ParmVarDecl>(access.memory);
    if (access.writes || !is_variable || accesses.escaped.contains(access.memory)) continue;
    if (may_be_written(access, accesses, flow) && !reads_come_first(*access.memory, accesses, flow))
      continue;
    if (!told.insert(access.memory).second) continue;
    report(access.place->getSourceRange(), "reads threadgroup memory that has not been written yet")
        .note(access.memory->getLocation(), "threadgroup memory is not initialised");
  }
}

}  // namespace

extern constinit const Rule uninitialised_threadgroup{
    .check_cooperative_flow = check_uninitialised_threadgroup,
};

}  // namespace msci
