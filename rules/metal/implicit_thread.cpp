#include <clang/AST/DeclCXX.h>
#include <fmt/format.h>

#include <set>

#include "lint/analysis/matchers.h"
#include "lint/analysis/written_space.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Whether the function has an object whose space could be written.
bool has_object(const clang::CXXMethodDecl& member) {
  return !member.isStatic() && !member.isImplicit() && !member.isDefaulted() &&
         !member.isDeleted() && !member.isExplicitObjectMemberFunction() &&
         !llvm::isa<clang::CXXDestructorDecl>(member) && !member.getParent()->isLambda();
}

std::string member_kind(const clang::CXXMethodDecl& member) {
  if (llvm::isa<clang::CXXConstructorDecl>(member)) return "this constructor";
  if (llvm::isa<clang::CXXConversionDecl>(member)) return "this conversion function";
  return fmt::format("member function '{}'", member.getNameAsString());
}

}  // namespace

extern constinit const Rule implicit_thread{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          std::set<clang::SourceLocation> known;  // instances of templates share a place
          for (const auto& found : match(cxxMethodDecl().bind("member"), unit)) {
            const auto& member = *found.getNodeAs<clang::CXXMethodDecl>("member");
            if (!has_object(member) || object_space(unit, member) != WrittenSpace::none) continue;
            const auto last = last_before_object_space(unit, member);
            if (!known.insert(last).second) continue;
            const auto [file, range] = unit.locate(last);
            report(last, fmt::format("{} names no address space: its object lies in thread memory "
                                     "up to metal4.0, in any memory from metal4.1 on",
                                     member_kind(member)))
                .fix({Edit{{file, {range.end, range.end}}, " thread"}});
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
