#include "evaluator/server/verdict_cache.h"

#include <span>

#include "base/json.h"
#include "base/sha256.h"

namespace msci {
namespace {

constexpr std::string_view subfolder = "verdicts";

std::string entry_of(const std::string& digest) {
  return std::string(subfolder) + "/" + digest.substr(0, 2) + "/" + digest;
}

}  // namespace

VerdictCache::VerdictCache(std::optional<std::filesystem::path> folder, std::uintmax_t most_bytes)
    : cache_(std::move(folder)), most_bytes_(most_bytes) {
  trim();
}

std::optional<std::string> VerdictCache::find(const std::string& digest) {
  const auto kept = cache_.load(entry_of(digest));
  if (!kept) return std::nullopt;
  cache_.touch(entry_of(digest));
  return std::string(reinterpret_cast<const char*>(kept->data()), kept->size());
}

void VerdictCache::store(const std::string& digest, const std::string& verdict) {
  cache_.store(entry_of(digest), std::as_bytes(std::span(verdict)));
  bytes_ += verdict.size();
  if (bytes_ > most_bytes_) trim();
}

// Leaves a quarter of the room free, so that the next verdicts need not look at all files.
void VerdictCache::trim() {
  bytes_ = cache_.usage(subfolder).bytes;
  if (bytes_ <= most_bytes_) return;
  cache_.trim(subfolder, most_bytes_ / 4 * 3);
  bytes_ = cache_.usage(subfolder).bytes;
}

std::string ResultKey::digest_of(std::string_view text) const {
  const OrderedJson parts = {program, settings, devices, tasks};
  return sha256_of(to_line(parts) + "\n" + std::string(text));
}

}  // namespace msci
