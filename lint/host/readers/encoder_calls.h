// The calls of Metal's API that say what a host runs, as Swift, Rust (metal, objc2-metal) and
// PyObjC spell them.
#pragma once

#include <optional>
#include <string_view>

namespace msci::host {

enum class EncoderStep {
  fetch,        // a kernel, from a library
  make,         // a pipeline, of a kernel
  begin,        // an encoder
  use,          // a pipeline, on an encoder
  bind_buffer,  // on an encoder, as all that follow
  bind_value,
  bind_unknown,  // at several indices, or in a way that is not followed
  dispatch,
  end,
  other  // changes no binding
};

// Positions of arguments; Swift's labels take precedence.
struct EncoderCall {
  std::string_view name;  // without a `_` at its end
  EncoderStep step;
  std::size_t value = 0;   // the kernel's name, the pipeline, the buffer, the bytes, the grid
  std::size_t length = 0;  // of the bytes; of a dispatch, the threadgroup
  std::size_t index = 0;
};

// The call of this name; null for functions of the host itself.
const EncoderCall* encoder_call(std::string_view name);

}  // namespace msci::host
