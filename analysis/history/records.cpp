#include <cstring>

#include "analysis/history/record_layout.h"
#include "analysis/history/recorded_kernel.h"

namespace msci::history {
namespace {

template <typename Word>
Word word_at(const Bytes& buffer, std::size_t at) {
  Word word = 0;
  std::memcpy(&word, buffer.data() + at, sizeof word);
  return word;
}

}  // namespace

std::vector<std::byte> empty_records(std::size_t room, std::size_t nodes,
                                     const Extent& threadgroup) {
  std::vector<std::byte> buffer(byte_of_records + (room + nodes) * record_bytes);
  const std::uint32_t words[] = {0, static_cast<std::uint32_t>(room), threadgroup.x, threadgroup.y,
                                 threadgroup.z};
  std::memcpy(buffer.data(), words, sizeof words);
  return buffer;
}

Result<std::vector<Record>> records_in(const Bytes& buffer) {
  if (buffer.size() < byte_of_records) return Error{"the records are malformed"};
  const auto count = word_at<std::uint32_t>(buffer, byte_of_count);
  if (count > word_at<std::uint32_t>(buffer, byte_of_room) ||
      count > (buffer.size() - byte_of_records) / record_bytes)
    return Error{"the kernel computes too many values"};
  std::vector<Record> records;
  records.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = byte_of_records + i * record_bytes;
    const auto who = word_at<std::uint64_t>(buffer, at);
    constexpr unsigned threads_at = record_node_bits, groups_at = threads_at + record_thread_bits;
    records.push_back(
        {.node = static_cast<unsigned>(who & ((1U << record_node_bits) - 1)),
         .thread = static_cast<unsigned>(who >> threads_at & ((1U << record_thread_bits) - 1)),
         .threadgroup = static_cast<unsigned>(who >> groups_at),
         .bits = word_at<std::uint64_t>(buffer, at + sizeof who)});
  }
  return records;
}

}  // namespace msci::history
