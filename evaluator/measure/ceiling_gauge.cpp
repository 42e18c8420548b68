#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <span>
#include <utility>

#include "base/json.h"
#include "evaluator/measure/roofline.h"

namespace msci {
namespace {

// A higher rate by more than this shows that the earlier one was measured beside other work.
constexpr double refuted_from = 1.03;

// In the place of the bytes of a set.
constexpr std::size_t arithmetic = 0;
constexpr std::size_t memory = std::numeric_limits<std::size_t>::max();

std::string entry_name(const DeviceInfo& device) {
  auto name =
      fmt::format("{}-{}-{}-{}", device.platform, device.name, device.driver, device.compute_units);
  for (auto& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
  return "ceilings/" + name + ".json";
}

// {"gflops": 1, "gbps": 2, "sets": {"65536": 3}}
Json json_of(const Ceilings& ceilings) {
  auto sets = Json::object();
  for (const auto& [bytes, gbps] : ceilings.sets) sets[std::to_string(bytes)] = gbps;
  return {{"gflops", ceilings.gflops}, {"gbps", ceilings.gbps}, {"sets", std::move(sets)}};
}

std::optional<double> positive(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number() || !(found->get<double>() > 0))
    return std::nullopt;
  return found->get<double>();
}

// Earlier versions kept files without sets, and did so on busy machines, too.
std::optional<Ceilings> kept(const Cache& cache, const std::string& name) {
  const auto contents = cache.load(name);
  if (!contents) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(contents->data());
  const auto json = parse_json<Json>({text, contents->size()});
  if (!json || !json->is_object() || !json->contains("sets") || !json->at("sets").is_object())
    return std::nullopt;
  const auto gflops = positive(*json, "gflops"), gbps = positive(*json, "gbps");
  if (!gflops || !gbps) return std::nullopt;
  Ceilings ceilings{*gflops, *gbps, Ceilings::Source::measured};
  for (const auto& [key, value] : json->at("sets").items()) {
    std::size_t bytes = 0;
    std::from_chars(key.data(), key.data() + key.size(), bytes);
    if (bytes == 0 || !value.is_number() || !(value.get<double>() > 0)) return std::nullopt;
    ceilings.sets[bytes] = value.get<double>();
  }
  return ceilings;
}

// No load of the host slows a GPU down; the steadiness of its own passes has to tell.
CeilingGauge::IsBusy busy_test_of(const DeviceInfo& device) {
  if (device.kind == DeviceInfo::Kind::gpu) return [] { return false; };
  return is_machine_busy;
}

}  // namespace

CeilingGauge::CeilingGauge(Device& device, Cache& cache, IsBusy is_busy)
    : device_(device),
      cache_(cache),
      is_busy_(is_busy ? std::move(is_busy) : busy_test_of(device.info())),
      name_(entry_name(device.info())) {}

Result<CeilingGauge> CeilingGauge::open(Device& device, Cache& cache, IsBusy is_busy) {
  CeilingGauge gauge(device, cache, std::move(is_busy));
  const auto known = known_ceilings(device.info().name);
  const auto before = kept(cache, gauge.name_);
  if (known) {
    gauge.current_ = *known;
    if (before) gauge.current_.sets = before->sets;
  } else if (before) {
    gauge.current_ = *before;
  } else if (auto error = gauge.measure_all()) {
    return *error;
  }
  return gauge;
}

std::optional<Error> CeilingGauge::measure_all() {
  forget();
  const auto gbps = measured(
      [most = most_probed(device_.info())](CeilingProbe& probe) { return probe.gbps(most); });
  if (!gbps) return gbps.error();
  const auto gflops = measured([](CeilingProbe& probe) { return probe.gflops(); });
  if (!gflops) return gflops.error();
  current_ = {.gflops = gflops->rate, .gbps = gbps->rate, .source = Ceilings::Source::measured};
  note_load(memory, gbps->may_be_kept);
  note_load(arithmetic, gflops->may_be_kept);
  keep();
  return std::nullopt;
}

std::optional<Error> CeilingGauge::prepare(Ceiling kind, std::size_t working_set) {
  if (kind != Ceiling::bandwidth || is_of_apple()) return std::nullopt;
  const auto set = set_of(kind, working_set);
  if (set == memory || current_.sets.contains(set)) return std::nullopt;
  const auto gbps = measured([set](CeilingProbe& probe) { return probe.gbps(set); });
  if (!gbps) return gbps.error();
  current_.sets[set] = gbps->rate;
  note_load(set, gbps->may_be_kept);
  keep();
  return std::nullopt;
}

std::optional<Error> CeilingGauge::measure_again(Ceiling kind, std::size_t working_set) {
  if (is_of_apple()) return std::nullopt;
  const auto set = set_of(kind, working_set);
  const auto rate = measured([&](CeilingProbe& probe) {
    return set == arithmetic ? probe.gflops() : probe.gbps(probed_set(working_set));
  });
  if (!rate) return rate.error();
  auto& ceiling = ceiling_of_set(set);
  const bool is_refuted = ceiling > 0 && rate->rate > refuted_from * ceiling;
  ceiling = std::max(ceiling, rate->rate);
  if (rate->may_be_kept || is_refuted) note_load(set, rate->may_be_kept);
  if (rate->may_be_kept)
    keep();
  else if (is_refuted)
    forget();
  return std::nullopt;
}

bool CeilingGauge::is_doubtful(Ceiling kind, std::size_t working_set) const {
  return beside_load_.contains(set_of(kind, working_set));
}

std::size_t CeilingGauge::set_of(Ceiling kind, std::size_t working_set) const {
  if (kind == Ceiling::compute) return arithmetic;
  const auto set = probed_set(working_set);
  return set >= most_probed(device_.info()) ? memory : set;
}

double& CeilingGauge::ceiling_of_set(std::size_t set) {
  if (set == arithmetic) return current_.gflops;
  return set == memory ? current_.gbps : current_.sets[set];
}

void CeilingGauge::note_load(std::size_t set, bool was_calm) {
  if (was_calm)
    beside_load_.erase(set);
  else
    beside_load_.insert(set);
  current_.is_beside_load = !beside_load_.empty();
}

// The benchmark's own figures stand.
bool CeilingGauge::is_of_apple() const {
  return device_.info().name.find("Apple") != std::string::npos;
}

Result<CeilingProbe*> CeilingGauge::probe() {
  if (!probe_) {
    auto built = CeilingProbe::build(device_);
    if (!built) return built.error();
    probe_.emplace(*std::move(built));
  }
  return &*probe_;
}

Result<CeilingGauge::Measured> CeilingGauge::measured(
    const std::function<Result<ProbedRate>(CeilingProbe&)>& measure) {
  const auto built = probe();
  if (!built) return built.error();
  const bool was_busy = is_busy_();
  const auto rate = measure(**built);
  if (!rate) return rate.error();
  return Measured{.rate = rate->rate, .may_be_kept = rate->is_steady && !was_busy && !is_busy_()};
}

void CeilingGauge::keep() {
  if (current_.is_beside_load) return;
  const auto text = json_of(current_).dump();
  cache_.store(name_, std::as_bytes(std::span(text)));
}

void CeilingGauge::forget() { cache_.remove(name_); }

}  // namespace msci
