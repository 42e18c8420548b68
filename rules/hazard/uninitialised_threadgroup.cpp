#include <clang/AST/ASTContext.h>

#include "base/metal_limits.h"
#include "lint/analysis/indices/index_limits.h"
#include "lint/analysis/indices/iterations.h"
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

// Whether an access is to the element of its simdgroup, or of its lane.
bool is_at(const SharedAccess& access, Position position) {
  const auto atom =
      access.indices.size() == 1 ? single_atom(access.indices.front()) : std::optional<Atom>();
  return atom && atom->position == position;
}

// Whether a condition may keep lanes away.
bool is_for_some_lanes(const SharedAccess& access, const ThreadFlow& flow) {
  const auto limits = limits_at(*access.place, flow);
  const auto& lane = access.indices.front();
  return !limits.upper(lane).empty() || limits.may_limit(lane, flow);
}

// Whether 32 simdgroups share the rounds of a loop: `for (i = simdgroup; …; i += 32)`. Fewer would
// leave some of them out, so the kernel is only right with 32.
bool shares_loop_among(int simdgroups, const ThreadFlow& flow) {
  return std::ranges::any_of(flow.statements(), [&](const clang::Stmt* statement) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement);
    const auto counter = loop ? counter_of(*loop, flow) : std::nullopt;
    if (!counter || counter->step != constant_form(simdgroups)) return false;
    const auto start = single_atom(counter->start);
    return start && start->position == Position::simdgroup;
  });
}

// `part[lane]` of an array of which each simdgroup has written `part[simdgroup]` alone: only 32
// simdgroups fill it for 32 lanes.
void check_lanes_beyond_simdgroups(const ThreadFlow& flow, Reporter& report) {
  constexpr int most_simdgroups = 32;
  const auto limit = flow.unit().attribute(flow.function(), "max_total_threads_per_threadgroup");
  if ((limit && limit->value == most_simdgroups * simdgroup_lanes) ||
      shares_loop_among(most_simdgroups, flow))
    return;
  const auto accesses = accesses_in(flow, Space::threadgroup);
  std::set<const clang::VarDecl*> told;
  for (const auto& read : accesses.all) {
    if (read.writes || !is_at(read, Position::lane) || accesses.escaped.contains(read.memory) ||
        !read.memory->getType()->isConstantArrayType() || is_for_some_lanes(read, flow))
      continue;
    const SharedAccess* write = nullptr;
    const bool is_filled = std::ranges::any_of(accesses.all, [&](const SharedAccess& each) {
      if (!each.writes || each.memory != read.memory) return false;
      write = &each;
      return !is_at(each, Position::simdgroup);
    });
    if (is_filled || !write || !flow.reaches(write->when, read.when, {}) ||
        !told.insert(read.memory).second)
      continue;
    report(read.place->getSourceRange(),
           "with fewer than 32 simdgroups in a threadgroup, reads elements that no simdgroup has "
           "written")
        .note(write->place->getSourceRange(), "each simdgroup writes its own element here");
  }
}

}  // namespace

extern constinit const Rule uninitialised_threadgroup{
    .check_cooperative_flow =
        [](const ThreadFlow& flow, Reporter& report) {
          check_uninitialised_threadgroup(flow, report);
          check_lanes_beyond_simdgroups(flow, report);
        },
};

}  // namespace msci
