#include "analysis/proofs/show.h"

#include <cstdlib>
#include <fstream>

namespace msci::prover {

void show(const std::function<std::string()>& text) {
  const char* name = std::getenv("MSCI_PROVER_SHOW");
  if (!name || !*name) return;
  std::ofstream(name, std::ios::app) << text();
}

}  // namespace msci::prover
