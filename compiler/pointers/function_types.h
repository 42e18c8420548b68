// The types of functions that tables hold, as Metal spells them.
#pragma once

#include <clang/AST/Type.h>

#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

// "float2", "half", "device uint*".
std::string metal_spelling(clang::QualType type);

// "float2(float, device uint*)". Types that are the same have the same text.
std::string function_type(const clang::FunctionProtoType& type);

// The type of the functions in a table; none if the type is not a visible_function_table.
std::optional<std::string> type_in_table(clang::QualType type);

// Those of all tables that the source declares, sorted.
std::vector<std::string> table_types(const Unit& unit);

}  // namespace msci
