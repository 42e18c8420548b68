#include "evaluator/translate/interface.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Mangle.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lint/metal/function_constants.h"

namespace msci {
namespace {

bool is_position(std::string_view attribute) {
  static const std::set<std::string_view> positions{"thread_position_in_grid",
                                                    "thread_position_in_threadgroup",
                                                    "thread_index_in_threadgroup",
                                                    "threadgroup_position_in_grid",
                                                    "threads_per_grid",
                                                    "threadgroups_per_grid",
                                                    "threads_per_threadgroup",
                                                    "dispatch_threads_per_threadgroup",
                                                    "thread_index_in_simdgroup",
                                                    "simdgroup_index_in_threadgroup",
                                                    "simdgroups_per_threadgroup",
                                                    "dispatch_simdgroups_per_threadgroup",
                                                    "threads_per_simdgroup",
                                                    "thread_execution_width",
                                                    "thread_index_in_quadgroup",
                                                    "quadgroup_index_in_threadgroup",
                                                    "quadgroups_per_threadgroup",
                                                    "dispatch_quadgroups_per_threadgroup",
                                                    "grid_origin",
                                                    "grid_size"};
  return positions.contains(attribute);
}

// The SYCL dialect has its own number for each of OpenCL's address spaces.
bool is_threadgroup_space(clang::LangAS space) {
  return space == clang::LangAS::sycl_local || space == clang::LangAS::opencl_local;
}

// "float4", "uint": the pointee as Metal spells it.
std::string metal_type(const clang::ASTContext& ast, clang::QualType type) {
  clang::PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressScope = true;
  auto text = type.getUnqualifiedType().getAsString(policy);
  if (text == "_Float16") return "half";
  if (text == "__bf16") return "bfloat";
  return text;
}

class Reader {
 public:
  Reader(const Unit& unit, const Kernel& kernel) : unit_(unit), kernel_(kernel) {}

  Result<KernelInterface> read() {
    auto& signature = interface_.signature;
    signature.name = kernel_.name;
    signature.symbol = symbol(kernel_.name);
    interface_.function = clang::ASTNameGenerator(unit_.ast()).getName(kernel_.declaration);
    if (auto limit = unit_.attribute(*kernel_.declaration, "max_total_threads_per_threadgroup"))
      if (limit->value) signature.thread_limit = static_cast<unsigned>(*limit->value);
    for (const auto* parameter : kernel_.declaration->parameters())
      if (auto error = read(*parameter)) return *error;
    number_the_unnumbered();
    return std::move(interface_);
  }

 private:
  // OpenCL has words of its own that a kernel may be called by.
  static std::string symbol(std::string_view name) {
    std::string symbol = "msci_";
    for (char c : name) symbol += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return symbol;
  }

  std::optional<Error> read(const clang::ParmVarDecl& parameter) {
    for (const auto& attribute : unit_.attributes(parameter))
      if (is_position(attribute.name)) {
        interface_.parameters.push_back(PositionParameter{attribute.name});
        return std::nullopt;
      }
    const auto type = parameter.getType();
    const bool is_pointer = type->isPointerType() || type->isReferenceType();
    if (!is_pointer) return refusal(parameter, "is neither a buffer nor a thread position");
    const auto pointee = type->getPointeeType();
    if (const auto* record = pointee->getAsCXXRecordDecl(); record && holds_pointers(*record))
      return refusal(parameter, "is an argument buffer that holds pointers, textures or samplers");
    const bool is_threadgroup = is_threadgroup_space(pointee.getAddressSpace());
    const auto index = unit_.attribute(parameter, is_threadgroup ? "threadgroup" : "buffer");
    numbered_.push_back(index && index->value);
    interface_.parameters.push_back(
        BoundParameter{interface_.signature.arguments.size(), condition(parameter)});
    interface_.signature.arguments.push_back(
        {.kind = is_threadgroup ? KernelArgument::Kind::threadgroup : KernelArgument::Kind::buffer,
         .index = numbered_.back() ? static_cast<unsigned>(*index->value) : 0,
         .constant = pointee.isConstQualified(),  // what is `constant` is const, too
         .name = parameter.getNameAsString(),
         .type = metal_type(unit_.ast(), pointee)});
    return std::nullopt;
  }

  std::string condition(const clang::ParmVarDecl& parameter) const {
    const auto* constant = condition_of(unit_, parameter);
    return constant ? clang::ASTNameGenerator(unit_.ast()).getName(constant) : "";
  }

  bool holds_pointers(const clang::CXXRecordDecl& record) const {
    if (!record.hasDefinition()) return false;
    return std::any_of(record.field_begin(), record.field_end(),
                       [&](const clang::FieldDecl* field) {
                         const auto type = unit_.ast().getBaseElementType(field->getType());
                         const auto* inner = type->getAsCXXRecordDecl();
                         return type->isAnyPointerType() || type->isReferenceType() ||
                                (inner && holds_pointers(*inner));
                       });
  }

  // Metal gives an argument without [[buffer(n)]] the first index that nothing else of its kind
  // claims.
  void number_the_unnumbered() {
    auto& arguments = interface_.signature.arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (numbered_[i]) continue;
      const auto taken = [&](unsigned index) {
        for (std::size_t j = 0; j < arguments.size(); ++j)
          if (numbered_[j] && arguments[j].kind == arguments[i].kind && arguments[j].index == index)
            return true;
        return false;
      };
      while (taken(arguments[i].index)) ++arguments[i].index;
      numbered_[i] = true;
    }
  }

  std::optional<Error> refusal(const clang::ParmVarDecl& parameter, std::string_view why) const {
    return Error{fmt::format("line {}: cannot translate kernel '{}' yet: its parameter '{}' {}",
                             unit_.locate(parameter.getLocation()).line, kernel_.name,
                             parameter.getNameAsString(), why)};
  }

  const Unit& unit_;
  const Kernel& kernel_;
  KernelInterface interface_;
  std::vector<bool> numbered_;  // per argument: whether the source gave its index
};

}  // namespace

void drop_absent(KernelInterface& interface,
                 const std::function<bool(const std::string& condition)>& is_false) {
  std::vector<KernelArgument> kept;
  for (auto& parameter : interface.parameters) {
    auto* bound = std::get_if<BoundParameter>(&parameter);
    if (!bound) continue;
    if (!bound->condition.empty() && is_false(bound->condition)) {
      parameter = AbsentParameter();
      continue;
    }
    kept.push_back(std::move(interface.signature.arguments[bound->argument]));
    bound->argument = kept.size() - 1;
  }
  interface.signature.arguments = std::move(kept);
}

Result<KernelInterface> kernel_interface(const Unit& unit, const Kernel& kernel) {
  return Reader(unit, kernel).read();
}

}  // namespace msci
