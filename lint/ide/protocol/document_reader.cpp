#include "lint/ide/protocol/requests.h"

namespace msci {

std::optional<Error> DocumentReader::ask_process() {
  if (!process_) {
    auto process = IsolatedProcess::serve(start_());
    if (!process) return process.error();
    process_ = *std::move(process);
  }
  process_->ask(questions_.front().text);
  return std::nullopt;
}

Result<IsolatedOutcome> DocumentReader::answer_of_process() { return process_->answer(); }

}  // namespace msci
