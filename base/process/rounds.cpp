#include "base/process/rounds.h"

namespace msci {

void run_rounds(const std::function<bool()>& round) {
  while (round()) {
  }
}

}  // namespace msci
