#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include "base/metal_limits.h"
#include "lint/analysis/bounds.h"
#include "lint/analysis/sharing.h"
#include "lint/analysis/trace/template_arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

// What in a kernel goes wrong under another threadgroup than the one its author had in mind.
struct Assumption {
  clang::SourceRange where;
  std::int64_t threads = 0;
  std::string message;
  const clang::Stmt* number = nullptr;  // where the number of threads is written
};

// Functions that kernels call do not know what their caller knows.
bool is_kernel(const ThreadFlow& flow) {
  return flow.unit().attribute(flow.function(), "kernel").has_value();
}

// Whether the kernel asks for the threadgroup's size, or fixes it.
bool knows_its_size(const ThreadFlow& flow) {
  if (flow.unit().attribute(flow.function(), "required_threads_per_threadgroup")) return true;
  for (const auto* parameter : flow.function().parameters())
    for (const auto& attribute : flow.unit().attributes(*parameter))
      // How many simdgroups take part says no more than how many partial results there are.
      if (attribute.name.ends_with("_per_threadgroup") &&
          attribute.name != "simdgroups_per_threadgroup" && parameter->isReferenced())
        return true;
  return false;
}

// Functions on matrices need all lanes of a simdgroup, so a threadgroup has that many threads.
bool has_whole_simdgroup(const ThreadFlow& flow) {
  return std::any_of(flow.calls().begin(), flow.calls().end(), [&](const clang::CallExpr* call) {
    const auto name = metal_function(*call, flow.unit());
    return name.starts_with("simdgroup_") && name != "simdgroup_barrier";
  });
}

// A thread's own position in its threadgroup, in the sum once.
const Atom* own_position(const IndexForm& form) {
  for (const auto& [product, count] : form.terms)
    if (count == 1 && product.size() == 1 && product.front().position == Position::in_threadgroup)
      return &product.front();
  return nullptr;
}

// "16 threads in x", or "256 threads" where a threadgroup has one dimension.
std::string threads(std::int64_t count, const std::string& component) {
  return fmt::format("{} threads{}{}", count, component.empty() ? "" : " in ", component);
}

bool is_power_of_two(std::int64_t number) { return number > 0 && (number & (number - 1)) == 0; }

// `if (thread < 16)`: more threads do no harm. Its author expects that there may be more.
bool is_limited(const Atom& own, std::int64_t width, const clang::Stmt& at,
                const ThreadFlow& flow) {
  IndexForm thread;
  thread.terms[{own}] = 1;
  const auto limit = limit_of(thread, threads_left_at(&at, flow));
  return limit && *limit <= width;
}

// `threadgroup position * 16 + thread position`: 16 threads wide, or some elements have no thread
// and others two.
std::optional<Assumption> origin(const clang::Expr& sum, const ThreadFlow& flow) {
  const auto form = index_form(&sum, flow);
  const auto* own = own_position(form);
  if (!own) return std::nullopt;
  for (const auto& [product, width] : form.terms)
    if (width > 1 && product.size() == 1 && product.front().position == Position::threadgroup &&
        product.front().text == own->text && !is_limited(*own, width, sum, flow))
      return Assumption{
          sum.getSourceRange(), width,
          fmt::format("is correct only if a threadgroup has {}, which nothing enforces",
                      threads(width, own->text)),
          &sum};
  return std::nullopt;
}

// `for (i = thread; …; i += 256)`: 256 threads, or some elements have no thread.
std::optional<Assumption> stride(const clang::ForStmt& loop, const ThreadFlow& flow) {
  const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInc());
  if (!step || step->getOpcode() != clang::BO_AddAssign) return std::nullopt;
  const auto* variable = root_variable(step->getLHS());
  const auto width = index_form(step->getRHS(), flow);
  if (!variable || !variable->getInit() || !width.is_constant() || width.constant() < 2)
    return std::nullopt;
  if (!flow.contains(loop.getInit(), variable->getInit())) return std::nullopt;
  const auto start = index_form(variable->getInit(), flow);
  const auto* own = own_position(start);
  if (!own || !start.is_fixed()) return std::nullopt;
  if (width.constant() <= simdgroup_lanes && has_whole_simdgroup(flow)) return std::nullopt;
  // `y * 16 + x` counts the threads of the whole threadgroup, not those in x.
  const bool is_row = start.varying().terms.size() == 1;
  return Assumption{
      step->getSourceRange(), width.constant(),
      fmt::format("skips elements if a threadgroup has fewer than {}, which nothing prevents",
                  threads(width.constant(), is_row ? own->text : "")),
      step->getRHS()};
}

// `if (thread == 15) tile[…] = …`: the last thread of a row of 16 loads what lies beyond it.
std::optional<Assumption> last_thread(const clang::BinaryOperator& test,
                                      const std::vector<SharedAccess>& writes,
                                      const ThreadFlow& flow) {
  if (test.getOpcode() != clang::BO_EQ) return std::nullopt;
  const auto difference = index_form(test.getRHS(), flow) - index_form(test.getLHS(), flow);
  const auto last = difference.constant() < 0 ? -difference.constant() : difference.constant();
  const auto varying = difference.varying();
  if (varying.terms.size() != 1 || !difference.uniform().terms.empty()) return std::nullopt;
  const auto& [product, count] = *varying.terms.begin();
  if (product.size() != 1 || product.front().position != Position::in_threadgroup ||
      count * difference.constant() >= 0 || last < 3 || !is_power_of_two(last + 1))
    return std::nullopt;
  for (const auto& write : writes)
    for (const auto& guard : flow.guards(write.when))
      if (guard.taken && flow.contains(guard.condition, &test))
        return Assumption{test.getSourceRange(), last + 1,
                          fmt::format("assumes that a threadgroup has {}, which nothing enforces",
                                      threads(last + 1, product.front().text)),
                          &test};
  return std::nullopt;
}

// The constant that a loop's variable runs up to.
std::optional<std::int64_t> end_of(const clang::ForStmt& loop, const clang::VarDecl& variable,
                                   const ThreadFlow& flow) {
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  if (!test || test->getOpcode() != clang::BO_LT || root_variable(test->getLHS()) != &variable)
    return std::nullopt;
  const auto end = index_form(test->getRHS(), flow);
  return end.is_constant() ? std::optional(end.constant()) : std::nullopt;
}

const clang::ForStmt* loop_of(const clang::VarDecl& variable, const clang::Stmt* inside,
                              const ThreadFlow& flow) {
  for (; inside; inside = flow.parent(inside))
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(inside);
        loop && loop->getInit() && variable.getInit() &&
        flow.contains(loop->getInit(), variable.getInit()))
      return loop;
  return nullptr;
}

// How far a loop's variable goes in one round, where that is a constant.
std::int64_t step_of(const clang::ForStmt& loop, const clang::VarDecl& variable,
                     const ThreadFlow& flow) {
  if (const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop.getInc()))
    return step->isIncrementOp() && root_variable(step->getSubExpr()) == &variable ? 1 : 0;
  const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInc());
  if (!step || step->getOpcode() != clang::BO_AddAssign ||
      root_variable(step->getLHS()) != &variable)
    return 0;
  const auto width = index_form(step->getRHS(), flow);
  return width.is_constant() ? width.constant() : 0;
}

// `tile[thread] = x[round * 256 + thread]`: each round takes 256 elements further and moves as
// many as there are threads.
std::optional<Assumption> rounds(const clang::BinaryOperator& sum,
                                 const std::vector<SharedAccess>& writes, const ThreadFlow& flow) {
  const auto form = index_form(&sum, flow);
  const auto* own = own_position(form);
  if (!own || form.terms.size() != 2) return std::nullopt;
  for (const auto& [product, count] : form.terms) {
    if (product.size() != 1 || product.front().fixed || !product.front().variable ||
        product.front().divergence != Divergence::none)
      continue;
    const auto* loop = loop_of(*product.front().variable, &sum, flow);
    if (!loop) continue;
    const auto width = count * step_of(*loop, *product.front().variable, flow);
    if (width < 2) continue;
    const bool fills = std::any_of(writes.begin(), writes.end(), [&](const SharedAccess& write) {
      return write.indices.size() == 1 && flow.contains(loop->getBody(), write.when) &&
             write.indices.front().terms.size() == 1 && own_position(write.indices.front()) &&
             *own_position(write.indices.front()) == *own;
    });
    if (fills)
      return Assumption{sum.getSourceRange(), width,
                        fmt::format("moves {} elements per iteration, one per thread, but nothing "
                                    "enforces that many threads",
                                    width),
                        &sum};
  }
  return std::nullopt;
}

// Each thread fills its own element, and each reads a constant number of them.
std::optional<Assumption> filled_by_each(const SharedAccess& read, const SharedAccesses& accesses,
                                         const ThreadFlow& flow) {
  if (read.indices.size() != 1) return std::nullopt;
  std::optional<std::int64_t> count;
  const clang::Stmt* end = nullptr;
  for (const auto& atom : read.indices.front().atoms())
    if (atom.variable && !atom.fixed)
      if (const auto* loop = loop_of(*atom.variable, read.when, flow)) {
        count = end_of(*loop, *atom.variable, flow);
        end = loop->getCond();
      }
  if (!count || *count < 2) return std::nullopt;
  for (const auto& access : accesses.all) {
    if (!access.writes || access.memory != read.memory) continue;
    const auto varying = access.indices.front().varying();
    if (varying.terms.size() != 1 || !own_position(varying)) return std::nullopt;
    // A loop that fills several elements, or a bound that names the threads that fill one.
    for (const auto& atom : access.indices.front().atoms())
      if (!atom.fixed) return std::nullopt;
    for (const auto& guard : flow.guards(access.when)) {
      const auto* test =
          llvm::dyn_cast<clang::BinaryOperator>(guard.condition->IgnoreParenImpCasts());
      if (test && (index_form(test->getLHS(), flow) == varying ||
                   index_form(test->getRHS(), flow) == varying))
        return std::nullopt;
    }
  }
  return Assumption{
      read.place->getSourceRange(), *count,
      fmt::format(
          "reads {} elements, each filled by one thread, but nothing enforces that many threads",
          *count),
      end};
}

std::optional<Assumption> assumption_in(const ThreadFlow& flow) {
  const auto accesses = accesses_in(flow, Space::threadgroup);
  std::vector<SharedAccess> writes;
  for (const auto& access : accesses.all)
    if (access.writes) writes.push_back(access);
  for (const auto* statement : flow.statements()) {
    std::optional<Assumption> found;
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
      found = stride(*loop, flow);
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
      if (binary->isAdditiveOp() && binary->getType()->isIntegerType())
        found = origin(*binary, flow);
      if (!found && binary->getOpcode() == clang::BO_Add) found = rounds(*binary, writes, flow);
      if (!found && binary->isEqualityOp()) found = last_thread(*binary, writes, flow);
    }
    if (found) return found;
  }
  for (const auto& access : accesses.all) {
    if (access.writes || accesses.escaped.contains(access.memory)) continue;
    const bool written = std::any_of(writes.begin(), writes.end(), [&](const SharedAccess& write) {
      return write.memory == access.memory && !write.indices.empty();
    });
    if (!written) continue;
    if (auto found = filled_by_each(access, accesses, flow)) return found;
  }
  return std::nullopt;
}

}  // namespace

// A note: hosts mostly dispatch the size that the kernel is written for.
extern constinit const Rule tile_assumes_threadgroup{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          std::set<clang::SourceLocation> told;  // instances of a template differ in the number
          for (const auto& flow : cooperative_flows(unit)) {
            if (!is_kernel(flow) || knows_its_size(flow)) continue;
            const auto assumption = assumption_in(flow);
            // No kernel assumes more threads than a threadgroup may have. A host that picks an
            // instance by its arguments dispatches as many threads.
            if (!assumption || assumption->threads > threadgroup_thread_limit ||
                is_set_by_template(*assumption->number) ||
                !told.insert(assumption->where.getBegin()).second)
              continue;
            auto draft = report(assumption->where, assumption->message);
            const auto limit = unit.attribute(flow.function(), "max_total_threads_per_threadgroup");
            if (limit) draft.note(limit->place, "this is a limit, not a size");
          }
        },
};

}  // namespace msci
