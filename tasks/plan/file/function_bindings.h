// Whether kernels can call the functions that a plan puts into tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tasks/plan/program.h"

namespace msci {

// "float(float)": the type of the functions that a table holds; none if the argument is not a
// table.
std::optional<std::string> type_in_table(const KernelArgument& argument);

// Why a table cannot hold a function of that name, with the remedy: the source has no such function
// or does not mark it, or its type is another. None if it can. `types` are those of the parameters
// that the table is bound to; if empty, structs lead to it, and any type of the source's tables
// fits.
std::optional<std::string> refuse_function(const std::string& name,
                                           const std::vector<std::string>& types,
                                           const FunctionTables& tables);

}  // namespace msci
