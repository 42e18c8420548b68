// Reading from and writing to descriptors.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// Appends what can be read now to `text`, without waiting for more; call it when poll() reports the
// descriptor as readable. False at the end of the input, and on errors.
bool read_available(int descriptor, std::string& text);

// Writes all of the text; false on failure, with the reason in errno.
bool write_all(int descriptor, std::string_view text);

// The same for a socket; a closed peer is a failure, not a signal (SIGPIPE).
bool send_all(int socket, std::string_view text);

}  // namespace msci
