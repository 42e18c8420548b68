// An instance of the module cannot wait for a second question: each gets one of its own.
#include "lint/ide/protocol/requests.h"

namespace msci {

std::optional<Error> DocumentReader::ask_process() {
  auto process = IsolatedProcess::start(
      [work = start_(), question = questions_.front().text] { return work(question); });
  if (!process) return process.error();
  process_ = *std::move(process);
  return std::nullopt;
}

Result<IsolatedOutcome> DocumentReader::answer_of_process() {
  auto outcome = process_->finish();
  process_.reset();
  return outcome;
}

}  // namespace msci
