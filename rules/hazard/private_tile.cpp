#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "lint/analysis/expressions.h"
#include "lint/analysis/indices/index_form.h"
#include "lint/rule.h"

namespace msci {
namespace {

struct TileAccess {
  const clang::ArraySubscriptExpr* place = nullptr;
  IndexForm index;
  bool is_store = false;
};

// Whether the index is the number of the thread in its threadgroup.
bool is_thread_of_group(const IndexForm& index) {
  const auto atoms = index.atoms();
  return index.terms.size() == 1 && atoms.size() == 1 && index.terms.begin()->second == 1 &&
         atoms.front().position == Position::in_threadgroup;
}

class PrivateTiles {
 public:
  PrivateTiles(const ThreadFlow& flow, Reporter& report) : flow_(flow), report_(report) {}

  void run() {
    if (std::ranges::none_of(flow_.barriers(), &Barrier::whole_threadgroup)) return;
    for (const auto* statement : flow_.statements()) note(*statement);
    for (const auto* array : order_)
      if (const auto& all = accesses_[array]; is_filled_by_threads(all)) check(*array, all);
  }

 private:
  void note(const clang::Stmt& statement) {
    const auto* place = llvm::dyn_cast<clang::ArraySubscriptExpr>(&statement);
    if (!place) return;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place->getBase()->IgnoreParenImpCasts());
    const auto* array = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (!array || !array->hasLocalStorage() || !array->getType()->isConstantArrayType() ||
        space_of(array->getType()) != Space::thread)
      return;
    const auto* around = llvm::dyn_cast_or_null<clang::BinaryOperator>(flow_.parent(place));
    const bool is_store =
        around && around->getOpcode() == clang::BO_Assign && around->getLHS() == place;
    auto& all = accesses_[array];
    if (all.empty()) order_.push_back(array);
    all.push_back({place, index_form(place->getIdx(), flow_), is_store});
  }

  static bool is_filled_by_threads(const std::vector<TileAccess>& all) {
    return std::ranges::any_of(all, &TileAccess::is_store) &&
           std::ranges::all_of(all, [](const TileAccess& each) {
             return !each.is_store || is_thread_of_group(each.index);
           });
  }

  // A load of another element behind a barrier.
  void check(const clang::VarDecl& array, const std::vector<TileAccess>& all) {
    const auto store = std::ranges::find_if(all, &TileAccess::is_store);
    for (const auto& load : all) {
      if (load.is_store || load.index == store->index || !is_behind_barrier(*store, load)) continue;
      report(array, *store, load);
      return;
    }
  }

  bool is_behind_barrier(const TileAccess& store, const TileAccess& load) const {
    return std::ranges::any_of(flow_.barriers(), [&](const Barrier& barrier) {
      return barrier.whole_threadgroup && flow_.reaches(store.place, barrier.call, {}) &&
             flow_.reaches(barrier.call, load.place, {});
    });
  }

  void report(const clang::VarDecl& array, const TileAccess& store, const TileAccess& load) {
    auto draft = report_(
        load.place->getSourceRange(),
        fmt::format("reads an element of `{}` that this thread has not written: the array is "
                    "private to each thread; declare it `threadgroup`",
                    array.getNameAsString()));
    draft.note(store.place->getSourceRange(), "each thread writes one element of its own array");
    const auto declaration = flow_.unit().locate(array.getSourceRange());
    const auto* group = llvm::dyn_cast_or_null<clang::DeclStmt>(statement_of(array));
    if (array.hasInit() || !group || !group->isSingleDecl() || !declaration.is_known()) return;
    const auto at = declaration.range.begin;
    draft.fix({Edit{{declaration.file, {at, at}}, "threadgroup "}});
  }

  const clang::Stmt* statement_of(const clang::VarDecl& array) const {
    for (const auto* statement : flow_.statements())
      if (const auto* group = llvm::dyn_cast<clang::DeclStmt>(statement))
        if (std::find(group->decl_begin(), group->decl_end(), &array) != group->decl_end())
          return group;
    return nullptr;
  }

  const ThreadFlow& flow_;
  Reporter& report_;
  std::vector<const clang::VarDecl*> order_;
  std::map<const clang::VarDecl*, std::vector<TileAccess>> accesses_;
};

}  // namespace

extern constinit const Rule private_tile{
    .check_cooperative_flow = [](const ThreadFlow& flow,
                                 Reporter& report) { PrivateTiles(flow, report).run(); },
};

}  // namespace msci
