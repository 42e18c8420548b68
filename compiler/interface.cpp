#include "compiler/interface.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "compiler/frontend/function_constants.h"
#include "compiler/line_text.h"
#include "compiler/pointers/pointers.h"

namespace msci {
namespace {

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

// A texture or a sampler, or an array of them.
struct Handle {
  ArgumentKind kind = ArgumentKind::texture;
  std::string type;  // "texture2d<float, access::write>", "sampler"
  bool constant = true;
  std::size_t count = 1;
};

// The enumerators of metal::access.
constexpr std::array access_names = {"sample", "read", "write", "read_write"};
constexpr std::int64_t first_writing_access = 2;

std::optional<Handle> texture_of(const clang::ClassTemplateSpecializationDecl& record) {
  const auto name = record.getName();
  const auto& arguments = record.getTemplateArgs();
  if (!name.starts_with("texture") && !name.starts_with("depth")) return std::nullopt;
  if (arguments.size() < 2 || arguments[0].getKind() != clang::TemplateArgument::Type ||
      arguments[1].getKind() != clang::TemplateArgument::Integral)
    return std::nullopt;
  const auto access = arguments[1].getAsIntegral().getExtValue();
  if (access < 0 || access >= static_cast<std::int64_t>(access_names.size())) return std::nullopt;
  return Handle{.kind = ArgumentKind::texture,
                .type = fmt::format("{}<{}, access::{}>", name.str(),
                                    metal_spelling(arguments[0].getAsType()),
                                    access_names[static_cast<std::size_t>(access)]),
                .constant = access < first_writing_access};
}

std::optional<Handle> handle_of(const Unit& unit, clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || unit.is_users(record->getLocation()) || !record->getIdentifier())
    return std::nullopt;
  if (record->getName() == "sampler")
    return Handle{.kind = ArgumentKind::sampler, .type = "sampler"};
  const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (!made) return std::nullopt;
  const auto& arguments = made->getTemplateArgs();
  if (record->getName() != "array" || arguments.size() != 2) return texture_of(*made);
  auto element = handle_of(unit, arguments[0].getAsType());
  if (element && element->count == 1)
    element->count = static_cast<std::size_t>(arguments[1].getAsIntegral().getExtValue());
  return element;
}

// What a parameter is that the headers declare for linting alone.
std::string_view what_does_not_run(const Unit& unit, clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  const bool is_known =
      record && !unit.is_users(record->getLocation()) && record->getIdentifier() != nullptr;
  const auto name = is_known ? record->getName() : llvm::StringRef();
  if (name == "imageblock") return "is an imageblock; use threadgroup memory";
  if (name == "acceleration_structure" || name == "intersection_function_table")
    return "is for ray tracing; intersect the triangles in the kernel";
  if (name == "tensor")
    return "is a tensor; bind its elements as a buffer and make the tensor of them in the kernel";
  return "is neither a buffer nor a thread position";
}

constexpr std::size_t most_in_array = 128;  // of textures that Metal's argument table holds

// An integer, or a vector of two or three.
bool is_position(clang::QualType type) {
  const auto* vector = type->getAs<clang::VectorType>();
  if (!vector) return type->isIntegralOrEnumerationType();
  return vector->getNumElements() <= 3 && vector->getElementType()->isIntegerType();
}

class Reader {
 public:
  Reader(const Unit& unit, const Kernel& kernel) : unit_(unit), kernel_(kernel) {}

  Result<KernelInterface> read() {
    if (llvm::isa<clang::CXXMethodDecl>(kernel_.declaration))
      return refusal(kernel_.declaration->getLocation(),
                     "it is a member of a type; declare it outside");
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
      if (const auto position = position_attribute(attribute.name)) {
        if (!is_position(parameter.getType()))
          return refusal(
              parameter,
              fmt::format("has a type that [[{}]] does not take: it is an unsigned integer",
                          attribute.name));
        interface_.parameters.push_back(PositionParameter{*position});
        return std::nullopt;
      }
    const auto type = parameter.getType();
    if (const auto handle = handle_of(unit_, type)) return add(parameter, *handle);
    if (const auto held = type_in_table(type)) {
      read_function_table(parameter, *held);
      return std::nullopt;
    }
    const bool is_pointer = type->isPointerType() || type->isReferenceType();
    if (!is_pointer) return refusal(parameter, what_does_not_run(unit_, type));
    const auto pointee = type->getPointeeType();
    if (const auto reason = find_unstorable(unit_, pointee)) return refusal(parameter, *reason);
    const bool is_threadgroup = is_threadgroup_space(pointee.getAddressSpace());
    add(parameter, {.kind = is_threadgroup ? ArgumentKind::threadgroup : ArgumentKind::buffer,
                    .constant = pointee.isConstQualified(),  // what is `constant` is const, too
                    .name = parameter.getNameAsString(),
                    .type = metal_type(unit_.ast(), pointee)});
    return std::nullopt;
  }

  std::optional<Error> add(const clang::ParmVarDecl& parameter, const Handle& handle) {
    if (handle.count == 0 || handle.count > most_in_array)
      return refusal(parameter, fmt::format("is an array of {} {}s; it may have 1 to {}",
                                            handle.count, to_string(handle.kind), most_in_array));
    add(parameter,
        {.kind = handle.kind,
         .constant = handle.constant,
         .name = parameter.getNameAsString(),
         .type = handle.type},
        handle.count);
    return std::nullopt;
  }

  // Adds `count` arguments in a row, which differ in their indices.
  void add(const clang::ParmVarDecl& parameter, KernelArgument argument, std::size_t count = 1) {
    auto& arguments = interface_.signature.arguments;
    const auto index = unit_.attribute(parameter, to_string(argument.kind));
    interface_.parameters.push_back(BoundParameter{arguments.size(), condition(parameter), count});
    for (std::size_t i = 0; i < count; ++i) {
      numbered_.push_back(index && index->value);
      argument.index = static_cast<unsigned>((numbered_.back() ? *index->value : 0) + i);
      arguments.push_back(argument);
      if (count > 1) arguments.back().name += fmt::format("[{}]", i);
    }
  }

  // The host binds the table's memory: $table points there.
  void read_function_table(const clang::ParmVarDecl& parameter, const std::string& held) {
    add(parameter, {.kind = ArgumentKind::buffer,
                    .constant = true,
                    .name = parameter.getNameAsString(),
                    .type = fmt::format("visible_function_table<{}>", held)});
  }

  std::string condition(const clang::ParmVarDecl& parameter) const {
    const auto* constant = condition_of(unit_, parameter);
    return constant ? clang::ASTNameGenerator(unit_.ast()).getName(constant) : "";
  }

  // Metal gives an argument without [[buffer(n)]] the first index that nothing else of its kind
  // claims.
  void number_the_unnumbered() {
    for (const auto& parameter : interface_.parameters) {
      const auto* bound = std::get_if<BoundParameter>(&parameter);
      if (!bound || numbered_[bound->argument]) continue;
      while (is_taken(*bound))
        for (std::size_t i = 0; i < bound->count; ++i)
          ++interface_.signature.arguments[bound->argument + i].index;
      for (std::size_t i = 0; i < bound->count; ++i) numbered_[bound->argument + i] = true;
    }
  }

  // Whether a numbered argument has one of the parameter's indices.
  bool is_taken(const BoundParameter& parameter) const {
    const auto& arguments = interface_.signature.arguments;
    const auto& first = arguments[parameter.argument];
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (numbered_[i] && arguments[i].kind == first.kind && arguments[i].index >= first.index &&
          arguments[i].index < first.index + parameter.count)
        return true;
    return false;
  }

  Error refusal(const clang::ParmVarDecl& parameter, std::string_view why) const {
    return refusal(parameter.getLocation(),
                   fmt::format("its parameter '{}' {}", parameter.getNameAsString(), why));
  }

  Error refusal(clang::SourceLocation at, std::string_view why) const {
    return Error{fmt::format("{}: cannot translate kernel '{}' yet: {}",
                             line_text(unit_.locate(at)), kernel_.name, why)};
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
    const auto first = std::exchange(bound->argument, kept.size());
    for (std::size_t i = 0; i < bound->count; ++i)
      kept.push_back(std::move(interface.signature.arguments[first + i]));
  }
  interface.signature.arguments = std::move(kept);
}

Result<KernelInterface> kernel_interface(const Unit& unit, const Kernel& kernel) {
  return Reader(unit, kernel).read();
}

}  // namespace msci
