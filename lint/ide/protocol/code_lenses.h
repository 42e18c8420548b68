// Code lenses: what an editor can run from a line of a source.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/contract.h"
#include "lint/ide/protocol/converter.h"
#include "lint/service/protocol.h"

namespace msci {

// The commands that the lenses name, with one argument: {"uri": …, "task": …}.
constexpr std::string_view evaluate_command = "msci.evaluateKernel";
constexpr std::string_view check_command = "msci.checkKernel";

// The tasks that a source can be written for: the one that the contract states, or all.
std::vector<TaskContract> tasks_of(const Contract& contract, std::span<const TaskContract> tasks);

// "evaluate" and "check" above the first kernel of each task whose kernels the source all has.
Json code_lenses(const Unit& unit, const Converter& converter, const std::string& uri,
                 const std::vector<TaskContract>& tasks);

}  // namespace msci
