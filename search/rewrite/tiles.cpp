// Loops in which all threads of a threadgroup read the same elements of a buffer, one after the
// other: the threads load them together, a tile at a time.
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/changed_variables.h"
#include "search/rewrite/counted_loop.h"
#include "search/rewrite/guarded_kernel.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

constexpr std::uint64_t length = 128;       // elements of a tile
constexpr std::uint64_t most_room = 16384;  // bytes of all tiles of a loop

bool is_device_pointer(clang::QualType type) {
  return type->isPointerType() && space_of(type->getPointeeType()) == Space::device;
}

// What a part reads at `buffer[counter]`, by buffers, and whether it may write to device memory.
class SharedReads : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit SharedReads(const clang::VarDecl* counter) : counter_(counter) {}
  std::map<std::string, std::vector<const clang::Expr*>> found;
  bool may_write = false;

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const auto* base =
        llvm::dyn_cast<clang::DeclRefExpr>(element->getBase()->IgnoreParenImpCasts());
    const auto* index =
        llvm::dyn_cast<clang::DeclRefExpr>(element->getIdx()->IgnoreParenImpCasts());
    if (base && index && index->getDecl() == counter_ &&
        llvm::isa<clang::ParmVarDecl>(base->getDecl()) && is_device_pointer(base->getType()))
      found[base->getDecl()->getNameAsString()].push_back(element);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto type = name->getType();
    may_write = may_write ||
                (is_device_pointer(type) && !type->getPointeeType().isConstQualified()) ||
                (!type->isPointerType() && space_of(type) == Space::device);
    return true;
  }

 private:
  const clang::VarDecl* counter_;
};

// Whether each thread that is too many may do what the statements do.
bool only_reads(std::span<const clang::Stmt* const> statements) {
  SharedReads reads(nullptr);
  for (const auto* statement : statements) {
    reads.TraverseStmt(const_cast<clang::Stmt*>(statement));
    if (leaves(*statement)) return false;
  }
  return !reads.may_write;
}

// Tiles, loaded between barriers, and the loop over each.
std::optional<std::string> over_tiles(const CountedLoop& loop, const ParsedText& code,
                                      const std::string& blanks) {
  SharedReads reads(loop.variable);
  reads.TraverseStmt(const_cast<clang::Stmt*>(&loop.body()));
  auto& ast = code.unit().ast();
  const auto name = loop.name();
  std::uint64_t room = 0;
  std::string tiles, loads;
  Replacements replaced;
  for (const auto& [buffer, elements] : reads.found) {
    const auto type = elements.front()->getType();
    room += length * ast.getTypeSizeInChars(type).getQuantity();
    const auto tile = buffer + "_tile";
    tiles += fmt::format("threadgroup {} {}[{}];\n{}",
                         ast.removeAddrSpaceQualType(type).getUnqualifiedType().getAsString(), tile,
                         length, blanks);
    loads +=
        fmt::format("{}    {}[tile_at] = {}[{}_tile + tile_at];\n", blanks, tile, buffer, name);
    for (const auto* element : elements) {
      const auto place = code.span(element->getSourceRange());
      if (!place) return std::nullopt;
      replaced[*place] = fmt::format("{0}[{1} - {1}_tile]", tile, name);
    }
  }
  const auto body = code.copy(loop.body(), {}, blanks + "  ", std::move(replaced));
  if (!body || tiles.empty() || room > most_room) return std::nullopt;
  const auto limit = loop.includes_limit ? "(" + loop.limit + " + 1)" : loop.limit;
  return fmt::format(
      "{0}for ({2} {3}_tile = {4}; {3}_tile < {5}; {3}_tile += {6}) {{\n"
      "{1}  const {2} {3}_end = min({5}, {3}_tile + {6});\n"
      "{1}  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
      "{1}  for ({2} tile_at = tile_lane; {3}_tile + tile_at < {3}_end; tile_at += tile_threads) "
      "{{\n{7}{1}  }}\n"
      "{1}  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
      "{1}  for ({2} {3} = {3}_tile; {3} < {3}_end; ++{3}) {8}\n{1}}}",
      tiles, blanks, loop.type, name, loop.first, limit, length, loads, *body);
}

// The kernel with its first such loop over tiles. All threads of a threadgroup must reach the
// barriers, so those beyond the limit do the work of the last element up to there.
std::optional<Rewrite> with_tiles(const Kernel& kernel, const ParsedText& code) {
  const auto guarded = guarded_kernel(kernel, code);
  if (!guarded || code.unit().source().text.find("_tile") != std::string::npos) return std::nullopt;
  const auto parameter = code.span(guarded->number->getSourceRange());
  const auto word = code.span(guarded->number->getLocation());
  VariableSet own = {guarded->number};
  const std::span<const clang::Stmt* const> statements = guarded->statements;
  for (std::size_t i = 0; i < statements.size() && parameter && word; ++i) {
    const auto loop = counted_loop(*statements[i], code);
    if (loop && loop->step == 1 && !jumps(loop->body(), false) &&
        !mentions_any(loop->loop->getInit(), own) && !mentions_any(loop->loop->getCond(), own) &&
        only_reads(statements.first(i + 1))) {
      const auto text = over_tiles(*loop, code, code.indentation(loop->span.begin));
      const auto name = guarded->number->getNameAsString();
      if (text)
        return Rewrite{
            fmt::format("loads tiles of {} rounds of the loop over {} into threadgroup memory",
                        length, loop->name()),
            {code.replace({parameter->begin, parameter->begin},
                          "uint tile_lane [[thread_index_in_threadgroup]],\n"
                          "    uint tile_threads [[threads_per_threadgroup]],\n    "),
             code.replace({word->end, word->end}, "_thread"),
             code.replace(guarded->guard, fmt::format("const uint {0} = min({0}_thread, {1} - 1);",
                                                      name, guarded->limit)),
             code.replace(loop->span, fmt::format("{}\n  if ({}_thread >= {}) return;", *text, name,
                                                  guarded->limit))}};
    }
    own.merge(declared_in(*statements[i]));
  }
  return std::nullopt;
}

}  // namespace

std::vector<Rewrite> find_tiles(const Unit& unit) {
  const ParsedText code(unit);
  return found_at(unit.kernels(), [&](const Kernel& kernel) { return with_tiles(kernel, code); });
}

}  // namespace msci::search
