#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lint/analysis/flow/thread_flow.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Bytes of arrays of a thread's own that leave no room for a full threadgroup of 1024.
constexpr std::int64_t largest = 256;

std::int64_t private_bytes(const clang::VarDecl& variable, const Unit& unit) {
  const auto type = variable.getType();
  if (!variable.hasLocalStorage() || !type->isConstantArrayType() || type->isDependentType() ||
      space_of(type) != Space::thread)
    return 0;
  return unit.ast().getTypeSizeInChars(type).getQuantity();
}

// Measures functions, each once.
class Frames {
 public:
  explicit Frames(const Unit& unit) : unit_(unit) {}

  // The most bytes of a thread's own arrays that are there at a time: those of a block, and of the
  // largest block or function of the user's inside it.
  std::int64_t bytes_in(const clang::Stmt* statement) {
    if (!statement) return 0;
    std::int64_t own = 0, inside = 0;
    for (const auto* child : statement->children()) {
      inside = std::max(inside, bytes_in(child));
      if (const auto* declarations = llvm::dyn_cast_or_null<clang::DeclStmt>(child))
        for (const auto* each : declarations->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each))
            own += private_bytes(*variable, unit_);
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement))
      inside = std::max(inside, bytes_in_callee(*call));
    return own + inside;
  }

 private:
  std::int64_t bytes_in_callee(const clang::CallExpr& call) {
    const auto* callee = call.getDirectCallee();
    const clang::FunctionDecl* body = nullptr;
    if (!callee || !callee->hasBody(body) || !unit_.is_users(body->getLocation())) return 0;
    // A function that calls itself, which Metal refuses, counts once.
    const auto [known, is_new] = known_.try_emplace(body, 0);
    if (!is_new) return known->second;
    const auto bytes = bytes_in(body->getBody());
    return known_[body] = bytes;
  }

  const Unit& unit_;
  std::map<const clang::FunctionDecl*, std::int64_t> known_;
};

}  // namespace

extern constinit const Rule missing_thread_limit{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          Frames frames(unit);
          for (const auto& flow : cooperative_flows(unit)) {
            const auto& function = flow.function();
            if (!unit.attribute(function, "kernel") ||
                unit.attribute(function, "max_total_threads_per_threadgroup"))
              continue;
            const auto bytes = frames.bytes_in(function.getBody());
            if (bytes > largest)
              report(function.getLocation(),
                     fmt::format("each thread keeps arrays of {} bytes, but nothing limits the "
                                 "threads of a threadgroup",
                                 bytes));
          }
        },
};

}  // namespace msci
