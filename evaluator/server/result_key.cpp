#include "evaluator/server/result_key.h"

#include "base/json.h"
#include "base/sha256.h"

namespace msci {

std::string ResultKey::digest_of(std::string_view text) const {
  const OrderedJson parts = {program, settings, devices, tasks};
  return sha256_of(to_line(parts) + "\n" + std::string(text));
}

}  // namespace msci
