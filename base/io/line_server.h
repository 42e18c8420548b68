// A server of clients that send requests and read responses on lines, over standard streams or a
// Unix socket. What the lines mean is the business of its LineService.
#pragma once

#include <list>
#include <optional>
#include <string>

#include "base/io/buffered_writer.h"
#include "base/io/message_reader.h"
#include "base/io/poll_loop.h"
#include "base/result.h"

namespace msci {

struct LineClient {
  LineReader in;
  BufferedWriter out;
  std::size_t pending = 0;  // responses that the service still owes
  bool gone = false;        // nothing reads the responses any more
  // Whether it has so much unread output that it gets no turn.
  bool has_to_read() const;
};

// A place stays valid until leave() of the client has been called.
using LineClientPlace = std::list<LineClient>::iterator;

class LineService {
 public:
  virtual ~LineService() = default;
  // Whether it takes a line of that client now; other lines wait unread.
  virtual bool takes_line_of(LineClientPlace client) = 0;
  virtual void serve(LineClientPlace client, const Result<std::string>& line) = 0;
  // Called after lines were taken; watches the work in progress.
  virtual void watch(PollLoop& loop) = 0;
  // Nothing reads the responses of that client any more. Afterwards `pending` of it may still fall.
  virtual void leave(LineClientPlace /*client*/) {}
  // A signal ends the server: what is owed is answered now, or never.
  virtual void end() {}
};

// Serves standard input until it ends and all is answered, or until SIGTERM or SIGINT. Errors: the
// reader closed standard output.
[[nodiscard]] std::optional<Error> serve_standard_streams(LineService& service);

// Creates a Unix socket at `path`, for this user alone, and serves its clients until SIGTERM or
// SIGINT; then removes the socket. `program` begins the line that says so on standard error.
// Errors: the path exists, or the system refuses. It accepts as many clients at once as this
// process may open files for, and further ones when those leave.
[[nodiscard]] std::optional<Error> serve_unix_socket(LineService& service, const std::string& path,
                                                     const std::string& program);

}  // namespace msci
