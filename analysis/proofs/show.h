// What a person sees of a proof on its way: the IR and the questions.
#pragma once

#include <functional>
#include <string>

namespace msci::prover {

// Appends the text to the file that the environment variable MSCI_PROVER_SHOW names, if it is set.
// Proofs run in processes of their own, which print nothing.
void show(const std::function<std::string()>& text);

}  // namespace msci::prover
