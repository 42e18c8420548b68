#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <map>

#include "lint/rule.h"

namespace msci {

extern constinit const Rule duplicate_kernel{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          std::map<std::string, const clang::FunctionDecl*> known;
          for (const auto& kernel : unit.kernels()) {
            // Without a host name of its own, the namespace is a part of the name.
            const bool is_named = unit.attribute(*kernel.declaration, "host_name").has_value();
            if (!is_named && kernel.declaration->isTemplateInstantiation()) continue;
            const auto name =
                is_named ? kernel.name : kernel.declaration->getQualifiedNameAsString();
            const auto [first, is_new] = known.try_emplace(name, kernel.declaration);
            if (is_new) continue;
            report(kernel.declaration->getLocation(),
                   is_named ? fmt::format("another kernel has the host name '{}'", name)
                            : fmt::format("kernel '{}' cannot be overloaded", name))
                .note(first->second->getLocation(), "the first one is here");
          }
        },
};

}  // namespace msci
