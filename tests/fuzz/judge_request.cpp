// A line for msci-eval --server. A cancellation of this request names the same id.
#include "evaluator/server/judge_request.h"

#include "base/json.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto line = msci::parse_served_line(msci::text_of(data, size));
  msci::promise(msci::parse_json<msci::Json>(line.id).has_value());
  if (!line.content) {
    msci::promise(!line.content.error().message.empty());
    return 0;
  }
  if (line.id == "null") return 0;  // it cannot be cancelled
  const auto again = msci::parse_served_line(R"({"cancel": )" + line.id + "}");
  msci::promise(again.content.has_value() &&
                std::holds_alternative<msci::Cancellation>(*again.content));
  return 0;
}
