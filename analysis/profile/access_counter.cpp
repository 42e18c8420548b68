#include "analysis/profile/access_counter.h"

#include <algorithm>
#include <bit>

namespace msci {
namespace {

constexpr std::uint64_t sector_bytes = 32;
constexpr std::uint64_t bank_bytes = 4;
constexpr std::uint64_t banks = 32;

// The distinct pieces of `size` bytes that the lanes touch, in order.
void find_pieces(std::uint64_t size, unsigned bytes, const std::array<std::uint64_t, 32>& addresses,
                 std::uint32_t mask, std::vector<std::uint64_t>& pieces) {
  pieces.clear();
  for (auto left = mask; left != 0; left &= left - 1) {
    const auto address = addresses[static_cast<unsigned>(std::countr_zero(left))];
    for (auto piece = address / size; piece <= (address + bytes - 1) / size; ++piece)
      if (pieces.empty() || pieces.back() != piece) pieces.push_back(piece);
  }
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
}

}  // namespace

bool CoreCache::touch(std::uint64_t line) {
  const auto at = std::find(held_.begin(), held_.end(), line);
  const bool hit = at != held_.end();
  std::move_backward(held_.begin(), hit ? at : held_.end() - 1, hit ? at + 1 : held_.end());
  held_.front() = line;
  return hit;
}

void AccessCounter::begin_threadgroup(bool apart) {
  cache_.clear();
  if (apart) touched_.clear();
}

void AccessCounter::count(const AccessSite& site, const std::array<std::uint64_t, 32>& addresses,
                          std::uint32_t mask, AccessCount& to) {
  if (mask == 0) return;
  ++to.executions;
  to.lanes += static_cast<std::uint64_t>(std::popcount(mask));
  if (site.memory == MemoryKind::threadgroup)
    count_banks(site, addresses, mask, to);
  else
    count_lines(site, addresses, mask, to);
}

// Lanes that touch different words of one bank take turns; those of one word share it. Without
// bytes, the access takes one turn.
void AccessCounter::count_banks(const AccessSite& site,
                                const std::array<std::uint64_t, 32>& addresses, std::uint32_t mask,
                                AccessCount& to) {
  if (site.bytes == 0) {
    ++to.bank_cycles;
    return;
  }
  find_pieces(bank_bytes, site.bytes, addresses, mask, pieces_);
  std::array<std::uint32_t, banks> words = {};
  for (const auto word : pieces_) ++words[word % banks];
  to.bank_cycles += *std::max_element(words.begin(), words.end());
}

void AccessCounter::count_lines(const AccessSite& site,
                                const std::array<std::uint64_t, 32>& addresses, std::uint32_t mask,
                                AccessCount& to) {
  if (site.type == AccessType::atomic) {
    find_pieces(bank_bytes, site.bytes, addresses, mask, pieces_);
    to.bank_cycles += pieces_.size();
  }
  find_pieces(sector_bytes, site.bytes, addresses, mask, pieces_);
  to.sectors += pieces_.size();
  constexpr auto sectors_of_line = cache_line_bytes / sector_bytes;
  std::uint64_t last = ~std::uint64_t{0};
  for (const auto sector : pieces_) {
    const auto line = sector / sectors_of_line;
    if (line == last) continue;
    last = line;
    ++to.lines;
    if (!cache_.touch(line)) ++to.core_misses;
    // What is loaded and stored crosses the memory twice.
    const bool stores = site.type != AccessType::load;
    if (touched_.insert(2 * line + (stores ? 1 : 0)).second) ++to.first_touches;
  }
}

}  // namespace msci
