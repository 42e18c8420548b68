#include "compiler/frontend/unit.h"

#include <algorithm>

#include "compiler/frontend/unit/unit_impl.h"

namespace msci {

Unit::Unit(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Unit::Unit(Unit&&) noexcept = default;
Unit& Unit::operator=(Unit&&) noexcept = default;
Unit::~Unit() = default;

const Source& Unit::source() const { return impl_->source; }
const Source& Unit::source_of(const Place& place) const { return msci::source_of(*impl_, place); }
std::vector<const Source*> Unit::included_files() const {
  std::vector<const Source*> files;
  for (const auto& file : impl_->included) files.push_back(&file.source);
  return files;
}
LanguageVersion Unit::version() const { return impl_->options.version; }
const std::vector<Diagnostic>& Unit::diagnostics() const { return impl_->diagnostics; }
const std::vector<Kernel>& Unit::kernels() const { return impl_->kernels; }

bool Unit::compiled() const {
  return std::none_of(impl_->diagnostics.begin(), impl_->diagnostics.end(),
                      [](const Diagnostic& each) { return each.severity == Severity::error; });
}

std::vector<Attribute> Unit::attributes(const clang::Decl& declaration) const {
  return attributes_of(*impl_, declaration);
}

std::optional<Attribute> Unit::attribute(const clang::Decl& declaration,
                                         std::string_view name) const {
  for (auto& attribute : attributes(declaration))
    if (attribute.name == name) return std::move(attribute);
  return std::nullopt;
}

Place Unit::locate(clang::SourceRange range) const { return msci::locate(*impl_, range); }

bool Unit::is_users(clang::SourceLocation location) const {
  return msci::is_users(impl_->compiler->getSourceManager(), location);
}

std::string_view Unit::text(const Place& place) const {
  return text_of(source_of(place), place.range);
}

clang::ASTContext& Unit::ast() const { return impl_->compiler->getASTContext(); }
clang::CompilerInstance& Unit::compiler() const { return *impl_->compiler; }
AnalysisCache& Unit::cache() const { return impl_->cache; }

}  // namespace msci
