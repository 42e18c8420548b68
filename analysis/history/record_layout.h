// The buffer of records: where code and host find its parts.
#pragma once

namespace msci::history {

// Two words of 64 bits: the node in the lowest bits, the thread, and the threadgroup; the value.
inline constexpr unsigned record_bytes = 16;
inline constexpr unsigned record_node_bits = 20, record_thread_bits = 12;

// Words of 32 bits at the beginning: how many records there are, for how many there is room, and
// the position of the threadgroup that runs. Behind the room, each node has a place for what finds
// none.
inline constexpr unsigned byte_of_count = 0, byte_of_room = 4, byte_of_threadgroup = 8;
inline constexpr unsigned byte_of_records = 32;

}  // namespace msci::history
