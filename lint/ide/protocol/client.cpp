#include <fmt/format.h>

#include "base/io/message_reader.h"
#include "lint/ide/protocol/requests.h"

namespace msci {

void Client::send(Json message) {
  message["jsonrpc"] = "2.0";
  out_.append(to_frame(to_line(message)));
}

void WorkDoneProgress::report(std::size_t done, std::size_t all, std::string_view what) {
  tell({{"kind", "report"},
        {"message", fmt::format("{} of {} {}", done, all, what)},
        {"percentage", all == 0 ? 100 : 100 * done / all}});
}

}  // namespace msci
