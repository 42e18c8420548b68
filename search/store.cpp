#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>
#include <vector>

#include "base/files/read_file.h"
#include "base/sha256.h"
#include "search/loop.h"

namespace msci::search {
namespace {

namespace fs = std::filesystem;

// A search's history is far smaller. A generator may alter any file of the folder.
constexpr std::size_t most_file_bytes = std::size_t{1} << 30;

// Removes unfinished files of write_file, by their names.
void sweep(const fs::path& folder) {
  static const std::regex unfinished(R"(.*\.(md|metal|json)\.[A-Za-z0-9]{6})");
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(folder, gone))
    if (std::regex_match(entry.path().filename().string(), unfinished))
      fs::remove(entry.path(), gone);
}

// The files whose contents a search relies on. A generator writes its usage.
bool is_of_a_search(const std::string& name) {
  static const std::regex names(
      R"(\d{2,}_(seed\.metal|candidate\.metal|prompt\.md|response\.md|generator\.json)"
      R"(|result\.json)|(search|history|summary|gate|best_result)\.json|best\.metal)");
  return std::regex_match(name, names);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(folder, gone))
    names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace

std::string file_of(unsigned iteration, std::string_view what) {
  return fmt::format("{:02}_{}", iteration, what);
}

std::string source_of(unsigned iteration) {
  return file_of(iteration, iteration == 0 ? "seed.metal" : "candidate.metal");
}

Result<Store> Store::open(const std::string& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return Error{fmt::format("cannot create {}: {}", folder, problem.message())};
  const auto absolute = fs::absolute(folder, problem);
  Fd lock(::open((absolute / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock) return Error{fmt::format("cannot write to {}: {}", folder, std::strerror(errno))};
  // A lock of the process, because a lock of the file would outlive a killed search in a child that
  // has not executed its program yet.
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (::fcntl(lock.get(), F_SETLK, &whole) != 0)
    return Error{fmt::format("another search uses {}; give this one its own --out", folder)};
  sweep(absolute);
  const auto names = names_in(absolute);
  if (names.size() > 1 && std::ranges::none_of(names, is_of_a_search))
    return Error{
        fmt::format("{} holds other files than those of a search ({}); give a new folder "
                    "as --out",
                    folder, names[0] == ".lock" ? names[1] : names[0])};
  Store store(absolute.string(), std::move(lock));
  for (const auto& name : names) {
    if (!is_of_a_search(name)) continue;
    const auto text = read_text(store.path(name), most_file_bytes);
    if (!text) return text.error();
    store.remember(name, *text);
  }
  return store;
}

void Store::remember(std::string_view name, std::string_view text) const {
  if (is_of_a_search(std::string(name))) digests_[std::string(name)] = sha256_of(text);
}

Error Store::altered(std::string_view name, std::string_view how) const {
  return {
      fmt::format("another program, perhaps the generator, has {} {}; the search stops, since "
                  "its files no longer hold what it wrote. Keep generators out of {}, and "
                  "search into a new --out",
                  how, path(name), folder_)};
}

std::optional<Error> Store::check_unaltered() const {
  for (const auto& name : names_in(folder_))
    if (is_of_a_search(name) && !digests_.contains(name)) return altered(name, "added");
  for (const auto& [name, digest] : digests_) {
    if (!has(name)) return altered(name, "removed");
    const auto text = read_text(path(name), most_file_bytes);
    if (!text || sha256_of(*text) != digest) return altered(name, "altered");
  }
  return std::nullopt;
}

Result<std::optional<std::string>> Store::read(std::string_view name) const {
  if (!has(name)) return std::optional<std::string>();
  auto text = read_text(path(name), most_file_bytes);
  if (!text) return text.error();
  return std::optional(*std::move(text));
}

bool Store::has(std::string_view name) const {
  std::error_code none;
  return fs::exists(path(name), none);
}

// A user may have edited the file since check_unaltered().
std::optional<Error> Store::put(std::string_view name, std::string_view text, Sync sync) const {
  auto before = text_before_update(path(name));
  if (!before) return before.error();
  const auto known = digests_.find(std::string(name));
  if (known != digests_.end() && !*before) return altered(name, "removed");
  if (known != digests_.end() && sha256_of(**before) != known->second)
    return altered(name, "altered");
  if (known == digests_.end() && *before && is_of_a_search(std::string(name)))
    return altered(name, "added");
  remember(name, text);
  return update_file({.path = path(name), .before = *std::move(before), .program = "msci-search"},
                     text, sync);
}

std::optional<Error> Store::write(std::string_view name, std::string_view text) const {
  return put(name, text, Sync::yes);
}

std::optional<Error> Store::write_derived(std::string_view name, std::string_view text) const {
  return put(name, text, Sync::no);
}

void Store::remove(std::string_view name) const {
  std::error_code none;
  fs::remove(path(name), none);
  if (const auto known = digests_.find(std::string(name)); known != digests_.end())
    digests_.erase(known);
}

unsigned Store::last_iteration() const {
  unsigned last = 0;
  for (const auto& [name, digest] : digests_)
    if (name.ends_with("_generator.json"))
      last = std::max(last, static_cast<unsigned>(std::strtoul(name.c_str(), nullptr, 10)));
  return last;
}

}  // namespace msci::search
