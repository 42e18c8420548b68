#include "base/sha256.h"
#include "tasks/plan/program.h"

namespace msci {
namespace {

const std::string& code_of(const Translation& translation) {
  return translation.text.empty() ? translation.ir : translation.text;
}

}  // namespace

bool is_same_program(const Translation& one, const Translation& other) {
  return !code_of(one).empty() && code_of(one) == code_of(other) && one.kernels == other.kernels &&
         one.tables == other.tables;
}

std::string program_digest(const Translation& translation) {
  if (code_of(translation).empty()) return "";
  return sha256_of(to_program_file({.text = code_of(translation),
                                    .kernels = translation.kernels,
                                    .tables = translation.tables}));
}

}  // namespace msci
