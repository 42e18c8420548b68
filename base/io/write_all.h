// Writing a whole text to a descriptor.
#pragma once

#include <string_view>

namespace msci {

// Writes all of the text; false on failure, with the reason in errno.
bool write_all(int descriptor, std::string_view text);

// The same for a socket; a closed peer is a failure, not a signal (SIGPIPE).
bool send_all(int socket, std::string_view text);

}  // namespace msci
