#include "evaluator/plan/program_identity.h"

#include "base/sha256.h"

namespace msci {

bool is_same_program(const Translation& one, const Translation& other) {
  return one.text == other.text && one.kernels == other.kernels && one.tables == other.tables;
}

std::string program_digest(const Translation& translation) {
  return sha256_of(to_program_file(
      {.text = translation.text, .kernels = translation.kernels, .tables = translation.tables}));
}

}  // namespace msci
